"""The page "Masked words": hide words of a sentence, and see the model's guesses and how they form.

Everything below the sentence is a fragment: another mask, layer or word redraws it, and nothing else of the page.
"""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.model import LACKS, MASKED_WORDS, NEXT_SENTENCE, UNTRAINED
from models.opening.registry import Model
from models.tasks.mask_guesser import MOST_MASKS
from models.values.answers import FilledMask, MaskedText
from models.values.record import ModelInfo, Recording
from ui.desk.ask import ask, open_model, record_selection
from ui.masked_words.labels import answers_otherwise, other_answers
from ui.state.choices import TOP_K, Selection
from ui.state.plain import in_bold, plain
from ui.state.selection import at_most, choose, selection
from ui.widgets.frame import part_of_page, theme
from ui.widgets.missing import say_why_not
from ui.widgets.notes import say_notes
from ui.widgets.pickers import layer_and_head
from ui.widgets.pictures import numbers, picture, two_columns
from viz.kit.language import said, to_say, tr
from viz.kit.tokens import spelled, spelled_apart
from viz.predictions.comparison import compare, comparison_bars, comparison_table, log_odds_bars
from viz.predictions.layer_answers import best_ids, layer_table
from viz.predictions.layer_predictions import answer_by_layer, layer_predictions
from viz.predictions.mask_attention import mask_attention, mask_attention_table
from viz.predictions.masked_words import all_masks_table, filled_sentence, word_bars, word_table

TASK_LABELS = {"one": to_say("One sentence"), "two": to_say("Compare two sentences")}
BESIDE_LABELS = {
    "layers": to_say("Layer by layer"),
    "attention": to_say("What it looks at: a head"),
    "mean-attention": to_say("What it looks at: all heads"),
}
MOST_COMPARED = 20
"""The number of words of each sentence in the picture of the comparison; the table holds all."""
NO_MASK = to_say(
    "There is no [MASK] in the sentence. Click a word above to hide it, or type [MASK] where a word is missing."
)
ONE_PIECE = to_say(
    "One mask stands for one piece, so the model cannot say this word here. Ask for another word, or use several masks."
)
NO_SECOND = to_say(
    "Type a second sentence with a [MASK] that differs in one word: “The man worked as a [MASK].” and “The woman "
    "worked as a [MASK].”"
)
WHAT_IT_SHOWS = to_say(
    "**What this shows:** how one word of the sentence changes what this model expects. It learned from texts, and "
    "repeats who did what in them. **What it does not show:** what people are like, or what the model would do in "
    "another task. One pair of sentences is an example, not a measurement: try several words and wordings before you "
    "draw a conclusion."
)


@st.fragment
def masked_word_explorer() -> None:
    """Draw everything below the sentence."""
    with part_of_page():
        chosen = selection()
        model = open_model(chosen.model, chosen.device)
        if model.info.can_fill_mask:
            places = _choices()
            if selection().task == "one":
                _one(selection(), places)
            else:
                _two(selection())
        elif answers_otherwise(model.info):
            other_answers(model.info, chosen)
        else:
            _say_untrained(model.info)
            say_why_not(lambda: ask(chosen.model, chosen.device, Model.masked_words, *chosen.texts))


