"""A room for a class: students follow on their telephones, and are asked."""

from ui.class_room.page import class_room_page
from ui.lessons.answering.course import check_receipts
from ui.widgets.frame import page
from ui.widgets.heading import heading
from viz.kit.language import tr

with page("Class room"):
    heading(
        tr("Class room"), tr("Your class follows on its telephones: **it guesses first, and the model answers last.**")
    )
    with class_room_page():
        check_receipts()
