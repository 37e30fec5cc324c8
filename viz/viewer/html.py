"""The viewer as one file: a recording with everything that shows it, without any script from elsewhere.

The browser side are the modules of `viz/viewer/frontend/`. A page that is opened from a disk may not import modules, so
they are joined into one script (`joining.py`).
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from models.values.arguments.check import check_arguments
from models.values.record import AttentionRecord, Kind, ModelInfo, Recording
from viz.attention.hybrid import other_layers_note
from viz.attention.matrix import Quantity
from viz.attention.transform import refused_quantities
from viz.kit.declaring import takes_after
from viz.kit.glossary import first_words
from viz.kit.language import browser_catalogue, language, said, tr
from viz.kit.parsing import MEAN
from viz.kit.theme import DARK, FONT, LIGHT
from viz.kit.tokens import escape, visible
from viz.viewer import payload
from viz.viewer.about import describe_recording
from viz.viewer.choices import CHOICES, SHARED, Choices, check_choices
from viz.viewer.joining import constant, join_modules, modules_of
from viz.viewer.packing import pack_arrays

FRONTEND = Path(__file__).with_name("frontend")
IN_PARTS = re.compile(r'"\s*\+\s*"')
"""Between two parts of a sentence that a module writes on several lines."""
DECLARED = "declared.js"
"""The module without a file: the choices of `viz.viewer.choices`, and their defaults."""
ENTRY = "viewer.js"
ENTRY_OF_COMPARISON = "comparison.js"
ENTRY_OF_SOURCES = "source_viewer.js"
"""The entry module of the viewer with a picture or a sound beside it."""
ENTRY_LIVE, ENTRY_OF_SITE, ENTRY_OF_LESSONS = "live_viewer.js", "site_page.js", "lesson_page.js"
"""The entry modules of the file that reads by itself, and of the two pages of the site that do."""
ENTRY_ALONE = "alone_page.js"
"""The entry module of the page on which a student of a class looks around alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Permissions:
    """Permissions of a document beside running its own script: sources for its Content-Security-Policy, and the `links`
    of its head to the files beside it."""

    script: str = ""
    images: str = ""
    others: str = ""
    links: str = ""


SHOWS = Permissions()
"""A file that shows what it holds."""
READS = Permissions(script=" 'wasm-unsafe-eval'", others="worker-src blob:; ")
"""One that also runs the engine: in a worker, with its products in WebAssembly."""
READS_FETCHED = Permissions(script=READS.script, others=f"{READS.others}connect-src 'self'; ")
"""One whose weights are fetched from its own host."""
OF_A_SITE = Permissions(
    script=READS.script,
    images=" 'self'",
    others="worker-src blob: 'self'; connect-src 'self'; manifest-src 'self'; ",
    links='<link rel="manifest" href="app.webmanifest"><link rel="icon" href="icon-192.png">',
)
"""A page that also fetches models from its own host, and registers a service worker."""
MOST = 24_000_000
"""Bytes of exact heads in a file: the layers around the chosen one; of a layer that is too large, some heads."""


@takes_after(Recording, Choices)
@check_arguments
def viewer_html(recording: Recording, **choices: Any) -> str:
    """Return a whole HTML document that shows a recording and opens from disk: `viewer_html(recording, layer=2,
    head=3)`.

    It reads in the current language, and asks no other file or host for anything. A text of usual length comes with all
    its numbers; of a long one, the small maps of all heads and as many exact heads as fit into 24 MB: the chosen one,
    its layer, the layers around. Raises SelectionError if the recording has no such kind, layer, head or token,
    PictureError for any other unknown choice.
    """
    chosen = check_choices(recording, choices)
    contents = contents_of(recording, chosen)
    for part in ("overviews", "heads"):
        contents[part] = {name: _base64(content) for name, content in contents[part].items()}
    contents["choices"] = chosen
    return document(title_of(recording), contents, entry=entry_of(recording), note=_note(recording.info))


def contents_of(recording: Recording, chosen: Mapping[str, Any], *, most: int = 0) -> dict[str, Any]:
    """Return what the browser side reads of a recording, in at most 24 MB or `most` bytes: facts, the small maps of all
    heads, and the numbers of the exact ones that fit."""
    room = (most or MOST) // len(recording.attention)
    heads = {record.kind: _fitting(record, chosen, room) for record in recording.attention}
    return {
        "about": _about(recording, heads),
        "overviews": {record.kind: b"".join(payload.overview_and_weights(record)) for record in recording.attention},
        "heads": {
            name: content
            for record in recording.attention
            for layer, head in heads[record.kind]
            for name, content in _head(record, layer, head, is_chosen=(layer, head) == _chosen(record, chosen))
        },
    }


