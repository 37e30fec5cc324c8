"""Lessons: a claim, a prediction, and the model's answer."""

from ui.lessons.page import lessons_page
from ui.widgets.frame import page

with page("Lessons"):
    lessons_page()
