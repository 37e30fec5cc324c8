"""The sentences of the code, read by Babel, and of the embedded models' cards, and the catalogues that hold their
translations.

python -m tests.language.catalogues          renew locale/: new sentences stand there without a translation
python -m tests.language.catalogues ja       begin another language
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from models.checkpoints.card import FILE, read_card
from models.opening.entries import PRETRAINED
from viz.kit.language import DOMAIN, ENGLISH, FOLDER, LANGUAGES

ROOT = FOLDER.parent
IN_PYTHON = {"tr": None, "trn": (1, 2), "worded": None, "worded_n": (1, 2), "to_say": None}
IN_JAVASCRIPT = {"tr": None, "trn": (1, 2), "trParts": None, "trnParts": (1, 2), "toSay": None}
"""The functions whose sentences are read; of those that count, the one and the many."""
OPTIONS: dict[str, Any] = {"jsx": False}
SOURCES = ("app.py", "pages", "ui", "lab", "lessons", "viz", "models")
BROWSER = "browser.json"
"""The sentences of the browser side, as it is sent them."""
WIDTH = 120
ABOUT: dict[str, Any] = {
    "project": "Headlight",
    "version": "1",
    "copyright_holder": "the authors of Headlight",
    "fuzzy": False,
    "creation_date": datetime(2026, 11, 23, tzinfo=UTC),
    "revision_date": datetime(2026, 11, 23, tzinfo=UTC),
    "header_comment": "# What a person reads, in another language; made by python -m tests.language.catalogues.",
}
"""What stands at the head of a catalogue: the same whenever it is written."""


def template() -> Catalog:
    """All sentences of the code and of the cards, with the places where they stand."""
    found = Catalog(**ABOUT)
    for path, method, keywords in _files():
        for line, sentence, comments, context in extract_from_file(method, path, keywords=keywords, options=OPTIONS):
            place = (path.relative_to(ROOT).as_posix(), line)
            found.add(sentence, None, [place], auto_comments=comments, context=context)
    for path, sentence in _of_cards():
        found.add(sentence, None, [(path.relative_to(ROOT).as_posix(), 1)])
    return found


def read(language: str) -> Catalog:
    """The catalogue of a language, as it is kept."""
    with _place(language, "po").open("rb") as file:
        return read_po(file, locale=language)


def compiled(catalogue: Catalog) -> bytes:
    """What gettext reads."""
    made = io.BytesIO()
    write_mo(made, catalogue)
    return made.getvalue()


def of_browser(catalogue: Catalog, all_of_code: Catalog) -> dict[str, Any]:
    """The sentences that the browser side says, with their translations."""
    sentences = {}
    for each in all_of_code:
        if not each.id or not any(place.endswith(".js") for place, _ in each.locations):
            continue
        one = each.id[0] if isinstance(each.id, tuple) else each.id
        known = catalogue.get(one)
        if known is not None and known.string and all(known.string):
            sentences[one] = list(known.string) if isinstance(known.string, tuple) else known.string
    return {"sentences": sentences}


def renew(language: str) -> None:
    """Write the catalogue of a language anew, with all sentences of the code; translations stay."""
    place, found = _place(language, "po"), template()
    catalogue = read(language) if place.exists() else Catalog(locale=language, **ABOUT)
    catalogue.update(found, no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    catalogue.creation_date = catalogue.revision_date = ABOUT["creation_date"]
    catalogue.header_comment = ABOUT["header_comment"]
    place.parent.mkdir(parents=True, exist_ok=True)
    with place.open("wb") as file:
        write_po(file, catalogue, width=WIDTH, sort_output=True, include_lineno=False, omit_header=False)
    _place(language, "mo").write_bytes(compiled(read(language)))
    sentences = json.dumps(of_browser(read(language), found), ensure_ascii=False, indent=0, sort_keys=True)
    (FOLDER / language / BROWSER).write_text(sentences + "\n", encoding="utf-8")


def _files() -> Iterator[tuple[Path, str, dict[str, Any]]]:
    for part in SOURCES:
        for path in sorted([ROOT / part, *(ROOT / part).rglob("*")]):
            if path.suffix == ".py":
                yield path, "python", IN_PYTHON
            elif path.suffix == ".js" and "vendor" not in path.parts:
                yield path, "javascript", IN_JAVASCRIPT


def _of_cards() -> Iterator[tuple[Path, str]]:
    """What the embedded models were made for, and the labels of the texts that they offer."""
    for path in sorted((ROOT / PRETRAINED).glob(f"*/{FILE}")):
        card = read_card(path.parent)
        yield from ((path, text) for text in (card.made_for, *(label for label, _ in card.examples)) if text)


def _place(language: str, ending: str) -> Path:
    return FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.{ending}"


if __name__ == "__main__":
    for name in sys.argv[1:] or [each for each in LANGUAGES if each != ENGLISH]:
        renew(name)
        missing = [each.id for each in read(name) if each.id and not (each.string and all(each.string))]
        sys.stdout.write(f"{name}: {len(read(name))} sentences, {len(missing)} without a translation\n")
