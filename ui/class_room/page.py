"""The page "Class room": open a room, show its letters and its code, close it."""

from __future__ import annotations

import streamlit as st

from ui.shared.rooms import rooms
from ui.state.navigation import ATTENTION, LESSONS, link
from ui.state.plain import plain
from ui.state.routes import address
from ui.state.teaching import taught, teach, teach_no_more
from ui.state.where import is_reached_from_elsewhere, origin_of
from viz.kit.language import said, to_say, tr

WHAT = to_say(
    "Open a room, and your students follow on their telephones what you do here: page, model, sentence, "
    "[layer](#word-layer) and [head](#word-head), held tokens and zoom. They come in with four letters or a code. "
    "Nobody is asked for a name: everybody gets a colour and an animal."
)
ALONE = to_say(
    "This server is reached from this computer alone, so no telephone can come in. `docs/serve-a-class.md` says how to "
    "start it for a class."
)
HOW = to_say("""
- Everything that you show from now on reaches the room at once. On **Attention** and **Home** the students draw the
  picture themselves; other pages open for them as they are.
- **Ask …** in the bar above asks the class about a token of your sentence: their answers grow while they come in, and
  then the model's are laid over them. In a lesson, **Ask the class** asks its question.
- **Lock all to mine** brings back whoever looks around alone. **Projector** opens a page with nothing but the picture
  and the question, for the wall.
- The room ends when you close it, or after a day. It holds choices, no names, and no text of students.
""")


def class_room_page() -> None:
    """Draw the room of this session, or a button that opens one."""
    room = taught()
    if room is None:
        st.markdown(said(WHAT))
        st.button(tr("Open a room"), type="primary", icon=":material/meeting_room:", on_click=_open)
        return
    letters, where = room[0], f"{origin_of(st.context.headers.to_dict())}{address('room')}"
    code, words = st.columns([2, 5], gap="large", vertical_alignment="center")
    alt = tr("QR code of room {letters}", letters=letters)
    code.html(
        f'<img src="{address(f"room/{letters}/code.svg")}" alt="{alt}" style="width: 100%; '
        'max-width: 18rem; background: #ffffff; border-radius: 0.5rem">'
    )
    with words:
        st.markdown(tr("Students open the camera of their telephone, or type this into a browser:"))
        st.markdown(f"### {plain(where.rsplit('://', maxsplit=1)[-1])}")
        st.markdown(f"# {letters}")
        st.button(tr("Close the room"), icon=":material/logout:", on_click=_close)
    if not is_reached_from_elsewhere(where):
        st.warning(said(ALONE), icon=":material/wifi_off:")
    st.markdown(said(HOW))
    link(ATTENTION, label=tr("Go to Attention"))
    link(LESSONS, label=tr("Go to the lessons"))


def _open() -> None:
    teach(*rooms().open())


def _close() -> None:
    room = taught()
    if room is not None:
        rooms().close(*room)
        teach_no_more()
