"""Every choice of the reader, declared once: its name, type, default, parser, and the pages that use it.

The address, the session, the viewer and the downloads read this table; a new choice is one field here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast, get_args

from models.analysis import attribution_methods, head_measures
from models.checkpoints.devices import AUTO, DEVICES, DTYPES, joined_place
from models.inspection.by_hand.goals import GOALS, Goal
from models.opening.registry import DEFAULT_MODEL
from models.training.snapshots.over_time import CROSS_PLACES
from models.values.probing.contrast import AnswerOf
from models.values.results.effects import INTO, AblatedBy, PatchedWhat
from models.values.steps import STEP_NAMES, WHAT_IF_NAMES, StepName
from ui.state.navigation import (
    ATTENTION,
    BERT_AND_GPT,
    BY_HAND,
    CLASS_ROOM,
    EXPLANATIONS,
    HEAD_ATLAS,
    HOME,
    LABELS,
    LESSONS,
    MAKE_A_LESSON,
    MASKED_WORDS,
    NEXT_SENTENCE,
    PAGES,
    POSITIONS,
    QUERIES,
    STEP_BY_STEP,
    SWITCHBOARD,
    TRAINING_LAB,
    TRANSLATION,
    WHAT_ATTENTION_COSTS,
)
from ui.state.patterns import A_GUESS, A_HEAD, A_LANGUAGE, ALL_ON, RUN_ID, SKIPPED
from viz.kit.declaring import choice, collect_choices
from viz.kit.language import LANGUAGES
from viz.kit.parsing import Parser, any_text, equal_to, flag, head_or_mean, index, matching, one_of, within
from viz.vectors.query_key_value import Order
from viz.viewer.choices import SharedChoices

VIEWS = ("explore", "compare", "head-view", "model-view", "file")
COMPARED = ("text", "mask", "head", "model", "snapshot")
"""The ways in which two compared pictures can differ."""
TASKS = ("one", "two")
BESIDE = ("layers", "attention", "mean-attention")
LABELLED = ("text", "words")
PARTS = ("bands", "dimensions", "why", "maps", "plane", "neuron-view")
LAB_VIEWS = ("train", "over-time")
NOTHING = -1
"""No token is chosen, or frozen."""
TOP_K = (5, 10, 20, 50)
ATLAS_PICTURES = ("wall", "measures", "alike")
SCHEMES = ("why", "sinusoidal", "learned", "rotary", "alibi", "buckets")
BASES = (10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000, 1000000)
LENGTHS, WIDTHS, ALIBI_HEADS, SHIFTS = (2, 512), (8, 512), (1, 32), (0, 64)
BUCKETS, MAX_DISTANCES = (8, 16, 32, 64), (32, 64, 128, 256)
TEMPERATURES = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0)
EMBEDDED_CAUSAL_MODELS = ("mini-llama", "mini-gpt")
CAUSAL_MODEL = EMBEDDED_CAUSAL_MODELS[0]
"""The embedded causal model, which the page "BERT and GPT" shows beside `model`."""
READINGS = ("same", "guesses", "continue")
N_NEW, WRITING_TOP_K = (1, 60), (0, 50)
WRITING_TEMPERATURES = tuple(tenths / 10 for tenths in range(21))
COST_PARTS = ("writing", "memory", "blocks", "sampling")
NUMBER_BYTES, GPU_MEMORIES = (4, 2, 1), (4, 8, 12, 16, 24, 48, 80, 192)
"""The bytes of a number of the key/value cache, and gigabytes of memory to hold it."""
TOP_PS, MIN_PS = tuple(n / 20 for n in range(1, 21)), tuple(n / 100 for n in range(51))
REPETITION_PENALTIES = tuple(tenths / 10 for tenths in range(10, 21))
TRANSLATION_PARTS = ("step", "alignment", "beams", "all")
BEAMS = (1, 6)
PENALTIES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.5, 2.0)
BOARD_PARTS = ("switches", "heads", "patch", "sum")
JUDGED_BY = ("curves", "numbers", "agreement")
MEASURED_ON = ("sentence", "unseen")
NO_CHANGE = "none"
"""The value of `what_if` that changes nothing."""
GIVEN_LESSON = "given"
"""The name of a lesson from a file or a link, in place of one of the app's."""
LONGEST_LESSON_LINK = 6000
"""The most characters of a packed lesson in an address."""

