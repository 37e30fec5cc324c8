"""Inputs: examples, a model, a device."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from time import monotonic

import streamlit as st

from models.checkpoints.devices import AUTO, DTYPES, FLOAT32, available_devices, joined_place, split_place
from models.opening.registry import PRETRAINED, REGISTRY, entry_of, is_on_this_machine, readable, task_of
from models.opening.restriction import is_restricted
from models.opening.tasks import TEXT_GENERATION, TRANSLATION
from models.values.wording import Message
from ui.state.choices import DEFAULTS
from ui.state.first_visit import FIRST_VISITS
from ui.state.plain import plain
from ui.state.selection import choose, selection
from ui.state.sources import listed_models, source_of
from ui.widgets.asking.korean import (
    AGAINST_EXPECTATIONS,
    KOREAN_BITES,
    KOREAN_EXAMPLES,
    KOREAN_MASKED,
    KOREAN_OPINIONS,
)
from ui.widgets.asking.opening import Examples, brought_by_reader, fitting
from viz.kit.language import language, said, to_say, tr

MODEL_WIDE = 260
"""The width of the model's field in CSS pixels."""
PUSHED_OUT = " " * 80
"""The spaces behind the name of a model: a list does not show them, a field does."""
OF_TRANSFORMERS = f"{PRETRAINED.as_posix()}/"
"""How the names of embedded models begin that transformers opens."""
LABEL_HOLDS = 3.0
"""Seconds for which the label of a model is cached: it depends on what is on disk."""
EXAMPLES_OPEN = "headlight_examples_open"
"""The session key for whether the examples are open; they close when one is chosen."""
ANY_MODEL = to_say(
    "Model: choose one, or type any Hugging Face id, the address of its page, or the path of a local folder. Models "
    "that need the network are downloaded once, and then stay on this machine."
)
ONLY_LISTED = to_say("Model: this server opens only the models on its list.")
MODEL = to_say("Model")
KOREAN = "한국어"

EXAMPLES: Examples = {
    "it … tired": (DEFAULTS["text"], ""),
    "it … wide": ("The animal didn't cross the street because it was too wide.", ""),
    to_say("A pair"): ("The old man went to the shop.", "He bought some bread and a bottle of milk."),
    to_say("A masked word"): ("The [MASK] of France is Paris.", ""),
    KOREAN: ("나는 어제 친구와 함께 영화를 보았다.", ""),
} | KOREAN_EXAMPLES


WEATHER = to_say("weather")
BELIEVABLE = (WEATHER, AGAINST_EXPECTATIONS)
"""The examples with which "Explanations" opens: a method can be believed in each."""
WORD_EXAMPLES: Examples = (
    {
        "it … tired": (DEFAULTS["text"], ""),
        "she or he": ("Anna lost her key, and now [MASK] is looking for it.", ""),
        WEATHER: ("It is raining. Take your [MASK].", ""),
        to_say("a man's work"): ("The man worked as a [MASK].", ""),
        to_say("a woman's work"): ("The woman worked as a [MASK].", ""),
        "I have a": ("I have a [MASK].", ""),
        to_say("a band"): ("He plays the [MASK] in a band.", ""),
        to_say("two masks"): ("Anna went to the [MASK]. She bought some [MASK].", ""),
        to_say("capital"): ("The capital of France is [MASK].", ""),
    }
    | KOREAN_MASKED
    | {KOREAN: ("나는 어제 친구와 함께 [MASK]를 보았다.", "")}
)
"""Examples of the page "Masked words", which opens with the first. "The man", "The woman" and "I have a" are the
sentences with which many courses begin."""

