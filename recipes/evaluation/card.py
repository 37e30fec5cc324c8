"""The tables of a model card, from what `recipes.evaluation.evaluate` measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from models.analysis import find_measure
from recipes.evaluation.heads.nouns_by_hand import nouns_by_hand_table
from recipes.evaluation.knowledge import (
    EVERYDAY,
    EVERYDAY_UNWATCHED,
    NOUNS,
    NOUNS_BY_HAND,
    ONE_BOOK,
    RELATIONS,
)

CONTENT = "content words, each masked alone"
DECIDED = "classroom, the words that are decided"
SHORT_PAIRS = "short pairs, written by hand"
MEASURES = {
    "top_1": "best guess right",
    "top_5": "one of the best five right",
    "loss": "loss in nats",
}


def score_tables(name: str, report: Mapping[str, Any]) -> str:
    """Masked words beside the two baselines, the same as BERT is trained, content words, next sentences, decided words
    by family, what else it knows, heads: Markdown tables, of which those that were not measured are left out."""
    return "\n\n".join("\n".join(table) for table in _tables(name, report)) + "\n"


def _tables(name: str, report: Mapping[str, Any]) -> Iterator[list[str]]:
    scored = {text: scores for text, scores in report.items() if "behind_mask" in scores}
    yield _behind_mask(name, scored)
    yield _as_trained(name, scored)
    if CONTENT in report:
        yield _content_words(report[CONTENT])
    yield _next_sentences(scored)
    if DECIDED in report:
        yield _decided_words(report[DECIDED])
    if SHORT_PAIRS in report:
        yield _short_pairs(report[SHORT_PAIRS])
    yield from _knowledge(report)
    yield [
        *_head("attention to", "the head that gives most", "share"),
        *(_row(_title(name), *_strongest(found)) for name, found in report["heads"].items()),
    ]


def _behind_mask(name: str, scored: Mapping[str, Any]) -> list[str]:
    """The headline: every chosen piece is hidden."""
    return [
        *_head("behind `[MASK]`", name, "by frequency alone", "by the piece before it"),
        *(
            _row(
                f"{text} ({scores['behind_mask']['model']['n']:,} masks): {words}",
                *_three(scores["behind_mask"], measure),
            )
            for text, scores in scored.items()
            for measure, words in MEASURES.items()
        ),
    ]


def _as_trained(name: str, scored: Mapping[str, Any]) -> list[str]:
    """BERT's own mixture, with what the pieces add that were kept."""
    asked = "as BERT is trained (80 % `[MASK]`, 10 % any piece, 10 % kept): best guess right"
    return [
        *_head(asked, name, "by frequency alone", "by the piece before it", "of the model's, by kept pieces"),
        *(
            _row(
                text,
                *_three(scores["as_trained"], "top_1"),
                f"{_share(scores['kept_adds'])} (right {_share(scores['kept']['top_1'])})",
            )
            for text, scores in scored.items()
        ),
    ]


def _content_words(words: Mapping[str, Any]) -> list[str]:
    asked = "whole content words of unseen sentences, each masked alone"
    return [
        *_head(asked, "best guess right", "one of the best five right"),
        _row(f"{words['n']:,} words", _share(words["top_1"]), _share(words["top_5"])),
    ]


def _next_sentences(scored: Mapping[str, Any]) -> list[str]:
    asked = "next sentence, right (0.5 is chance)"
    measures = ("next_sentence", "next_sentence_unmasked", "shared_pieces")
    return [
        *_head(asked, "some masked, as in training", "whole", "by shared pieces alone"),
        *(
            _row(f"{text} ({scores['n_pairs']:,} pairs)", *(_share(scores[measure]) for measure in measures))
            for text, scores in scored.items()
        ),
    ]


def _knowledge(report: Mapping[str, Any]) -> Iterator[list[str]]:
    """What `recipes.evaluation.knowledge` asked, of which what was not asked is left out."""
    if ONE_BOOK in report:
        yield [
            *_head("next sentence, whole, the other one from the same book (0.5 is chance)", "right"),
            *(
                _row(f"{text} ({found['n']:,} pairs)", _share(found["right"]))
                for text, found in report[ONE_BOOK].items()
            ),
        ]
    if EVERYDAY in report:
        asked = (
            (EVERYDAY, "written before the training, and watched in it"),
            (EVERYDAY_UNWATCHED, "written after it; nothing was chosen by them"),
        )
        yield [
            *_head("everyday sentences", "one of the best five accepted"),
            *(
                _row(f"{report[name]['n']} {written}", _share(report[name]["right"]))
                for name, written in asked
                if name in report
            ),
        ]
    if NOUNS in report:
        yield _nouns(report[NOUNS])
    if NOUNS_BY_HAND in report:
        yield nouns_by_hand_table(report[NOUNS_BY_HAND])
    if RELATIONS in report:
        yield _relations(report[RELATIONS])


def _nouns(found: Mapping[str, Any]) -> list[str]:
    return [
        *_head("which of two nouns is meant: pairs of our generator's kind, unseen nouns", "right"),
        _row(f"the noun is likelier behind `[MASK]` ({2 * found['n']} sentences)", _share(found.get("nouns"))),
        _row("in both sentences of a pair (0.25 is chance)", _share(found.get("nouns_both"))),
        _row("likelier, in sentences whose pattern is new, too", _share(found.get("nouns_new_schemas"))),
    ]


def _relations(scores: Sequence[Mapping[str, Any]]) -> list[str]:
    return [
        *_head("relation", "head, chosen on dev", "direction", "right on test", "best fixed offset", "words"),
        *(
            _row(
                each["relation"],
                f"Layer {each['layer']} · Head {each['head']}",
                each["direction"],
                _share(each["right"]),
                f"{_share(each['right_by_offset'])} ({each['offset']:+d})",
                f"{each['n']:,}",
            )
            for each in scores
        ),
    ]


def _short_pairs(shares: Mapping[str, float]) -> list[str]:
    asked = "200 short pairs, written by hand before the training on such pairs (0.5 is chance)"
    return [*_head(asked, "right"), *(_row(name, _share(share)) for name, share in shares.items())]


def _decided_words(shares: Mapping[str, float]) -> list[str]:
    families = sorted(shares.items(), key=lambda item: -item[1])
    return [
        *_head("words that the rest of an unseen passage decides", "guessed right"),
        *(_row("all families" if family == "all" else family, f"{share:.2f}") for family, share in families),
    ]


def _head(*cells: str) -> list[str]:
    return [_row(*cells), _row(*["---"] * len(cells))]


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |".replace("|  |", "| |")


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _three(scores: Mapping[str, Any], measure: str) -> tuple[str, ...]:
    return tuple(f"{scores[who][measure]:.3f}" for who in ("model", "unigram", "bigram"))


def _title(name: str) -> str:
    """What a measure is called on a card; the name itself, where it is no longer measured."""
    measure = find_measure(name)
    return name if measure is None else measure.card_title or measure.title


def _strongest(measured: Mapping[str, Any]) -> tuple[str, str]:
    found: Sequence[Any] = measured["strongest (layer, head, share)"]
    layer, head, share = found
    return f"Layer {layer} · Head {head}", f"{share:.2f}"
