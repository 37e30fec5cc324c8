"""Headlight: see what the attention heads of a transformer look at. Start it with `streamlit run app.py`."""

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware

from ui.class_room.routes import room_routes
from ui.desk.garbage import collect_beside
from ui.home.link_picture import picture_routes
from ui.serving.compressed import Compressed
from ui.serving.guarded import Guarded, allowed_hosts
from ui.serving.icon_font import UsedIcons
from ui.serving.installing import NamedPage, installing_routes
from ui.serving.limited import Limited
from ui.serving.steady_sessions import read_sessions_steadily
from ui.state.open_recordings import end_keys_beside
from ui.state.routes import routes
from ui.training_lab.source import register_lab

collect_beside()
end_keys_beside()
register_lab()
read_sessions_steadily()
app = st.App(
    "ui/script.py",
    routes=[*routes(), *room_routes(), *installing_routes(), *picture_routes()],
    middleware=[
        Middleware(TrustedHostMiddleware, allowed_hosts=allowed_hosts(), www_redirect=False),
        Middleware(Guarded),
        Middleware(Limited),
        Middleware(UsedIcons),
        Middleware(Compressed),
        Middleware(NamedPage),
    ],
)
