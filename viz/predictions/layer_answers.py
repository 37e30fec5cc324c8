"""The answer after every layer in numbers: the likeliest pieces of each, their probabilities and ranks, as a table."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from models.values.answers import LayerwisePrediction
from models.values.wording import Message, to_say, worded
from viz.kit.tokens import spelled_apart, visible


def best_ids(prediction: LayerwisePrediction, top_k: int) -> tuple[int, ...]:
    """Return the ids of the final answer's best pieces: the usual argument of `answer_by_layer`."""
    return tuple(best_of_layers(prediction, top_k)[-1].tolist())


def best_of_layers(prediction: LayerwisePrediction, top_k: int) -> NDArray[np.intp]:
    """Return the ids of the likeliest pieces after the embeddings and every layer [n_layers + 1, top_k], best first."""
    best: NDArray[np.intp] = np.argsort(-prediction.log_probabilities, axis=1, kind="stable")[:, :top_k]
    return best


def probabilities_of(prediction: LayerwisePrediction, ids: NDArray[np.intp]) -> NDArray[np.float32]:
    """Return the probabilities of the pieces `ids` [n_layers + 1, n], each after its own layer."""
    chances: NDArray[np.float32] = np.exp(np.take_along_axis(prediction.log_probabilities, ids, axis=1))
    return chances


def words_of(prediction: LayerwisePrediction, ids: NDArray[np.intp]) -> list[tuple[str, ...]]:
    """Return the pieces `ids` [n_layers + 1, n] as people read them. NOT escaped for HTML."""
    return [spelled_apart([prediction.vocabulary[one] for one in row]) for row in ids]


def final_ranks(prediction: LayerwisePrediction) -> NDArray[np.intp]:
    """Return the rank of every piece in the final answer, 1 for the likeliest; ties share the better rank."""
    answer = prediction.log_probabilities[-1]
    ranks: NDArray[np.intp] = 1 + np.searchsorted(np.sort(-answer), -answer, side="left")
    return ranks


def state_names(prediction: LayerwisePrediction) -> list[Message]:
    """Return "Embeddings", "Layer 0", "Layer 1", ..., to be translated where they are shown."""
    layers = (worded("Layer {layer}", layer=layer) for layer in range(prediction.info.n_layers))
    return [to_say("Embeddings"), *layers]


def layer_table(prediction: LayerwisePrediction, *, top_k: int) -> pd.DataFrame:
    """Return the columns after, rank, word, piece, probability, final_rank: `top_k` rows for the embeddings and every
    layer."""
    ids = best_of_layers(prediction, top_k)
    words, chances = words_of(prediction, ids), probabilities_of(prediction, ids)
    names, ranks = state_names(prediction), final_ranks(prediction)
    return pd.DataFrame(
        {
            "after": str(names[state]),
            "rank": rank + 1,
            "word": words[state][rank],
            "piece": visible(prediction.vocabulary[int(ids[state, rank])]),
            "probability": float(chances[state, rank]),
            "final_rank": int(ranks[ids[state, rank]]),
        }
        for state, rank in np.ndindex(*ids.shape)
    )
