"""Questions about how the next word is chosen: by temperature, among the best few, among those that share most."""

from __future__ import annotations

import numpy as np

from lessons.answers.words import HALF, answer_of_model, piece
from lessons.kinds import LessonQuestion
from lessons.parameters import TEXT, TEXT_B, Parameter, WholeNumber
from lessons.values import Ask, Fact, Outcome, count, end_of_line, number, share, word
from models.model import Model
from models.tasks.sampling import n_for_share, sampling_steps
from models.values.probing.contrast import AnswerLogits
from models.values.wording import to_say
from models.values.writing import Numbers

MOST_BARS = 8
TENTHS = Parameter(name="tenths", about=to_say("the temperature in tenths: 5 is 0.5"), read=WholeNumber(1, 100))
PERCENT = Parameter(
    name="percent", about=to_say("the share that the kept words have together, in percent"), read=WholeNumber(1, 99)
)
K = Parameter(name="k", about=to_say("how many words are kept"), read=WholeNumber(1, 1000))


def _rank(answer: AnswerLogits, probabilities: Numbers) -> tuple[Numbers, tuple[tuple[str, float], ...]]:
    """Return the probabilities, largest first, and the likeliest words with theirs."""
    order = np.argsort(-probabilities, kind="stable")
    best = tuple((piece(answer.choices[at]), float(probabilities[at])) for at in order[:MOST_BARS].tolist())
    return probabilities[order], best


def with_temperature(model: Model, ask: Ask) -> Outcome:
    """Return the probability of the likeliest word when all logits are divided by a temperature."""
    answer = answer_of_model(model, ask)
    temperature = int(ask.text("tenths")) / 10
    steps = sampling_steps(answer.logits, temperature=temperature)
    (before, _), (after, best) = (_rank(answer, step.probabilities) for step in (steps[0], steps[-1]))
    facts = (
        ("temperature", number(temperature, 1)),
        ("word", word(best[0][0])),
        ("before", share(float(before[0]))),
        ("probability", share(float(after[0]))),
        ("words_before", count(n_for_share(before, HALF))),
        ("words", count(n_for_share(after, HALF))),
    )
    return Outcome(facts=facts, number=float(after[0]), position=answer.position, bars=_bars(best))


def share_of_best(model: Model, ask: Ask) -> Outcome:
    """Return the probability that the likeliest words have together (top-k)."""
    answer = answer_of_model(model, ask)
    ordered, best = _rank(answer, answer.probabilities)
    kept = min(int(ask.text("k")), len(ordered))
    total = 1 - sampling_steps(answer.logits, top_k=kept)[-1].cut
    facts = (
        ("k", count(kept)),
        ("share", share(total)),
        ("word", word(best[0][0])),
        ("before", share(float(ordered[0]))),
        ("after", share(float(ordered[0]) / total)),
        ("vocabulary", count(len(ordered))),
    )
    return Outcome(facts=facts, number=total, position=answer.position, bars=_bars(best[:kept]))


def words_kept(model: Model, ask: Ask) -> Outcome:
    """Count the likeliest words that together have a share of the probability (top-p; Holtzman et al. 2020)."""
    answer = answer_of_model(model, ask)
    ordered, best = _rank(answer, answer.probabilities)
    kept = sampling_steps(answer.logits, top_p=int(ask.text("percent")) / 100)[-1].n_kept
    facts = (
        ("number", count(kept)),
        ("percent", share(int(ask.text("percent")) / 100)),
        ("word", word(best[0][0])),
        ("probability", share(float(ordered[0]))),
        ("vocabulary", count(len(ordered))),
    )
    return Outcome(
        facts=facts, number=kept, low=1, high=end_of_line(kept), position=answer.position, bars=_bars(best[:kept])
    )


def _bars(best: tuple[tuple[str, float], ...]) -> tuple[tuple[str, Fact], ...]:
    return tuple((text, share(value)) for text, value in best)


KINDS = (
    LessonQuestion(
        name="with-temperature",
        tap="number",
        compute=with_temperature,
        about=to_say("How probable is the likeliest word at a temperature?"),
        parameters=(TEXT, TEXT_B, TENTHS),
        facts={
            "temperature": to_say("the temperature"),
            "word": to_say("the likeliest word"),
            "before": to_say("its probability at temperature 1"),
            "probability": to_say("its probability at this temperature"),
            "words_before": to_say("how many words share half of the probability at temperature 1"),
            "words": to_say("how many do at this temperature"),
        },
        says=to_say(
            "At temperature {temperature}, “{word}” has {probability}; at 1 it has {before}. {words} of the likeliest "
            "words share half of the probability, at 1 it takes {words_before}."
        ),
    ),
    LessonQuestion(
        name="share-of-best",
        tap="number",
        compute=share_of_best,
        about=to_say("How much of the probability do the likeliest words have together?"),
        parameters=(TEXT, TEXT_B, K),
        facts={
            "k": to_say("how many words are kept"),
            "share": to_say("what they have together"),
            "word": to_say("the likeliest word"),
            "before": to_say("its probability among all words"),
            "after": to_say("its probability among those that are kept"),
            "vocabulary": to_say("how many words there are to choose from"),
        },
        says=to_say(
            "The {k} likeliest of {vocabulary} words have {share} together. Among them alone “{word}” has {after} "
            "instead of {before}."
        ),
    ),
    LessonQuestion(
        name="words-kept",
        tap="number",
        compute=words_kept,
        about=to_say("How many of the likeliest words does it take for a share of the probability?"),
        parameters=(TEXT, TEXT_B, PERCENT),
        facts={
            "number": to_say("how many words it takes"),
            "percent": to_say("the share"),
            "word": to_say("the likeliest word"),
            "probability": to_say("its probability"),
            "vocabulary": to_say("how many words there are to choose from"),
        },
        says=to_say(
            "It takes {number} of {vocabulary} words for {percent} of the probability. The likeliest, “{word}”, has "
            "{probability}."
        ),
    ),
)
