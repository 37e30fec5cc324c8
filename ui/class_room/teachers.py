"""Another computer for a room: a code for a second teacher, a file to come back with, and the form for both."""

from __future__ import annotations

import streamlit as st

from ui.shared.room_codes import code_for_teacher, exchange, recovery_pass
from ui.shared.rooms import rooms
from ui.state.teaching import TaughtRoom, teach
from ui.widgets.frame import readable_errors
from viz.kit.language import said, to_say, tr

LONGEST_PASS = 100
_CODE, _PASS = "headlight_second_teacher", "headlight_recovery"
SECOND = to_say(
    "A code makes another computer a teacher of this room. It lasts ten minutes, and for one computer; there “Teach in "
    "this tab” takes over."
)
RECOVERY = to_say(
    "With this file you take up the room on another computer, should this one fail. Keep it to yourself: it is the key "
    "of the room, until that is closed."
)
AGAIN = to_say("The code of another teacher, or the content of your file")


def offer_other_computers(room: TaughtRoom) -> None:
    """Draw the code for a second teacher, and the file for recovery."""
    with st.expander(tr("Another computer"), icon=":material/devices:", key="other-computers"), readable_errors():
        st.markdown(said(SECOND))
        if st.button(tr("A code for a second teacher"), key="second-teacher", icon=":material/group_add:"):
            st.session_state[_CODE] = (room.letters, code_for_teacher(rooms(), room.letters, room.key))
        letters, code = st.session_state.get(_CODE, ("", ""))
        if letters == room.letters:
            st.code(code, language=None)
        st.markdown(said(RECOVERY))
        if st.button(tr("A file to come back with"), key="recovery", icon=":material/key:"):
            st.session_state[_PASS] = (room.letters, recovery_pass(rooms(), room.letters, room.key))
        letters, content = st.session_state.get(_PASS, ("", ""))
        if letters == room.letters:
            st.code(content, language=None)
            # Made before it is pressed: a file made by the press is gone with the next run of the list of answers.
            st.download_button(
                tr("Save"),
                content,
                file_name=f"headlight-{letters}.txt",
                mime="text/plain",
                icon=":material/download:",
                on_click="ignore",
            )


def take_up_a_room() -> None:
    """Draw the form with which this computer becomes a teacher of a room that is open."""
    with st.expander(tr("Teach a room that is open already"), icon=":material/login:", key="take-up"):
        with st.form("take-up-form", border=False):
            given = st.text_input(said(AGAIN), max_chars=LONGEST_PASS, key="take-up-code", placeholder="ABCD-…")
            is_sent = st.form_submit_button(tr("Teach this room"))
        file = st.file_uploader(tr("Your file"), type=["txt"], max_upload_size=1, key="take-up-file")
        with readable_errors():
            if file is not None:
                _take_up(file.getvalue()[:LONGEST_PASS].decode("utf-8", "replace"))
            elif is_sent:
                _take_up(plain_text(given))


def plain_text(given: str) -> str:
    """Return a code as it was typed, without what a messenger adds around it."""
    return given.strip().strip("`*\"'")


def _take_up(text: str) -> None:
    teach(*exchange(rooms(), text))
    st.rerun()
