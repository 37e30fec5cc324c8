"""Modules of the browser side in fewer bytes, for the cell of a notebook: short names, no comments, no spaces.

Names are told from properties by what stands beside them, module by module: one that is a property, a key or a method
anywhere in its module stays.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import product
from string import ascii_letters
from typing import NamedTuple

RESERVED = frozenset(
    re.findall(
        r"\w+",
        "arguments|as|async|await|break|case|catch|class|const|constructor|continue|debugger|default|delete|do|"
        "else|export|extends|false|finally|for|from|function|get|globalThis|if|import|in|instanceof|let|new|null|"
        "of|return|set|static|super|switch|this|throw|true|try|typeof|undefined|var|void|while|with|yield",
    )
)
BEFORE_REGEX = frozenset({"await", "case", "delete", "do", "else", "in", "of", "return", "throw", "typeof", "void"})
"""Words after which a slash begins a regular expression."""
BEFORE_BLOCK = frozenset({"if", "for", "while", "switch"})
"""Words whose brackets stand before a block and hold no parameters."""
TOKEN = re.compile(
    r"(?P<space>\s+|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)"
    r'|(?P<text>"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\')'
    r"|(?P<word>#?[A-Za-z_$][\w$]*|\d[\w.]*|\.\d\w*)"
    r"|(?P<mark>\.\.\.|=>|\?\.(?!\d)|\+\+|--|.)",
    re.DOTALL,
)
TEMPLATE = re.compile(r"[`}](?:[^`\\$]|\\.|\$(?!\{))*(?:`|\$\{)", re.DOTALL)
"""A template, or a part of one: up to the expression in it, and from there on."""
REGEX = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*")
OPENING, CLOSING = frozenset("([{"), frozenset(")]}")
IMPORT = re.compile(r'\bimport\{([\w,]+)\}from("[^"]+");')
ENDS = frozenset("{([,;")
"""Marks after which a new line says nothing."""
WORD_END, WORD_START = re.compile(r"[\w$]$"), re.compile(r"^[\w$#]")


class ScriptToken(NamedTuple):
    """A token of a script: its kind ("space", "text", "word", "mark", "template", "regex") and how it is written."""

    kind: str
    text: str

    @property
    def is_name(self) -> bool:
        return self.kind == "word" and not self.text[0].isdigit() and self.text[0] not in "#."


NOTHING = ScriptToken("space", "")


def short_modules(sources: Mapping[str, str], entry: str) -> dict[str, str]:
    """Return modules with short names for what each keeps to itself, and for what they import from each other. Names of
    the browser stay in all of them, those that a module uses and does not declare, and so do the exports of the
    entry."""
    scripts = {name: _Script(source) for name, source in sources.items()}
    kept = RESERVED.union(scripts[entry].exported_names, *(script.not_declared for script in scripts.values()))
    kept |= {name for script in scripts.values() for name in script.shared_names & script.properties}
    counts = Counter[str]()
    for script in scripts.values():
        counts.update({name: script.counts[name] for name in script.shared_names - kept})
    shared = _short_names(counts, taken=kept.union(*(script.counts for script in scripts.values())), lengths=(2, 3))
    return {name: script.written_short(kept, shared) for name, script in scripts.items()}


def _short_names(counts: Counter[str], *, taken: AbstractSet[str], lengths: Sequence[int]) -> dict[str, str]:
    """Return short names, the shortest for what is there most often."""
    free = ("".join(letters) for n in lengths for letters in product(ascii_letters, repeat=n))
    names = (name for name, _ in counts.most_common())
    return dict(zip(names, (name for name in free if name not in taken), strict=False))


def squeezed_sheet(sheet: str) -> str:
    """Return a style sheet without comments and without the spaces around its marks."""
    without = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL).strip()
    return re.sub(r"\s*([{};,])\s*|(?<=:)\s+", r"\1", without).replace(";}", "}")


def _space(before: ScriptToken, between: str, after: ScriptToken) -> str:
    """Return what has to stand between two pieces: a line ends where a statement may, and before an export, as modules
    are joined line by line."""
    ends_here = before.kind == "mark" and before.text in ENDS
    if "\n" in between and (not ends_here or after.text == "export"):
        return "\n"
    would_touch = WORD_END.search(before.text) and WORD_START.search(after.text)
    return " " if between and (would_touch or before.text[-1:] == after.text[:1] in ("+", "-")) else ""


def _pieces(source: str) -> Iterator[ScriptToken]:
    """Yield the tokens of a script."""
    place, before, brackets = 0, NOTHING, list[str]()
    while place < len(source):
        kind, pattern = None, TOKEN
        if source[place] == "`" or (source[place] == "}" and brackets[-1:] == ["`"]):
            kind, pattern = "template", TEMPLATE
        elif source[place] == "/" and source[place + 1] not in "/*" and _may_be_followed_by_regex(before):
            kind, pattern = "regex", REGEX
        match = pattern.match(source, place)
        if match is None:
            raise ValueError(f"A script cannot be read from here: {source[place : place + 40]!r}")
        piece = ScriptToken(kind or str(match.lastgroup), match[0])
        if _closes(piece):
            brackets.pop()
        if _opens(piece):
            brackets.append(piece.text[0] if piece.kind == "mark" else "`")
        yield piece
        place, before = match.end(), before if piece.kind == "space" else piece


def _opens(piece: ScriptToken) -> bool:
    return (piece.kind == "mark" and piece.text in OPENING) or (piece.kind == "template" and piece.text[-1] == "{")


def _closes(piece: ScriptToken) -> bool:
    return (piece.kind == "mark" and piece.text in CLOSING) or (piece.kind == "template" and piece.text[0] == "}")


def _may_be_followed_by_regex(piece: ScriptToken) -> bool:
    if piece.kind == "word":
        return piece.text in BEFORE_REGEX
    if piece.kind == "template":
        return _opens(piece)
    return piece.kind in ("mark", "space") and piece.text not in CLOSING


class _Script:
    """A module in tokens, with the names in it."""

    def __init__(self, source: str) -> None:
        self.pieces = tuple(_pieces(source))
        self.tokens = [piece for piece in self.pieces if piece.kind != "space"]
        self.ends: dict[int, int] = {}
        self.around: list[int] = []
        """The bracket around each token; -1 where there is none."""
        opened = [-1]
        for place, piece in enumerate(self.tokens):
            if _closes(piece):
                self.ends[opened.pop()] = place
            self.around.append(opened[-1])
            if _opens(piece):
                opened.append(place)
        self.counts = Counter(piece.text for piece in self.tokens if piece.is_name)

    def text(self, place: int) -> str:
        return self.tokens[place].text if 0 <= place < len(self.tokens) else ""

    def written_short(self, kept: AbstractSet[str], shared: Mapping[str, str]) -> str:
        """Return the module with the short names of those that are `shared`, and one for each of its own."""
        own = self.declared_names - self.properties - self.shared_names - kept
        taken = kept | (self.counts.keys() - own) | set(shared.values())
        counts = Counter({name: n for name, n in self.counts.items() if name in own})
        new = _short_names(counts, taken=taken, lengths=(1, 2))
        new |= {name: shared[name] for name in self.shared_names if name in shared}
        written, before, between = [], NOTHING, ""
        for piece in self.pieces:
            if piece.kind == "space":
                between += piece.text
                continue
            written += [
                _space(before, between, piece),
                new.get(piece.text, piece.text) if piece.is_name else piece.text,
            ]
            before, between = piece, ""
        return IMPORT.sub(r"\nimport {\1} from \2;\n", f"{''.join(written)}\n").lstrip()

    @cached_property
    def not_declared(self) -> frozenset[str]:
        """The names that are used and not declared, and are no property."""
        return frozenset(self.counts) - self.declared_names - self.properties

    @cached_property
    def exported_names(self) -> frozenset[str]:
        starts = [place + 1 for place, piece in enumerate(self.tokens) if piece.text == "export"]
        return frozenset(
            next(self.text(at) for at in range(start, start + 4) if self.text(at) not in RESERVED) for start in starts
        )

    @cached_property
    def shared_names(self) -> frozenset[str]:
        """The names that are imported, and those that are exported."""
        starts = [place + 1 for place, piece in enumerate(self.tokens) if piece.text == "import"]
        return self.exported_names.union(*(self._names(start, self.ends[start]) for start in starts))

    @cached_property
    def declared_names(self) -> frozenset[str]:
        """The names that are declared somewhere: as constants, variables, functions, classes, or parameters."""
        starts = {end: start for start, end in self.ends.items()}
        names = set(self.shared_names)
        for place, piece in enumerate(self.tokens):
            before, after = self.text(place - 1), self.text(place + 1)
            if piece.text in ("const", "let", "var", "function", "class"):
                names |= self._names(place + 1, self.ends.get(place + 1, place + 2)) or {after}
            if piece.text == "=>":
                names |= self._names(starts.get(place - 1, place - 1), place) or {before}
            if (
                piece.text == ")"
                and after == "{"
                and self.text(starts[place] - 1) not in ("if", "for", "while", "switch")
            ):
                names |= self._names(starts[place], place)
        return frozenset(names)

    def _names(self, start: int, end: int) -> set[str]:
        """Return the names that a pattern or a list of parameters declares: those that are no default and no key."""
        return {
            self.text(place)
            for place in range(start, end)
            if self.tokens[place].is_name and self.text(place - 1) in ("(", "[", "{", ",", "...", ":")
        }

    @cached_property
    def properties(self) -> frozenset[str]:
        """The names that are a property, a key, a field or a method somewhere."""
        return frozenset(
            piece.text for place, piece in enumerate(self.tokens) if piece.is_name and self._is_property(place)
        )

    def _is_property(self, place: int) -> bool:
        before, after, around = self.text(place - 1), self.text(place + 1), self.text(self.around[place])
        if before in (".", "?.") or after == ":":
            return True
        if around != "{":
            return False
        if before in ("{", ",") and after in (",", "}", "="):  # a shorthand, but for what is imported
            return self.text(self.around[place] - 1) != "import"
        if self._is_in_class(place) and after in ("=", ";"):  # a field
            return True
        is_method = after == "(" and self.text(self.ends.get(place + 1, -2) + 1) == "{"
        return is_method and before in ("{", "}", ";", ",", "async", "get", "set", "static", "*")

    def _is_in_class(self, place: int) -> bool:
        """Return whether the bracket around a token is that of a class."""
        bracket = self.around[place]
        return "class" in (self.text(at) for at in range(max(bracket - 4, 0), bracket))
