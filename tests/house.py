"""Draw the house: its folders, their rooms and lines of Python, and who imports whom.

python -m tests.house    # writes docs/images/house.svg
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from xml.sax.saxutils import escape

from tests.counts import Source, sources_of
from tests.structure import imported, look

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "images" / "house.svg"
FLOORS = (("app.py", "pages"), ("ui",), ("lab", "lessons", "viz"), ("models",), ("recipes",))
"""From top to bottom. An arrow points down, but for that of `recipes`, which nothing imports."""
SHARES = {"lab": 1, "lessons": 1, "viz": 3}
"""How wide the boxes of a floor are beside each other, where not alike."""
WIDTH, HEIGHT, GAP = 960, 78, 34
ROOMS_IN_A_LINE = 130
TEMPLATE = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -2 {width} {height}" font-family="sans-serif">
<style>
rect {{ fill: #f4f6f8; stroke: #5b6b7b }}
text {{ font-size: 12px; fill: #24303c }}
.name {{ font-size: 16px; font-weight: 600 }}
.arrow {{ stroke: #5b6b7b; stroke-width: 2; marker-end: url(#tip) }}
</style>
<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5" markerHeight="5" orient="auto">
<path d="M0 0L8 4L0 8z" fill="#5b6b7b"/>
</marker>
<rect x="-2" y="-2" width="{width}" height="{height}" style="fill: #fff; stroke: none"/>
{shapes}
</svg>
"""


@cache
def sources(part: str) -> tuple[Source, ...]:
    """Read the Python files of a folder, or the one file of that name."""
    return tuple(sources_of(ROOT, [part]))


def rooms(part: str) -> list[str]:
    """Return the names of the rooms of a folder: packages and modules straight in it."""
    if part in {"models", "viz", "ui"}:
        return sorted(look(ROOT, part).rooms)
    folder = ROOT / part
    return sorted(path.stem for path in folder.glob("*") if (path / "__init__.py").exists()) if folder.is_dir() else []


def arrows() -> set[tuple[str, str]]:
    """Return (folder, folder): something in the first imports something in the second."""
    parts = [part for floor in FLOORS for part in floor]
    known = {part.removesuffix(".py"): part for part in parts}
    return {
        (part, known[name.split(".")[0]])
        for part in parts
        for source in sources(part)
        for name in imported(source.text, source.path.relative_to(ROOT).parts[:-1])
        if name.split(".")[0] in known and known[name.split(".")[0]] != part
    }


def boxes() -> dict[str, tuple[float, float, float]]:
    """Return the left and top edge and the width of each folder's box, in pixels."""
    placed: dict[str, tuple[float, float, float]] = {}
    for floor, parts in enumerate(FLOORS):
        unit = (WIDTH - GAP * (len(parts) - 1)) / sum(SHARES.get(part, 1) for part in parts)
        left = 0.0
        for part in parts:
            width = unit * SHARES.get(part, 1)
            placed[part] = left, floor * (HEIGHT + GAP), width
            left += width + GAP
    return placed


def lines_of_rooms(part: str, width: float) -> Iterator[str]:
    """Yield the names of the rooms in lines that fit a box."""
    line, most = "", int(ROOMS_IN_A_LINE * width / WIDTH)
    for name in rooms(part):
        if len(line) + len(name) + 3 > most:
            yield line
            line = ""
        line = f"{line} · {name}" if line else name
    yield line


def draw() -> str:
    """Return the picture as SVG."""
    placed = boxes()
    shapes = []
    for above, below in sorted(arrows()):
        (x1, y1, w1), (x2, y2, w2) = placed[above], placed[below]
        if y2 - y1 == HEIGHT + GAP:
            middle = (max(x1, x2) + min(x1 + w1, x2 + w2)) / 2
            shapes.append(f'<path class="arrow" d="M{middle:.0f} {y1 + HEIGHT} v{GAP - 4}"/>')
        elif y2 < y1:
            middle = x1 + w1 / 2
            shapes.append(f'<path class="arrow" d="M{middle:.0f} {y1} v{4 - GAP}"/>')
    for part, (x, y, width) in placed.items():
        n_lines = sum(source.n_lines for source in sources(part))
        shapes.append(f'<rect x="{x:.0f}" y="{y}" width="{width:.0f}" height="{HEIGHT}" rx="6"/>')
        shapes.append(f'<text class="name" x="{x + 12:.0f}" y="{y + 24}">{escape(part)}</text>')
        shapes.append(f'<text x="{x + width - 12:.0f}" y="{y + 24}" text-anchor="end">{n_lines:,} lines</text>')
        for row, line in enumerate(lines_of_rooms(part, width)):
            shapes.append(f'<text x="{x + 12:.0f}" y="{y + 44 + 14 * row}">{escape(line)}</text>')
    len(FLOORS) * (HEIGHT + GAP) - GAP
    return TEMPLATE.format(width=WIDTH + 4, height=len(FLOORS) * (HEIGHT + GAP) - GAP + 4, shapes="\n".join(shapes))


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
