"""The page "Class room": open a room, show its letters and its code, close it."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.checkpoints.devices import AUTO
from ui.class_room.kept import list_answers
from ui.class_room.own_question import ask_own_question
from ui.class_room.picture import asked_showcase, class_picture
from ui.class_room.quiz import list_quiz
from ui.class_room.teachers import offer_other_computers, take_up_a_room
from ui.shared.rooms import rooms
from ui.state.navigation import ATTENTION, LESSONS, link
from ui.state.plain import plain
from ui.state.routes import address
from ui.state.teaching import known_room, teach, teach_no_more
from ui.state.where import is_reached_from_elsewhere, origin_of
from ui.widgets.browser.drawing import drawing
from ui.widgets.finding import finding_of_showcase
from ui.widgets.frame import theme
from ui.widgets.words import link_words
from viz.heads.words import finding_in_words
from viz.kit.language import said, to_say, tr

WHAT = to_say("""
1. You open a room.
2. Students scan its code, or type its address and four letters.
3. Their telephones show what you do here. You ask, they tap, and the model answers last.

Nobody is asked for a name: everybody gets a colour and an animal.
""")
PICTURE = to_say("A question stands on the wall with columns of answers; on a telephone one of the words is tapped.")
ALONE = to_say(
    "This server is reached from this computer alone, so no telephone can come in. `docs/serve-a-class.md` says how to "
    "start it for a class."
)
CLOSING = to_say("All students leave, and the answers that are listed here are deleted.")
LEAVING = to_say("Or this computer forgets the room, which goes on: for who has its file, or is the second teacher.")
HOW = to_say("""
- Everything that you show from now on reaches the room at once, on every page. Wall and telephones follow to the
  picture to which you scroll. **Pause** lets the class keep what it sees.
- **Ask …** in the bar above asks the class about a token of your sentence, and in a lesson **Ask the class** asks its
  question. Until you show the model's answer no telephone and no wall shows the picture; the votes are seen when you
  close the question, or at once with **Votes live**.
- **A question of your own** may be a choice, a token, a number, or a sentence that students write and only you read.
  Several with a right answer make a quiz.
- **Close the door** lets no new device in, once the class is complete.
- **Lock all to mine** brings back whoever looks around alone. **Projector** opens a page with nothing but the picture
  and the question, for the wall. One tab teaches: another one can take over.
- The room ends when you close it, or after a day. It holds choices, sentences that you have asked for, and no names.
""")


def class_room_page() -> DeltaGenerator:
    """Draw the room of this session, or a button that opens one. Return the place for what a teacher needs between
    lessons."""
    room = known_room()
    if room is None:
        return _offer_room()
    letters, where = room.letters, f"{origin_of(st.context.headers.to_dict())}{address('room')}"
    code, words = st.columns([2, 5], gap="large", vertical_alignment="center")
    alt = tr("QR code of room {letters}", letters=letters)
    code.html(
        f'<img src="{address(f"room/{letters}/code.svg")}" alt="{alt}" style="width: 100%; '
        'max-width: 18rem; background: #ffffff; border-radius: 0.5rem">'
    )
    with words:
        st.markdown(tr("Students open the camera of their telephone, or type this into a browser:"))
        with st.container(key="large-sentences"):
            st.markdown(f"**{plain(where.rsplit('://', maxsplit=1)[-1])}**")
        with st.container(key="room-letters"):
            st.markdown(f"# {letters}")
        with st.popover(tr("Close the room"), icon=":material/logout:"):
            st.markdown(said(CLOSING))
            st.button(tr("Close it for everybody"), type="primary", key="close-the-room", on_click=_close)
            st.markdown(said(LEAVING))
            st.button(tr("Leave it open, and forget it here"), key="leave-the-room", on_click=teach_no_more)
    if not is_reached_from_elsewhere(where):
        st.warning(said(ALONE), icon=":material/wifi_off:")
    ask_own_question(letters, room.key)
    list_quiz(room)
    offer_other_computers(room)
    list_answers(letters)
    st.markdown(said(HOW))
    link(ATTENTION, label=tr("Go to Attention"))
    link(LESSONS, label=tr("Go to the lessons"))
    return st.container()


def _offer_room() -> DeltaGenerator:
    """Say what a room is, beside a picture of a class, and draw the button that opens one."""
    words, picture = st.columns([2, 3], gap="large")
    with words:
        with st.container(key="lesson-words-of-a-room"):
            st.markdown(said(WHAT))
        st.button(tr("Open a room"), type="primary", icon=":material/meeting_room:", on_click=_open)
        take_up_a_room()
    with picture:
        drawing(class_picture(theme()), "class-picture", alt=said(PICTURE))
        with st.container(key="lesson-words-of-the-model"):
            _say_answer()
    return words.container()


def _say_answer() -> None:
    """Answer the question of the picture, as the model does."""
    found = finding_of_showcase(*asked_showcase(), AUTO)
    if found is not None:
        answer, _ = finding_in_words(*found)
        st.markdown(tr("**Then the model answers.** {answer}", answer=link_words(plain(answer))))


def _open() -> None:
    teach(*rooms().open())


def _close() -> None:
    room = known_room()
    if room is not None:
        rooms().close(room.letters, room.key)
        teach_no_more()
