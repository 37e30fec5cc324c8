"""One run of a page of the app by a session of Streamlit that belongs to no browser."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import get_instance
from streamlit.runtime.session_manager import ClientContext, SessionClient

from ui.shared.room_values import SharedView
from ui.state.speaking import CHOICE as LANGUAGE
from ui.widgets.browser.viewport import WIDTH
from viz.kit.theme import Theme

WIDTHS = (328, 688, 960, 1260, 1740)
"""The widths in CSS pixels for which a page is drawn: a telephone's, a tablet's, a laptop's, a projector's."""

OF_A_CLASS = "192.0.2.1"
"""The address of all such sessions, one for documentation (RFC 5737): they have no more rights than a student, and what
only the computer of the server may do they may not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """A kind of screen: its language, the width of the content in CSS pixels, one of WIDTHS, and its theme."""

    language: str
    width: int
    theme: Theme


@dataclass(frozen=True, slots=True)
class _Handshake(ClientContext):
    """The headers by which the app knows a screen."""

    screen: Screen

    @property
    def headers(self) -> Iterable[tuple[str, str]]:
        return (WIDTH, str(self.screen.width)), ("Accept-Language", self.screen.language)

    @property
    def cookies(self) -> Mapping[str, str]:
        return {}

    @property
    def remote_ip(self) -> str | None:
        return OF_A_CLASS


class PageRun(SessionClient):
    """A run of the page of a view, as a kind of screen gets it. The messages of Streamlit are kept in `sent`, in bytes,
    from the last beginning of the whole page on, which is another list; `notify` is called after each message.
    Everything happens on the event loop of the server."""

    def __init__(self, view: SharedView, screen: Screen, notify: Callable[[], None]) -> None:
        self.sent: list[bytes] = []
        self.is_done = False
        self._notify, self._handshake = notify, _Handshake(screen)
        self._session = get_instance().connect_session(self, {})
        asked = BackMsg()
        asked.rerun_script.page_name = view.page
        asked.rerun_script.query_string = urlencode({**view.choices, LANGUAGE: screen.language})
        asked.rerun_script.context_info.is_embedded = True
        asked.rerun_script.context_info.color_scheme = screen.theme
        get_instance().handle_backmsg(self._session, asked)

    def write_forward_msg(self, msg: ForwardMsg) -> None:
        """Keep a message of Streamlit."""
        if msg.WhichOneof("type") == "new_session" and not msg.metadata.run.fragment_ids:
            self.sent = []
        is_end = msg.WhichOneof("type") == "script_finished"
        self.is_done = self.is_done or (is_end and msg.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN)
        self.sent.append(msg.SerializeToString())
        self._notify()

    @property
    def client_context(self) -> ClientContext:
        """Return the headers and the address of the session, in the place of a browser's."""
        return self._handshake

    def close(self) -> None:
        """End the session. Its numbers cannot be fetched any more."""
        get_instance().close_session(self._session)
