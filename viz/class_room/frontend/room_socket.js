// The line to the room: comes back by itself, when a telephone wakes, when the server has started again.

/** Calls `heard(message)` for every message; `lost()` while there is no line. `hello()` gives what is said first. */
export class RoomSocket {
  constructor(path, { hello, heard, lost }) {
    Object.assign(this, { path, hello, heard, lost, tries: 0, ended: false });
    this.awake = () => { if (!document.hidden) this.open(); };
    document.addEventListener("visibilitychange", this.awake);
    addEventListener("online", this.awake);
    this.open();
  }

  open() {
    if (this.ended || (this.line && this.line.readyState <= WebSocket.OPEN)) return;
    clearTimeout(this.waiting);
    const address = new URL(this.path, location.origin);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const line = (this.line = new WebSocket(address));
    line.onopen = () => line.send(JSON.stringify(this.hello()));
    line.onmessage = ({ data }) => {
      this.tries = 0;
      const message = JSON.parse(data);
      if (message.type === "gone") this.ended = true;
      this.heard(message);
    };
    line.onclose = () => {
      if (this.ended || this.line !== line) return;
      this.lost();
      this.waiting = setTimeout(() => this.open(), Math.min(FIRST * 2 ** this.tries++, LONGEST) * (0.5 + Math.random()));
    };
  }

  /** Send a message; gives whether there is a line. */
  say(message) {
    const isOpen = this.line?.readyState === WebSocket.OPEN;
    if (isOpen) this.line.send(JSON.stringify(message));
    return isOpen;
  }

  close() {
    this.ended = true;
    clearTimeout(this.waiting);
    document.removeEventListener("visibilitychange", this.awake);
    removeEventListener("online", this.awake);
    this.line?.close();
  }
}

const FIRST = 300; // milliseconds until it is tried again, about: sixty telephones shall not come at once
const LONGEST = 5000;
