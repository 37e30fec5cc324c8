"""Make a lesson: write it, see its mistakes, try it, give it away."""

from ui.lessons.making import HOW, making_page
from ui.widgets.frame import page
from ui.widgets.heading import heading

with page("Make a lesson"):
    heading("Make a lesson", HOW)
    making_page()
