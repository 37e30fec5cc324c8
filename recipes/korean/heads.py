"""Measure what the heads of headlight-ko do, on UD_Korean-GSD: choose them on one part, judge them on another.

    python -m recipes.korean.heads --checkpoint RUN/model --korean ../shared/korean > heads.json

A word is an 어절, so grammar between words is measured as for headlight-bert (Clark et al. 2019). A particle is a piece
of its word: of those it is asked, apart, how often a head looks most at the noun it stands behind.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.analysis.grammar.conllu import parse_dependencies, read_treebank
from models.analysis.grammar.dependencies import ParsedSentence, score_relations
from models.analysis.over_texts.roles import LEAST_GAIN, LEAST_SHARE
from models.checkpoints.heads_file import heads_json
from models.opening.folders import load_folder
from models.scratch_models.encoder import ScratchModel
from models.values.results.grammar import FEWEST_WORDS
from recipes.evaluation.heads.known_heads import known_heads, relations_of
from recipes.korean.questions import PARTICLES
from recipes.sentences.grammar_by_hand import KOREAN_SENTENCES, grammar_by_hand

DEV, TEST = "ko_gsd-dev", "ko_gsd-test"
PARTICLE_PIECES = frozenset(f"##{particle}" for forms in PARTICLES.values() for particle in forms) | {"##의", "##도"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ParticleScore:
    """How often the best head looks most from a particle at a piece of its own word, beside always the piece before."""

    layer: int
    head: int
    right: float
    right_by_offset: float
    n: int


def read_parsed(path: Path) -> list[ParsedSentence]:
    """Read the sentences of a compressed treebank."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        sentences = map(parse_dependencies, read_treebank(lines))
        return [sentence for sentence in sentences if sentence is not None]


def particle_looks(model: ScratchModel, texts: Iterable[str]) -> Iterator[tuple[NDArray[np.intp], int, int]]:
    """Yield for each particle where each head looks most [n_layers, n_heads], the first piece of its word, and its own
    place; a token's look at itself and at special tokens is left out."""
    for text in texts:
        record = model.record(text).of("encoder")
        pieces = [token.text for token in record.key_tokens]
        weights = np.stack([record.layer_weights(layer) for layer in range(record.n_layers)])
        weights = weights.copy()  # [n_layers, n_heads, n_tokens, n_tokens]
        weights[..., [place for place, token in enumerate(record.key_tokens) if token.start is None]] = -1
        weights[..., np.arange(len(pieces)), np.arange(len(pieces))] = -1
        for place, piece in enumerate(pieces):
            if piece in PARTICLE_PIECES:
                begin = place
                while pieces[begin].startswith("##"):
                    begin -= 1
                yield weights[:, :, place].argmax(-1), begin, place


def score_particles(model: ScratchModel, dev: Iterable[str], test: Iterable[str]) -> ParticleScore:
    """Choose the head that looks from a particle at its noun on `dev`, and judge it on `test`."""
    chosen, judged = ([*particle_looks(model, texts)] for texts in (dev, test))
    right = np.mean([(looks >= begin) & (looks < place) for looks, begin, place in chosen], axis=0)
    layer, head = np.unravel_index(right.argmax(), right.shape)
    hits = [begin <= looks[layer, head] < place for looks, begin, place in judged]
    return ParticleScore(
        layer=int(layer),
        head=int(head),
        right=float(np.mean(hits)),
        right_by_offset=float(np.mean([begin < place for _, begin, place in judged])),
        n=len(hits),
    )


def main() -> None:
    """Read the command line and write heads.json, with all scores on the other stream."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", type=Path, required=True, help="a BERT with its tokenizer")
    parser.add_argument("--korean", type=Path, required=True, help="folder with the treebanks")
    parser.add_argument("--sentences", type=int, help="read no more than so many sentences of each part")
    arguments = parser.parse_args()
    model = load_folder(arguments.checkpoint, name=arguments.checkpoint.name, device="cpu")
    if not isinstance(model, ScratchModel):
        parser.error(f"{arguments.checkpoint} is not an encoder in the layout of BERT.")
    dev, test = (read_parsed(arguments.korean / f"{part}.conllu.xz")[: arguments.sentences] for part in (DEV, TEST))
    relations = relations_of(model, dev, test)
    scores = [asdict(relation) for relation in score_relations(*relations)]
    particles = asdict(score_particles(model, *([sentence.text for sentence in part] for part in (dev, test))))
    sys.stderr.write(json.dumps({"relations": scores, "particles": particles}, ensure_ascii=False, indent=1) + "\n")
    by_hand = grammar_by_hand(KOREAN_SENTENCES)
    about = {
        "measured_on": [f"{DEV}.conllu", f"{TEST}.conllu"],
        "held_to": f"{len(by_hand)} sentences of {KOREAN_SENTENCES.name}",
        "least_share": LEAST_SHARE,
        "least_gain": LEAST_GAIN,
        "fewest_words": FEWEST_WORDS,
    }
    sys.stdout.write(heads_json(*known_heads(model, test, relations, by_hand), about))


if __name__ == "__main__":
    main()