def entry_of(recording: Recording) -> str:
    """Return the entry module that shows a recording."""
    return ENTRY if recording.source is None else ENTRY_OF_SOURCES


def joined_modules(*entries: str) -> str:
    """Return modules and all that they import, in the order of their imports, as one script; by default the viewer."""
    chosen = entries or (ENTRY,)
    return join_modules(chosen, sources_of(*chosen).__getitem__)


def sources_of(*entries: str) -> dict[str, str]:
    """Return the sources of modules and all that they import, by name; of the translations those of their sentences."""
    sources = {name: read_source(name) for name in modules_of(entries, read_source)}
    if DECLARED in sources:
        sources[DECLARED] = _declared_module("".join(source for name, source in sources.items() if name != DECLARED))
    return sources


def style(*entries: str) -> str:
    """Return all style sheets that entry modules need as one, by default those of the pages: the sheet of a module with
    that, the others always."""
    joined = {*modules_of(entries or (ENTRY, ENTRY_OF_COMPARISON), read_source), ENTRY}
    others = {Path(name).stem for name in modules() if name not in joined}
    return "\n".join(read_source(file.name) for file in sorted(FRONTEND.glob("*.css")) if file.stem not in others)


def modules() -> tuple[str, ...]:
    """Return the names of all modules of the browser side."""
    return (*sorted(file.name for file in FRONTEND.glob("*.js")), DECLARED)


def read_source(name: str) -> str:
    """Return a file of the browser side, or the generated module DECLARED, in the current language."""
    return _declared_module() if name == DECLARED else (FRONTEND / name).read_text(encoding="utf-8")


def _declared_module(script: str | None = None) -> str:
    """Return the module DECLARED; of the translations those of the sentences in a script, if it is given."""
    catalogue = browser_catalogue()
    if catalogue and script is not None:
        whole = IN_PARTS.sub("", script)
        own = {
            key: text for key, text in catalogue["sentences"].items() if json.dumps(key, ensure_ascii=False) in whole
        }
        catalogue = catalogue | {"sentences": own}
    defaults = {choice.name: () if choice.default is None else choice.default for choice in CHOICES.values()}
    declared: dict[str, Any] = {"MEAN": MEAN, "CHOICES": defaults, "SHARED": SHARED}
    declared |= {"WORDS": first_words(), "CATALOGUE": catalogue}
    return "".join(f"export const {constant} = {json.dumps(value)};\n" for constant, value in declared.items())


def document(
    title: str, contents: Mapping[str, Any], *, entry: str = ENTRY, note: str = "", may: Permissions = SHOWS
) -> str:
    """Return a whole HTML document whose `entry` module shows the contents, in the current language; the `note` is
    below the title. Its Content-Security-Policy allows what it `may`, and no more."""
    script = (
        f'\n{joined_modules(entry)}\n{constant(entry)}.openFile(document.getElementById("viewer"), '
        'JSON.parse(document.getElementById("contents").textContent));\n'
    )
    without = tr("This picture needs JavaScript, all of which is in this file.")
    told = _in_script(contents)
    policy = (
        f"default-src 'none'; script-src '{script_digest(script)}'{may.script}; {may.others}"
        f"style-src 'unsafe-inline'; img-src data: blob:{may.images}; base-uri 'none'; form-action 'none'"
    )
    return (
        f'<!DOCTYPE html>\n<html lang="{language()}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">'
        f"{may.links}<title>{escape(title)}</title>"
        f"<style>{page_style()}\n{style(entry)}</style></head>\n"
        f'<body><h1>{escape(title)}</h1>{f"<p>{escape(note)}</p>" if note else ""}<main id="viewer"></main>'
        f"<noscript>{escape(without)}</noscript>\n"
        f'<script type="application/json" id="contents">{told}</script>\n'
        f'<script type="module">{script}</script></body></html>\n'
    )


def title_of(recording: Recording) -> str:
    """Return the title of the viewer's document."""
    return tr("Attention of {model} · Headlight", model=visible(recording.info.public_name))


def _note(info: ModelInfo) -> str:
    """Return a note on the model for readers of the file: its layers, its precision, how it was opened."""
    precision = "" if info.dtype == "float32" else tr("Computed in {dtype}.", dtype=info.dtype)
    return " ".join(filter(None, (other_layers_note(info), precision, *map(said, info.notes))))


