"""What a model can be asked comes from the class that its configuration names; a refusal says what it is."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers as hf
from transformers.models.auto import modeling_auto

from models.huggingface.classes import auto_class_of, capabilities_of_class, class_of
from models.huggingface.model import HuggingFaceModel, load_huggingface
from models.model import (
    LABELS_OF_TEXTS,
    LABELS_OF_TOKENS,
    MASKED_WORDS,
    NEXT_SENTENCE,
    NEXT_TOKENS,
    REPLACED_TOKENS,
    TRANSLATION,
)
from models.values.errors import MissingCapabilityError
from tests.closeness import PARITY, assert_close
from tests.models.huggingface.families import (
    COMMON,
    D_VOCAB,
    FAMILIES,
    GROUPED,
    SEQ2SEQ,
    Family,
    byte_level,
    byte_level_bare,
    save,
    unigram,
    wordpiece,
)
from tests.models.huggingface.registry import tiny_configurations

TEXT, SECOND = "The animal was tired.", "It crossed the street."
T5 = {
    "vocab_size": D_VOCAB,
    "d_model": 32,
    "d_kv": 8,
    "d_ff": 48,
    "num_layers": 2,
    "num_heads": 4,
    "pad_token_id": 0,
    "eos_token_id": 1,
    "decoder_start_token_id": 0,
    "num_labels": 3,
}
GPT2 = {
    "vocab_size": D_VOCAB,
    "n_embd": 32,
    "n_layer": 2,
    "n_head": 4,
    "n_positions": 130,
    "bos_token_id": 0,
    "eos_token_id": 0,
    "pad_token_id": 0,
}
LABELLED = SEQ2SEQ | {"num_labels": 3}
PADDED = COMMON | {"pad_token_id": 0}


def family(model_class: Any, config: hf.PreTrainedConfig, tokenizer: Callable[[], Any] = byte_level) -> Family:
    return Family(model_class=model_class, config=lambda: config, tokenizer=tokenizer)


def tiny(of: str, **said: object) -> hf.PreTrainedConfig:
    """The first tiny configuration of a family, told something besides."""
    config = next(tiny_configurations(of))
    config.update({"pad_token_id": 1, **said})
    return config


MODELS: dict[str, Family] = {
    "bart that labels": family(hf.BartForSequenceClassification, hf.BartConfig(**LABELLED)),
    "mbart that labels": family(hf.MBartForSequenceClassification, hf.MBartConfig(**LABELLED)),
    "t5 that labels": family(hf.T5ForSequenceClassification, hf.T5Config(**T5), unigram),
    "bart that finds answers": family(hf.BartForQuestionAnswering, hf.BartConfig(**SEQ2SEQ)),
    "t5 that finds answers": family(hf.T5ForQuestionAnswering, hf.T5Config(**T5), unigram),
    "the encoder of t5": family(hf.T5EncoderModel, hf.T5Config(**T5), unigram),
    "t5 that labels words": family(hf.T5ForTokenClassification, hf.T5Config(**T5), unigram),
    "the decoder of bart": family(hf.BartForCausalLM, hf.BartConfig(**SEQ2SEQ)),
    "bert that finds answers": family(hf.BertForQuestionAnswering, hf.BertConfig(**PADDED), wordpiece),
    "bert that chooses": family(hf.BertForMultipleChoice, hf.BertConfig(**PADDED), wordpiece),
    "gpt2 that finds answers": family(hf.GPT2ForQuestionAnswering, hf.GPT2Config(**GPT2), byte_level_bare),
    "gpt2 that labels": family(hf.GPT2ForSequenceClassification, hf.GPT2Config(**GPT2), byte_level_bare),
    "bert with a score": family(hf.BertForSequenceClassification, hf.BertConfig(**PADDED, num_labels=1), wordpiece),
    "bart with a score": family(hf.BartForSequenceClassification, hf.BartConfig(**SEQ2SEQ, num_labels=1)),
    "gpt2 with a score": family(hf.GPT2ForSequenceClassification, hf.GPT2Config(**GPT2, num_labels=1), byte_level_bare),
    "llama without a head": family(hf.LlamaModel, hf.LlamaConfig(**GROUPED)),
    "bert that decodes, without a head": family(hf.BertModel, hf.BertConfig(**PADDED, is_decoder=True), wordpiece),
    "llama that sees both sides": family(hf.LlamaForCausalLM, hf.LlamaConfig(**GROUPED, is_causal=False)),
    "openai-gpt": family(hf.OpenAIGPTLMHeadModel, hf.OpenAIGPTConfig(**GPT2), byte_level_bare),
    "bert that is no decoder": family(hf.BertLMHeadModel, hf.BertConfig(**PADDED), wordpiece),
    "ernie that judges": family(hf.ErnieForNextSentencePrediction, hf.ErnieConfig(**PADDED), wordpiece),
    "t5gemma that labels": family(hf.T5GemmaForSequenceClassification, tiny("t5gemma", num_labels=3)),
    "llava": family(hf.LlavaForConditionalGeneration, tiny("llava")),
    "llava without a head": family(hf.LlavaModel, tiny("llava")),
    "got_ocr2": family(hf.GotOcr2ForConditionalGeneration, tiny("got_ocr2")),
    "mllama": family(hf.MllamaForConditionalGeneration, tiny("mllama")),
}


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], HuggingFaceModel]:
    models: dict[str, HuggingFaceModel] = {}

    def open_once(name: str) -> HuggingFaceModel:
        if name not in models:
            folder = save(MODELS[name], tmp_path_factory.mktemp("model"))
            models[name] = load_huggingface(str(folder), name="my-model")
        return models[name]

    return open_once


def can(model: HuggingFaceModel) -> set[str]:
    """What a model says that it can be asked."""
    said = ("fill_mask", "judge_next_sentence", "find_replaced", "label_tokens", "label_text", "translate", "continue")
    return {each for each in said if getattr(model.info, f"can_{each}")}


EXPECTED: dict[str, tuple[set[str], tuple[str, ...]]] = {
    "bart that labels": ({"label_text"}, ("encoder", "decoder", "cross")),
    "mbart that labels": ({"label_text"}, ("encoder", "decoder", "cross")),
    "t5 that labels": ({"label_text"}, ("encoder", "decoder", "cross")),
    "bart that finds answers": (set(), ("encoder", "decoder", "cross")),
    "t5 that finds answers": (set(), ("encoder", "decoder", "cross")),
    "the encoder of t5": (set(), ("encoder",)),
    "t5 that labels words": ({"label_tokens"}, ("encoder",)),
    "the decoder of bart": ({"continue"}, ("decoder",)),
    "bert that finds answers": (set(), ("encoder",)),
    "bert that chooses": (set(), ("encoder",)),
    "gpt2 that finds answers": (set(), ("decoder",)),
    "gpt2 that labels": ({"label_text"}, ("decoder",)),
    "bert with a score": (set(), ("encoder",)),
    "bart with a score": (set(), ("encoder", "decoder", "cross")),
    "gpt2 with a score": (set(), ("decoder",)),
    "llama without a head": (set(), ("decoder",)),
    "bert that decodes, without a head": (set(), ("decoder",)),
    "llama that sees both sides": (set(), ("encoder",)),
    "openai-gpt": ({"continue"}, ("decoder",)),
    "bert that is no decoder": (set(), ("encoder",)),
    "ernie that judges": ({"judge_next_sentence"}, ("encoder",)),
    "t5gemma that labels": ({"label_text"}, ("encoder", "decoder", "cross")),
    "llava": ({"continue"}, ("decoder",)),
    "llava without a head": (set(), ("decoder",)),
    "got_ocr2": ({"continue"}, ("decoder",)),
    "mllama": ({"continue"}, ("decoder",)),  # reads more tokens than it writes
}


@pytest.mark.parametrize("name", MODELS)
def test_a_model_can_do_what_its_class_does_and_does_what_it_can(
    opened: Callable[[str], HuggingFaceModel], name: str
) -> None:
    model, (expected, kinds) = opened(name), EXPECTED[name]
    assert (can(model), model.info.kinds) == (expected, kinds)
    assert model.record(TEXT).kinds == kinds
    if "label_text" in expected:
        assert_close(model.label_text(TEXT, SECOND).probabilities.sum(), 1.0, tolerance=PARITY)
    if "label_tokens" in expected:
        assert len(model.label_tokens(TEXT).probabilities) == len(model.label_tokens(TEXT).tokens)
    if "judge_next_sentence" in expected:
        assert 0 < model.next_sentence(TEXT, SECOND) < 1
    if "continue" in expected:  # between its layers, not those of a second list that reads pictures
        assert model.layer_inputs(TEXT)[0].states.shape[:2] == (model.info.n_layers, len(model.record(TEXT).tokens))
        assert len(model.answer_logits(TEXT).choices) == model.predict_by_layer(TEXT).log_probabilities.shape[1]
        assert len(model.continue_text(TEXT, n_new=4, temperature=0).written) == 4


@pytest.mark.parametrize("name", ["bart that labels", "mbart that labels", "t5 that labels"])
def test_the_labels_of_an_encoder_decoder_are_those_of_transformers(
    opened: Callable[[str], HuggingFaceModel], name: str
) -> None:
    model, own = opened(name), None
    own = MODELS[name].model_class(MODELS[name].config()).eval()
    own.load_state_dict(model.model.state_dict())
    read = model.tokenizer(TEXT, SECOND, return_tensors="pt")
    with torch.inference_mode():
        logits = own(input_ids=read["input_ids"], attention_mask=read["attention_mask"]).logits[0]
    assert_close(model.label_text(TEXT, SECOND).probabilities, logits.softmax(-1).numpy(), tolerance=PARITY)
    assert_close(model.answer_logits(TEXT, SECOND, of="label").logits, logits.numpy(), tolerance=PARITY)


def test_the_decoder_of_a_classifier_reads_the_source_one_place_later(
    opened: Callable[[str], HuggingFaceModel],
) -> None:
    for name in ("bart that labels", "t5 that finds answers"):
        recording = opened(name).record(TEXT, SECOND)
        read = [token.text for token in recording.tokens]
        assert [token.text for token in recording.of("decoder").query_tokens][1:] == read[:-1]
        assert [token.text for token in recording.of("cross").key_tokens] == read


@pytest.mark.parametrize("name", [name for name in MODELS if name.endswith("a score")])
def test_a_model_that_gives_a_score_is_told_to_give_a_score(
    opened: Callable[[str], HuggingFaceModel], name: str
) -> None:
    model = opened(name)
    for asked in (model.answer_logits, model.label_text, model.fill_mask, model.continue_text, model.guess_tokens):
        with pytest.raises(MissingCapabilityError, match=r"^my-model gives one score for a text") as refused:
            asked(TEXT)
        assert "LM head" not in str(refused.value)


@pytest.mark.parametrize("name", ["llama without a head", "bert that decodes, without a head"])
def test_a_decoder_without_a_head_is_told_to_be_one(opened: Callable[[str], HuggingFaceModel], name: str) -> None:
    model = opened(name)
    for asked in (model.answer_logits, model.continue_text, model.guess_tokens, model.translate):
        with pytest.raises(MissingCapabilityError, match=r"it is a decoder, and its checkpoint, of the class \w+Model"):
            asked(TEXT)


@pytest.mark.parametrize("name", [name for name in MODELS if not EXPECTED[name][0]])
def test_no_refusal_calls_a_model_what_it_is_not(opened: Callable[[str], HuggingFaceModel], name: str) -> None:
    model = opened(name)
    for asked in (model.label_text, model.continue_text, model.translate, model.fill_mask, model.answer_logits):
        with pytest.raises(MissingCapabilityError) as refused:
            asked(TEXT)
        said = str(refused.value)
        assert "it is an encoder," not in said or model.info.kinds == ("encoder",)
        assert "writes a new text" not in said
        assert "it is causal" not in said
        if "answers" in name or "chooses" in name:
            assert MODELS[name].model_class.__name__ in said


def test_gpt_1_continues_as_it_does_when_it_reads_all_anew(opened: Callable[[str], HuggingFaceModel]) -> None:
    model = opened("openai-gpt")
    written = [token.token_id for token in model.continue_text(TEXT, n_new=5, temperature=0).written]
    ids = model.tokenizer(TEXT, return_tensors="pt")["input_ids"]
    for token in written:
        with torch.inference_mode():
            own: Any = model.model(input_ids=ids)
        assert int(own.logits[0, -1].argmax()) == token
        ids = torch.cat((ids, torch.tensor([[token]])), dim=1)
    assert model.guess_tokens(TEXT).next_choices[0].probability > 0


@pytest.mark.parametrize(
    "fields",
    [
        {"output_attentions": True, "attn_implementation": "sdpa"},
        {"output_attentions": True, "_attn_implementation": "flash_attention_2", "output_hidden_states": True},
        {"output_attentions": True, "return_dict": False},
        {"chunk_size_feed_forward": 5},
    ],
)
@pytest.mark.parametrize("name", ["bert", "bart"])
def test_what_a_configuration_hands_out_is_ours_to_say(name: str, fields: dict[str, object], tmp_path: Path) -> None:
    folder = save(FAMILIES[name], tmp_path)
    said = json.loads((folder / "config.json").read_text()) | fields
    (folder / "config.json").write_text(json.dumps(said))
    assert load_huggingface(str(folder), name="my-model").record(TEXT, SECOND).attention


ASKED = {
    "ForSequenceClassification": {LABELS_OF_TEXTS},
    "ForTokenClassification": {LABELS_OF_TOKENS},
    "ForMaskedLM": {MASKED_WORDS, NEXT_SENTENCE},
    "ForCausalLM": {NEXT_TOKENS},
    "LMHeadModel": {NEXT_TOKENS, MASKED_WORDS},
    "ForConditionalGeneration": {TRANSLATION, NEXT_TOKENS},
    "ForPreTraining": {MASKED_WORDS, NEXT_SENTENCE, REPLACED_TOKENS, TRANSLATION},
}
"""What at most a class may be asked, by how it is called."""
NOT_ASKED = re.compile(
    r"For(?!CausalLM|MaskedLM|PreTraining|ConditionalGeneration|SequenceCl|TokenCl|NextSentence)\w+$"
)


def test_every_class_of_transformers_is_asked_what_it_answers_and_no_more() -> None:
    tables = [table for title, table in vars(modeling_auto).items() if title.endswith("_MAPPING_NAMES")]
    named = {
        (family, each)
        for family in FAMILIES | {"mbart": 0, "led": 0, "big_bird": 0, "mt5": 0, "openai-gpt": 0, "qwen2": 0}
        for table in tables
        for each in ([table[family]] if isinstance(table.get(family), str) else table.get(family) or ())
    }
    assert len(named) > 100
    for of, each in sorted(named):
        config = hf.CONFIG_MAPPING[of](architectures=[each])
        auto_class = auto_class_of(config)
        capabilities = set(capabilities_of_class(auto_class, config))
        ending = next((ending for ending in ASKED if each.endswith(ending)), "")
        if ending:
            assert capabilities <= ASKED[ending], each
        if NOT_ASKED.search(each):
            assert not capabilities, each
        assert class_of(auto_class, config) is not None or not capabilities, each
