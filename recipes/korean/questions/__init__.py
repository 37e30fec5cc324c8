"""Questions by hand for whoever reads Korean: a particle or a word is hidden, and what is right is known.

`particles.tsv`: what kind of particle, the sentence, and what else is right there. `words.tsv`: the sentence and words
that make sense in it. None of these sentences, with any word, stands in the text that headlight-ko learns from.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from models.training.corpora.vocabulary import MASK
from recipes.korean.words.hangul import final_letter

HERE = Path(__file__).parent
PARTICLES = {
    "subject": "은는이가",
    "object": "을를",
    "at": ("에",),
    "in": ("에서",),
    "to": ("으로", "로"),
    "with": ("와", "과", "랑", "이랑", "하고"),
}
"""The particles of each kind, in all their forms; 은 and 는 mark a subject here, as every such sentence allows both."""
_AFTER_CONSONANTS, _AFTER_VOWELS = frozenset(("은", "이", "을", "과", "이랑")), frozenset("는가를와랑")
_R = 8
"""The index of ㄹ among the final letters."""


@dataclass(frozen=True, slots=True)
class HiddenPiece:
    """A sentence with one [MASK] and the pieces that are right there."""

    text: str
    accepted: frozenset[str]
    kind: str = "word"


def read_particle_questions() -> list[HiddenPiece]:
    """Read the sentences in which a particle is hidden; only the form that fits the letter before it is right."""
    questions = []
    for line in (HERE / "particles.tsv").read_text(encoding="utf-8").splitlines():
        kind, text, *also = line.split("\t")
        before = text[text.index(MASK) - 1]
        particles = [*PARTICLES[kind], *" ".join(also).split()]
        fitting = frozenset(f"##{particle}" for particle in particles if particle_fits(particle, before))
        questions.append(HiddenPiece(text, fitting, kind))
    return questions


def read_word_questions() -> list[HiddenPiece]:
    """Read the sentences in which a noun, a verb or an adverb is hidden."""
    lines = (line.split("\t") for line in (HERE / "words.tsv").read_text(encoding="utf-8").splitlines())
    return [HiddenPiece(text, frozenset(words.split())) for text, words in lines]


def particle_fits(particle: str, syllable: str) -> bool:
    """Tell whether a particle has the form that follows a syllable."""
    final = final_letter(syllable)
    if particle in ("로", "으로"):
        return (particle == "로") == (final in (0, _R))
    return particle not in (_AFTER_VOWELS if final else _AFTER_CONSONANTS)