def _about(recording: Recording, heads: Mapping[Kind, list[tuple[int, int]]]) -> dict[str, Any]:
    """Return the facts about the recording as the server sends them, and which heads the file holds, if not all."""
    about = describe_recording(recording, name="file")
    for kind, record in zip(about["kinds"], recording.attention, strict=True):
        held = heads[record.kind]
        kind["held"] = None if len(held) == record.n_layers * record.n_heads else held
    return about


def _fitting(record: AttentionRecord, chosen: Mapping[str, Any], room: int) -> list[tuple[int, int]]:
    """Return the heads (layer, head) that go into the file, in order: whole layers, or some heads of the chosen one.

    First come the heads that are shown, then the others of their layer, then the layers beside it, and so on.
    """
    chosen_layer, head = _chosen(record, chosen)
    others = 0 if payload.is_dense(record) else len(_quantities(record)) - 1  # of the chosen head
    count = max(room // _size(record, chosen_layer) - others, 1)
    if count < record.n_heads:
        shown = [shown_head for shown_head in (head, *chosen.get("heads", ())) if shown_head in range(record.n_heads)]
        heads = dict.fromkeys([*shown, *range(record.n_heads)])
        return sorted((chosen_layer, head) for head in list(heads)[:count])
    layers = sorted(range(record.n_layers), key=lambda layer: (abs(layer - chosen_layer), layer))
    return [(layer, head) for layer in sorted(layers[: count // record.n_heads]) for head in range(record.n_heads)]


def _size(record: AttentionRecord, layer: int) -> int:
    """Return the size of one head of a layer, in bytes."""
    _, arrays = payload.parts(record, layer=layer, head=0)
    coarse = 0 if payload.is_dense(record) else 4 * payload.COARSE_SIDE**2
    return coarse + sum(array.nbytes for array in arrays.values())


def _head(record: AttentionRecord, layer: int, head: int, *, is_chosen: bool) -> Iterator[tuple[str, bytes]]:
    """Yield the numbers from which all of a head follow, by the name that `viz/viewer/frontend/source.js` looks for.

    That of a long text has a picture of one quantity; the chosen head is there with each of them.
    """
    name, (meta, arrays) = f"{record.kind} {layer} {head}", payload.parts(record, layer=layer, head=head)
    if payload.is_dense(record):
        yield name, pack_arrays(meta, arrays)
        return
    quantities: tuple[Quantity, ...] = _quantities(record) if is_chosen else ("weights",)
    for quantity in quantities:
        coarse, step = payload.coarse_matrix(record, layer=layer, head=head, quantity=quantity)
        yield f"{name} {quantity}", pack_arrays({**meta, "step": step}, {**arrays, "coarse": coarse})


def _quantities(record: AttentionRecord) -> tuple[Quantity, ...]:
    """Return the quantities that the record has."""
    return tuple(quantity for quantity in get_args(Quantity) if quantity not in refused_quantities(record))


def _chosen(record: AttentionRecord, chosen: Mapping[str, Any]) -> tuple[int, int | str]:
    """Return the chosen layer and head; the last layer in a kind with fewer layers."""
    return min(chosen["layer"], record.n_layers - 1), chosen["head"]


def script_digest(script: str) -> str:
    """Return a script that may run, as a policy names it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode()


def _in_script(value: Any) -> str:
    """Encode a value as JSON that cannot end the script around it."""
    return json.dumps(value).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def page_style() -> str:
    """Return the style of a page around the viewer."""
    return (
        f"body {{ --control: {LIGHT.control}; margin: 0; padding: 16px; font-family: {FONT}; font-size: 17px; "
        f"background: {LIGHT.ground}; color: {LIGHT.ink}; color-scheme: light; }}\n"
        "body:lang(ko) { word-break: keep-all; overflow-wrap: break-word; }\n"  # words of Korean stay whole
        "h1 { margin: 0 0 16px; font-size: 17px; overflow-wrap: anywhere; }\n"
        "[data-embed] body > h1 { display: none; }\n"
        "@media (prefers-color-scheme: dark) { body { "
        f"--control: {DARK.control}; background: {DARK.ground}; color: {DARK.ink}; color-scheme: dark; }} }}"
    )


if __name__ == "__main__":
    import sys
    import tempfile
    import webbrowser

    from viz.kit.demos.records import random_recording

    n_tokens = int(sys.argv[1]) if len(sys.argv) > 1 else 16
    with tempfile.NamedTemporaryFile("w", suffix=".html", delete=False, encoding="utf-8") as file:
        file.write(viewer_html(random_recording(n_tokens=n_tokens)))
    webbrowser.open(f"file://{file.name}")
