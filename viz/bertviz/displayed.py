"""A view of bertviz in a notebook: the text of its document, which a cell shows as the picture that it is."""

from __future__ import annotations

from html import escape
from typing import Self


class BertvizView(str):
    """The HTML document of a view; in the cell of a notebook, the view in a frame that reaches nothing around it."""

    __slots__ = ("height",)
    height: int
    """The pixels that the whole view needs."""

    def __new__(cls, document: str, height: int) -> Self:
        """Return a document that knows its height."""
        view = super().__new__(cls, document)
        view.height = height
        return view

    def __repr__(self) -> str:
        return f"<a view of bertviz, {len(self):,} characters of HTML>"

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{escape(self, quote=True)}" sandbox="allow-scripts" '
            f'style="width: 100%; height: {self.height}px; border: 0"></iframe>'
        )
