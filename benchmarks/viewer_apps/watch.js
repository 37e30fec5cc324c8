// Runs in every frame before its own scripts. The page on top keeps what the harness asks for in `benchmark`:
// `log` has an entry for every picture that was drawn, `at` being the time when the frame after it began, at which it
// was on the screen; `begun` is the time of the last key or click. All times are milliseconds since 1970. `received`
// and `sent` are bytes: messages of the websocket, bodies of HTTP from the server itself, not from the browser's cache.
"use strict";
(() => {
  const stamp = (event) => {
    top.benchmark.begun = performance.timeOrigin + event.timeStamp;
  };
  for (const kind of ["keydown", "pointerdown"]) addEventListener(kind, stamp, { capture: true });

  if (window === top) {
    window.benchmark = { log: [], begun: Infinity, received: 0, sent: 0, state: () => null };
    const size = (data) => data.byteLength ?? data.size ?? new Blob([data]).size;
    window.WebSocket = class extends WebSocket {
      constructor(...address) {
        super(...address);
        this.addEventListener("message", ({ data }) => (benchmark.received += size(data)));
      }
      send(data) {
        benchmark.sent += size(data);
        super.send(data);
      }
    };
  }

  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.transferSize) top.benchmark.received += entry.encodedBodySize;
  }).observe({ type: "resource", buffered: true });
  if (window !== top) return;

  // A peer that knows itself when it was on the screen says so (`at`); for others the next frame tells.
  let last = "";
  const look = () => {
    const state = benchmark.state();
    const found = JSON.stringify(state);
    if (state && found !== last) {
      last = found;
      const entry = { exact: true, ...state };
      benchmark.log.push(entry);
      if (!entry.at) requestAnimationFrame(() => (entry.at = Date.now()));
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})();
