"""Questions about what a model says: the word behind a mask, the next word, the next sentence."""

from __future__ import annotations

import numpy as np

from lessons.kinds import LessonQuestion
from lessons.parameters import OPTIONS, TEXT, TEXT_B, OneOf, Parameter, a_text, a_word
from lessons.values import Ask, Fact, Outcome, count, end_of_line, number, phrase, share, word
from models.analysis.contrasts import number_of
from models.model import Model
from models.tasks.sampling import n_for_share
from models.values.labels import KNOWN_LABELS
from models.values.probing.contrast import AnswerLogits, AnswerOf
from models.values.text.spelling import text_of
from models.values.wording import to_say

FOUR, HALF = 4, 0.5
NEXT = Parameter(name="options", about=to_say("sentences, of which one follows likeliest"), read=a_text, is_list=True)
WORD = Parameter(name="word", about=to_say("a word that is one piece of the vocabulary"), read=a_word)


def answer_of_model(model: Model, ask: Ask) -> AnswerLogits:
    """Return the logits of the model at the first mask, or after the text."""
    return model.answer_logits(ask.text("text"), ask.text("text_b") or None)


def piece(text: str) -> str:
    """Return a token of a vocabulary as readable text."""
    return text_of(text)


def fact_of_answer(text: str, of: AnswerOf) -> Fact:
    """Return an answer of a model as a fact; a label that readers know by a word of their own is said in it."""
    return phrase(KNOWN_LABELS[text]) if of == "label" and text in KNOWN_LABELS else word(piece(text))


def likeliest_word(model: Model, ask: Ask) -> Outcome:
    """Find the likeliest of some words; without any given, the choice is among the model's own best four."""
    answer = answer_of_model(model, ask)
    given = ask.words("options")
    best = answer.best(FOUR)
    ids = [number_of(model, answer, option) for option in given] or sorted(
        best, key=lambda token_id: answer.choices[token_id]
    )
    names = given or tuple(piece(answer.choices[token_id]) for token_id in ids)
    probabilities = answer.probabilities[ids]  # [n_options]
    order = np.argsort(-probabilities).tolist()
    first, second = order[0], order[min(1, len(order) - 1)]
    facts = (
        ("answer", word(names[first])),
        ("probability", share(float(probabilities[first]))),
        ("second", word(names[second])),
        ("second_probability", share(float(probabilities[second]))),
        ("best", word(piece(answer.choices[best[0]]))),
        ("best_probability", share(float(answer.probabilities[best[0]]))),
        ("vocabulary", count(len(answer.choices))),
    )
    bars = tuple((name, share(float(value))) for name, value in zip(names, probabilities, strict=True))
    return Outcome(facts=facts, options=names, right=frozenset({first}), position=answer.position, bars=bars)


def word_probability(model: Model, ask: Ask) -> Outcome:
    """Return the probability that a model gives to a word."""
    answer = answer_of_model(model, ask)
    asked = number_of(model, answer, ask.text("word"))
    best = answer.best(1)[0]
    probability = float(answer.probabilities[asked])
    facts = (
        ("word", word(ask.text("word"))),
        ("probability", share(probability)),
        ("rank", count(1 + int((answer.logits > answer.logits[asked]).sum()))),
        ("best", word(piece(answer.choices[best]))),
        ("best_probability", share(float(answer.probabilities[best]))),
        ("vocabulary", count(len(answer.choices))),
    )
    return Outcome(facts=facts, number=probability, position=answer.position)


def how_sure(model: Model, ask: Ask) -> Outcome:
    """Count the words that together have half of the probability, as a measure of how unsure the model is."""
    answer = answer_of_model(model, ask)
    ordered = np.sort(answer.probabilities)[::-1]
    half = n_for_share(ordered, HALF)
    positive = ordered[ordered > 0]
    best = answer.best(1)[0]
    facts = (
        ("words", count(half)),
        ("best", word(piece(answer.choices[best]))),
        ("best_probability", share(float(ordered[0]))),
        ("vocabulary", count(len(ordered))),
        ("bits", number(float(-(positive * np.log2(positive)).sum()), 1)),
    )
    return Outcome(facts=facts, number=float(half), low=1, high=end_of_line(half), position=answer.position)


