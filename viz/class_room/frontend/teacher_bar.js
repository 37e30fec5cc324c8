// The teacher's bar on every page of the app, while a room is open: who is here, what is asked, what everybody sees.

import { element, write } from "./dom.js";
import { spoken, toSay, tr, trn } from "./language.js";
import { RoomQuestion } from "./room_question.js";
import { RoomSocket } from "./room_socket.js";
import { SentenceList } from "./room_sentence.js";
import { watchSight } from "./room_sight.js";
import { AskForm } from "./teacher_asks.js";

/** Mount into, or update inside, a component of Streamlit. `data` is {letters, key, tab, socket, rooms}, or has no letters. */
export function openComponent({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector("[data-bar]");
  if (window !== window.parent) return () => {}; // a page in a frame follows
  if (!data.letters) return offerKnown(data, setStateValue);
  localStorage.setItem(PLACE, JSON.stringify({ letters: data.letters, key: data.key }));
  keepTab(data);
  const bar = BARS.get(root);
  if (bar?.data.letters === data.letters && bar.data.tab === data.tab) {
    bar.calls += 1;
    return () => bar.close();
  }
  const made = new TeacherBar(root, data, { takeOver: () => setStateValue("taken", Date.now()), show: () => setStateValue("resumed", Date.now()) });
  BARS.set(root, made);
  return () => made.close();
}

/** A session that teaches no room, in a browser that has opened one: the session may have ended with its server. */
function offerKnown({ closed }, setStateValue) {
  if (closed) localStorage.removeItem(PLACE);
  const known = JSON.parse(localStorage.getItem(PLACE) ?? "null");
  const { letters, tab } = JSON.parse(sessionStorage.getItem(TAB) ?? "{}");
  sessionStorage.removeItem(TAB); // a copy of this tab is another one
  if (known && !closed) setStateValue("known", { ...known, tab: letters === known.letters ? tab : "" });
  return () => {};
}

/** The name of the tab outlives a reload: it is written when the page goes, and taken when it comes back. */
function keepTab({ letters, tab }) {
  window.headlightTab = { letters, tab };
  if (window.headlightTabIsKept) return;
  window.headlightTabIsKept = true;
  addEventListener("pagehide", () => sessionStorage.setItem(TAB, JSON.stringify(window.headlightTab)));
  addEventListener("pageshow", ({ persisted }) => { if (persisted) sessionStorage.removeItem(TAB); });
}

class TeacherBar {
  /** `takeOver()` makes this tab the one that teaches, `show()` shows the class what is on the page. */
  constructor(root, data, { takeOver, show }) {
    Object.assign(this, { root, data, show, calls: 1, room: null });
    this.people = element("span", { class: "people" });
    this.lock = this.toggle(LOCK, LOCK_HELP, () => ({ do: "lock", locked: !this.room?.locked }));
    this.pause = this.toggle(PAUSE, PAUSE_HELP, () => ({ do: "pause", paused: !this.room?.paused }));
    this.door = this.toggle(DOOR, DOOR_HELP, () => ({ do: "shut", shut: !this.room?.shut }));
    this.form = new AskForm({ ask: (message) => this.socket.say({ do: "ask", ...message }), tell: (news) => write(this.news, news) });
    this.hands = this.button(HANDS, () => ({ do: "hands" }));
    const projector = element("a", { href: `${data.rooms}/${data.letters}?show=projector`, target: "_blank", rel: "noopener" }, tr("Projector"));
    this.news = element("span", { class: "news", role: "status" });
    this.question = new RoomQuestion("teacher");
    this.buildAfter();
    this.next = this.button("", () => ({ do: "next" }));
    this.tools = element("div", { class: "tools" }, this.form.button, this.next, this.hands, this.lock, this.pause, this.door);
    this.away = element("div", { class: "away", hidden: true }, element("span", {}, tr(ANOTHER_TAB)),
      element("button", { type: "button", onclick: takeOver }, tr("Teach in this tab")));
    const line = element("div", { class: "bar" }, element("strong", { class: "letters" }, data.letters), this.people, this.tools,
      this.away, projector, this.news);
    root.replaceChildren(line, this.form.node, this.question.node, this.after);
    this.socket = new RoomSocket(data.socket, {
      hello: () => ({ role: "teacher", key: data.key, tab: data.tab, language: spoken() }),
      heard: (message) => this.heard(message), lost: () => write(this.news, tr("The line is gone. It comes back by itself …")),
    });
    this.unwatch = watchSight(document, (key) => { if (this.room?.teaches) this.socket.say({ do: "sight", key }); });
  }

  /** What stands under a question: what can be done with it, and who has not answered. */
  buildAfter() {
    this.shut = this.button(CLOSE, () => ({ do: "close" }));
    this.votes = this.toggle(LIVE, LIVE_HELP, () => ({ do: "votes", live: !this.room?.question?.live }));
    this.reveal = this.button(REVEAL, () => ({ do: "reveal" }));
    this.end = this.button(END, () => ({ do: "end" }));
    this.missing = element("summary");
    this.names = element("p", { class: "waited-for" });
    this.sentences = new SentenceList((place) => this.socket.say({ do: "pick", place }));
    this.late = element("span", { class: "late", title: tr(LATE_HELP) });
    this.waited = element("details", {}, this.missing, this.names);
    this.after = element("div", { class: "after", hidden: true }, this.shut, this.votes, this.reveal, this.end, this.waited, this.late,
      this.sentences.node);
  }

  button(label, message) {
    return element("button", { type: "button", onclick: () => this.socket.say(message()) }, label && tr(label));
  }

  toggle(label, help, message) {
    const made = this.button(label, message);
    made.title = tr(help);
    made.setAttribute("aria-pressed", "false");
    return made;
  }

  heard(message) {
    if (message.type === "refused") write(this.news, message.says);
    else if (message.type === "gone") this.gone();
    else this.draw(message);
  }

  draw(room) {
    const goesOn = this.room?.paused && !room.paused && room.teaches;
    this.room = room;
    if (goesOn) this.show();
    if (room.view) this.form.view = room.view;
    write(this.news, "");
    const hands = room.hands ? [`✋ ${room.hands}`] : [];
    write(this.people, [trn("{n} student", "{n} students", room.people), ...hands].join(" · "));
    this.tools.hidden = !room.teaches;
    this.away.hidden = room.teaches;
    if (!room.teaches) this.form.close();
    this.lock.setAttribute("aria-pressed", String(room.locked));
    this.pause.setAttribute("aria-pressed", String(room.paused));
    this.door.setAttribute("aria-pressed", String(room.shut));
    const [number, all] = room.quiz;
    this.next.hidden = !all;
    write(this.next, all ? tr("Ask question {number} of {all}", { number, all }) : "");
    this.question.draw(room, room.now - Date.now() / 1000);
    this.drawAfter(room);
  }

  drawAfter({ question, teaches, late, waited_for: waitedFor }) {
    this.after.hidden = !question || !teaches;
    if (!question) return;
    this.sentences.draw(question);
    const isAsked = question.kind !== "hands";
    this.shut.hidden = !isAsked || question.closed;
    this.votes.hidden = this.shut.hidden || question.kind === "sentence";
    this.votes.setAttribute("aria-pressed", String(question.live));
    this.reveal.hidden = !isAsked || question.revealed || !question.says;
    this.waited.hidden = !isAsked || question.closed || !waitedFor.length;
    write(this.late, late ? trn("{n} answer from a late device", "{n} answers from late devices", late) : "");
    write(this.missing, trn("{n} has not answered", "{n} have not answered", waitedFor.length));
    write(this.names, waitedFor.join(", "));
  }

  gone() {
    localStorage.removeItem(PLACE);
    this.root.replaceChildren(element("p", { class: "bar" }, tr("The room is closed.")));
  }

  /** Streamlit ends the call before when the page is drawn anew; the last one ends the bar. */
  close() {
    this.calls -= 1;
    if (this.calls) return;
    this.unwatch();
    this.socket.close();
    BARS.delete(this.root);
  }
}

const BARS = new WeakMap();
const PLACE = "headlight-room-taught";
const TAB = "headlight-room-tab";
const HANDS = toSay("Show of hands");
const LOCK = toSay("Lock all to mine");
const LOCK_HELP = toSay("Everybody sees what you see, and nobody looks around alone, until you unlock.");
const PAUSE = toSay("Pause");
const PAUSE_HELP = toSay("The class keeps what it sees now, and you look around, until you press this again.");
const DOOR = toSay("Close the door");
const DOOR_HELP = toSay("No new device comes in. Everybody who is here stays, and comes back after a reload.");
const LATE_HELP = toSay("These devices came into the room after the question was asked. Are they more than the students who came late?");
const CLOSE = toSay("Close the question");
const LIVE = toSay("Votes live");
const LIVE_HELP = toSay("Everybody sees the votes while they come in, and not only when the question is closed.");
const REVEAL = toSay("Show the model's answer");
const END = toSay("End the question");
const ANOTHER_TAB = toSay("Another tab teaches this room. This one is not seen by the class.");
