// What a picture of tokens hears of its panes: which token is under the pointer, and which has the focus of the keyboard.

export class PointedTokens {
  constructor(model, viewer) {
    Object.assign(this, { model, viewer, hovered: null, focused: null });
  }

  pointed(side, index) {
    if (this.hovered?.side === side && this.hovered.index === index) return;
    this.hovered = { side, index };
    this.moved();
  }

  unpointed() {
    if (!this.hovered) return;
    this.hovered = null;
    this.moved();
  }

  focusedOn(side, index) {
    Object.assign(this, { focused: { side, index }, hovered: null });
    this.moved();
  }

  blurred() {
    if (!this.focused) return;
    this.focused = null;
    this.moved();
  }

  repaint() {
    this.viewer.draw();
  }

  /** Fetch all rows of the mean of a long text, so that one can be read; the viewer says why it could not be had. */
  completeRows() {
    const { signal } = this.model.stop;
    this.model.complete().catch((error) => {
      if (signal.aborted) return;
      this.model.failure = error.message;
      this.viewer.draw();
    });
  }
}
