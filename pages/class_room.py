"""A room for a class: students follow on their telephones, and are asked."""

import streamlit as st

from ui.class_room.page import class_room_page
from ui.lessons.answering.course import check_receipts
from ui.widgets.frame import page
from viz.kit.language import tr

with page("Class room"):
    st.title(tr("Class room"))
    class_room_page()
    check_receipts()
