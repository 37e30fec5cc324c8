"""The smallest app that can be served: it says which process answers."""

import os

import streamlit as st
from starlette.responses import PlainTextResponse
from starlette.routing import Route


def who(_: object) -> PlainTextResponse:
    return PlainTextResponse(str(os.getpid()))


app = st.App("small_script.py", routes=[Route("/headlight/who", who)])
