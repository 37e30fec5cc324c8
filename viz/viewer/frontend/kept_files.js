// Files of models, which the browser keeps: what they hold is in their names, so that a kept one is never old.
// A frame of a learning platform may keep nothing (sandbox without allow-same-origin), and works all the same.

const KEPT = "headlight-models";

/** Have the page open without a network the next time, where a page may. */
export function openOffline() {
  try {
    navigator.serviceWorker?.register("offline.js").catch(() => {});
  } catch { /* not in this frame */ }
}

async function openedCache() {
  try {
    return await globalThis.caches?.open(KEPT);
  } catch {
    return null; // not everywhere may a page keep something
  }
}

/** The answer to an address: from what the browser has kept, or from the network, and kept then in the place of older ones. */
export async function kept(address, models) {
  const cache = await openedCache();
  const there = await cache?.match(address);
  if (there) return there;
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  if (!cache) return answer;
  const current = models.flatMap(({ settings, weights }) => [settings, weights].map((one) => new URL(one, location.href).href));
  const isOlder = (url) => !current.includes(url) && current.some((one) => withoutDigest(one) === withoutDigest(url));
  for (const { url } of await cache.keys()) if (isOlder(url)) cache.delete(url);
  cache.put(address, answer.clone()).catch(() => {}); // there may be no room
  return answer;
}

function withoutDigest(address) {
  return address.replace(/-[0-9a-f]+(?=\.\w+$)/, "");
}

/** A stream that says after every part how many bytes have come. */
export function counted(stream, told) {
  let come = 0;
  const transform = (part, next) => {
    told((come += part.length));
    next.enqueue(part);
  };
  return stream.pipeThrough(new TransformStream({ transform }));
}
