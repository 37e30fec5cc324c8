"""The choice of the two models of the page, and the messages for unsuitable ones."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from models.opening.registry import DEFAULT_MODEL, REGISTRY, Model
from models.values.errors import HeadlightError
from ui.desk.ask import open_model
from ui.state.choices import CAUSAL_MODEL, EMBEDDED_CAUSAL_MODELS, Selection
from ui.state.plain import plain
from ui.state.selection import choose, draw_whole_page
from ui.widgets.asking.inputs import pick_model
from ui.widgets.asking.opening import FIRST, Examples
from ui.widgets.missing import offer
from viz.kit.language import to_say, tr
from viz.two_models.shared_rows import short_name

CAUSAL_MODELS = (*EMBEDDED_CAUSAL_MODELS, "openai-community/gpt2", "Qwen/Qwen2.5-0.5B", "skt/kogpt2-base-v2")
"""The models in the list; any other may be typed."""
EXAMPLES: Examples = {
    to_say("a dog"): ("The dog barked at the cat.", ""),
    "it … tired": FIRST,
    to_say("a shop"): ("The man went to the shop and bought some bread.", ""),
    to_say("a fairy tale"): ("Once upon a time there was a little girl.", ""),
    to_say("a letter"): ("Holmes opened the door and looked at the letter.", ""),
    to_say("pizza"): ("My dog loves pizza but my cat hates it.", ""),
}
"""Sentences without a mask, which both models read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoModels:
    """The two models; None for one that does not suit the page."""

    both: Model | None
    left: Model | None


def two_models() -> None:
    """Show the choice of the two models."""
    pick_model(tr("Sees both sides"))
    listed = tuple(name for name in CAUSAL_MODELS if name in REGISTRY)
    pick_model(tr("Sees the left only"), key="causal_model", listed=listed)


def bidirectional(chosen: Selection) -> Model | None:
    """Return the bidirectional model; if the chosen one is not, show why."""
    model = _open_or_say_why(chosen.model, chosen.device)
    if model is not None and model.info.kinds != ("encoder",):
        name = short_name(model.info.name)
        reason = (
            tr("{model} also has a decoder.", model=name)
            if "encoder" in model.info.kinds
            else tr("{model} sees the left only.", model=name)
        )
        wanted = tr("The first of the two models must see both sides, as BERT does.")
        say(f"{reason} {wanted}")
        model = None
    if model is None:
        offer(DEFAULT_MODEL)
    return model


def causal(chosen: Selection) -> Model | None:
    """Return the causal model; if the chosen one is not, show why."""
    if chosen.causal_model == CAUSAL_MODEL and CAUSAL_MODEL not in REGISTRY:
        say(
            tr(
                "The embedded {model} is not part of this copy of Headlight. Choose another causal model above, or "
                "type its Hugging Face id or the path of a local folder.",
                model=CAUSAL_MODEL,
            )
        )
        return None
    model = _open_or_say_why(chosen.causal_model, chosen.device)
    if model is not None and model.info.kinds != ("decoder",):
        name = short_name(model.info.name)
        reason = (
            tr("{model} also has an encoder.", model=name)
            if "decoder" in model.info.kinds
            else tr("{model} sees both sides.", model=name)
        )
        wanted = tr("The second of the two must see the left only, as GPT does.")
        say(f"{reason} {wanted}")
        model = None
    if model is None and CAUSAL_MODEL in REGISTRY:
        st.button(tr("Use {model}", model=CAUSAL_MODEL), key="use-causal", on_click=_use_causal, type="primary")
    return model


def _open_or_say_why(name: str, device: str) -> Model | None:
    """Open a model; None, with the error shown, if that fails: the other model can still be shown."""
    try:
        return open_model(name, device)
    except HeadlightError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return None


def say(sentence: str) -> None:
    st.info(plain(sentence), icon=":material/info:")


def _use_causal() -> None:
    choose(causal_model=CAUSAL_MODEL)
    draw_whole_page()