def _choices() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Draw the choices of the task and of the number of words, and return the containers for inputs of one sentence."""
    task, words, mask, ask = st.columns([5, 2, 4, 4], vertical_alignment="bottom")
    task.segmented_control(
        tr("Task"), list(TASK_LABELS), key="task", format_func=lambda task: said(TASK_LABELS[task]), required=True
    )
    words.selectbox(tr("Words shown"), TOP_K, key="top_k")
    return mask, ask


def _say_untrained(info: ModelInfo) -> None:
    """Show the heads that the configuration names but the files lack, unless other pages report them."""
    for capability in info.untrained:
        if capability not in (MASKED_WORDS, NEXT_SENTENCE):
            says = tr("{model} {lacks}: {why}.", model=plain(info.name), lacks=LACKS[capability], why=UNTRAINED)
            st.warning(says, icon=":material/model_training:")


# -- one sentence -----------------------------------------------------------------------------------------------------


def _one(chosen: Selection, places: tuple[DeltaGenerator, DeltaGenerator]) -> None:
    masked = ask(chosen.model, chosen.device, Model.masked_words, *chosen.texts)
    if masked.positions:
        _about_the_masks(masked, chosen, places)
    else:
        st.info(plain(NO_MASK), icon=":material/touch_app:")
    say_notes(masked.info, masked.tokens, (chosen.text, chosen.text_b), masked.note)


def _about_the_masks(masked: MaskedText, chosen: Selection, places: tuple[DeltaGenerator, DeltaGenerator]) -> None:
    """Show the predictions for a mask, and how they form."""
    at_most("mask", len(masked.positions) - 1)
    _pick_mask(masked, *places)
    _show_filled(masked, chosen)
    left, right, widths = two_columns()
    with left:
        asked = _ask_word(masked, selection())
        _guesses(masked, asked, widths[0])
    with right:
        _beside(masked, asked, widths[1])


def _show_filled(masked: MaskedText, chosen: Selection) -> None:
    """Draw the sentence with its masks filled: each on its own, and, if there are several, one after the other."""
    own = {position: masked.best(mask, 1)[0].text for mask, position in enumerate(masked.positions)}
    if len(own) == 1:
        st.markdown(f"##### {_in_words(masked, chosen, own)}")
        return
    st.markdown(tr("**Each mask on its own:** {text}", text=_in_words(masked, chosen, own)))
    if len(own) > MOST_MASKS:
        st.caption(tr("With more than {most} masks, they are not filled in one after the other.", most=MOST_MASKS))
        return
    filling = ask(chosen.model, chosen.device, Model.fill_jointly, *chosen.texts)
    together = {mask.position: mask.text for mask in filling.masks}
    st.markdown(tr("**Together, the most certain first:** {text}", text=_in_words(masked, chosen, together)))
    with st.expander(tr("In which order, and how certain")):
        st.caption(
            tr(
                "On its own, each mask is guessed without knowing the others. Together, the most certain mask is "
                "filled first, and the model reads the sentence again before the next one. That is greedy: another "
                "combination may be likelier as a whole."
            )
        )
        _order(masked, filling.masks)


def _order(masked: MaskedText, masks: tuple[FilledMask, ...]) -> None:
    alone = {position: masked.best(mask, 1)[0] for mask, position in enumerate(masked.positions)}
    st.table(
        {
            tr("position"): [str(mask.position) for mask in masks],
            tr("together"): [plain(spelled(mask.text)) for mask in masks],
            tr("probability then"): [f"{mask.probability:.4f}" for mask in masks],
            tr("on its own"): [plain(spelled(alone[mask.position].text)) for mask in masks],
            tr("probability"): [f"{alone[mask.position].probability:.4f}" for mask in masks],
        }
    )


def _in_words(masked: MaskedText, chosen: Selection, pieces: dict[int, str]) -> str:
    """Return the reader's text with the filled words in bold, as Markdown."""
    filled = filled_sentence(chosen.text, chosen.text_b or None, masked, pieces)
    return " ".join(
        "".join(in_bold(part.text) if part.is_filled else plain(part.text) for part in parts)
        for parts in (filled.parts, filled.parts_b)
        if parts
    )


def _pick_mask(masked: MaskedText, place: DeltaGenerator, place_to_ask: DeltaGenerator) -> None:
    """Draw the choice of the mask, if there are several, and of a word to ask for."""
    places = list(range(len(masked.positions)))
    if len(places) > 1:
        place.select_slider(
            tr("Mask"),
            places,
            key="mask",
            format_func=lambda mask: tr("{mask} · position {position}", mask=mask, position=masked.positions[mask]),
        )
    (place_to_ask if len(places) > 1 else place).text_input(
        tr("Ask for a word"),
        key="asked",
        placeholder="carpenter",
        help=tr("Its rank and its probability at this mask."),
    )


def _guesses(masked: MaskedText, asked: tuple[int, ...], width: int) -> None:
    chosen = selection()
    figure = word_bars(masked, mask=chosen.mask, top_k=chosen.top_k, asked=asked, theme=theme(), width=width)
    picture(figure, "masked-words")
    with st.expander(tr("As a table")):
        st.dataframe(
            word_table(masked, mask=chosen.mask, top_k=chosen.top_k, asked=asked),
            hide_index=True,
            column_config={
                "rank": tr("rank"),
                "word": tr("word"),
                "piece": tr("piece"),
                "probability": st.column_config.NumberColumn(tr("probability"), format="%.4f"),
            },
        )
    numbers(lambda: all_masks_table(masked, top_k=chosen.top_k), "masked-words")


def _ask_word(masked: MaskedText, chosen: Selection) -> tuple[int, ...]:
    """Show the probability of the word that the reader asks for, and return its id; () if it is not one piece."""
    word = chosen.asked.strip()
    if not word:
        return ()
    asked = ask(chosen.model, chosen.device, Model.ask_word, word)
    if not asked.token_ids:
        split = tr(
            "“{word}” is not a single piece of this vocabulary. It is split into {pieces}.",
            word=plain(word),
            pieces=" ".join(plain(piece) for piece in spelled_apart(asked.pieces)),
        )
        st.info(f"{split} {said(ONE_PIECE)}", icon=":material/info:")
        return ()
    likeliest = max(asked.token_ids, key=lambda token_id: masked.choice(chosen.mask, token_id).probability)
    choice, rank = masked.choice(chosen.mask, likeliest), masked.rank(chosen.mask, likeliest)
    st.markdown(
        tr(
            "{word} has a probability of **{share} %**, rank **{rank}** of {all}.",
            word=in_bold(word),
            share=f"{100 * choice.probability:.4g}",
            rank=f"{rank:,}",
            all=f"{len(masked.vocabulary):,}",
        )
    )
    return (likeliest,)


