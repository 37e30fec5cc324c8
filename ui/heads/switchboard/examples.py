"""Example sentences by the task of the chosen model, each with a partner of equal length that differs in one word."""

from __future__ import annotations

from models.opening.registry import task_of
from models.opening.tasks import TEXT_GENERATION, TRANSLATION
from models.values.wording import to_say
from ui.state.selection import selection
from ui.widgets.asking.inputs import (
    CONTINUED_EXAMPLES,
    KOREAN,
    LABELLERS,
    SENTIMENT_KO,
    TAGGER,
    translation_examples,
    with_a_long_one,
    word_examples,
)
from ui.widgets.asking.korean import KOREAN_PAIRS
from ui.widgets.asking.opening import Examples

Pair = tuple[str, str]

MASKED_PAIRS: dict[str, Pair] = {
    to_say("her or him"): ("She sings well, and everybody loves [MASK].", "He sings well, and everybody loves [MASK]."),
    to_say("she or he"): (
        "Anna lost her key, and now [MASK] is looking for it.",
        "John lost his key, and now [MASK] is looking for it.",
    ),
    to_say("tired or wide"): (
        "The animal didn't cross the street because the [MASK] was too tired.",
        "The animal didn't cross the street because the [MASK] was too wide.",
    ),
    to_say("Paris or Rome"): ("Paris is the capital of [MASK].", "Rome is the capital of [MASK]."),
}
"""Wang et al. 2022 and Zhang and Nanda 2024 ask with such pairs; the third has Vaswani et al.'s animal and street."""
NEXT_PAIRS: dict[str, Pair] = {
    to_say("she or he"): ("Anna lost her key, and now", "John lost his key, and now"),
    "an old man": ("The old man looked at the", "The old woman looked at the"),
    "a little girl": ("Once upon a time there was a little", "Once upon a time there was an old"),
}
CONTINUED_KOREAN: Examples = {KOREAN: CONTINUED_EXAMPLES[KOREAN]}
LABEL_PAIRS: dict[str, Pair] = {
    "not good": ("The film was not good.", "The film was very good."),
    "but": ("The food was good, but the service was slow.", "The food was good, but the service was quick."),
    "too long": ("The lesson was too long.", "The lesson was not long."),
}
SOURCE_PAIRS: dict[str, Pair] = {to_say("la or el"): ("The girl has a red skirt.", "The boy has a red skirt.")}
LABELLED_PAIRS: dict[str, Pair] = {"watch the play": ("I watch the play.", "I play the watch.")}
PARTNERS: dict[str, str] = {
    one: other
    for pairs in (MASKED_PAIRS, KOREAN_PAIRS, NEXT_PAIRS, LABEL_PAIRS, SOURCE_PAIRS, LABELLED_PAIRS)
    for first, second in pairs.values()
    for one, other in ((first, second), (second, first))
}
"""The partner of every sentence of these pairs."""


def switch_examples() -> Examples:
    """Return the examples for the chosen model: masks to fill, texts or words to label, texts to continue or to
    translate."""
    model = selection().model
    if model in LABELLERS:
        pairs = {} if model == SENTIMENT_KO else LABELLED_PAIRS if model == TAGGER else LABEL_PAIRS
        return _first_of(pairs) | word_examples()
    task = task_of(model)
    if task == TEXT_GENERATION:
        return with_a_long_one(_first_of(NEXT_PAIRS)) | CONTINUED_KOREAN
    if task == TRANSLATION:
        return _first_of(SOURCE_PAIRS) | translation_examples()
    return _first_of(MASKED_PAIRS | KOREAN_PAIRS) | {KOREAN: word_examples()[KOREAN]}


def _first_of(pairs: dict[str, Pair]) -> Examples:
    return {label: (first, "") for label, (first, _) in pairs.items()}


def partner_of(text: str) -> str:
    """Return the partner of an example; empty for any other text."""
    return PARTNERS.get(text.strip(), "")
