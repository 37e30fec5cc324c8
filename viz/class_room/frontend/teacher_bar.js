// The teacher's bar on every page of the app, while a room is open: who is here, what is asked, what everybody sees.

import { element, write } from "./dom.js";
import { toSay, tr, trn } from "./language.js";
import { RoomQuestion } from "./room_question.js";
import { RoomSocket } from "./room_socket.js";
import { serverSource } from "./source.js";

/** Mount into, or update inside, a component of Streamlit. `data` is {letters, key, socket, rooms}, or has no letters. */
export function openComponent({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector("[data-bar]");
  if (!data.letters) return offerKnown(data, setStateValue);
  localStorage.setItem(PLACE, JSON.stringify({ letters: data.letters, key: data.key }));
  const bar = BARS.get(root);
  if (bar?.data.letters === data.letters) {
    bar.calls += 1;
    return () => bar.close();
  }
  const made = new TeacherBar(root, data);
  BARS.set(root, made);
  return () => made.close();
}

/** A session that teaches no room, in a browser that has opened one: the session may have ended with its server. */
function offerKnown({ closed }, setStateValue) {
  if (closed) localStorage.removeItem(PLACE);
  const known = JSON.parse(localStorage.getItem(PLACE) ?? "null");
  if (known && !closed) setStateValue("known", known);
  return () => {};
}

class TeacherBar {
  constructor(root, data) {
    Object.assign(this, { root, data, calls: 1, room: null });
    this.people = element("span", { class: "people" });
    this.lock = element("button", { type: "button", "aria-pressed": "false", title: tr(LOCK_HELP),
      onclick: () => this.socket.say({ do: "lock", locked: !this.room?.locked }) }, tr("Lock all to mine"));
    this.ask = element("button", { type: "button", "aria-expanded": "false", onclick: () => this.openAsking() }, tr("Ask …"));
    this.hands = element("button", { type: "button", onclick: () => this.socket.say({ do: "hands" }) }, tr("Show of hands"));
    this.projector = element("a", { href: `${data.rooms}/${data.letters}?show=projector`, target: "_blank", rel: "noopener" }, tr("Projector"));
    this.news = element("span", { class: "news", role: "status" });
    this.asking = this.buildAsking();
    this.question = new RoomQuestion("teacher");
    this.reveal = element("button", { type: "button", onclick: () => this.socket.say({ do: "reveal" }) }, tr("Show the model's answer"));
    this.end = element("button", { type: "button", onclick: () => this.socket.say({ do: "end" }) }, tr("End the question"));
    this.after = element("div", { class: "after", hidden: true }, this.reveal, this.end);
    const line = element("div", { class: "bar" }, element("strong", { class: "letters" }, data.letters), this.people,
      this.ask, this.hands, this.lock, this.projector, this.news);
    root.replaceChildren(line, this.asking, this.question.node, this.after);
    this.socket = new RoomSocket(data.socket, {
      hello: () => ({ role: "teacher", key: data.key }), heard: (message) => this.heard(message),
      lost: () => write(this.news, tr("The line is gone. It comes back by itself …")),
    });
  }

  buildAsking() {
    this.token = element("select", { "aria-label": tr("Token") });
    this.about = element("select", { "aria-label": tr("Question") },
      element("option", { value: "row" }, tr("What does this token look at most?")),
      element("option", { value: "column" }, tr("What looks at this token most?")));
    this.seconds = element("select", { "aria-label": tr("Time") }, ...TIMES.map(([value, label]) => element("option", { value }, tr(label))));
    const send = element("button", { type: "submit" }, tr("Ask the class"));
    return element("form", { class: "asking", hidden: true, onsubmit: (event) => this.send(event) }, this.token, this.about, this.seconds, send);
  }

  async openAsking() {
    const opens = this.asking.hidden;
    this.asking.hidden = !opens;
    this.ask.setAttribute("aria-expanded", String(opens));
    if (!opens) return;
    const drawn = this.view?.viewer;
    if (!drawn) {
      this.asking.hidden = true;
      write(this.news, tr(NO_PICTURE));
      return;
    }
    const about = await serverSource(drawn.base).about();
    const kind = about.kinds.find((each) => each.kind === drawn.choices.kind) ?? about.kinds[0];
    const held = drawn.choices.locked[0] ?? 0;
    this.token.replaceChildren(...kind.queries.texts.map((text, position) =>
      element("option", { value: position, selected: position === held }, `${position} · ${text}`)));
    this.token.focus();
  }

  send(event) {
    event.preventDefault();
    this.socket.say({ do: "ask", about: this.about.value, position: Number(this.token.value), seconds: Number(this.seconds.value) });
    this.openAsking();
  }

  heard(message) {
    if (message.type === "refused") write(this.news, message.says);
    else if (message.type === "gone") this.gone();
    else this.draw(message);
  }

  draw(room) {
    this.room = room;
    if (room.view) this.view = room.view;
    write(this.news, "");
    const hands = room.hands ? [`✋ ${room.hands}`] : [];
    write(this.people, [trn("{n} student", "{n} students", room.people), ...hands].join(" · "));
    this.lock.setAttribute("aria-pressed", String(room.locked));
    this.question.draw(room, room.now - Date.now() / 1000);
    this.after.hidden = !room.question;
    this.reveal.hidden = !room.question || room.question.revealed || room.question.kind === "hands";
  }

  gone() {
    localStorage.removeItem(PLACE);
    this.root.replaceChildren(element("p", { class: "bar" }, tr("The room is closed.")));
  }

  /** Streamlit ends the call before when the page is drawn anew; the last one ends the bar. */
  close() {
    this.calls -= 1;
    if (this.calls) return;
    this.socket.close();
    BARS.delete(this.root);
  }
}

const BARS = new WeakMap();
const PLACE = "headlight-room-taught";
const TIMES = [
  [0, toSay("no time limit")], [15, toSay("15 s")], [30, toSay("30 s")], [60, toSay("1 min")], [120, toSay("2 min")],
];
const LOCK_HELP = toSay("Everybody sees what you see, and nobody looks around alone, until you unlock.");
const NO_PICTURE = toSay("Show a sentence on the page Attention or on Home: the class is asked about its tokens.");
