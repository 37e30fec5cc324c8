"""The choice of a new token: the model's probabilities, those after temperature and top-k, and the token taken.

The probabilities are those of `models.values.writing.apply_temperature`: Ackley et al. 1985, section 2; Fan et al.
2018, section 5.4.
"""

from __future__ import annotations

import math
from dataclasses import replace

import pandas as pd
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.errors import RecordError
from models.values.writing import Writing, WrittenToken
from viz.kit import theme as style
from viz.kit.figures.bars import Bar, Scale, lying_bars
from viz.kit.language import said, to_say, tr
from viz.kit.theme import Theme, nice_maximum, percentage
from viz.kit.tokens import spelled, spelled_apart, visible
from viz.writing.written import place_taken, tokens_table

SHOWN, SHOWN_NARROW = 10, 7
"""The number of candidates drawn; the file holds all that are known."""
TAKEN = "▸ "
CUT = to_say("cut off")
RULES = {
    ("own", False): to_say("Temperature {temperature}: a token is drawn by the model's own probabilities."),
    ("own", True): to_say(
        "Temperature {temperature}: one of the {n} likeliest tokens is drawn by the model's own probabilities."
    ),
    ("sharper", False): to_say(
        "Temperature {temperature}: a token is drawn, with probabilities made sharper: likely tokens become likelier."
    ),
    ("sharper", True): to_say(
        "Temperature {temperature}: one of the {n} likeliest tokens is drawn, with probabilities made sharper: likely "
        "tokens become likelier."
    ),
    ("flatter", False): to_say(
        "Temperature {temperature}: a token is drawn, with probabilities made flatter: unlikely tokens get a chance."
    ),
    ("flatter", True): to_say(
        "Temperature {temperature}: one of the {n} likeliest tokens is drawn, with probabilities made flatter: "
        "unlikely tokens get a chance."
    ),
}
"""The effect of a temperature above 0 on the probabilities, of all tokens or, True, of the likeliest ones."""