def likeliest_sentence(model: Model, ask: Ask) -> Outcome:
    """Find the likeliest next sentence of those given."""
    options = ask.words("options")
    probabilities = [model.next_sentence(ask.text("text"), option) for option in options]
    order = sorted(range(len(options)), key=lambda place: -probabilities[place])
    facts = (
        ("answer", word(options[order[0]])),
        ("probability", share(probabilities[order[0]])),
        ("second", word(options[order[1]])),
        ("second_probability", share(probabilities[order[1]])),
        ("last", word(options[order[-1]])),
        ("last_probability", share(probabilities[order[-1]])),
    )
    return Outcome(facts=facts, options=options, right=frozenset({order[0]}))


def follows(model: Model, ask: Ask) -> Outcome:
    """Return the probability that a sentence follows another."""
    exchanged = ask.text("segments") == "exchanged"
    probability = model.next_sentence(ask.text("text"), ask.text("text_b"), exchange_segments=exchanged)
    return Outcome(facts=(("probability", share(probability)),), number=probability)


BEST = {
    "best": to_say("the likeliest word of all"),
    "best_probability": to_say("its probability"),
    "vocabulary": to_say("how many words there are to choose from"),
}
KINDS = (
    LessonQuestion(
        name="likeliest-word",
        tap="choice",
        compute=likeliest_word,
        about=to_say("Which word is likeliest behind [MASK], or next after a text?"),
        parameters=(TEXT, TEXT_B, OPTIONS),
        facts={
            **BEST,
            "answer": to_say("the likeliest of the options"),
            "probability": to_say("its probability"),
            "second": to_say("the next of them"),
            "second_probability": to_say("its probability"),
        },
        says=to_say(
            "“{answer}” with {probability}, before “{second}” with {second_probability}. Of all {vocabulary} the model "
            "finds “{best}” likeliest."
        ),
    ),
    LessonQuestion(
        name="word-probability",
        tap="number",
        compute=word_probability,
        about=to_say("How probable is a word behind [MASK], or next after a text?"),
        asks=to_say("How probable is “{word}” here?"),
        parameters=(TEXT, TEXT_B, WORD),
        facts={
            **BEST,
            "word": to_say("the word"),
            "probability": to_say("its probability"),
            "rank": to_say("its place among all words, from 1"),
        },
        says=to_say(
            "“{word}” has a probability of {probability}; its place among {vocabulary} is {rank}. The likeliest is "
            "“{best}” with {best_probability}."
        ),
    ),
    LessonQuestion(
        name="how-sure",
        tap="number",
        compute=how_sure,
        about=to_say("How many words share half of the probability?"),
        parameters=(TEXT, TEXT_B),
        facts={
            **BEST,
            "words": to_say("how many words together have half of the probability"),
            "bits": to_say("the entropy, in bits"),
        },
        says=to_say(
            "The likeliest {words} of {vocabulary} together have half of the probability; the first, “{best}”, has "
            "{best_probability}."
        ),
    ),
    LessonQuestion(
        name="likeliest-sentence",
        tap="choice",
        compute=likeliest_sentence,
        is_of_text=False,
        about=to_say("Which sentence follows likeliest?"),
        parameters=(TEXT, NEXT),
        facts={
            "answer": to_say("the likeliest sentence"),
            "probability": to_say("the probability that it follows"),
            "second": to_say("the next one"),
            "second_probability": to_say("its probability"),
            "last": to_say("the least likely one"),
            "last_probability": to_say("its probability"),
        },
        says=to_say("“{answer}” follows with {probability}, “{last}” with {last_probability}."),
    ),
    LessonQuestion(
        name="follows",
        tap="number",
        compute=follows,
        about=to_say("How probable is it that one sentence follows another?"),
        parameters=(
            TEXT,
            Parameter(name="text_b", about=to_say("the second sentence"), read=a_text),
            Parameter(
                name="segments",
                about=to_say("whether each sentence has its own segment vector, or that of the other"),
                read=OneOf({"own": to_say("its own"), "exchanged": to_say("that of the other")}),
                is_required=False,
            ),
        ),
        facts={"probability": to_say("the probability that the second sentence follows")},
        says=to_say("The model gives {probability} to that the second sentence follows the first."),
    ),
)
