// A file that was made in the browser, given to it to keep.

import { element } from "./dom.js";

/** Give a file to the browser to keep; says its size. */
export function handOver(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), ADDRESS_KEPT);
  return fileSize(blob.size);
}

const ADDRESS_KEPT = 60_000; // milliseconds until the browser may forget a file that it has been handed

function fileSize(bytes) {
  if (bytes < 1e6) return `${Math.max(1, Math.round(bytes / 1e3))} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
