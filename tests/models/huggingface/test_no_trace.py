"""Neither the trial of a model nor a pass leaves a trace: a text is read as it would be by a model opened anew."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
import transformers as hf

from models.huggingface.model import HuggingFaceModel, load_huggingface
from models.recording.untouched import randomness, state_of
from models.values.errors import UnsupportedModelError
from models.values.probing.changes import Changes, HeadEdit
from tests.closeness import PARITY, assert_close
from tests.models.huggingface.families import (
    COMMON,
    FAMILIES,
    GROUPED,
    HYBRIDS,
    WEIGHTS_ALONE,
    WRITTEN_OUT,
    Family,
    byte_level,
    save,
    wordpiece,
)

SHORT = "The animal was [MASK]."
LONG = "The animal was [MASK]." + " It crossed the street to the shop, and he bought bread." * 6
BIG_BIRD = Family(
    model_class=hf.BigBirdForMaskedLM,
    config=lambda: hf.BigBirdConfig(
        attention_type="block_sparse",
        block_size=4,
        num_random_blocks=2,
        **COMMON | {"pad_token_id": 0, "max_position_embeddings": 320},
    ),
    tokenizer=wordpiece,
)
"""It reads up to 36 tokens with full attention."""
DYNAMIC = Family(
    model_class=hf.LlamaForCausalLM,
    config=lambda: hf.LlamaConfig(
        rope_parameters={"rope_type": "dynamic", "factor": 4.0, "rope_theta": 1e4},
        **GROUPED | {"max_position_embeddings": 24},
    ),
    tokenizer=byte_level,
    is_causal=True,
)
CHAMELEON = Family(
    model_class=hf.ChameleonForConditionalGeneration,
    config=lambda: hf.ChameleonConfig(
        vocabulary_map={"<image>": 5, "IMGIMGAZ": 6, "IMGIMGBZ": 7},
        vq_config={
            "embed_dim": 8,
            "num_embeddings": 4,
            "latent_channels": 8,
            "resolution": 16,
            "base_channels": 32,
            "channel_multiplier": [1],
            "num_res_blocks": 1,
        },
        **COMMON | {"num_key_value_heads": 4},
    ),
    tokenizer=byte_level,
    is_causal=True,
)
"""Its LM head keeps the list of the tokens of pictures, which it makes once, in an object beside the modules."""
OTHERS = {
    name: {**FAMILIES, **WRITTEN_OUT, **WEIGHTS_ALONE, **HYBRIDS}[name]
    for name in ("bert", "gpt2", "t5", "bloom", "gptj", "xlnet", "longformer", "lfm2")
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(BIG_BIRD, tmp_path_factory.mktemp("big_bird"))


@pytest.fixture(scope="module")
def big_bird(folder: Path) -> HuggingFaceModel:
    return load_huggingface(str(folder), name="big-bird")


def own_logits(folder: Path, text: str) -> torch.Tensor:
    """The logits [d_vocab] behind the mask, by transformers alone."""
    own = hf.BigBirdForMaskedLM.from_pretrained(folder).eval()
    tokenizer = hf.AutoTokenizer.from_pretrained(folder)
    read = tokenizer(text, return_tensors="pt")
    with torch.inference_mode():
        logits = own(**read).logits[0]
    (place,) = (read["input_ids"][0] == tokenizer.mask_token_id).nonzero()[:, 0].tolist()
    found: torch.Tensor = logits[place]
    return found


@pytest.mark.parametrize("text", [SHORT, LONG])
def test_big_bird_reads_long_texts_in_blocks_whatever_was_read_before(
    folder: Path, big_bird: HuggingFaceModel, text: str
) -> None:
    big_bird.record(SHORT)
    own = own_logits(folder, text).log_softmax(-1).numpy()
    assert_close(big_bird.masked_words(text).log_probabilities[0], own, tolerance=PARITY)


def test_the_two_attentions_of_big_bird_come_to_other_answers(folder: Path) -> None:
    sparse, full = own_logits(folder, LONG), hf.BigBirdForMaskedLM.from_pretrained(folder).eval()
    full.bert.set_attention_type("original_full")
    tokenizer = hf.AutoTokenizer.from_pretrained(folder)
    read = tokenizer(LONG, return_tensors="pt")
    with torch.inference_mode():
        logits = full(**read).logits[0][read["input_ids"][0] == tokenizer.mask_token_id][0]
    assert (logits - sparse).abs().max() > 0.1


def test_a_long_text_of_big_bird_is_not_recorded_as_if_it_were_short(big_bird: HuggingFaceModel) -> None:
    assert big_bird.record(SHORT).attention[0].has_vectors
    head = Changes(heads=(HeadEdit(kind="encoder", layer=0, head=0, by="zero"),))
    with pytest.raises(UnsupportedModelError, match=r"so long that big-bird.*Use a shorter text"):
        big_bird.record(LONG)
    with pytest.raises(UnsupportedModelError, match=r"so long that big-bird"):
        big_bird.answer_logits(LONG, changes=head)
    changed, plain = (big_bird.answer_logits(SHORT, changes=changes).logits for changes in (head, Changes()))
    assert abs(changed - plain).max() > 0.01


def test_angles_that_grow_with_the_text_are_those_of_this_text(tmp_path: Path) -> None:
    model = load_huggingface(str(save(DYNAMIC, tmp_path)), name="dynamic")
    texts = [" ".join(["street"] * n) for n in (2, 9, 4)]
    one = [model.record(text).final_state for text in texts]
    other = [model.record(text).final_state for text in reversed(texts)]
    for state, again in zip(one, reversed(other), strict=True):
        assert_close(state, again, tolerance=1e-6)


@pytest.mark.parametrize("name", ["big_bird", "dynamic", *OTHERS])
def test_reading_changes_nothing_on_a_model_and_draws_no_number(name: str, tmp_path: Path) -> None:
    families = {"big_bird": BIG_BIRD, "dynamic": DYNAMIC, **OTHERS}
    folder = save(families[name], tmp_path)
    generators = randomness()
    model = load_huggingface(str(folder), name=name)
    fresh = type(model.model).from_pretrained(folder, attn_implementation="eager", dtype=torch.float32).eval()
    assert [type(module) for module in model.model.modules()] == [type(module) for module in fresh.modules()]
    assert not any(module.training for module in model.model.modules())
    for (of, kept), (_, expected) in zip(model.model.named_buffers(), fresh.named_buffers(), strict=True):
        assert torch.equal(kept, expected), of
    before = state_of(model.model)
    model.record(SHORT.replace("[MASK]", "tired"), "An animal." if model.is_encoder_decoder else None)
    assert state_of(model.model) == before
    assert randomness() == generators


def test_the_head_of_a_model_leaves_no_trace_either(tmp_path: Path) -> None:
    model = load_huggingface(str(save(CHAMELEON, tmp_path)), name="chameleon")
    table = model.model.base_model.vocabulary_mapping
    assert "image_tokens" not in vars(table)
    before = state_of(model.model)
    model.continue_text(SHORT, n_new=1)
    model.answer_logits(SHORT)
    assert "image_tokens" not in vars(table)
    assert state_of(model.model) == before
    assert table.image_tokens
    assert state_of(model.model) != before


def test_a_change_within_a_configuration_is_seen() -> None:
    model = torch.nn.Linear(1, 1)
    model.config = hf.BertConfig(part=hf.BertConfig())
    before = state_of(model)
    assert state_of(model) == before
    model.config.part.hidden_size += 1
    assert state_of(model) != before
