"""Questions about which words an answer hangs on, by which method, and how far two methods agree."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, nan

import numpy as np

from lessons.answers.attention import record_text
from lessons.answers.effects import (
    CHANGES,
    MOVED,
    WORD,
    answer_with_changes,
    contrast_asked_for,
    describe_change,
    facts_of_change,
)
from lessons.answers.words import fact_of_answer, piece
from lessons.kinds import LessonQuestion
from lessons.parameters import TEXT, OneOf, Parameter, a_word
from lessons.places import token_at
from lessons.values import Ask, Outcome, count, number, phrase, share, word
from models.analysis import attribute_by, attribution_methods
from models.analysis.ranks import rank_agreement
from models.model import Model
from models.values.errors import TextError
from models.values.probing.changes import NO_CHANGES, Changes, TokenPlace, stack_of
from models.values.probing.contrast import AnswerLogits, Contrast
from models.values.record import Recording
from models.values.results.attribution import NO_WORDS, Attribution, Word, words_of
from models.values.wording import to_say

NO_ORDER = to_say(
    "Two methods can be compared only where they put words in an order: this text has a single word beside the one "
    "that is asked about, or a method gives the same to all. Type more words."
)
SEVERAL = ", "
"""The sign between words that are left out together."""
METHODS = {method.name: method.title for method in attribution_methods()}
METHOD = Parameter(name="method", about=to_say("a method that says which words mattered"), read=OneOf(METHODS))


def answers_left_out(model: Model, ask: Ask) -> tuple[AnswerLogits, AnswerLogits]:
    """Return the answers of a model to the whole text, and when no token may attend to what is left out."""
    _, _, whole, without = _leave_out(model, ask)
    return whole, without


def _leave_out(model: Model, ask: Ask) -> tuple[Contrast, str, AnswerLogits, AnswerLogits]:
    """Return the answer that is asked about, the words that are left out as they are spelled, and both answers."""
    contrast, recording = contrast_asked_for(model, ask), record_text(model, ask)
    hidden, name = _hidden(model, ask, contrast, recording)
    stack = stack_of(recording.kinds[-1])
    places: tuple[TokenPlace, ...] = tuple((stack, position) for position in hidden)
    whole = answer_with_changes(model, ask, contrast, NO_CHANGES)
    return contrast, name, whole, answer_with_changes(model, ask, contrast, Changes(hidden=places))


def left_out(model: Model, ask: Ask) -> Outcome:
    """Measure the change in the probability of an answer when no token may attend to a word: a given one, several, or
    the first by a method."""
    contrast, name, whole, without = _leave_out(model, ask)
    before, after = (float(answer.probabilities[contrast.answer]) for answer in (whole, without))
    best = without.best(1)[0]
    facts = (
        *facts_of_change(contrast, before, after),
        ("left_out", word(name)),
        ("best", fact_of_answer(without.choices[best], without.of)),
        ("best_probability", share(float(without.probabilities[best]))),
    )
    return Outcome(
        facts=facts,
        options=CHANGES,
        right=frozenset({CHANGES.index(describe_change(before, after))}),
        position=contrast.position,
    )


def _hidden(model: Model, ask: Ask, contrast: Contrast, recording: Recording) -> tuple[tuple[int, ...], str]:
    """Return the positions of the words that are left out, and how these are spelled. Raises TextError for the place
    that is asked about."""
    text = ask.text("text")
    if ask.text("method"):
        (attribution,) = attribute_by(model, text, [ask.text("method")], contrast=contrast)
        return _first(attribution, text)
    words = [
        _whole_word(recording, token_at(recording.tokens, named)) for named in ask.text("leave_out").split(SEVERAL)
    ]
    if any(contrast.position in word for word in words):
        raise TextError(NO_WORDS)
    names = [_spell_word(recording.tokens[word[0]].word, recording, text) for word in words]
    return tuple(position for word in words for position in word), SEVERAL.join(names)


def important_word(model: Model, ask: Ask) -> Outcome:
    """Find the word that mattered most for an answer, by one method."""
    contrast = contrast_asked_for(model, ask)
    (attribution,) = attribute_by(model, ask.text("text"), [ask.text("method")], contrast=contrast)
    words = _words(attribution)
    scores = attribution.of_words(words)  # [n_words]
    names = _texts(words, attribution, ask.text("text"))
    order = np.argsort(-scores).tolist()
    facts = (
        ("answer", word(names[order[0]])),
        ("second", word(names[order[min(1, len(order) - 1)]])),
        ("method", phrase(attribution.title)),
        ("word", fact_of_answer(contrast.answer_text, contrast.of)),
        ("words", count(len(words))),
    )
    return Outcome(facts=facts, options=names, right=frozenset({order[0]}), position=contrast.position)


def agreement(model: Model, ask: Ask) -> Outcome:
    """Compare the order in which two methods rank the words: Spearman's rho."""
    contrast = contrast_asked_for(model, ask)
    asked = [ask.text("method"), ask.text("other")]
    one, other = attribute_by(model, ask.text("text"), asked, contrast=contrast)
    words = _words(one)
    rho = rank_agreement(one.of_words(words), other.of_words(words)) if len(words) > 1 else nan
    if isnan(rho):
        raise TextError(NO_ORDER)
    facts = (
        ("rho", number(rho)),
        ("method", phrase(one.title)),
        ("other", phrase(other.title)),
        ("first", word(_first(one, ask.text("text"))[1])),
        ("other_first", word(_first(other, ask.text("text"))[1])),
        ("words", count(len(words))),
        ("word", fact_of_answer(contrast.answer_text, contrast.of)),
    )
    return Outcome(facts=facts, number=rho, low=-1, high=1, position=contrast.position)