def _beside(masked: MaskedText, asked: tuple[int, ...], width: int) -> None:
    st.segmented_control(
        tr("Beside it"),
        list(BESIDE_LABELS),
        key="beside",
        format_func=lambda one: said(BESIDE_LABELS[one]),
        required=True,
        wrap=True,
    )
    chosen = selection()
    if chosen.beside == "layers":
        _layer_by_layer(chosen, asked, width)
    else:
        recording = record_selection()
        _attention(recording, masked.positions[chosen.mask], width)


def _layer_by_layer(chosen: Selection, asked: tuple[int, ...], width: int) -> None:
    prediction = ask(chosen.model, chosen.device, Model.predict_by_layer, chosen.text, chosen.mask, chosen.texts[1])
    st.caption(
        tr(
            "The model's own MLM head, applied to the hidden state of this mask after every [layer](#word-layer): what "
            "the model would say if it stopped there."
        )
    )
    picture(layer_predictions(prediction, theme=theme(), width=width), "layer-by-layer")
    best = best_ids(prediction, 4)
    lines = answer_by_layer(prediction, token_ids=best, asked=asked, theme=theme(), width=width)
    picture(lines, "answer-by-layer")
    numbers(lambda: layer_table(prediction, top_k=chosen.top_k), "layer-by-layer")


def _attention(recording: Recording, position: int, width: int) -> None:
    shown = recording.of(selection().kind)
    all_heads = selection().beside == "mean-attention"
    if not all_heads:
        layer_and_head(shown)
    chosen = selection()
    layer, head = (None, None) if all_heads else (chosen.layer, chosen.head_index)
    figure = mask_attention(shown, positions=[position], layer=layer, head=head, theme=theme(), width=width)
    picture(figure, "mask-attention")
    numbers(lambda: mask_attention_table(shown, positions=[position], layer=layer, head=head), "mask-attention")


# -- two sentences ----------------------------------------------------------------------------------------------------


def _two(chosen: Selection) -> None:
    if not chosen.other.strip():
        choose(other=suggest_second(chosen.text))
    other = st.text_input(
        tr("Sentence 2, to compare with sentence A"), key="other", placeholder="The woman worked as a [MASK]."
    )
    first = ask(chosen.model, chosen.device, Model.masked_words, chosen.text)
    if not first.positions:
        st.info(plain(NO_MASK), icon=":material/touch_app:")
        return
    second = ask(chosen.model, chosen.device, Model.masked_words, other) if other.strip() else None
    if second is None or not second.positions:
        st.info(plain(NO_SECOND), icon=":material/edit:")
        return
    for masked, text in ((first, chosen.text), (second, other)):
        say_notes(masked.info, masked.tokens, (text,), masked.note)
    _compare_sentences(first, second, chosen.top_k)


def _compare_sentences(first: MaskedText, second: MaskedText, top_k: int) -> None:
    """Draw both distributions, the words that differ most, and the distance. The first mask of each sentence counts."""
    comparison = compare(first, second)
    for masked, which in ((first, "1"), (second, "2")):
        n_masks = len(masked.positions)
        if n_masks > 1:
            st.caption(tr("Sentence {which} has {n} masks; the first one is compared.", which=which, n=n_masks))
    st.markdown(
        tr(
            "**Distance {distance} bits** (Jensen-Shannon divergence: 0 is the same, 1 is nothing in common) · total "
            "variation {variation}",
            distance=f"{comparison.distance:.4f}",
            variation=f"{comparison.total_variation:.4f}",
        )
    )
    left, right, widths = two_columns()
    with left:
        picture(
            comparison_bars(comparison, top_k=min(top_k, MOST_COMPARED), theme=theme(), width=widths[0]), "comparison"
        )
        numbers(lambda: comparison_table(comparison, top_k=top_k), "comparison")
    with right:
        picture(log_odds_bars(comparison, top_k=min(top_k, MOST_COMPARED), theme=theme(), width=widths[1]), "log-odds")
    st.markdown(said(WHAT_IT_SHOWS))


PAIRS = (("man", "woman"), ("he", "she"), ("his", "her"), ("boy", "girl"), ("father", "mother"), ("king", "queen"))


def suggest_second(text: str) -> str:
    """Return the first sentence with the first gendered word swapped for its counterpart; empty if there is none."""
    words = text.split(" ")
    counterparts = {word: other for pair in PAIRS for word, other in (pair, pair[::-1])}
    for number, word in enumerate(words):
        other = counterparts.get(word.lower())
        if other is not None:
            words[number] = other.capitalize() if word[0].isupper() else other
            return " ".join(words)
    return ""
