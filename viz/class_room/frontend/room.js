// The page of a student, or of the projector: what the teacher sees, a question, and nothing that has to be typed.

import { element, write } from "./dom.js";
import { toSay, tr, trn } from "./language.js";
import { RoomAnswer } from "./room_answer.js";
import { WallFit } from "./room_fit.js";
import { RoomQuestion } from "./room_question.js";
import { bringIntoSight } from "./room_sight.js";
import { RoomSocket } from "./room_socket.js";
import { serverSource } from "./source.js";
import { Viewer } from "./viewer.js";

class RoomPage {
  constructor(root, told) {
    Object.assign(this, { told, role: told.projector ? "projector" : "student", room: null, view: null, you: null, alone: false, lasting: "" });
    this.buildBar();
    this.question = new RoomQuestion(this.role, {
      choose: (question, choice) => this.answer.choose(question, choice),
      write: (question, text) => this.answer.write(question, text),
      raise: (up) => this.raise(up),
    });
    this.answer = new RoomAnswer(this.question, { say: (message) => this.socket.say(message), tell: (news) => this.say((this.lasting = news)) });
    this.texts = element("p", { class: "texts" });
    this.picture = element("div", { class: "picture", "data-root": true, hidden: true });
    this.frame = element("iframe", { class: "other-page", title: tr("The page that the teacher shows"), hidden: true });
    this.hint = element("p", { class: "hint" }, tr(WAITING));
    this.veil = element("p", { class: "not-yet" }, tr(VEILED));
    const shown = element("div", { class: "shown" }, this.texts, this.veil, this.picture, this.frame, this.hint);
    root.replaceChildren(this.bar, element("div", { class: "stage" }, this.question.node, shown));
    this.viewer = new Viewer(this.picture);
    this.viewer.model.listen(({ told: byReader }) => { if (byReader && this.isHeld) this.follow(); });
    this.socket = new RoomSocket(told.socket, {
      hello: () => ({ role: this.role, language: told.language }),
      heard: (message) => this.heard(message),
      lost: () => this.say(tr("The line is gone. It comes back by itself …")),
    });
    this.wall = told.projector ? new WallFit(this) : null;
  }

