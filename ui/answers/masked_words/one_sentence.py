"""One sentence of the page "Masked words": the guesses for a mask, how they form, and what the mask attends to."""

from __future__ import annotations

import streamlit as st

from models.opening.registry import Model
from models.tasks.mask_guesser import MOST_MASKS
from models.text.unknown import scripts_of
from models.values.answers import FilledMask, LayerwisePrediction, MaskedText
from ui.desk.ask import ask, record_selection
from ui.state.choices import TOP_K
from ui.state.plain import in_bold, plain
from ui.state.selection import at_most, selection
from ui.widgets.asking.hide_words import HiddenWord, TypedTexts
from ui.widgets.asking.pickers import beside
from ui.widgets.asking.strongest import begin_with_strongest
from ui.widgets.atlases import show_two_lenses
from ui.widgets.browser.viewport import SIDE_BY_SIDE, page_width
from ui.widgets.frame import theme
from ui.widgets.notes import say_notes
from ui.widgets.pictures import below_buttons, numbers, picture, two_columns
from viz.kit.language import said, to_say, tr
from viz.kit.theme import percentage, whole_percent
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
ONE_PIECE = to_say(
    "One mask stands for one piece, so the model cannot say this word here. Ask for another word, or use several masks."
)


def one_sentence(hidden: HiddenWord) -> None:
    """Draw the guesses for the masks of one sentence."""
    chosen = selection()
    masked = ask(chosen.model, chosen.device, Model.masked_words, *hidden.texts)
    if masked.positions:
        _about_the_masks(masked, hidden)
    say_notes(masked.info, masked.tokens, (chosen.text, chosen.text_b), masked.note)


def _about_the_masks(masked: MaskedText, hidden: HiddenWord) -> None:
    """Show the predictions for a mask, and how they form."""
    at_most("mask", len(masked.positions) - 1)
    mask = selection().mask
    asked = _ask_word(masked, hidden)
    own = {position: masked.best(number, 1)[0].text for number, position in enumerate(masked.positions)}
    with st.container(key="large-sentences"):
        st.markdown(_in_words(masked, hidden.texts, own))
    is_narrow = page_width() < SIDE_BY_SIDE
    words, choice = (st.container(), None) if is_narrow else st.columns(2, gap="medium", vertical_alignment="center")
    with words:
        _say_filled(masked, hidden, asked)
    left, right, widths = two_columns()
    with choice or right:  # beside the words where there is room, so that both pictures begin on one line
        _pick_beside()
    bars = word_bars(masked, mask=mask, top_k=selection().top_k, asked=asked, theme=theme(), width=widths[0])
    prediction = _by_layer(hidden.texts) if selection().beside == "layers" else None
    answers = None if prediction is None else layer_predictions(prediction, theme=theme(), width=widths[1])
    if answers is not None and choice is not None:
        below_buttons(bars, answers)
    with left:
        picture(bars, "masked-words")
        _ask_more(masked, asked)
    with right:
        if prediction is None or answers is None:
            _attention(masked, hidden.texts, widths[1])
            return
        picture(answers, "layer-by-layer")
        st.caption(tr("What the model would say if it stopped after each [layer](#word-layer)."))
        numbers(lambda: layer_table(prediction, top_k=selection().top_k), "layer-by-layer")
    _how_it_forms(prediction, hidden.texts, asked)


def _say_filled(masked: MaskedText, hidden: HiddenWord, asked: tuple[int, ...]) -> None:
    """Say how sure the guess for the mask is; of several masks, draw the sentence filled one after the other."""
    n_masks = len(masked.positions)
    if n_masks == 1:
        st.markdown(_how_sure(masked, hidden.word, asked))
    elif n_masks > MOST_MASKS:
        st.caption(tr("With more than {most} masks, they are not filled in one after the other.", most=MOST_MASKS))
    else:
        _fill_together(masked, hidden.texts)


def _how_sure(masked: MaskedText, word: str, asked: tuple[int, ...]) -> str:
    """Return the probability of the best guess and, if a word was hidden, that of the word, as Markdown."""
    best = masked.best(0, 1)[0]
    sure = tr(
        "Its best guess is {word}: {share}.", word=in_bold(spelled(best.text)), share=whole_percent(best.probability)
    )
    if not word or not asked:
        return sure
    choice, rank = masked.choice(0, asked[0]), masked.rank(0, asked[0])
    if rank == 1:
        right = tr("That is the word that was hidden.")
        return f"{sure} {right}"
    was = tr(
        "Hidden was {word}: {share}, its guess number {rank}.",
        word=in_bold(word),
        share=percentage(choice.probability),
        rank=f"{rank:,}",
    )
    return f"{sure} {was}"


