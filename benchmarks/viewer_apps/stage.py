"""What the measured pages share: texts of BERT-base shape that are ready before the clock starts, and the clock.

A page is asked for as `/?tokens=64&sentences=4`. The first visit computes every sentence, so that no forward pass is
in any figure; nothing is shown until the field "Sentence" names one.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
import streamlit as st

from models.values.record import AttentionRecord, ModelInfo, Recording, Token
from viz.kit.demos.records import tokens_of

N_LAYERS, N_HEADS, D_HEAD = 12, 12, 64
D_MODEL = N_HEADS * D_HEAD
WORDS = "the animal did not cross street because it was too tired and river garden window morning letter money horse"
CLOCK = "HEADLIGHT_BENCHMARK_CLOCK"
"""The variable of the environment that names the file with the times of every rerun."""
Prepared = TypeVar("Prepared")
_PREPARED = "prepared"


def base_recording(n_tokens: int, seed: int) -> Recording:
    """A recording of BERT-base shape with normally distributed queries, keys and values; its memory is linear."""
    generator = np.random.default_rng(seed)
    words = generator.choice(WORDS.split(), n_tokens - 2)
    tokens = tokens_of(f"[CLS] {' '.join(words)} [SEP]")
    return Recording(
        info=_info(n_tokens),
        tokens=tokens,
        attention=(_record(tokens, generator),),
        hidden_states=np.zeros((N_LAYERS + 1, n_tokens, D_MODEL), np.float32),
        final_state=np.zeros((n_tokens, D_MODEL), np.float32),
    )


def _record(tokens: tuple[Token, ...], generator: np.random.Generator) -> AttentionRecord:
    shape = (N_LAYERS, N_HEADS, len(tokens), D_HEAD)
    query, key, value = (generator.standard_normal(shape, np.float32) for _ in range(3))
    return AttentionRecord(
        kind="encoder",
        query_tokens=tokens,
        key_tokens=tokens,
        query=query,
        key=key,
        value=value,
        bias=(np.zeros((1, 1, 1), np.float32),) * N_LAYERS,
        scale=(D_HEAD**-0.5,) * N_LAYERS,
    )


def _info(n_tokens: int) -> ModelInfo:
    return ModelInfo(
        name="bert-base shape",
        family="bert",
        implementation="scratch",
        kinds=("encoder",),
        n_layers=N_LAYERS,
        n_heads=N_HEADS,
        n_kv_heads=N_HEADS,
        d_model=D_MODEL,
        d_head=D_HEAD,
        d_ff=4 * D_MODEL,
        d_vocab=30_522,
        max_tokens=n_tokens,
        n_parameters=109_482_240,
        device="cpu",
        can_fill_mask=False,
        can_judge_next_sentence=False,
    )


# -- the page ---------------------------------------------------------------------------------------------------------


def prepared_sentence(prepare: Callable[[int, int], Prepared]) -> Prepared | None:
    """What `prepare(n_tokens, seed)` made of the sentence that the field names; None until it names one."""
    st.set_page_config(layout="wide")
    if _PREPARED not in st.session_state:
        n_tokens, n_sentences = (int(st.query_params[name]) for name in ("tokens", "sentences"))
        st.session_state[_PREPARED] = [prepare(n_tokens, seed) for seed in range(n_sentences)]
    sentences: list[Prepared] = st.session_state[_PREPARED]
    st.button("Run again")
    number = st.number_input("Sentence", min_value=0, max_value=len(sentences) - 1, value=None)
    return None if number is None else sentences[number]


# -- the clock --------------------------------------------------------------------------------------------------------


def start_clock() -> float:
    """The moment at which the script's rerun begins, in seconds since 1970: the clock that the browser reads, too."""
    return time.time()


def stop_clock(begun: float) -> None:
    """Write down when this rerun began and ended, in the file that the harness names."""
    with Path(os.environ[CLOCK]).open("a", encoding="utf-8") as clock:
        clock.write(json.dumps({"begun": begun, "ended": time.time()}) + "\n")
