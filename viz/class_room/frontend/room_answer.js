// A student's answer on its way: kept while the line is gone, sent when it is back, and said to be lost if that was too late.

import { tr } from "./language.js";

export class RoomAnswer {
  /** `say(message)` sends, and gives whether there was a line; `question` is the RoomQuestion; `tell(news)` is read by the student. */
  constructor(question, { say, tell }) {
    Object.assign(this, { question, say, tell, pending: null });
  }

  choose(question, choice) {
    this.pending = { do: "answer", question, choice };
    this.send();
  }

  write(question, text) {
    this.pending = { do: "write", question, text };
    this.send();
  }

  /** Send what has not arrived: at once, and again when the line is back. */
  send() {
    if (this.pending) this.question.waits = !this.say(this.pending);
  }

  /** The server says which answer to a question counts. */
  heard({ question, choice, text }) {
    if (question !== this.pending?.question) return;
    const isOpen = this.question.shown?.id === question && !this.question.isOver;
    const counts = choice === this.pending.choice && text === this.pending.text;
    if (!counts && isOpen) return; // of two taps the answer to the first
    if (!counts) {
      this.tell(tr("Your answer is lost: the question was closed while the line was gone."));
      if (this.question.shown?.id === question) Object.assign(this.question, { chosen: choice ?? null, sent: text ?? "" });
    }
    this.pending = null;
  }
}
