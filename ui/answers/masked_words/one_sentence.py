"""One sentence of the page "Masked words": the guesses for a mask, how they form, and what the mask attends to."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.opening.registry import Model
from models.tasks.mask_guesser import MOST_MASKS
from models.values.answers import FilledMask, MaskedText
from models.values.record import Recording
from ui.desk.ask import ask, record_selection
from ui.state.choices import Selection
from ui.state.plain import in_bold, plain
from ui.state.selection import at_most, selection
from ui.widgets.asking.pickers import layer_and_head
from ui.widgets.frame import theme
from ui.widgets.notes import say_notes
from ui.widgets.pictures import numbers, picture, two_columns
from viz.kit.language import said, to_say, tr
from viz.kit.tokens import spelled, spelled_apart
from viz.predictions.layer_answers import best_ids, layer_table
from viz.predictions.layer_predictions import answer_by_layer, layer_predictions
from viz.predictions.mask_attention import mask_attention, mask_attention_table
from viz.predictions.masked_words import all_masks_table, filled_sentence, word_bars, word_table

BESIDE_LABELS = {
    "layers": to_say("Layer by layer"),
    "attention": to_say("What it looks at: a head"),
    "mean-attention": to_say("What it looks at: all heads"),
}
NO_MASK = to_say(
    "There is no [MASK] in the sentence. Click a word above to hide it, or type [MASK] where a word is missing."
)
ONE_PIECE = to_say(
    "One mask stands for one piece, so the model cannot say this word here. Ask for another word, or use several masks."
)


def one_sentence(chosen: Selection, places: tuple[DeltaGenerator, DeltaGenerator]) -> None:
    """Draw the guesses for the masks of one sentence; `places` are the containers of its inputs."""
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
