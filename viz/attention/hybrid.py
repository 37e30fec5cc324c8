"""Notes about hybrid models: which of a model's own layers are shown, and which have no attention."""

from __future__ import annotations

from models.values.record import ModelInfo
from viz.kit.language import tr, trn
from viz.kit.sentences import join_list
from viz.kit.tokens import visible


def other_layers_note(info: ModelInfo) -> str:
    """Return a note on which layers of a hybrid model are shown, by its own numbering; empty for other models."""
    if info.layer_numbers:
        return trn(
            "{model} has attention in one of its layers only: Layer 0 here is its own layer {numbers}. Its others have "
            "none (a recurrent state, a convolution or a feed-forward network instead), and are not shown.",
            "{model} has attention in some of its layers only: Layers 0 to {last} here are its own layers {numbers}. "
            "Its others have none (a recurrent state, a convolution or a feed-forward network instead), and are not "
            "shown.",
            info.n_layers,
            model=visible(info.public_name),
            last=info.n_layers - 1,
            numbers=join_list(info.layer_numbers),
        )
    if info.mixes_otherwise:
        return tr(
            "In the layers of {model}, something reaches a token beside the attention, too (a recurrent state or a "
            "convolution), which is not shown.",
            model=visible(info.public_name),
        )
    return ""
