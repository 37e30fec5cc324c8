"""What a model of transformers computes by its own, plainly written attention, beside what was recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch

from models.huggingface.classes import auto_class_of
from models.huggingface.model import HuggingFaceModel
from models.values.record import AttentionRecord, Kind, Recording
from tests.closeness import assert_close

OF_BOTH: dict[Kind, str] = {
    "encoder": "encoder_attentions",
    "decoder": "decoder_attentions",
    "cross": "cross_attentions",
}
TOLERANCE = 1e-5


def expect_own_weights(model: HuggingFaceModel, source: str | Path, recording: Recording) -> float:
    """The largest difference of a recorded weight from the one of eager attention, which is at most TOLERANCE.

    `source` is where the model was opened from.
    """
    own = auto_class_of(model.model.config).from_pretrained(
        source, attn_implementation="eager", dtype=torch.float32, local_files_only=True
    )
    own.eval()
    with torch.inference_mode():
        output = own(**_inputs(model, recording), output_attentions=True, use_cache=False)
    largest = 0.0
    for record in recording.attention:
        theirs = output[OF_BOTH[record.kind]] if own.config.is_encoder_decoder else output["attentions"]
        assert len(theirs) == record.n_layers
        for layer in range(record.n_layers):
            weights = record.layer_weights(layer)
            assert_close(weights, theirs[layer][0].numpy(), tolerance=TOLERANCE, magnitude=1)
            expect_whole_rows(record, layer)
            largest = max(largest, float(np.abs(weights - theirs[layer][0].numpy()).max()))
    return largest


def expect_whole_rows(record: AttentionRecord, layer: int) -> None:
    """The weights of every row of a layer are finite, and sum to 1 with the share of the sink."""
    weights = record.layer_weights(layer)
    assert np.isfinite(weights).all()
    sinks = np.stack([record.sink_shares(layer, head) for head in range(record.n_heads)])
    assert_close(weights.sum(axis=-1) + sinks, 1, tolerance=TOLERANCE, magnitude=1)
    assert bool((sinks > 0).all()) == record.has_sinks(layer)


def _inputs(model: HuggingFaceModel, recording: Recording) -> dict[str, Any]:
    """The same ids, by the texts of the recorded tokens."""
    tokenizer, kinds = model.tokenizer, recording.kinds
    ids = _ids(tokenizer, [token.text for token in recording.tokens])
    given: dict[str, Any] = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
    if "cross" in kinds:
        given["decoder_input_ids"] = _ids(tokenizer, [token.text for token in recording.of("cross").query_tokens])
    return given


def _ids(tokenizer: Any, texts: list[str]) -> torch.Tensor:
    return torch.tensor([tokenizer.convert_tokens_to_ids(texts)])