PLACES = tuple(joined_place(device, dtype) for device in (AUTO, *DEVICES) for dtype in DTYPES)
"""The devices and precisions of models; not every machine has all of them."""
ASKS_A_MODEL = tuple(page for page in PAGES if page not in (TRAINING_LAB, CLASS_ROOM, BY_HAND))
RECORDS = tuple(page for page in PAGES if page is not BERT_AND_GPT)
"""Pages on which a model may have an encoder and a decoder."""
RECORDS_AND_ASKS = tuple(page for page in RECORDS if page in ASKS_A_MODEL)
VIEWER = (HOME, LESSONS, ATTENTION, HEAD_ATLAS, NEXT_SENTENCE, TRANSLATION)
"""Pages with the viewer."""
SETS_BESIDE = (*VIEWER, POSITIONS)
WITH_A_HEAD = {"kind": RECORDS, "layer": PAGES, "head": PAGES, "picture": SETS_BESIDE, "scale": SETS_BESIDE}
"""The pages of those viewer choices that pages without the viewer have as well."""
READS_A_PAIR = tuple(page for page in ASKS_A_MODEL if page not in (BERT_AND_GPT, TRANSLATION))
stripped = Parser(str.strip, any_text.check)


def _check_measure(name: Any) -> str:
    """Return the name of a measure of heads that needs one text, of those registered at the time of the call, or of
    cross-attention."""
    registered = (measure.name for measure in head_measures() if measure.needs == "texts")
    return one_of(*registered, *(measure.name for measure in CROSS_PLACES)).check(name)


