"""The patterns of the sentiment sentences: ways to praise, their counterparts, and how two clauses go together.

A slot that judges takes a word of `recipes.sentences.sentiment.words`: {good} any adjective of praise, {fair}
one that "not" may stand before, {bad} and {weak} their opposites; {much} stands after "too", {fit} before "enough". All
other slots change nothing: {s} is what is judged, {was} its verb, {who} is somebody. For every negation there is one
that praises and one that complains, so no word of it gives the label away.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from recipes.sentences.sentiment.words import KINDS


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternFamily:
    """Patterns for one way to judge, `weight` times as often as one of weight 1, for nouns of some kinds.

    With `is_alone` they are sentences and cannot be parts of one.
    """

    name: str
    weight: float
    positive: tuple[str, ...]
    negative: tuple[str, ...]
    kinds: frozenset[str] = field(default_factory=lambda: frozenset(KINDS))
    is_alone: bool = False

    def patterns(self, sign: int) -> tuple[str, ...]:
        """Those that praise (1) or complain (-1)."""
        return self.positive if sign > 0 else self.negative


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How a sentence is put together: {b} decides, {a} is the other clause, {np} "the boring film" in its place.

    `sign_of_other` is 1 if the two agree and -1 if they do not; `of_other` are the families that may stand there.
    """

    name: str
    weight: float
    texts: tuple[str, ...]
    sign_of_other: int = 0
    of_other: frozenset[str] = frozenset()
    of_deciding: frozenset[str] = frozenset()
    is_past: bool = False
    """Whether it tells what happened, and so is never said in the present."""


_LASTING = frozenset({"service", "worker", "person", "indoors", "outdoors", "lesson", "vehicle"})
_CONTAINING = frozenset({"story", "music", "dish", "baked", "indoors", "lesson", "test", "game", "thing", "wear"})