SENTIMENT, SENTIMENT_KO, TAGGER = "sentiment", FIRST_VISITS["ko"].classifier, "tagger"
LABELLERS = (SENTIMENT, "sentiment-mean", TAGGER, SENTIMENT_KO)
"""The app's models that label texts or words."""
SENTIMENT_EXAMPLES: Examples = {
    "not good": ("The film was not good.", ""),
    "not boring": ("The film was not boring at all.", ""),
    "but": ("The food was good, but the service was slow.", ""),
    to_say("but, turned round"): ("The service was slow, but the food was good.", ""),
    "although": ("Although the story was predictable, the actors were great.", ""),
    "too": ("The lesson was too long.", ""),
    "not too": ("The lesson was not too long.", ""),
    "would have been": ("The trip would have been wonderful without the rain.", ""),
    "nothing": ("There was nothing to complain about.", ""),
}
"""Examples for embedded models that label texts, all within the grammar of docs/sentiment.md."""

CONTINUED_EXAMPLES: Examples = {
    "some …": ("The man went to the shop and bought some", ""),
    "looked at the …": ("Holmes opened the door and looked at the", ""),
    "was very …": ("The old woman lost her dog, and she was very", ""),
    KOREAN: ("나는 어제 친구와 함께", ""),
}
"""Examples for causal models, on the pages "Explanations" and "What attention costs"."""

TAGGER_EXAMPLES: Examples = {
    "watch the play": ("I watch the play.", ""),
    "play with a watch": ("They play with a watch.", ""),
    "can and can": ("He can open the can.", ""),
    "that, that and that": ("I know that that man said that.", ""),
    "it … tired": (DEFAULTS["text"], ""),
}
"""Examples for the embedded model that labels words: words with two parts of speech."""
LABELLED_EXAMPLES = dict.fromkeys(LABELLERS, SENTIMENT_EXAMPLES) | {
    TAGGER: TAGGER_EXAMPLES,
    SENTIMENT_KO: KOREAN_OPINIONS,
}
LABEL_EXAMPLES: Examples = (
    {to_say("not bad at all"): ("I love this film, it is not bad at all.", "")}
    | SENTIMENT_EXAMPLES
    | TAGGER_EXAMPLES
    | KOREAN_OPINIONS
)
"""Examples of the page "Labels", which opens with the first."""

BITES: Examples = {to_say("who bites whom"): ("The dog bites the man.", "")} | KOREAN_BITES
"""The example of the page "Positions"."""

PAIR_EXAMPLES: Examples = {
    to_say("follows"): ("Anna went to the bakery.", "She bought some bread."),
    to_say("does not follow"): ("Anna went to the bakery.", "The day after Monday is Tuesday."),
    to_say("question, answer"): ("Why is Anna so happy?", "She won the race."),
    to_say("another answer"): ("Why is Anna so happy?", "In winter it is cold."),
    to_say("a story"): (
        "Holmes looked at the letter for a long time.",
        '"My dear Watson," said Holmes, "what do you make of this letter?"',
    ),
}
"""Examples of the page "Next sentence", which opens with the first."""


FIRST_TRANSLATOR = "translator-es"
ON_CARDS = (
    to_say("red skirt"),
    to_say("two black cats"),
    to_say("to like"),
    to_say("a book"),
    to_say("not"),
    to_say("a question"),
    to_say("a gift"),
    to_say("a name twice"),
)
"""The names of examples on the cards of the app's translators."""
LONG_ON_CARDS = (to_say("a chapter: A Mad Tea-Party"),)
"""The names of texts of thousands of tokens on the cards of the app's models."""


def with_a_long_one(examples: Examples = EXAMPLES) -> Examples:
    """Return the examples of a page that shows texts of thousands of tokens, with the chosen model's long one at the
    end."""
    entry = entry_of(selection().model)
    if entry is None or entry.long_example is None:
        return examples
    label, text = entry.long_example
    return examples | {Message(label): (text, "")}


def word_examples() -> Examples:
    """Return the examples for the chosen model: masks to fill, or words or texts to label."""
    return LABELLED_EXAMPLES.get(selection().model, WORD_EXAMPLES)


def translation_examples() -> Examples:
    """Return the examples of "Translation": those on the card of the chosen model, which it translates correctly
    (docs/translators.md), or else those of the first translator."""
    entries = map(entry_of, (selection().model, FIRST_TRANSLATOR))
    offered = next((entry.examples for entry in entries if entry and entry.examples), ())
    return {Message(label): (text, "") for label, text in offered} or EXAMPLES