def _check_method(name: Any) -> str:
    """Return the name of a method of attribution, of those registered at the time of the call; empty for none."""
    return one_of("", *(method.name for method in attribution_methods())).check(name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection(SharedChoices):
    """A state of the app. The defaults are those of a first visit."""

    text: str = choice("The animal didn't cross the street because it was too tired.", any_text, *PAGES)
    text_b: str = choice("", any_text, *READS_A_PAIR)
    lang: str = choice("", one_of(*LANGUAGES), *PAGES)
    """The language of the app; empty for the one that the browser asks for."""
    model: str = choice(DEFAULT_MODEL, stripped, *ASKS_A_MODEL)
    device: str = choice("auto", one_of(*PLACES), *ASKS_A_MODEL)
    """The device of the models, followed by the precision if it is not float32: "cuda-bfloat16"."""
    source_language: str = choice("", matching(A_LANGUAGE), *RECORDS_AND_ASKS)
    """The languages of a multilingual translator, by the codes of its tokenizer; empty for its defaults."""
    target_language: str = choice("", matching(A_LANGUAGE), *RECORDS_AND_ASKS)
    view: str = choice(VIEWS[0], one_of(*VIEWS), ATTENTION)
    compared: str = choice(COMPARED[0], one_of(*COMPARED), ATTENTION)
    """The difference to compare by, one of COMPARED; the next five choices give the details."""
    other_text: str = choice("The animal didn't cross the street because it was too wide.", any_text, ATTENTION)
    masked_word: int = choice(1, index, ATTENTION)
    """The index of the word of sentence A that is masked in the other text, from 0."""
    other_layer: int = choice(0, index, ATTENTION)
    other_head: int | str = choice(cast("int | str", 1), head_or_mean, ATTENTION)
    other_model: str = choice("", stripped, ATTENTION)
    """A model with the same tokenizer, or a snapshot; empty for the first that is offered."""
    atlas: str = choice(ATLAS_PICTURES[0], one_of(*ATLAS_PICTURES), HEAD_ATLAS)
    """A scatter plot of heads by two measures, or a plane by similarity."""
    measure_x: str = choice("special", any_text, HEAD_ATLAS)
    """The names of the two measures of the picture; one that the atlas lacks becomes its first."""
    measure_y: str = choice("distance", any_text, HEAD_ATLAS)
    task: str = choice(TASKS[0], one_of(*TASKS), MASKED_WORDS)
    """One sentence, or two compared."""
    beside: str = choice(BESIDE[0], one_of(*BESIDE), MASKED_WORDS)
    """The view beside the words: the prediction layer by layer, or the attention of the mask."""
    hidden: int = choice(NOTHING, index, MASKED_WORDS, SWITCHBOARD, EXPLANATIONS, TRAINING_LAB)
    """The index of the word that is hidden from the model, over both sentences; NOTHING for a typed [MASK], or else the
    word that stands out."""
    mask: int = choice(0, index, MASKED_WORDS, TRAINING_LAB)
    """The index of a [MASK] in the sentence, counted from 0."""
    top_k: int = choice(10, one_of(*TOP_K), MASKED_WORDS, TRAINING_LAB)
    asked: str = choice("", any_text, MASKED_WORDS)
    """A word whose rank and probability are shown."""
    other: str = choice("", any_text, MASKED_WORDS, SWITCHBOARD)
    """The sentence that is compared with the first one, or patched from it."""
    labelled: str = choice(LABELLED[0], one_of(*LABELLED), LABELS)
    """The label whose attention is shown: that of the text, or of a word."""
    offered_b: int = choice(0, index, NEXT_SENTENCE)
    """The index of the offered sentence B, where the reader has typed none."""
    direction: str = choice("crossing", any_text, NEXT_SENTENCE)
    """The block of the attention whose share the map shows."""
    part: str = choice(PARTS[0], one_of(*PARTS), QUERIES)
    query: int = choice(NOTHING, index, QUERIES, STEP_BY_STEP, LABELS, WHAT_ATTENTION_COSTS)
    """The positions of the query token, of a frozen query and of a key; NOTHING for none."""
    frozen: int = choice(NOTHING, index, QUERIES)
    key_token: int = choice(NOTHING, index, QUERIES)
    order: Order = choice("sentence", one_of(*get_args(Order)), QUERIES)
    """The order of the keys."""
    centred: bool = choice(True, flag, QUERIES)
    """Whether the mean over the keys is subtracted from the contributions of the dimensions."""
    scheme: str = choice(SCHEMES[0], one_of(*SCHEMES), POSITIONS)
    length: int = choice(64, within(LENGTHS), POSITIONS)
    """The number of positions in the pictures of formulas, with `d_model` and `base`."""
    d_model: int = choice(128, within(WIDTHS, step=2), POSITIONS)
    base: int = choice(10000, one_of(*BASES), POSITIONS)
    pair: int = choice(4, index, POSITIONS)
    """The index of the pair of dimensions that is shown as a wave and as a rotation, from 0."""
    shift: int = choice(5, within(SHIFTS), POSITIONS)
    """The shift in positions."""
    alibi_heads: int = choice(8, within(ALIBI_HEADS), POSITIONS)
    bias_head: int = choice(0, index, POSITIONS)
    """The highlighted head in the pictures of ALiBi and of T5's bias."""
    buckets: int = choice(32, one_of(*BUCKETS), POSITIONS)
    max_distance: int = choice(128, one_of(*MAX_DISTANCES), POSITIONS)
    both_ways: bool = choice(True, flag, POSITIONS)
    with_positions: bool = choice(False, flag, POSITIONS)
    """Whether the model reads the shuffled sentence with its positions."""
    seed: int = choice(0, index, POSITIONS, STEP_BY_STEP, BERT_AND_GPT)
    """The seed of a random order, of sampling, or of made-up queries and keys."""
    goal: Goal = choice(GOALS[0], one_of(*GOALS), BY_HAND)
    hand_words: str = choice("a b c a b", any_text, BY_HAND)
    matrices: str = choice("", matching("[0-9a-i]{0,120}([.][0-9a-i]{0,120}){0,3}"), BY_HAND)
    """The matrices that the reader has written, as `ui.layers.by_hand.kept` reads them."""
    step: StepName = choice(STEP_NAMES[0], one_of(*STEP_NAMES), STEP_BY_STEP)
    what_if: str = choice(NO_CHANGE, one_of(NO_CHANGE, *WHAT_IF_NAMES), STEP_BY_STEP)
    """The change to the model, a WhatIfName or NO_CHANGE; `seed` is that of shuffled positions."""
    temperature: float = choice(2.0, one_of(*TEMPERATURES), STEP_BY_STEP)
    causal_model: str = choice(CAUSAL_MODEL, stripped, BERT_AND_GPT)
    reading: str = choice(READINGS[0], one_of(*READINGS), BERT_AND_GPT)
    blank: int = choice(NOTHING, index, BERT_AND_GPT)
    """The position of the token that the two models guess."""
    guessed_from: int = choice(0, index, BERT_AND_GPT)
    """The index of the first token in the list of guesses."""
    n_new: int = choice(12, within(N_NEW), BERT_AND_GPT)
    """The number of tokens that the causal model writes, sampled with `seed`; a top-k of 0 is all."""
    writing_temperature: float = choice(1.0, equal_to(WRITING_TEMPERATURES), BERT_AND_GPT, WHAT_ATTENTION_COSTS)
    writing_top_k: int = choice(20, within(WRITING_TOP_K), BERT_AND_GPT, WHAT_ATTENTION_COSTS)
    new_token: int = choice(0, index, BERT_AND_GPT)
    """The index of the new token that is shown."""
    cost: str = choice(COST_PARTS[0], one_of(*COST_PARTS), WHAT_ATTENTION_COSTS)
    timed_token: int = choice(NOTHING, index, WHAT_ATTENTION_COSTS)  # NOTHING: the last
    number_bytes: int = choice(2, one_of(*NUMBER_BYTES), WHAT_ATTENTION_COSTS)
    gpu_memory: int = choice(24, one_of(*GPU_MEMORIES), WHAT_ATTENTION_COSTS)
    key_block: int = choice(0, index, WHAT_ATTENTION_COSTS)
    top_p: float = choice(0.9, equal_to(TOP_PS), WHAT_ATTENTION_COSTS)
    min_p: float = choice(0.0, equal_to(MIN_PS), WHAT_ATTENTION_COSTS)
    repetition_penalty: float = choice(1.0, equal_to(REPETITION_PENALTIES), WHAT_ATTENTION_COSTS)
    translation: str = choice(TRANSLATION_PARTS[0], one_of(*TRANSLATION_PARTS), TRANSLATION)
    at_step: int = choice(1, index, TRANSLATION)
    """The position in the translation; in the first example, a noun that precedes its adjective."""
    beams: int = choice(4, within(BEAMS), TRANSLATION)
    """The width of the beam search, 1 for greedy; `penalty` is the exponent of the length penalty."""
    penalty: float = choice(0.6, one_of(*PENALTIES), TRANSLATION)
    averaged: bool = choice(True, flag, TRANSLATION)
    """Whether the mean over all layers and heads is shown instead of the chosen ones."""
    board: str = choice(BOARD_PARTS[0], one_of(*BOARD_PARTS), SWITCHBOARD)
    off: str = choice("", matching(f"{ALL_ON}|{A_HEAD}(-{A_HEAD})*"), HOME, SWITCHBOARD)
    """The heads that are switched off; empty for the one with the largest effect on the answer."""
    taken_away: AblatedBy = choice("zero", one_of(*get_args(AblatedBy)), SWITCHBOARD)
    """The replacement for the output of a head that is switched off."""
    question: str = choice("", one_of(*get_args(AnswerOf)), SWITCHBOARD, EXPLANATIONS)
    """The question to the model, an AnswerOf; empty for its default. `answer_at` is the position at which it is
    asked."""
    answer_at: int = choice(NOTHING, index, SWITCHBOARD, EXPLANATIONS)
    answer: str = choice("", any_text, SWITCHBOARD, EXPLANATIONS)
    """The answer, and the `rival` that it is compared with; empty for the best and the next best."""
    rival: str = choice("", any_text, SWITCHBOARD, EXPLANATIONS)
    patched: PatchedWhat = choice("states", one_of(*get_args(PatchedWhat)), SWITCHBOARD)
    by_token: bool = choice(False, flag, SWITCHBOARD)
    """Whether heads are patched at one token at a time."""
    by_gradient: bool = choice(False, flag, SWITCHBOARD)
    """Whether the estimate by the gradient is shown, and what is left as more and more heads are removed."""
    with_paths: bool = choice(False, flag, SWITCHBOARD)
    """Whether the direct paths into a head are shown."""
    receiver: str = choice("", matching(A_HEAD), SWITCHBOARD)
    """The head whose incoming direct paths are shown, empty for the one that adds most; `read_as` is its queries, keys
    or values."""
    read_as: str = choice(INTO[2], one_of(*INTO), SWITCHBOARD)
    all_methods: bool = choice(False, flag, EXPLANATIONS)
    """Whether all methods are shown, and how they are judged."""
    method: str = choice("", Parser(str, _check_method), EXPLANATIONS)
    """The method whose bars are shown; empty for the most faithful one."""
    judged_by: str = choice(JUDGED_BY[0], one_of(*JUDGED_BY), EXPLANATIONS)
    """The view of the methods' faithfulness."""
    lab: str = choice(LAB_VIEWS[0], one_of(*LAB_VIEWS), TRAINING_LAB)
    """Train, or show the snapshots of a run over time."""
    run: str = choice("", matching(RUN_ID), TRAINING_LAB)
    """The id of the run that is shown; empty for a new one."""
    recipe: str = choice("", any_text, TRAINING_LAB)
    """The recipe of a new training, as JSON; empty for the one that the page opens with."""
    history: str = choice("", any_text, TRAINING_LAB)
    """The name of the run that "Attention over time" shows; empty for the first that is offered."""
    snapshot: int = choice(NOTHING, index, TRAINING_LAB)
    """The index of a snapshot, from 0; NOTHING for the first at which a head changes, or the last."""
    habit: str = choice("previous", Parser(str, _check_measure), TRAINING_LAB)
    """The measure of heads in the curves. `measured` is the text that it is measured on."""
    measured: str = choice(MEASURED_ON[0], one_of(*MEASURED_ON), TRAINING_LAB)
    lesson: str = choice("", matching(r"[a-z0-9-]{0,60}"), LESSONS)
    """The lesson, by the name of its file; empty for the list."""
    lesson_step: int = choice(0, index, LESSONS)
    """The index of the step of the lesson, from 0."""
    lesson_model: str = choice("", stripped, LESSONS)
    """The model that answers, if it is not the first of the lesson."""
    lesson_guess: str = choice("", matching(rf"{SKIPPED}|{A_GUESS}|"), LESSONS)
    """The prediction of the step that a class sees, SKIPPED or a number; empty for none. It is in no address."""
    lesson_own: str = choice("", matching(rf"(?s).{{0,{LONGEST_LESSON_LINK}}}"), LESSONS)
    """The question about the reader's own sentence that a class sees, as JSON; empty for none. It is in no address."""
    lesson_text: str = choice("", matching(rf"[A-Za-z0-9_-]{{0,{LONGEST_LESSON_LINK}}}"), LESSONS, MAKE_A_LESSON)
    """A packed lesson from outside the library, if `lesson` is GIVEN_LESSON."""

    @property
    def texts(self) -> tuple[str, str | None]:
        """Sentence A, and sentence B if there is one."""
        return self.text, self.text_b or None

    @property
    def head_index(self) -> int | None:
        """The head as figures take it: None is the mean over heads."""
        return self.head if isinstance(self.head, int) else None


CHOICES = {
    name: replace(declared, pages=declared.pages or WITH_A_HEAD.get(name, VIEWER))
    for name, declared in collect_choices(Selection).items()
}
DEFAULTS = {name: declared.default for name, declared in CHOICES.items()}