def _fill_together(masked: MaskedText, texts: TypedTexts) -> None:
    """Draw the sentence with its masks filled one after the other, the most certain first."""
    chosen = selection()
    st.caption(tr("Each [MASK] guessed on its own."))
    filling = ask(chosen.model, chosen.device, Model.fill_jointly, *texts)
    together = {mask.position: mask.text for mask in filling.masks}
    st.markdown(tr("**Together, the most certain first:** {text}", text=_in_words(masked, texts, together)))
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
            tr("probability then"): [percentage(mask.probability) for mask in masks],
            tr("on its own"): [plain(spelled(alone[mask.position].text)) for mask in masks],
            tr("probability"): [percentage(alone[mask.position].probability) for mask in masks],
        }
    )


def _in_words(masked: MaskedText, texts: TypedTexts, pieces: dict[int, str]) -> str:
    """Return the texts with the filled words coloured, as Markdown."""
    filled = filled_sentence(*texts, masked, pieces)
    return " ".join(
        "".join(f":blue[{in_bold(part.text)}]" if part.is_filled else plain(part.text) for part in parts)
        for parts in (filled.parts, filled.parts_b)
        if parts
    )


def _ask_more(masked: MaskedText, asked: tuple[int, ...]) -> None:
    """Draw the choices below the bars: a word to ask for, the number of words, and the numbers."""
    place, words = beside("ask-for-a-word", 2)
    place.text_input(
        tr("Ask for a word"),
        key="asked",
        placeholder="물고기" if "HANGUL" in scripts_of(selection().text) else "carpenter",
        help=tr("Its rank and its probability at this mask."),
    )
    words.selectbox(tr("Words shown"), TOP_K, key="top_k")
    chosen = selection()
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


def _ask_word(masked: MaskedText, hidden: HiddenWord) -> tuple[int, ...]:
    """Return the id of the word that the reader asks for, with its probability shown, else of the hidden word; () if it
    is not one piece."""
    chosen = selection()
    word = chosen.asked.strip() or hidden.word
    if not word:
        return ()
    asked = ask(chosen.model, chosen.device, Model.ask_word, word)
    if not asked.token_ids:
        if chosen.asked.strip():
            _say_split(word, asked.pieces)
        return ()
    likeliest = max(asked.token_ids, key=lambda token_id: masked.choice(chosen.mask, token_id).probability)
    if chosen.asked.strip():
        choice, rank = masked.choice(chosen.mask, likeliest), masked.rank(chosen.mask, likeliest)
        st.markdown(
            tr(
                "{word} has a probability of **{share}**, rank **{rank}** of {all}.",
                word=in_bold(word),
                share=percentage(choice.probability),
                rank=f"{rank:,}",
                all=f"{len(masked.vocabulary):,}",
            )
        )
    return (likeliest,)


def _say_split(word: str, pieces: tuple[str, ...]) -> None:
    split = tr(
        "“{word}” is not a single piece of this vocabulary. It is split into {pieces}.",
        word=plain(word),
        pieces=" ".join(plain(piece) for piece in spelled_apart(pieces)),
    )
    st.info(f"{split} {said(ONE_PIECE)}", icon=":material/info:")


def _pick_beside() -> None:
    st.segmented_control(
        tr("Beside it"),
        list(BESIDE_LABELS),
        key="beside",
        format_func=lambda one: said(BESIDE_LABELS[one]),
        required=True,
        wrap=True,
        label_visibility="collapsed",
    )


def _by_layer(texts: TypedTexts) -> LayerwisePrediction:
    """Return the guesses after every layer."""
    chosen = selection()
    return ask(chosen.model, chosen.device, Model.predict_by_layer, texts[0], chosen.mask, texts[1])


def _how_it_forms(prediction: LayerwisePrediction, texts: TypedTexts, asked: tuple[int, ...]) -> None:
    """Draw how likely each of the best guesses was after every layer, and beside it the answers by two lenses."""
    chosen = selection()
    left, right, widths = two_columns()
    with left:
        best = best_ids(prediction, 4)
        lines = answer_by_layer(prediction, token_ids=best, asked=asked, theme=theme(), width=widths[0])
        picture(lines, "answer-by-layer")
    with right:
        show_two_lenses(chosen.model, texts[0], mask=chosen.mask, text_b=texts[1], width=widths[1])


def _attention(masked: MaskedText, texts: TypedTexts, width: int) -> None:
    """Draw where the mask looks: in the head that looks most at one other word until the reader chooses one, or in all
    heads."""
    recording, position = record_selection(texts), masked.positions[selection().mask]
    shown = recording.of(selection().kind)
    all_heads = selection().beside == "mean-attention"
    if not all_heads:
        begin_with_strongest(shown, [position])
    chosen = selection()
    layer, head = (None, None) if all_heads else (chosen.layer, chosen.head_index)
    figure = mask_attention(shown, positions=[position], layer=layer, head=head, theme=theme(), width=width)
    picture(figure, "mask-attention")
    numbers(lambda: mask_attention_table(shown, positions=[position], layer=layer, head=head), "mask-attention")
