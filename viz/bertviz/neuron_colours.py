"""Colours of the neuron view: scaled to the range of the head that is shown, scores around their mean.

bertviz lets the strength of a colour be tanh(|x| / 4), whatever x is (neuron_view.js, `updateVectors` and
`updateDotProducts`). From about 8 on that is full: where one dimension adds much to every score, the whole column q · k
gets one colour, though the softmax sees nothing but the differences; and beside a product of 50 one of 0.5 is white.
Here a strength is the square root of |x| / end, with an end of its own for each kind of number.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

from models.values.arguments.check import check_arguments
from models.values.record import Array, AttentionRecord
from viz.kit.errors import expect_vectors
from viz.kit.language import tr
from viz.kit.theme import colour_end


@dataclass(frozen=True, slots=True, kw_only=True)
class NeuronColours:
    """The values at which the colours of a head are full: `queries`, `keys`, their `product` element by element, and
    `dotproducts`, which are scale · q · k minus `means` [n_query], the mean over the keys that a query may see."""

    queries: float
    keys: float
    product: float
    dotproducts: float
    means: Array

    @property
    def ends(self) -> dict[str, float]:
        """The values of full colour, by bertviz' names for its columns."""
        return {name: float(end) for name, end in asdict(self).items() if name != "means"}


@check_arguments
def neuron_colours(record: AttentionRecord, *, layer: int, head: int) -> NeuronColours:
    """Return the colours of one head; a colour is full at the largest value, or before it if there are outliers. Raises
    PictureError for a record of weights alone."""
    expect_vectors(record)
    query, key = record.query[layer, head], record.key[layer, head]
    visible = ~np.isneginf(record.scores(layer, head))  # [n_query, n_key]
    scaled = np.float32(record.scale[layer]) * (query @ key.T)  # [n_query, n_key]
    means = np.where(visible, scaled, 0).sum(axis=1) / np.maximum(visible.sum(axis=1), 1)  # [n_query]
    products = query[:, None] * key  # [n_query, n_key, d_head]
    return NeuronColours(
        queries=colour_end(query),
        keys=colour_end(key),
        product=colour_end(products[visible]),
        dotproducts=colour_end((scaled - means[:, None])[visible]),
        means=means.astype(np.float32),
    )


def colours_in_words(colours: NeuronColours) -> str:
    """Explain the colours of the view in a paragraph, with the values at which they are full."""
    return tr(
        "Blue is positive, orange negative. Colours follow the square root of a number, so small numbers show up "
        "beside large ones. They are full at {queries} for queries, {keys} for keys and {product} for q × k. The "
        "column q · k shows how far each score is above or below the mean of the keys in view, and is full at "
        "{scores}: what all keys share changes no weight.",
        queries=f"{colours.queries:.3g}",
        keys=f"{colours.keys:.3g}",
        product=f"{colours.product:.3g}",
        scores=f"{colours.dotproducts:.3g}",
    )