FAMILIES = (
    PatternFamily(
        name="judging",
        weight=5,
        positive=(
            "{s} {was} {good}",
            "{s} {was} {good}",
            "{s} {was} {good} and {good2}",
            "{s} {was} {good}, {good2} and {good3}",
            "{s} {was} so {fair}",
            "{s} {was} quite {fair}",
            "{s} {was} not only {fair} but also {good}",
            "{it_was} {a_good}",
            "{s} {was} the best {noun} of all",
        ),
        negative=(
            "{s} {was} {bad}",
            "{s} {was} {bad}",
            "{s} {was} {bad} and {bad2}",
            "{s} {was} {bad}, {bad2} and {bad3}",
            "{s} {was} so {weak}",
            "{s} {was} a bit {weak}",
            "{s} {was} not only {weak} but also {bad}",
            "{it_was} {a_bad}",
            "{s} {was} the worst {noun} of all",
        ),
    ),
    PatternFamily(
        name="negation",
        weight=5,
        positive=(
            "{s} {was} not {weak}",
            "{s} {was} not {weak}",
            "{s} {was} not {weak} at all",
            "{s} {was} not at all {weak}",
            "{s} {was} never {weak}",
            "{s} {was} anything but {weak}",
            "{s} {was} far from {weak}",
            "{s} {was} in no way {weak}",
            "{s} {was} neither {weak} nor {weak2}",
            "{s} {was} not {weak}, but {good}",
            "there was nothing {weak} about {s}",
        ),
        negative=(
            "{s} {was} not {fair}",
            "{s} {was} not {fair}",
            "{s} {was} not {fair} at all",
            "{s} {was} not very {fair}",
            "{s} {was} never {fair}",
            "{s} {was} anything but {fair}",
            "{s} {was} far from {fair}",
            "{s} {was} in no way {fair}",
            "{s} {was} neither {fair} nor {fair2}",
            "{s} {was} not {fair}, but {bad}",
            "there was nothing {fair} about {s}",
        ),
    ),
    PatternFamily(
        name="denying",
        weight=2,
        positive=(
            "I do not think that {s} {was} {weak}",
            "nobody thought that {s} {was} {weak}",
            "nobody could say that {s} {was} {weak}",
            "it is not true that {s} {was} {weak}",
        ),
        negative=(
            "I do not think that {s} {was} {fair}",
            "nobody thought that {s} {was} {fair}",
            "nobody could say that {s} {was} {fair}",
            "it is not true that {s} {was} {fair}",
        ),
    ),
    PatternFamily(
        name="always and never",
        weight=1,
        positive=("{s} {was} always {fair}", "{s} {was} never {weak}"),
        negative=("{s} {was} always {weak}", "{s} {was} never {fair}"),
        kinds=_LASTING,
    ),
    PatternFamily(
        name="too and enough",
        weight=3,
        positive=(
            "{s} {was} not too {much}",
            "{s} {was} not too {much}",
            "{s} {was} never too {much}",
            "nobody found {s} too {much}",
            "{s} {was} {fit} enough",
            "{s} {was} {fit} enough",
        ),
        negative=(
            "{s} {was} too {much}",
            "{s} {was} far too {much}",
            "{s} {was} always too {much}",
            "everybody found {s} too {much}",
            "{s} {was} not {fit} enough",
            "{s} {was} not {fit} enough",
        ),
    ),
    PatternFamily(
        name="would have been",
        weight=2,
        positive=(
            "{s} would have been {weak} without {saver}",
            "{s} could not have been better",
            "{saver} saved {s}",
        ),
        negative=(
            "{s} would have been {fair} without {spoiler}",
            "{s} could not have been worse",
            "{spoiler} spoiled {s}",
            "{s} could have been better",
        ),
    ),
    PatternFamily(
        name="comparing",
        weight=3,
        positive=(
            "{s} {was} better than {expected}",
            "{s} {was} less {weak} than {feared}",
            "{s} {was} not as {weak} as {feared}",
            "{s} {was} as {fair} as {hoped}",
            "I have never {done} {a_better}",
        ),
        negative=(
            "{s} {was} worse than {expected}",
            "{s} {was} less {fair} than {hoped}",
            "{s} {was} not as {fair} as {hoped}",
            "{s} {was} as {weak} as {feared}",
            "I have {done} {better}",
            "I have never {done} {a_worse}",
        ),
    ),
    PatternFamily(
        name="feeling",
        weight=4,
        positive=(
            "{who} {liked} {s}",
            "{who} really {liked} {s}",
            "I {love} {s}",
            "{who} {felt} {pleased} with {s}",
            "everybody liked {s}",
            "nobody complained about {s}",
            "{who} {felt} not disappointed by {s}",
            "{who} had no problems with {s}",
            "{who} did not hate {s} at all",
            "there was nothing wrong with {s}",
            "there was nothing to complain about",
        ),
        negative=(
            "{who} did not {like} {s}",
            "{who} did not {like} {s} at all",
            "I {hate} {s}",
            "{who} hated {s}",
            "{who} {felt} {displeased} with {s}",
            "{who} {felt} not {pleased} with {s}",
            "nobody liked {s}",
            "everybody complained about {s}",
            "{who} had many problems with {s}",
            "there was nothing good about {s}",
            "there was a lot to complain about",
        ),
    ),
    PatternFamily(
        name="doing it again",
        weight=2,
        positive=(
            "{who} would gladly {do} {s} again",
            "{who} did not regret {doing} {s}",
            "{who} never regretted {doing} {s}",
            "{who} loved {doing} {s}",
            "{who} would recommend {s} to everybody",
        ),
        negative=(
            "{who} would never {do} {s} again",
            "{who} regretted {doing} {s}",
            "{who} did not enjoy {doing} {s}",
            "{who} hated {doing} {s}",
            "{who} would not recommend {s} to anybody",
        ),
    ),
    PatternFamily(
        name="mood",
        weight=2,
        positive=(
            "{who} {felt} {happy}",
            "{who} {felt} not {sad}",
            "{who} {felt} never {sad}",
            "nobody was {sad}",
            "everybody was {happy}",
            "there was no reason to be {sad}",
        ),
        negative=(
            "{who} {felt} {unhappy}",
            "{who} {felt} not {glad}",
            "{who} {felt} never {glad}",
            "nobody was {glad}",
            "everybody was {unhappy}",
            "there was no reason to be {glad}",
        ),
    ),
    PatternFamily(
        name="having",
        weight=2,
        positive=(
            "{s} had a lot of {quality}",
            "{s} did not lack {quality}",
            "{s} had no {flaw}",
            "{s} {was} free of {flaw}",
        ),
        negative=(
            "{s} had no {quality}",
            "{s} lacked {quality}",
            "{s} had a lot of {flaw}",
            "{s} {was} full of {flaw}",
        ),
    ),
    PatternFamily(
        name="what there was",
        weight=1,
        positive=("there were no {flaw} in {s}",),
        negative=("there were many {flaw} in {s}",),
        kinds=_CONTAINING,
    ),
    PatternFamily(
        name="what others said",
        weight=2,
        positive=(
            "{they} said that {s} {was} {weak}, but {it} {was} not",
            "{they} said that {s} {was} {weak}, but they were wrong",
            "{they} said that {s} {was} {weak}, but that is not true",
            "{they} said that {s} {was} {fair}, and {it} {was}",
            "{they} said that {s} {was} {fair}, and they were right",
        ),
        negative=(
            "{they} said that {s} {was} {fair}, but {it} {was} not",
            "{they} said that {s} {was} {fair}, but they were wrong",
            "{they} said that {s} {was} {fair}, but that is not true",
            "{they} said that {s} {was} {weak}, and {it} {was}",
            "{they} said that {s} {was} {weak}, and they were right",
        ),
        is_alone=True,
    ),
    PatternFamily(
        name="turned round",
        weight=2,
        positive=("what {a_good}", "without {saver}, {s} would have been {weak}"),
        negative=("what {a_bad}", "without {spoiler}, {s} would have been {fair}"),
        is_alone=True,
    ),
)

