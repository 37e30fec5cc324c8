"""Make the small font of icons anew: `python -m tests.browser.make_icon_font`.

It needs fontTools (`pip install fonttools`), which nothing else here does. Run it where
`tests/ui/serving/test_icon_font.py` says so: when a page has a new icon, or Streamlit another font.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from io import BytesIO
from typing import Any

from fontTools import subset
from fontTools.ttLib import TTFont

from ui.serving.icon_font import ABOUT, FONT, digest, used_icons, whole_fonts

_LIGATURES, _EXTENSION = 4, 7
"""Types of look-up in the table of substitutions (OpenType, "GSUB")."""


def with_icons(whole: bytes, names: Iterable[str]) -> tuple[bytes, list[str]]:
    """The font with some of its icons alone, each still written by its name; and those of the names that it has."""
    font, wanted, found = TTFont(BytesIO(whole)), set(names), {}
    letters = {glyph: chr(code) for code, glyph in font.getBestCmap().items()}
    for table in _ligature_tables(font):
        kept: dict[str, list[Any]] = {}
        for first, ligatures in table.ligatures.items():
            for ligature in ligatures:
                name = "".join(letters.get(glyph, "?") for glyph in (first, *ligature.Component))
                if name in wanted:
                    found[name] = ligature.LigGlyph
                    kept.setdefault(first, []).append(ligature)
        table.ligatures = kept
    options = subset.Options(layout_features=["*"], flavor="woff2", hinting=False, glyph_names=True)
    subsetter = subset.Subsetter(options)
    subsetter.populate(text="abcdefghijklmnopqrstuvwxyz0123456789_", glyphs=set(found.values()))
    subsetter.subset(font)
    made = BytesIO()
    font.flavor = "woff2"
    font.save(made)
    return made.getvalue(), sorted(found)


def _ligature_tables(font: Any) -> Iterable[Any]:
    for lookup in font["GSUB"].table.LookupList.Lookup:
        for table in lookup.SubTable:
            inner = table.ExtSubTable if lookup.LookupType == _EXTENSION else table
            if inner.LookupType == _LIGATURES:
                yield inner


def main() -> None:
    """Make the font anew and say how large it is."""
    (whole,) = whole_fonts()
    content, names = with_icons(whole.read_bytes(), used_icons())
    FONT.write_bytes(content)
    about = {"made_from": digest(whole.read_bytes()), "licence": "Apache-2.0, Google: Material Symbols", "icons": names}
    ABOUT.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(f"{len(names)} icons, {len(content):,} bytes\n")


if __name__ == "__main__":
    main()