def _words(found: Attribution) -> tuple[Word, ...]:
    """Return the words that could have mattered. Raises TextError if there is none."""
    words = words_of(found.tokens, found.places, found.contrast)
    if not words:
        raise TextError(NO_WORDS)
    return words


def _first(found: Attribution, text: str) -> tuple[Word, str]:
    """Return the word that a method names first, and how it is spelled."""
    words = _words(found)
    best = int(found.of_words(words).argmax())
    return words[best], _texts(words, found, text)[best]


def _texts(words: Sequence[Word], found: Attribution, text: str) -> tuple[str, ...]:
    """Words as they stand in the text; of two equal ones the second has its number."""
    spellings = []
    for pieces in words:
        first, last = found.tokens[pieces[0]], found.tokens[pieces[-1]]
        spellings.append(piece(first.text) if first.start is None or last.end is None else text[first.start : last.end])
    seen = [spellings[:place].count(name) for place, name in enumerate(spellings)]
    return tuple(name if not before else f"{name} ({before + 1})" for name, before in zip(spellings, seen, strict=True))


def _whole_word(recording: Recording, at: int) -> tuple[int, ...]:
    """Return all pieces of the word that a token belongs to."""
    named = recording.tokens[at].word
    if named is None:
        return (at,)
    return tuple(place for place, token in enumerate(recording.tokens) if token.word == named)


def _spell_word(named: int | None, recording: Recording, text: str) -> str:
    spans = [(token.start, token.end) for token in recording.tokens if token.word == named and named is not None]
    starts, ends = [start for start, _ in spans if start is not None], [end for _, end in spans if end is not None]
    return text[min(starts) : max(ends)] if starts and ends else to_say("the special token")


KINDS = (
    LessonQuestion(
        name="left-out",
        tap="choice",
        compute=left_out,
        about=to_say("What happens to an answer when no token may see a word?"),
        asks=to_say("What happens to the probability of “{word}” without “{left_out}”?"),
        parameters=(
            TEXT,
            WORD,
            Parameter(
                name="leave_out",
                about=to_say("the word that is left out; of several, with “, ” between"),
                read=a_word,
                is_required=False,
            ),
            Parameter(
                name="method",
                about=to_say("or the method whose first word is left out"),
                read=OneOf(METHODS),
                is_required=False,
            ),
        ),
        facts={**MOVED, "left_out": to_say("the word that is left out")},
        says=to_say("Without “{left_out}” the probability of “{word}” goes from {before} to {after}: it {answer}."),
    ),
    LessonQuestion(
        name="important-word",
        tap="choice",
        compute=important_word,
        about=to_say("Which word mattered most for an answer, by one method?"),
        asks=to_say("Which word mattered most for “{word}”, by {method}?"),
        parameters=(TEXT, METHOD, WORD),
        facts={
            "answer": to_say("the word that mattered most"),
            "second": to_say("the next one"),
            "method": to_say("the name of the method"),
            "word": to_say("the answer of the model"),
            "words": to_say("how many words may have mattered"),
        },
        says=to_say("By {method}, “{answer}” mattered most for “{word}”, before “{second}”."),
    ),
    LessonQuestion(
        name="agreement",
        tap="number",
        compute=agreement,
        about=to_say("How far do two methods put the words in the same order (1 the same, −1 the reverse)?"),
        parameters=(
            TEXT,
            METHOD,
            Parameter(name="other", about=to_say("the other method"), read=OneOf(METHODS)),
            WORD,
        ),
        facts={
            "rho": to_say("Spearman's rho"),
            "method": to_say("the one method"),
            "other": to_say("the other one"),
            "first": to_say("its first word"),
            "other_first": to_say("that of the other"),
            "words": to_say("how many words are put in order"),
            "word": to_say("the answer"),
        },
        says=to_say("Spearman's rho is {rho}. {method} names “{first}” first, {other} “{other_first}”."),
    ),
)
