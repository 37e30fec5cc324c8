"""Every head of a model over many texts: its measures, similar heads, and sentences that show it."""

import streamlit as st

from ui.heads.head_atlas.page import head_atlas
from ui.widgets.asking.ask_bar import ask_bar
from ui.widgets.frame import page
from ui.widgets.heading import heading
from viz.kit.language import tr

with page("Head atlas"):
    heading(
        tr("Head atlas"),
        tr("What does each [head](#word-head) do, **over many texts**? It is named for what it does again and again."),
    )
    with st.container(key="atlas-line", horizontal=True, vertical_alignment="bottom", gap="small"):
        ask_bar({}, texts="none")
        head_atlas()
