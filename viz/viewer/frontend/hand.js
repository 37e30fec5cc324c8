// What the reader has in hand: hints name what a finger can do, or the pointer and the keys.

let isTouched = matchMedia("(pointer: coarse)").matches;

/** Whether the reader uses a finger. A keyboard on the screen has neither arrows nor a Tab key. */
export function usesFinger() {
  return isTouched;
}

addEventListener("pointerdown", ({ pointerType }) => { isTouched = pointerType === "touch"; }, { capture: true, passive: true });
addEventListener("keydown", ({ key }) => { if (key === "Tab" || key.startsWith("Arrow")) isTouched = false; }, { capture: true });