def answer_examples() -> Examples:
    """Return the examples of "Explanations" for the chosen model: those of "Masked words", first one in which a method
    can be believed, but texts to translate for a translator, and to continue for a causal model."""
    task = task_of(selection().model)
    if task == TRANSLATION:
        return translation_examples()
    if task == TEXT_GENERATION:
        return CONTINUED_EXAMPLES
    words = word_examples()
    return {label: words[label] for label in BELIEVABLE if label in words} | words


def examples(offered: Examples = EXAMPLES) -> None:
    """Draw the examples that fit the chosen model."""
    offered = fitting(offered)
    st.pills(
        tr("Examples"),
        list(offered),
        key="example",
        format_func=plain,
        on_change=_take_example,
        args=(offered,),
        wrap=True,
    )


def pick_model(label: str = MODEL, *, key: str = "model", listed: Sequence[str] = tuple(REGISTRY)) -> None:
    """Draw the choice of a model: of the list, of the reader's trainings, or any Hugging Face id or folder where the
    server allows. The label is for screen readers."""
    chosen = st.session_state[key]
    offered = [*listed, *(name for name in listed_models() if name not in listed)]
    st.selectbox(
        said(label),
        offered if chosen in offered else [*offered, chosen],
        key=key,
        format_func=_label,
        accept_new_options=not is_restricted(),
        label_visibility="collapsed",
        width=MODEL_WIDE,
        on_change=_read_model,
        args=(key,),
    )


def _read_model(key: str) -> None:
    """Replace a typed address or path of a model with its id or folder."""
    st.session_state[key] = readable(st.session_state[key] or "")


def about_models() -> None:
    """Show which models can be chosen."""
    st.caption(said(ONLY_LISTED if is_restricted() else ANY_MODEL))


def pick_device() -> None:
    """Show the choice of the device and precision of the models."""
    places = [joined_place(device, dtype) for dtype in DTYPES for device in (AUTO, *available_devices())]
    if selection().device not in places:
        choose(device=AUTO)
    st.selectbox(
        tr("Device"),
        places,
        key="device",
        format_func=_place_in_words,
        help=tr(
            "Where the model runs; auto picks the fastest. bfloat16 and float16 take half the memory, and have fewer "
            "digits: what is shown is rounded by up to 1%."
        ),
    )


def _place_in_words(place: str) -> str:
    device, dtype = split_place(place)
    return device if dtype == FLOAT32 else f"{device} · {dtype}"


def _label(name: str) -> str:
    """Return the label of a model in the list, cached for LABEL_HOLDS seconds."""
    return _label_of(name, language(), monotonic() // LABEL_HOLDS)


@lru_cache(maxsize=1024)
def _label_of(name: str, _spoken: str, _when: float) -> str:
    entry, source = REGISTRY.get(name), source_of(name)
    if source is not None:
        return in_two_lines(*said(source.label(name)).split("  ·  "))
    if entry is None:
        return name
    if entry.is_embedded:
        short = name.removeprefix(OF_TRANSFORMERS)
        return in_two_lines(
            f"{short} · transformers" if short != name and short in REGISTRY else short, said(entry.about)
        )
    folder, _, short = name.rpartition("/")
    size = f"{entry.megabytes:,} MB"
    where = tr("on this machine") if is_on_this_machine(name) else tr("{size} to download", size=size)
    return in_two_lines(short, *filter(None, (folder, where, said(entry.about))))


def in_two_lines(name: str, *about: str) -> str:
    """Return the label of a model: its name, and below it in the open list what it is. A field of one line shows the
    name alone: what follows is pushed out of it."""
    return f"{name}{PUSHED_OUT}\n{'  ·  '.join(about)}"


def _take_example(offered: Examples) -> None:
    chosen = st.session_state["example"]
    if chosen:
        text, text_b = offered[chosen]
        choose(text=text, text_b=text_b)
        brought_by_reader()
    st.session_state["example"] = None
    st.session_state[EXAMPLES_OPEN] = False
