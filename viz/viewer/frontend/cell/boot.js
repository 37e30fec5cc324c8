// The first script of a cell: it unpacks the viewer and the numbers, which a notebook stores compressed. Until it has, and
// where no script may run, the frame is clear, and the picture under it is seen.

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%,()*+-;.=:?@^_`{|}~";

/** Bytes from text: four of each five digits to the base of 85, as `stored_text` of viz/viewer/stored.py writes them. */
function decoded(text) {
  const view = new DataView(new ArrayBuffer(Math.ceil(text.length / 5) * 4));
  for (let start = 0; start < text.length; start += 5) {
    let number = 0;
    for (const digit of text.slice(start, start + 5).padEnd(5, "~")) number = number * 85 + DIGITS.indexOf(digit);
    view.setUint32((start / 5) * 4, number);
  }
  return view.buffer.slice(0, Math.floor((text.length * 4) / 5));
}

function inflated(id) {
  const packed = new Blob([decoded(document.getElementById(id).textContent.trim())]);
  return new Response(packed.stream().pipeThrough(new DecompressionStream("deflate")));
}

const [viewer, numbers] = await Promise.all([inflated("code").text(), inflated("numbers").arrayBuffer()]);
document.head.append(Object.assign(document.createElement("script"), { textContent: viewer }));
openCell(document.getElementById("viewer"), numbers);
