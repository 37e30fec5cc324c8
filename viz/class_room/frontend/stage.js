// Streamlit's page in a frame of a room: it is looked at and not operated, and adds nothing to the browser's history.

const CONTROLS = ":is(a,input,textarea,select,label,[contenteditable],[role=combobox],[data-testid=stSlider],button:not([role=tab]))";
const OPERATES = ["click", "pointerdown", "mousedown", "touchstart", "keydown", "beforeinput"];

const replace = history.replaceState.bind(history);
history.pushState = history.replaceState = (state, title, address) => {
  const to = new URL(address ?? location.href, location.href);
  to.searchParams.set("embed", "true"); // the server's addresses are without it, and Streamlit would draw its menu
  replace(state, title, to);
};
for (const kind of OPERATES) {
  addEventListener(kind, (event) => {
    if (event.key === "Tab" || !event.target.closest?.(CONTROLS)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, { capture: true, passive: false });
}
