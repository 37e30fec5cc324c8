"""The tables with which a browser says what stands out in a text, as `standing_out` does."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from models.analysis.one_text.standing_out import LEAST_EXPECTED, LEAST_SCORE, LEAST_WEIGHT, MOST_WEIGHTS
from models.analysis.one_text.word_pairs import NEIGHBOUR, WORTH
from models.values.results.atlas import HeadAtlas
from models.values.text import english, korean, particles


def finding_tables(atlas: HeadAtlas, languages: Collection[str], tagger: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return as JSON types what `viz/viewer/frontend/finding_search.js` needs.

    `tagger` is a classifier of parts of speech on the layers of the same model. Where neither that nor the form of a
    Korean word tells them, nothing is searched.
    """
    return {
        "offsets": _in_short(atlas.offsets),
        "n_texts": atlas.n_texts,
        "least": {"expected": LEAST_EXPECTED, "weight": LEAST_WEIGHT, "score": LEAST_SCORE},
        "most_weights": MOST_WEIGHTS,
        "worth": dict(WORTH),
        "neighbour": NEIGHBOUR,
        "tagger": None if tagger is None else {**tagger, "weight": _in_short(tagger["weight"])},
        "english": _english_tables() if tagger else None,
        "korean": _korean_tables() if "ko" in languages else None,
    }


def _in_short(numbers: Any) -> Any:
    """Return an array, or lists of numbers, as lists of numbers with six digits: JSON is half as long."""
    return [_in_short(row) for row in numbers] if np.ndim(numbers) else float(f"{numbers:.6g}")


def _english_tables() -> dict[str, Any]:
    return {
        "anaphors": sorted(english.ANAPHORS),
        "negations": sorted(english.NEGATIONS),
        "negated": list(english.NEGATED_VERB),
        "function_words": sorted(english.FUNCTION_WORDS),
        "fewest_words": english.FEWEST_WORDS,
        "most_function_words": english.MOST_FUNCTION_WORDS,
        "least_cut": english.LEAST_CUT,
        "most_letters": english.MOST_LETTERS,
    }


def _korean_tables() -> dict[str, Any]:
    return {
        "markings": dict(particles.MARKINGS),
        "after_consonant": sorted(particles.AFTER_CONSONANT),
        "after_vowel": {form: sorted(codas) for form, codas in particles.AFTER_VOWEL.items()},
        "first_of_two": sorted(particles.FIRST_OF_TWO),
        "second_of_two": sorted(particles.SECOND_OF_TWO),
        "stems": sorted(particles.STEMS),
        "codas_of_verbs": sorted(particles.CODAS_OF_VERBS),
        "not_before": dict(particles.NOT_BEFORE),
        "honorific": korean.HONORIFIC,
        "pronouns": sorted(korean.PRONOUNS),
        "negations": sorted(korean.KOREAN_NEGATIONS),
        "negated_stems": list(korean.NEGATED_STEMS),
        "final_endings": list(korean.FINAL_ENDINGS),
        "linking_endings": list(korean.LINKING_ENDINGS),
    }