@check_arguments
def candidate_chances(
    writing: Writing, *, number: int, temperature: float, top_k: int, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw the likeliest tokens at a place, each with two bars: the model's probability, and the one it is drawn with.

    `temperature` and `top_k` are those that the text was written with. Cut-off tokens are grey and say so; an arrow
    marks the one that was taken. Raises SelectionError for a token out of range, RecordError for a text that was not
    sampled.
    """
    shown, palette = writing.token(number), style.PALETTES[theme]
    cut = _never_drawn(shown, temperature)
    changes = temperature != 1 or top_k > 0 or any(cut)
    n_best = min(len(cut), SHOWN_NARROW if width < style.NARROW else SHOWN)
    taken = place_taken(shown)
    places = list(range(n_best)) + ([taken] if taken is not None and taken >= n_best else [])
    words = spelled_apart([shown.candidates[place].text for place in places])
    bars: list[Bar] = []
    labels: list[tuple[float, str]] = []
    for row, (place, word) in enumerate(zip(places, words, strict=True)):
        height = row + (0.3 if row >= n_best else 0)
        labels.append((height, f"{TAKEN if place == taken else ''}{word}"))
        bars += _two_bars(shown, place, word, at=height, is_cut=cut[place], changes=changes, palette=palette)
    legend = [(tr("the model"), palette.bar)]
    if changes:
        legend.append((tr("drawn with"), palette.accent))
    return lying_bars(
        bars,
        labels=labels,
        legend=legend,
        row=2.7 if changes else 1.95,
        scale=Scale(high=nice_maximum(max(bar.value for bar in bars)), title=tr("probability")),
        title=tr("New token {n}: what could come next?", n=number + 1),
        note=_note(writing, shown, taken, temperature=temperature, top_k=top_k),
        theme=theme,
        width=width,
    )


def first_tokens(writing: Writing, n_tokens: int) -> Writing:
    """Return the writing as it was after some of its tokens: the model has not ended it then, unless that was the last
    one."""
    if n_tokens >= len(writing.written):
        return writing
    return replace(writing, written=writing.written[:n_tokens], is_finished=False)


def rule_sentence(temperature: float, top_k: int) -> str:
    """Return a sentence on the effect of temperature and top-k."""
    if temperature == 0:
        return tr("Temperature 0: always the likeliest token.")
    rule = "own" if temperature == 1 else "sharper" if temperature < 1 else "flatter"
    return said(RULES[rule, top_k > 0]).format(temperature=f"{temperature:g}", n=top_k)


def candidate_table(writing: Writing, *, temperature: float, top_k: int) -> pd.DataFrame:
    """Return every candidate of every token as in `tokens_table`, with the probability that it was drawn with (drawn,
    is_cut), that of the one that was taken (taken_drawn), the entropy_bits there, the temperature and the top_k.

    Raises RecordError for a text that was not sampled.
    """
    candidates = [
        {
            "drawn": chance,
            "is_cut": is_cut,
            "taken_drawn": written_token.chosen_drawn,
            "entropy_bits": written_token.entropy,
        }
        for written_token in writing.written
        for chance, is_cut in zip(written_token.drawn, _never_drawn(written_token, temperature), strict=True)
    ]
    table = pd.concat([tokens_table(writing), pd.DataFrame(candidates)], axis="columns")
    return table.assign(temperature=temperature, top_k=top_k)


def _never_drawn(shown: WrittenToken, temperature: float) -> tuple[bool, ...]:
    """Return which candidates could not be drawn: none at temperature 0, where nothing is sampled."""
    if not shown.drawn:
        raise RecordError("this text was not sampled, expected one from `continue_text`.")
    return tuple(temperature > 0 and chance == 0 for chance in shown.drawn)


def _two_bars(
    shown: WrittenToken, place: int, word: str, *, at: float, is_cut: bool, changes: bool, palette: style.Palette
) -> list[Bar]:
    """Return the bars of a candidate: the model's probability, and below it the one that the token is drawn with."""
    choice, chance = shown.candidates[place], shown.drawn[place]
    hover = (
        word,
        tr("rank {rank}, piece {piece}", rank=place + 1, piece=visible(choice.text)),
        tr("the model: {number}", number=percentage(choice.probability)),
        tr("drawn with: {number}", number=CUT if is_cut else percentage(chance)),
    )
    own = Bar(
        place=at - 0.19 if changes else at,
        label="",
        value=choice.probability,
        text=percentage(choice.probability),
        hover=hover,
        colour=palette.still if is_cut else palette.bar,
        thickness=0.36 if changes else 0.72,
    )
    if not changes:
        return [own]
    drawn = Bar(
        place=at + 0.19,
        label="",
        value=chance,
        text=said(CUT) if is_cut else percentage(chance),
        hover=hover,
        colour=palette.accent,
        thickness=0.36,
    )
    return [own, drawn]


def _note(writing: Writing, shown: WrittenToken, taken: int | None, *, temperature: float, top_k: int) -> str:
    parts = [rule_sentence(temperature, top_k)]
    word = spelled(shown.chosen.text)
    if taken is not None:
        parts.append(tr("{mark} “{token}” was taken, rank {rank}.", mark=TAKEN.strip(), token=word, rank=taken + 1))
    elif shown.chosen_drawn is not None:
        parts.append(
            tr(
                "Taken: “{token}”, not among these candidates, drawn with {drawn} (the model: {share}).",
                token=word,
                drawn=percentage(shown.chosen_drawn),
                share=percentage(shown.chosen.probability),
            )
        )
    if shown.entropy is not None:
        d_vocab = writing.info.d_vocab
        parts.append(
            tr(
                "The model is as uncertain here as between {few} equally likely tokens, of {n} (an entropy of {bits} "
                "bits, of at most {most}).",
                few=f"{2**shown.entropy:,.1f}",
                n=f"{d_vocab:,}",
                bits=f"{shown.entropy:.2f}",
                most=f"{math.log2(d_vocab):.1f}",
            )
        )
    return " ".join(parts)


if __name__ == "__main__":
    from viz.writing.demo_continuation import continuation

    candidate_chances(continuation(temperature=0.7, top_k=5), number=2, temperature=0.7, top_k=5).show()