  buildBar() {
    const { letters, projector } = this.told;
    this.name = element("span", { class: "name" });
    this.people = element("span", { class: "people" });
    this.news = element("span", { class: "news", role: "status" });
    this.look = element("button", { type: "button", onclick: () => this.lookAround(!this.alone) }, tr(LOOK_AROUND));
    const invitation = projector
      ? [element("img", { class: "code", src: `${this.told.rooms}/${letters}/code.svg`, alt: "" }),
        element("span", { class: "where" }, this.told.where.replace(/^https?:\/\//, ""))] : [];
    this.bar = element("header", { class: "bar" }, ...invitation, element("strong", { class: "letters" }, letters),
      ...(projector ? [] : [this.name]), this.people, this.news, ...(projector ? [] : [this.look]));
  }

  heard(message) {
    if (message.type === "you") this.meet(message);
    else if (message.type === "gone") this.end(message.says);
    else if (message.type === "answered") this.answered(message);
    else if (message.type === "refused") this.say(message.says);
    else this.drawRoom(message);
  }

  /** The server says who this browser is, now or again. */
  meet(you) {
    this.you = you;
    write(this.name, you.name);
    this.name.style.background = you.colour;
    this.question.hand = you.hand;
    if (!this.answer.pending) Object.assign(this.question, { chosen: you.answer, sent: you.sentence });
    this.isBack = true;
  }

  answered(message) {
    this.answer.heard(message);
    if (this.question.shown) this.question.drawOptions();
  }

  drawRoom(room) {
    const { heldRow } = this;
    const hasScrolled = Boolean(this.room) && room.sight !== this.room.sight;
    this.room = room;
    write(this.people, [trn("{n} student", "{n} students", room.people), ...(room.hands ? [`✋ ${room.hands}`] : [])].join(" · "));
    const { question } = room;
    if (question && question.id !== this.question.shown?.id) {
      this.askedOf = (room.view ?? this.view)?.viewer?.id;
      this.lasting = "";
    }
    this.say(room.paused ? tr(PAUSED) : this.lasting);
    document.body.classList.toggle("asked-now", Boolean(question));
    this.drawVeil();
    if (room.locked && this.alone) this.lookAround(false);
    if (room.view && room.view.number !== this.view?.number) {
      this.view = room.view;
      if (!this.alone) this.follow();
      else this.say(tr(MOVED_ON));
    } else if (heldRow !== this.heldRow && !this.alone) this.follow();
    this.look.disabled = room.locked || !this.view?.link;
    if (!question && this.question.shown) Object.assign(this.question, { chosen: null, sent: "", hand: false });
    this.question.draw(room, room.now - Date.now() / 1000);
    if (this.isBack) this.answer.send();
    this.isBack = false;
    if (hasScrolled && !this.alone && !this.frame.hidden) bringIntoSight(this.frame.contentDocument, room.sight);
    this.wall?.fit();
  }

  /** Hide what shows the answer, until the model has said it; whoever looks around alone sees nothing so long. */
  drawVeil() {
    const question = this.room?.question;
    const isSecret = Boolean(question?.secret);
    document.body.classList.toggle("veiled", isSecret && (question.veiled || this.alone));
    this.frame.inert = isSecret;
  }

  /** The row that the model's answer is about, once it is shown, if its sentence is still on show. */
  get heldRow() {
    const question = this.room?.question;
    return question?.revealed && this.view?.viewer?.id === this.askedOf ? question.row ?? null : null;
  }

  /** Whether the picture has to be the teacher's. */
  get isHeld() {
    return Boolean(this.room?.locked) || this.role === "projector";
  }

  /** Show what the teacher sees. */
  follow() {
    const { view } = this;
    if (!view?.title) return;
    const drawn = view.viewer;
    this.picture.hidden = !drawn;
    this.hint.hidden = true;
    this.frame.hidden = Boolean(drawn);
    write(this.texts, drawn ? [drawn.text, drawn.text_b].filter(Boolean).join(" / ") : "");
    if (!drawn) {
      this.showStage();
      return;
    }
    const choices = { ...drawn.choices, shows: "map" };
    if (this.heldRow !== null) choices.locked = [this.heldRow];
    if (this.viewer.id === drawn.id) this.viewer.hear({ choices, told: this.viewer.told });
    else this.viewer.open(serverSource(drawn.base), choices, drawn.id);
  }

  /** The teacher's page, which is drawn for screens about as wide as this one, and sent to all of them. */
  showStage() {
    clearTimeout(this.opening);
    const { stage: place, widths } = this.told;
    const room = this.frame.getBoundingClientRect().width - OF_EDGES;
    const width = this.wall?.stageWidth(widths) ?? widths.findLast((wide) => wide <= room) ?? widths[0];
    const stage = `${place}/${this.told.language}/${width}/?embed=true`;
    if (this.frame.getAttribute("src") !== stage) this.frame.setAttribute("src", stage);
  }

  /** Open the page of the app by oneself, or come back. */
  lookAround(alone) {
    if (alone && (!this.view?.link || this.room?.locked)) return;
    this.alone = alone;
    write(this.look, alone ? tr(COME_BACK) : tr(LOOK_AROUND));
    document.body.classList.toggle("alone", alone);
    this.drawVeil();
    this.say("");
    if (!alone) {
      this.follow();
      return;
    }
    Object.assign(this.picture, { hidden: true });
    Object.assign(this.frame, { hidden: false });
    const drawn = this.view.viewer; // what a browser draws, it may compute as well
    this.showPage(drawn ? `${drawn.base}/alone?lang=${this.told.language}` : this.view.link);
  }

  /** A page of the app in the frame; a view that changes quickly is opened once, when it rests. */
  showPage(link) {
    clearTimeout(this.opening);
    this.opening = setTimeout(() => {
      if (this.frame.getAttribute("src") !== link) this.frame.setAttribute("src", link);
    }, this.frame.hasAttribute("src") ? RESTED : 0);
  }

  raise(up) {
    this.question.hand = up;
    this.socket.say({ do: "hand", up });
    this.question.drawOptions();
  }

  say(news) {
    write(this.news, news);
  }

  end(says) {
    this.viewer.close();
    document.getElementById("room").replaceChildren(...lettersForm(this.told, says || tr("This room is closed.")));
  }
}

/** A form for the four letters of a room. */
function lettersForm({ rooms, letters }, said) {
  const field = element("input", { name: "letters", autocomplete: "off", autocapitalize: "characters", maxlength: 4,
    required: true, pattern: "[A-Za-z]{4}", placeholder: "ABCD" });
  const go = (event) => {
    event.preventDefault();
    location.assign(`${rooms}/${encodeURIComponent(field.value.toUpperCase())}`);
  };
  const wrong = letters && !said ? tr("There is no room {letters} here, or not any more.", { letters }) : said ?? "";
  return [element("form", { class: "join", onsubmit: go }, element("h1", {}, tr("Join a class")), element("p", { role: "status" }, wrong),
    element("label", {}, tr("The four letters that the teacher shows"), field), element("button", {}, tr("Join")))];
}

const VEILED = toSay("The picture comes back with the model's answer.");
const PAUSED = toSay("The teacher has paused: the class stays here.");
const OF_EDGES = 32; // pixels beside the content of a page
const RESTED = 600; // milliseconds
const WAITING = toSay("The teacher has not shown anything yet.");
const MOVED_ON = toSay("The teacher shows something else by now.");
const LOOK_AROUND = toSay("Look around alone");
const COME_BACK = toSay("Back to the class");

const told = JSON.parse(document.getElementById("contents").textContent);
const root = document.getElementById("room");
if (told.open) window.headlightRoom = new RoomPage(root, told);
else root.replaceChildren(...lettersForm(told));
