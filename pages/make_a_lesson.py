"""Make a lesson: write it, see its mistakes, try it, give it away."""

from ui.lessons.making import HOW, making_page
from ui.widgets.frame import page
from ui.widgets.heading import heading
from viz.kit.language import said, tr

with page("Make a lesson"):
    heading(tr("Make a lesson"), said(HOW))
    making_page()
