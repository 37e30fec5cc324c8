"""Pages to print: their style, their frame, and lines to write on."""

from __future__ import annotations

from viz.kit.language import language, tr
from viz.kit.tokens import escape

STYLE = """
@page { size: A4; margin: 18mm; }
body { font: 12pt/1.5 "Noto Sans", "Noto Sans KR", sans-serif; max-width: 174mm; margin: 0 auto; color: #000; }
h1 { font-size: 1.5rem; margin: 0 0 4mm; } h2 { font-size: 1.25rem; margin: 7mm 0 2mm; } p { margin: 0 0 2mm; }
section { break-inside: avoid; } .key { break-before: page; } .sentence { font-size: 1.25rem; font-weight: 600; }
.question { font-weight: 600; }
.about { color: #444; margin-top: 3mm; } .options span { white-space: nowrap; margin-right: 6mm; }
.blanks { display: flex; gap: 8mm; margin-top: 3mm; }
.blanks span { flex: 1; border-bottom: 0.3mm solid #000; height: 8mm; color: #444; }
table { border-collapse: collapse; margin: 2mm 0; break-inside: avoid; }
.side { display: flex; flex-wrap: wrap; gap: 2mm 8mm; }
th, td { border: 0.2mm solid #777; padding: 1mm 1.5mm; text-align: right; min-width: 9mm; height: 7mm; }
th { font-weight: 400; color: #444; } caption { text-align: left; font-weight: 600; }
"""


def printed_page(title: str, about: str, *, questions: str, key: str, about_key: str = "") -> str:
    """Return a page in the current language: questions under a line for the name, and from a new page on the key.

    `questions` and `key` are HTML, the others plain text.
    """
    title, answers = escape(title), escape(tr("Answers"))
    named = blanks(tr("Name"), tr("Date"))
    return (
        f'<!DOCTYPE html>\n<html lang="{language()}"><head><meta charset="utf-8"><title>{title}</title>'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n"
        f'{named}\n<p class="about">{escape(about)}</p>\n{questions}'
        f'<div class="key"><h1>{title} · {answers}</h1>\n<p class="about">{escape(about_key)}</p>\n{key}</div>'
        "</body></html>\n"
    )


def blanks(*labels: str) -> str:
    """Return lines to write on, side by side."""
    return f'<div class="blanks">{"".join(f"<span>{escape(label)}</span>" for label in labels)}</div>'
