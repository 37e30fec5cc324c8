// Elements, sizes and colours of the page, in few words.

/** An element with attributes and children; text is text, never markup. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

/** Write a text only if it is another one: the browser would lay the page out anew. */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Write parts of a sentence: plain texts, {token}s, each with a writing direction of its own, and nodes. */
export function say(node, parts) {
  const text = parts.map((part) => part.token ?? part.textContent ?? part).join("");
  if (node.textContent === text) return;
  node.replaceChildren(...parts.map((part) => (part.token === undefined ? part : element("bdi", {}, part.token))));
}

/** Change an attribute, or a text, only if it differs: the page is not laid out again for nothing. */
export function attribute(node, name, value) {
  if (value === null) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

/** Make a canvas `width` x `height` CSS pixels large, sharp on this screen; gives its 2D context, cleared. */
export function sized(canvas, width, height) {
  const density = Math.min(window.devicePixelRatio || 1, 2);
  const [w, h] = [Math.round(width * density), Math.round(height * density)];
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  const context = canvas.getContext("2d");
  context.setTransform(density, 0, 0, density, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

/** Whether the page around an element is dark: by its ground, or, where none is laid, by its ink. */
export function isDark(node) {
  for (let at = node; at; at = at.parentElement ?? at.getRootNode().host) {
    const ground = getComputedStyle(at).backgroundColor.match(/[\d.]+/g)?.map(Number);
    if (ground && (ground.length < 4 || ground[3] > 0)) return ground[0] + ground[1] + ground[2] < 384;
  }
  const ink = getComputedStyle(node).color.match(/[\d.]+/g)?.map(Number); // none of what has left the page
  return ink !== undefined && ink[0] + ink[1] + ink[2] > 384;
}

/** Where on an element a pointer is, in CSS pixels from its left top corner. */
export function placeOn(node, event) {
  const box = node.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}
