"""The page "BERT and GPT": one sentence in a model that sees both sides and in one that sees the left.

What is drawn below the models is a fragment: another layer, token or draw redraws it, and nothing else of the page.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from models.opening.registry import DEFAULT_MODEL, REGISTRY, Model
from models.values.errors import HeadlightError
from models.values.record import Recording, Token
from models.values.writing import TokenGuesses
from ui.bert_and_gpt.continuation import continue_view
from ui.state.choices import CAUSAL_MODEL, Selection
from ui.state.parsing import MEAN
from ui.state.selection import draw_whole_page, fit_heads, selection
from ui.widgets.answers import guess_tokens, open_model, record
from ui.widgets.frame import part_of_page, theme
from ui.widgets.inputs import pick_device, pick_model
from ui.widgets.missing import offer
from ui.widgets.notes import say_notes
from ui.widgets.pictures import clickable_picture, numbers, picture, two_columns
from ui.widgets.plain import plain
from ui.widgets.viewport import column_widths
from viz.attention.heatmap import attention_heatmap
from viz.kit.theme import percentage
from viz.kit.tokens import positioned_texts, spelled
from viz.two_models.guess_lines import AT_ONCE, guess_lines
from viz.two_models.guesses import (
    comparison_sentence,
    cut_alike,
    guess_table,
    guessed_tokens,
    summaries,
    summary_sentence,
)
from viz.two_models.maps import two_maps
from viz.two_models.shared_rows import ModelHead, short_name
from viz.two_models.sight import Sight, clicked, same_place, who_sees_whom

READING_LABELS = {"same": "The same sentence", "guesses": "What each predicts", "continue": "Continue"}
CAUSAL_MODELS = (CAUSAL_MODEL, "openai-community/gpt2", "Qwen/Qwen2.5-0.5B", "skt/kogpt2-base-v2")
"""Those that are offered; any other may be typed."""
NOT_HERE = (
    f"The embedded {CAUSAL_MODEL} is not part of this copy of Headlight. Choose another causal model above, or type "
    "its Hugging Face id or the path of a local folder."
)
WHY = (
    "**Why one fills gaps.** BERT learns with words hidden behind [MASK], and must tell them from what stands on both "
    "sides. So every token may look at every other. But it never learns what comes *next*: at the end of a text there "
    "is no right side.\n\n"
    "**Why the other continues.** GPT learns to tell every next token, all positions of a text at once. That only "
    "works if no token can look ahead and read the answer: hence the triangle. What it guesses is put at the end, and "
    "the guessing goes on."
)
TWO_QUESTIONS = (
    "The two numbers answer different questions. From both sides, a token is guessed with all others given; from the "
    "left, with nothing of what follows. Only the second kind multiplies to a probability of the whole text."
)
MOST_GUESSED = 128
_SIGHT = "who-sees-whom"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """The two models as far as they are what the page needs; None for one that is not."""

    both: Model | None
    left: Model | None


def two_models() -> None:
    """The two models and the device."""
    both, left, device = st.columns([6, 6, 2])
    pick_model(both, "Sees both sides")
    listed = tuple(name for name in CAUSAL_MODELS if name in REGISTRY)
    pick_model(left, "Sees the left only", key="causal_model", listed=listed)
    pick_device(device)


@st.fragment
def readers_explorer() -> None:
    """Everything below the models. Reads and writes the shared selection."""
    with part_of_page():
        st.segmented_control(
            "Show", list(READING_LABELS), key="reading", format_func=READING_LABELS.__getitem__, required=True,
            label_visibility="collapsed",
        )  # fmt: skip
        chosen = selection()
        if chosen.reading == "continue":
            left = _causal(chosen)
            if left is not None:
                continue_view(left)
            return
        pair = Pair(both=_bidirectional(chosen), left=_causal(chosen))
        DRAWN[chosen.reading](pair)


# -- which models -----------------------------------------------------------------------------------------------------


def _bidirectional(chosen: Selection) -> Model | None:
    """The model that sees both sides; else it is said why this one does not."""
    model = _opened(chosen.model, chosen.device)
    if model is not None and model.info.kinds != ("encoder",):
        how = "has a decoder, too" if "encoder" in model.info.kinds else "sees the left only"
        _say(f"{short_name(model.info.name)} {how}; the first of the two models has to see both sides, as BERT does.")
        model = None
    if model is None:
        offer(DEFAULT_MODEL)
    return model


def _causal(chosen: Selection) -> Model | None:
    """The model that sees the left; else it is said why this one does not."""
    if chosen.causal_model == CAUSAL_MODEL and CAUSAL_MODEL not in REGISTRY:
        _say(NOT_HERE)
        return None
    model = _opened(chosen.causal_model, chosen.device)
    if model is not None and model.info.kinds != ("decoder",):
        how = "has an encoder, too" if "decoder" in model.info.kinds else "sees both sides"
        _say(f"{short_name(model.info.name)} {how}; the second of the two has to see the left only, as GPT does.")
        model = None
    if model is None and CAUSAL_MODEL in REGISTRY:
        st.button(f"Use {CAUSAL_MODEL}", key="use-causal", on_click=_use_causal, type="primary")
    return model


def _opened(name: str, device: str) -> Model | None:
    """The model, or None, and what is wrong is said: the other one can still be shown."""
    try:
        return open_model(name, device)
    except HeadlightError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return None


def _say(sentence: str) -> None:
    st.info(plain(sentence), icon=":material/info:")


def _use_causal() -> None:
    st.session_state["causal_model"] = CAUSAL_MODEL
    draw_whole_page()


# -- the same sentence ------------------------------------------------------------------------------------------------


def _same(pair: Pair) -> None:
    """The head maps of both, who sees whom, and why."""
    chosen = selection()
    recordings = [None if model is None else record(model.info.name, chosen.device, chosen.text, "")
                  for model in (pair.both, pair.left)]  # fmt: skip
    _notes(recordings)
    _layer_and_head([recording for recording in recordings if recording is not None])
    if all(recording is None for recording in recordings):
        return
    readers = [None if recording is None else _reader(recording) for recording in recordings]
    tokens = [() if recording is None else recording.tokens for recording in recordings]
    position = _fitted(tokens[0] or tokens[1])
    _maps(readers, (position, _in_other(tokens, position)))
    _sights(pair, tokens, position)
    st.markdown(WHY)


def _maps(readers: list[ModelHead | None], token: tuple[int, int | None]) -> None:
    both, left = readers
    width = column_widths(1)[0]
    if both is not None and left is not None:
        picture(two_maps(both, left, token=token, theme=theme(), width=width), "two-maps")
        return
    for reader in (both, left):
        if reader is not None:
            figure = attention_heatmap(reader.record, layer=reader.layer, head=reader.head, theme=theme(), width=width)
            picture(figure, "one-map")


def _reader(recording: Recording) -> ModelHead:
    """The chosen head of a model, or its last one where it has fewer; the page says which."""
    chosen, shown = selection(), recording.of(recording.kinds[0])
    head = None if chosen.head_index is None else min(chosen.head_index, shown.n_heads - 1)
    return ModelHead(name=recording.info.name, record=shown, layer=min(chosen.layer, shown.n_layers - 1), head=head)


def _layer_and_head(recordings: list[Recording]) -> None:
    """Sliders up to the larger of two models, and a sentence where the smaller one stays behind."""
    if not recordings:
        return
    infos = [recording.info for recording in recordings]
    n_layers, n_heads = max(info.n_layers for info in infos), max(info.n_heads for info in infos)
    fit_heads(n_layers, n_heads)
    state = st.session_state
    first, second = st.columns(2)
    if n_layers > 1:
        first.select_slider("Layer", range(n_layers), key="layer")
    second.select_slider("Head", [MEAN, *range(n_heads)], key="head")
    for reader in map(_reader, recordings):
        behind = [f"layer {reader.layer}"] if reader.layer < state["layer"] else []
        if reader.head is not None and reader.head < state["head"]:
            behind.append(f"head {reader.head}")
        if behind:
            st.caption(f"{plain(short_name(reader.name))} has no more than {' and '.join(behind)}, and shows that.")


# -- who sees whom ----------------------------------------------------------------------------------------------------


def _fitted(tokens: tuple[Token, ...]) -> int:
    """The position of the token to guess: the chosen one if it may be, else one in the middle."""
    possible = [place for place, token in enumerate(tokens) if not token.is_special] or [0]
    if st.session_state["blank"] not in possible:
        st.session_state["blank"] = possible[len(possible) // 2]
    return int(st.session_state["blank"])


def _in_other(tokens: list[tuple[Token, ...]], position: int) -> int | None:
    """Where the token of the first model stands in the second."""
    return same_place(tokens[0], position, tokens[1]) if all(tokens) else None


def _sights(pair: Pair, tokens: list[tuple[Token, ...]], position: int, says: tuple[str, str] = ("", "")) -> None:
    """A slider for the token, and what each model sees of the others."""
    own = tokens[0] or tokens[1]
    possible = [place for place, token in enumerate(own) if not token.is_special] or [0]
    if len(possible) > 1:
        texts = positioned_texts([own[place] for place in possible], possible)
        names = {place: plain(text) for place, text in zip(possible, texts, strict=True)}
        st.select_slider("Token to guess", possible, key="blank", format_func=names.__getitem__)
    sights = []
    if pair.both is not None:
        sights.append(
            Sight(name=pair.both.info.name, tokens=tokens[0], position=position, sees_right=True, says=says[0])
        )
    if pair.left is not None:
        there = _in_other(tokens, position) if pair.both is not None else position
        sights.append(Sight(name=pair.left.info.name, tokens=tokens[1], position=there, sees_right=False, says=says[1]))
    else:
        sights.append(Sight(name="A causal model", tokens=tokens[0], position=position, sees_right=False))
    clickable_picture(who_sees_whom(sights, theme=theme(), width=column_widths(1)[0]), _SIGHT, _pick)


def _pick() -> None:
    """A word was clicked."""
    position = clicked(st.session_state[_SIGHT])
    if position is not None:
        st.session_state["blank"] = position


def _notes(told: list[Recording | None] | list[TokenGuesses | None]) -> None:
    """What was changed on the way in, said once, and what each model does not know of the text."""
    for note in dict.fromkeys(one.note for one in told if one is not None and one.note):
        _say(note)
    for one in told:
        if one is not None:
            say_notes(one.info, one.tokens, (selection().text,))


# -- what each predicts -----------------------------------------------------------------------------------------------


def _guesses(pair: Pair) -> None:
    """How often each is right, the token in question, and the list of all tokens."""
    text = _short_enough(pair)
    found = [_guessed(model, text) for model in (pair.both, pair.left)]
    readers = [guesses for guesses in found if guesses is not None]
    if not readers:
        return
    _notes(found)
    results = summaries(readers)
    said = (summary_sentence(reader, result) for reader, result in zip(readers, results, strict=True))
    st.markdown("\n".join(f"- {plain(sentence)}" for sentence in said))
    if len(readers) > 1:
        st.caption(f"{plain(comparison_sentence(readers, results))} {TWO_QUESTIONS}")
    tokens = [() if guesses is None else guesses.tokens for guesses in found]
    position = _fitted(tokens[0] or tokens[1])
    shown = Pair(both=pair.both if found[0] else None, left=pair.left if found[1] else None)
    places = (position if found[0] else None, _in_other(tokens, position) if found[0] else position)
    _sights(shown, tokens, position, (_said(found[0], places[0]), _said(found[1], places[1])))
    if cut_alike(readers):
        _leaf(len(guessed_tokens(readers)))
        _list(readers, position, column_widths(1)[0])
    else:
        st.caption("The two models cut the sentence into different tokens, so each has a list of its own.")
        _leaf(max(len(reader.guesses) for reader in readers))
        first, second, widths = two_columns()
        for column, reader, place, width in zip((first, second), readers, places, widths, strict=True):
            with column:
                _list([reader], place, width)
    numbers(lambda: guess_table(readers), "guesses")


def _short_enough(pair: Pair) -> str:
    """The text, or its beginning: from both sides every token that is guessed is a pass of its own."""
    chosen = selection()
    model = pair.both or pair.left
    if model is None:
        return chosen.text
    tokens = [token for token in record(model.info.name, chosen.device, chosen.text, "").tokens if not token.is_special]
    if len(tokens) <= MOST_GUESSED:
        return chosen.text
    _say(f"The first {MOST_GUESSED} of {len(tokens):,} tokens are guessed: each of them asks for a pass of its own.")
    return chosen.text[: tokens[MOST_GUESSED - 1].end]


def _guessed(model: Model | None, text: str) -> TokenGuesses | None:
    """What a model says about every token; else it is said why it cannot."""
    if model is None:
        return None
    try:
        return guess_tokens(model.info.name, selection().device, text)
    except HeadlightError as error:
        _say(str(error))
        return None


def _said(guesses: TokenGuesses | None, position: int | None) -> str:
    """The likeliest guess for a token with its probability; nothing if there is none."""
    guess = None if guesses is None or position is None else guesses.of(position)
    if guess is None or not guess.choices:
        return ""
    return f"{spelled(guess.choices[0].text)} ({percentage(guess.choices[0].probability)})"


def _leaf(n_lines: int) -> None:
    """A slider for the part of a long sentence that is listed."""
    starts = list(range(0, max(n_lines, 1), AT_ONCE))
    state = st.session_state
    if state["guessed_from"] not in starts:
        state["guessed_from"] = max(start for start in starts if start <= state["guessed_from"])
    if len(starts) > 1:
        st.select_slider(
            "Tokens listed", starts, key="guessed_from",
            format_func=lambda start: f"{start + 1} to {min(start + AT_ONCE, n_lines)}",
        )  # fmt: skip


def _list(readers: list[TokenGuesses], position: int | None, width: int) -> None:
    """The guesses about the listed tokens."""
    first = st.session_state["guessed_from"]
    figure = guess_lines(readers, first=first, selected=position, theme=theme(), width=width)
    picture(figure, "guesses-" + "-".join(reader.sides for reader in readers))


DRAWN: dict[str, Callable[[Pair], None]] = {"same": _same, "guesses": _guesses}