_PARTS = frozenset(family.name for family in FAMILIES if not family.is_alone)
_SHORT = frozenset({"judging", "negation", "too and enough", "mood"})
_REACTIONS = frozenset({"feeling", "doing it again", "mood"})

SHAPES = (
    Shape(name="one clause", weight=9, texts=("{b}",)),
    Shape(name="and", weight=1.5, texts=("{a}, and {b}",), sign_of_other=1, of_other=_PARTS, of_deciding=_PARTS),
    Shape(
        name="because",
        weight=1.5,
        texts=("{a} because {b}", "{a}, because {b}"),
        sign_of_other=1,
        of_other=_REACTIONS,
        of_deciding=_PARTS - _REACTIONS - {"denying"},
    ),
    Shape(
        name="but",
        weight=5,
        texts=("{a}, but {b}", "{a}, but {b}", "{a}, yet {b}", "{a}. However, {b}"),
        sign_of_other=-1,
        of_other=_PARTS,
        of_deciding=_PARTS,
    ),
    Shape(
        name="although",
        weight=2,
        texts=("although {a}, {b}", "even though {a}, {b}"),
        sign_of_other=-1,
        of_other=_PARTS,
        of_deciding=_PARTS,
    ),
    Shape(
        name="at first",
        weight=1,
        texts=("at first {a}, but in the end {b}", "at first {a}, but later {b}"),
        sign_of_other=-1,
        of_other=_SHORT,
        of_deciding=_SHORT,
        is_past=True,
    ),
    Shape(
        name="despite",
        weight=1.5,
        texts=("despite {np}, {b}", "in spite of {np}, {b}", "{b} despite {np}"),
        sign_of_other=-1,
        of_other=frozenset({"judging"}),
        of_deciding=_SHORT,
    ),
)
