"""The scratch encoder beside the Hugging Face BERT with the same weights, and the parts of it beside the papers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import BertConfig, BertForPreTraining, BertModel

from models.checkpoints.bert import load_checkpoint, save_checkpoint
from models.recording.assemble import records_from_calls
from models.recording.recorder import recording
from models.scratch.attention import mask_to_bias
from models.scratch.config import TransformerConfig
from models.scratch.positions import sinusoidal_encoding
from models.scratch.pretraining import PretrainingModel
from models.values.errors import ModelLoadError
from models.values.record import Token
from tests.closeness import PARITY, assert_close

TINY = TransformerConfig(d_vocab=97, d_model=48, n_layers=3, n_heads=4, d_ff=80, max_tokens=32)
VARIANTS = [
    TINY,
    replace(TINY, norm="pre"),
    replace(TINY, positions="sinusoidal", activation="relu", n_segments=0),
    replace(TINY, norm="pre", positions="sinusoidal", activation="relu", n_segments=0),
]


def randomised(model: torch.nn.Module) -> torch.nn.Module:
    """Every weight far from its usual start, norms and biases too, so that a swapped or unused one shows."""
    torch.manual_seed(7)
    with torch.no_grad():
        for weight in model.parameters():
            weight.copy_(torch.randn_like(weight) * 0.25 + (0.75 if weight.dim() == 1 else 0))
    return model.eval()


def batch() -> dict[str, torch.Tensor]:
    """Two pairs of sentences; the second one is shorter and padded."""
    random = torch.Generator().manual_seed(3)
    mask = torch.ones(2, 20, dtype=torch.bool)
    mask[1, 13:] = False
    segments = (torch.arange(20) >= 9).long().expand(2, -1)
    return {"ids": torch.randint(5, 97, (2, 20), generator=random), "segments": segments, "mask": mask}


def huggingface_outputs(model: BertForPreTraining, ids, segments, mask):
    with torch.inference_mode():
        return model(ids, token_type_ids=segments, attention_mask=mask.long(), output_hidden_states=True)


def assert_same(scratch: PretrainingModel, theirs: BertForPreTraining) -> None:
    given = batch()
    expected = huggingface_outputs(theirs, **given)
    with torch.inference_mode():
        ours = scratch(given["ids"], given["segments"], given["mask"])
    real = given["mask"]
    for mine, other in zip(ours.hidden_states, expected.hidden_states, strict=True):
        assert_close(mine[real], other[real], tolerance=PARITY)
    assert_close(ours.mlm[real], expected.prediction_logits[real], tolerance=PARITY)
    assert_close(ours.nsp, expected.seq_relationship_logits, tolerance=PARITY)


@pytest.fixture
def theirs() -> BertForPreTraining:
    config = BertConfig(
        vocab_size=97,
        hidden_size=48,
        num_hidden_layers=3,
        num_attention_heads=4,
        intermediate_size=80,
        max_position_embeddings=32,
    )
    return randomised(BertForPreTraining(config))


def test_a_hugging_face_bert_gives_the_same_numbers_here(theirs: BertForPreTraining, tmp_path: Path) -> None:
    theirs.save_pretrained(tmp_path)
    assert_same(load_checkpoint(tmp_path), theirs)


def test_a_bert_of_ours_gives_the_same_numbers_there(tmp_path: Path) -> None:
    ours = randomised(PretrainingModel(TINY))
    save_checkpoint(ours, tmp_path)
    opened, report = BertForPreTraining.from_pretrained(tmp_path, output_loading_info=True)
    assert not report["missing_keys"]
    assert not report["unexpected_keys"]
    assert_same(ours, opened.eval())


def test_a_bare_encoder_opens_without_heads(theirs: BertForPreTraining, tmp_path: Path) -> None:
    bare = randomised(BertModel(theirs.config, add_pooling_layer=False))
    bare.save_pretrained(tmp_path)
    opened = load_checkpoint(tmp_path)
    assert opened.mlm is None
    assert opened.nsp is None
    given = batch()
    with torch.inference_mode():
        expected = bare(given["ids"], token_type_ids=given["segments"]).last_hidden_state
        ours = opened(given["ids"], given["segments"]).hidden_states[-1]
    assert_close(ours, expected, tolerance=PARITY)


def test_half_precision_weights_survive_a_round_trip(tmp_path: Path) -> None:
    ours = randomised(PretrainingModel(TINY))
    save_checkpoint(ours, tmp_path, torch.float16)
    for name, weight in load_checkpoint(tmp_path).state_dict().items():
        assert weight.dtype == torch.float32
        assert torch.equal(weight, ours.state_dict()[name].half().float()), name


@pytest.mark.parametrize(
    ("file", "content"),
    [("config.json", "{"), ("config.json", '{"model_type": "gpt2"}'), ("model.safetensors", "nonsense")],
)
def test_a_broken_folder_is_named(tmp_path: Path, file: str, content: str) -> None:
    save_checkpoint(PretrainingModel(TINY), tmp_path)
    (tmp_path / file).write_text(content)
    with pytest.raises(ModelLoadError, match=tmp_path.name):
        load_checkpoint(tmp_path)


@pytest.mark.parametrize(
    "change",
    [{"norm": "pre"}, {"embedding_norm": False}, {"final_norm": True}, {"activation": "gelu_tanh"}, {"n_segments": 0}],
    ids=lambda change: next(iter(change)),
)
def test_other_architectures_do_not_fit_the_layout_of_bert(change: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="the layout of BERT"):
        save_checkpoint(PretrainingModel(replace(TINY, **change)), tmp_path)


@pytest.mark.parametrize("config", VARIANTS, ids=lambda c: f"{c.norm}-{c.positions}-{c.activation}")
def test_padding_changes_nothing(config: TransformerConfig) -> None:
    model = randomised(PretrainingModel(config))
    ids = batch()["ids"][:1, :11]
    padded = torch.cat((ids, torch.zeros(1, 6, dtype=torch.long)), dim=1)
    with torch.inference_mode():
        alone = model(ids).mlm
        beside = model(padded, None, padded != 0).mlm[:, :11]
    assert_close(beside, alone)


@pytest.mark.parametrize("config", VARIANTS, ids=lambda c: f"{c.norm}-{c.positions}-{c.activation}")
def test_what_is_recorded_rebuilds_what_the_layers_computed(config: TransformerConfig) -> None:
    model = randomised(PretrainingModel(config))
    ids = batch()["ids"][:1]
    inputs: list[torch.Tensor] = []
    hooks = [
        layer.attention.output.register_forward_pre_hook(lambda _, given: inputs.append(given[0]))
        for layer in model.encoder.layers
    ]
    with torch.inference_mode(), recording() as calls:
        model(ids)
    for hook in hooks:
        hook.remove()
    tokens = tuple(Token(text=str(i)) for i in range(20))
    (record,) = records_from_calls(calls, name="tiny", tokens={"encoder": tokens}, n_layers={"encoder": 3})
    for layer in range(3):
        heads = [record.head_output(layer, head) for head in range(4)]
        assert_close(np.concatenate(heads, axis=-1), inputs[layer][0].numpy())
        assert_close(record.layer_weights(layer).sum(axis=-1), 1)


@pytest.mark.parametrize("config", VARIANTS, ids=lambda c: f"{c.norm}-{c.positions}-{c.activation}")
def test_every_weight_learns(config: TransformerConfig) -> None:
    model = randomised(PretrainingModel(config)).train()
    given = batch()
    output = model(given["ids"], given["segments"] if config.n_segments else None, given["mask"])
    (output.mlm[given["mask"]].square().mean() + output.nsp.square().mean()).backward()
    # A bias of the keys shifts all scores of a row alike, which the softmax takes away again: it cannot learn.
    still = [
        name
        for name, weight in model.named_parameters()
        if not name.endswith("key.bias") and (weight.grad is None or not weight.grad.any())
    ]
    assert not still


def test_without_positions_order_is_invisible() -> None:
    model = randomised(PretrainingModel(TINY))
    with torch.no_grad():
        model.encoder.embeddings.position.weight.zero_()
    ids = batch()["ids"][:1]
    order = torch.randperm(20, generator=torch.Generator().manual_seed(1))
    with torch.inference_mode():
        straight, shuffled = model(ids).mlm, model(ids[:, order]).mlm
    assert_close(shuffled, straight[:, order])


def test_sinusoids_follow_the_formula_and_shift_by_rotation() -> None:
    encoding = sinusoidal_encoding(50, 16)
    for position in (0, 1, 49):
        for i in range(8):
            angle = position / 10000 ** (2 * i / 16)
            assert_close(encoding[position, 2 * i].item(), np.sin(angle))
            assert_close(encoding[position, 2 * i + 1].item(), np.cos(angle))
    products = encoding @ encoding.T
    assert_close(products[3:43, 10:50].diagonal(), products[0, 7].expand(40))


def test_a_hidden_token_keeps_no_weight_at_all() -> None:
    bias = mask_to_bias(torch.tensor([True, False, True]))
    assert torch.softmax(torch.tensor([0.0, 50.0, 1.0]) + bias, dim=-1)[1].item() == 0


def test_too_many_tokens_are_named() -> None:
    with pytest.raises(ValueError, match="33 tokens were given, but this model has 32"):
        PretrainingModel(TINY)(torch.ones(1, 33, dtype=torch.long))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("d_model", 50),
        ("n_layers", 0),
        ("norm", "middle"),
        ("positions", "none"),
        ("activation", "tanh"),
        ("embedding_norm", None),
        ("final_norm", "yes"),
        ("dropout", 1),
    ],
)
def test_a_configuration_that_cannot_be_built_names_its_field(field: str, value: object) -> None:
    with pytest.raises(ValueError, match=field):
        replace(TINY, **{field: value})
