"""The configurations of the models that the list offers from the hub, and tokenizers of their classes, without weights.

What stands here of a configuration is what differs from the defaults of its class in transformers, and what a test asks
for. Sources: the class in transformers 5, whose defaults are those of the base model for BERT, DistilBERT, GPT-2,
ModernBERT and T5; the papers and repositories named beside the others. The tests marked `network` hold all of it to the
hub. `small` makes a model of the real widths with few layers and a small vocabulary.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import transformers as hf
from tokenizers import processors

from tests.models.huggingface.families import byte_level, byte_level_bare, marian, unigram, wordpiece

Tokenizer = hf.PreTrainedTokenizerBase
Values = dict[str, Any]


# -- tokenizers, by the rules of their classes -------------------------------------------------------------------------


def _raw(tokenizer: Tokenizer) -> Values:
    """The model of a tokenizer that was trained on a few sentences: its vocabulary, and merges or scores."""
    found: Values = json.loads(tokenizer.backend_tokenizer.to_str())["model"]
    return found


def uncased(_folder: Path) -> Tokenizer:
    """BERT's, and those of DistilBERT and ELECTRA."""
    return hf.BertTokenizer(vocab=_raw(wordpiece())["vocab"], model_max_length=512)


def cased(_folder: Path) -> Tokenizer:
    return hf.BertTokenizer(vocab=_raw(wordpiece())["vocab"], do_lower_case=False, model_max_length=512)


def klue(_folder: Path) -> Tokenizer:
    """BERT's pieces under RoBERTa's numbers: padding is 1 (the KLUE repository)."""
    pieces = [piece for piece in _raw(wordpiece())["vocab"] if not piece.startswith("[")]
    ordered = ["[CLS]", "[PAD]", "[SEP]", "[UNK]", "[MASK]", *pieces]
    vocabulary = {piece: number for number, piece in enumerate(ordered)}
    return hf.BertTokenizer(vocab=vocabulary, do_lower_case=False, model_max_length=512)


def _merges() -> Values:
    raw = _raw(byte_level())
    return {"vocab": raw["vocab"], "merges": [tuple(merge) for merge in raw["merges"]]}


def roberta(_folder: Path) -> Tokenizer:
    return hf.RobertaTokenizer(**_merges(), model_max_length=512)


def bart(_folder: Path) -> Tokenizer:
    return hf.RobertaTokenizer(**_merges(), model_max_length=1024)


def gpt2(_folder: Path) -> Tokenizer:
    return hf.GPT2Tokenizer(**_merges(), model_max_length=1024)


def qwen(_folder: Path) -> Tokenizer:
    return hf.Qwen2Tokenizer(**_merges(), model_max_length=131_072)


def kogpt2(_folder: Path) -> Tokenizer:
    """A tokenizer.json of its own, without a template for special tokens."""
    return byte_level_bare()


def modernbert(_folder: Path) -> Tokenizer:
    """GPT-NeoX's bytes with BERT's special tokens at the end of the vocabulary (Warner et al. 2024, section 2.1)."""
    made = hf.PreTrainedTokenizerFast(
        tokenizer_object=byte_level_bare().backend_tokenizer.from_str(
            byte_level_bare().backend_tokenizer.to_str()  # a copy: the other one is shared
        ),
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        pad_token="[PAD]",
        mask_token="[MASK]",
        model_max_length=8192,
    )
    made.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B [SEP]",
        special_tokens=[("[CLS]", made.cls_token_id), ("[SEP]", made.sep_token_id)],
    )
    return made


def _scored(*special: str, behind: tuple[str, ...] = ()) -> list[tuple[str, float]]:
    """The pieces of a Unigram with their scores, special tokens before and behind them."""
    pieces = [(str(piece), float(score)) for piece, score in _raw(unigram())["vocab"][3:]]
    return [*((token, 0.0) for token in special), *pieces, *((token, 0.0) for token in behind)]


def xlm_roberta(_folder: Path) -> Tokenizer:
    vocabulary = _scored("<s>", "<pad>", "</s>", "<unk>", behind=("<mask>",))
    return hf.XLMRobertaTokenizer(vocab=vocabulary, model_max_length=512)


def albert(_folder: Path) -> Tokenizer:
    return hf.AlbertTokenizer(vocab=_scored("<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]"), model_max_length=512)


def t5(_folder: Path) -> Tokenizer:
    return hf.T5Tokenizer(vocab=_scored("<pad>", "</s>", "<unk>"), model_max_length=512)


# -- configurations ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Real:
    """A model of the list: its family, the class it was saved from, and what its configuration says beside defaults.

    `n_layers` of its first stack, `n_heads`, `n_kv_heads`, `d_model`, `d_ff` and `max_tokens` are those that papers and
    cards name; `millions` are parameters, with what sits on top. `begins` and `ends` are the special tokens around a
    text, `mask` what stands for a hidden word, "" where there is none. `can` are the fields of ModelInfo that are true.
    """

    family: str
    architecture: str
    values: Values
    tokenizer: Callable[[Path], Tokenizer]
    n_layers: int = 12
    n_heads: int = 12
    n_kv_heads: int = 12
    d_model: int = 768
    d_ff: int = 3072
    max_tokens: int = 512
    millions: float
    begins: str
    ends: str
    mask: str = ""
    can: tuple[str, ...] = ("can_fill_mask",)


BASE: Values = {
    "hidden_size": 768,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "intermediate_size": 3072,
}
ROBERTA: Values = BASE | {
    "max_position_embeddings": 514,
    "type_vocab_size": 1,
    "layer_norm_eps": 1e-5,
    "bos_token_id": 0,
    "pad_token_id": 1,
    "eos_token_id": 2,
}
OPUS: Values = {
    "d_model": 512,
    "encoder_layers": 6,
    "decoder_layers": 6,
    "encoder_attention_heads": 8,
    "decoder_attention_heads": 8,
    "encoder_ffn_dim": 2048,
    "decoder_ffn_dim": 2048,
    "max_position_embeddings": 512,
    "activation_function": "swish",
    "scale_embedding": True,
}
BOTH = ("can_fill_mask", "can_judge_next_sentence")
BERT_MARKS: Values = {"begins": "[CLS]", "ends": "[SEP]", "mask": "[MASK]"}
ROBERTA_MARKS: Values = {"begins": "<s>", "ends": "</s>", "mask": "<mask>"}
OPUS_SIZES: Values = {"n_layers": 6, "n_heads": 8, "n_kv_heads": 8, "d_model": 512, "d_ff": 2048}

REAL: dict[str, Real] = {
    "google-bert/bert-base-uncased": Real(
        family="bert",
        architecture="BertForMaskedLM",
        values=BASE | {"vocab_size": 30_522},
        tokenizer=uncased,
        millions=110,
        can=BOTH,
        **BERT_MARKS,
    ),
    "google-bert/bert-base-cased": Real(
        family="bert",
        architecture="BertForMaskedLM",
        values=BASE | {"vocab_size": 28_996},
        tokenizer=cased,
        millions=109,
        can=BOTH,
        **BERT_MARKS,
    ),
    "google-bert/bert-large-uncased": Real(  # Devlin et al. 2018, section 3
        family="bert",
        architecture="BertForMaskedLM",
        tokenizer=uncased,
        values={
            "hidden_size": 1024,
            "num_hidden_layers": 24,
            "num_attention_heads": 16,
            "intermediate_size": 4096,
            "vocab_size": 30_522,
        },
        n_layers=24,
        n_heads=16,
        n_kv_heads=16,
        d_model=1024,
        d_ff=4096,
        millions=336,
        can=BOTH,
        **BERT_MARKS,
    ),
    "google-bert/bert-base-multilingual-cased": Real(  # google-research/bert, multilingual.md
        family="bert",
        architecture="BertForMaskedLM",
        values=BASE | {"vocab_size": 119_547},
        tokenizer=cased,
        millions=179,
        can=BOTH,
        **BERT_MARKS,
    ),
    "klue/bert-base": Real(  # Park et al. 2021, "KLUE", section 4: 32,000 pieces
        family="bert",
        architecture="BertForMaskedLM",
        values=BASE | {"vocab_size": 32_000},
        tokenizer=cased,
        millions=111,
        can=BOTH,
        **BERT_MARKS,
    ),
    "klue/roberta-base": Real(
        family="roberta",
        architecture="RobertaForMaskedLM",
        values=ROBERTA | {"vocab_size": 32_000},
        tokenizer=klue,
        millions=111,
        **BERT_MARKS,
    ),
    "monologg/koelectra-base-v3-discriminator": Real(  # monologg/KoELECTRA, README: 35,000 pieces, as ELECTRA base
        family="electra",
        architecture="ElectraForPreTraining",
        tokenizer=cased,
        values=BASE | {"vocab_size": 35_000, "embedding_size": 768},
        millions=113,
        can=("can_find_replaced",),
        **BERT_MARKS,
    ),
    "distilbert/distilbert-base-uncased": Real(
        family="distilbert",
        architecture="DistilBertForMaskedLM",
        values={"vocab_size": 30_522},
        tokenizer=uncased,
        n_layers=6,
        millions=67,
        **BERT_MARKS,
    ),
    "FacebookAI/roberta-base": Real(  # Liu et al. 2019; fairseq counts positions from 2, hence 514
        family="roberta",
        architecture="RobertaForMaskedLM",
        values=ROBERTA | {"vocab_size": 50_265},
        tokenizer=roberta,
        millions=125,
        **ROBERTA_MARKS,
    ),
    "FacebookAI/xlm-roberta-base": Real(  # Conneau et al. 2019, table 5: 250,000 pieces
        family="xlm-roberta",
        architecture="XLMRobertaForMaskedLM",
        values=ROBERTA | {"vocab_size": 250_002},
        tokenizer=xlm_roberta,
        millions=278,
        **ROBERTA_MARKS,
    ),
    "albert/albert-base-v2": Real(  # Lan et al. 2019, table 1: 12 million, with 12 layers that are one
        family="albert",
        architecture="AlbertForMaskedLM",
        tokenizer=albert,
        millions=11.2,
        values=BASE | {"vocab_size": 30_000, "embedding_size": 128, "num_hidden_groups": 1, "inner_group_num": 1},
        **BERT_MARKS,
    ),
    "google/electra-base-discriminator": Real(  # Clark et al. 2020, table 6
        family="electra",
        architecture="ElectraForPreTraining",
        tokenizer=uncased,
        values=BASE | {"vocab_size": 30_522, "embedding_size": 768},
        millions=109,
        can=("can_find_replaced",),
        **BERT_MARKS,
    ),
    "answerdotai/ModernBERT-base": Real(  # Warner et al. 2024, table 4
        family="modernbert",
        architecture="ModernBertForMaskedLM",
        tokenizer=modernbert,
        values={
            "vocab_size": 50_368,
            "hidden_size": 768,
            "num_hidden_layers": 22,
            "num_attention_heads": 12,
            "intermediate_size": 1152,
            "local_attention": 128,
            "max_position_embeddings": 8192,
        },
        n_layers=22,
        d_ff=1152,
        max_tokens=4096,
        millions=149,
        **BERT_MARKS,
    ),
    "openai-community/gpt2": Real(  # Radford et al. 2019, table 2, the smallest
        family="gpt2",
        architecture="GPT2LMHeadModel",
        values={"vocab_size": 50_257, "n_positions": 1024},
        tokenizer=gpt2,
        max_tokens=1024,
        millions=124,
        begins="",
        ends="",
        can=("can_continue",),
    ),
    "Qwen/Qwen2.5-0.5B": Real(  # Qwen2.5 technical report 2024, table 1
        family="qwen2",
        architecture="Qwen2ForCausalLM",
        tokenizer=qwen,
        values={
            "vocab_size": 151_936,
            "hidden_size": 896,
            "num_hidden_layers": 24,
            "num_attention_heads": 14,
            "num_key_value_heads": 2,
            "intermediate_size": 4864,
            "tie_word_embeddings": True,
            "max_position_embeddings": 32_768,
        },
        n_layers=24,
        n_heads=14,
        n_kv_heads=2,
        d_model=896,
        d_ff=4864,
        max_tokens=4096,
        millions=494,
        begins="",
        ends="",
        can=("can_continue",),
    ),
    "skt/kogpt2-base-v2": Real(  # SKT-AI/KoGPT2, README: 51,200 pieces
        family="gpt2",
        architecture="GPT2LMHeadModel",
        values={"vocab_size": 51_200, "n_positions": 1024},
        tokenizer=kogpt2,
        max_tokens=1024,
        millions=125,
        begins="",
        ends="",
        can=("can_continue",),
    ),
    "google-t5/t5-small": Real(  # Raffel et al. 2019, section 3.7; 128 dimensions a head are 64 here
        family="t5",
        architecture="T5ForConditionalGeneration",
        tokenizer=t5,
        values={"vocab_size": 32_128, "decoder_start_token_id": 0},
        n_layers=6,
        n_heads=8,
        n_kv_heads=8,
        d_model=512,
        d_ff=2048,
        millions=60.5,
        begins="",
        ends="</s>",
        can=("can_translate",),
    ),
    "facebook/bart-base": Real(  # Lewis et al. 2019, section 2; the configuration names the body alone
        family="bart",
        architecture="BartModel",
        tokenizer=bart,
        values={
            "vocab_size": 50_265,
            "d_model": 768,
            "encoder_layers": 6,
            "decoder_layers": 6,
            "encoder_attention_heads": 12,
            "decoder_attention_heads": 12,
            "encoder_ffn_dim": 3072,
            "decoder_ffn_dim": 3072,
            "max_position_embeddings": 1024,
        },
        n_layers=6,
        max_tokens=1024,
        millions=139,
        can=("can_translate",),
        **ROBERTA_MARKS,
    ),
    "Helsinki-NLP/opus-mt-en-es": Real(  # Tiedemann & Thottingal 2020: transformer-align, 6 + 6 layers, 8 heads
        family="marian",
        architecture="MarianMTModel",
        tokenizer=marian,
        values=OPUS
        | {
            "vocab_size": 65_001,
            "decoder_vocab_size": 65_001,
            "pad_token_id": 65_000,
            "decoder_start_token_id": 65_000,
        },
        millions=78,
        begins="",
        ends="</s>",
        can=("can_translate",),
        **OPUS_SIZES,
    ),
    "Helsinki-NLP/opus-mt-ko-en": Real(
        family="marian",
        architecture="MarianMTModel",
        tokenizer=marian,
        values=OPUS
        | {
            "vocab_size": 65_001,
            "decoder_vocab_size": 65_001,
            "pad_token_id": 65_000,
            "decoder_start_token_id": 65_000,
        },
        millions=78,
        begins="",
        ends="</s>",
        can=("can_translate",),
        **OPUS_SIZES,
    ),
}

FEW_LAYERS = 2
GLOBAL_EVERY = 3
"""Every third layer of ModernBERT looks everywhere: fewer than four layers would not show both kinds."""


def configuration(real: Real, **changes: object) -> hf.PreTrainedConfig:
    """The configuration of a model of the list."""
    made: hf.PreTrainedConfig = hf.AutoConfig.for_model(
        real.family, **real.values | {"architectures": [real.architecture]} | changes
    )
    return made


def small(real: Real, tokenizer: Tokenizer) -> hf.PreTrainedConfig:
    """The same with few layers, for the words of a small tokenizer and under its numbers for special tokens."""
    n_layers = GLOBAL_EVERY + 1 if real.family == "modernbert" else FEW_LAYERS
    layers = {"encoder_layers": n_layers, "decoder_layers": n_layers} if "encoder_layers" in real.values else {}
    if not layers:
        name = {"gpt2": "n_layer", "distilbert": "n_layers", "t5": "num_layers"}.get(real.family, "num_hidden_layers")
        layers = {name: n_layers}
    if real.family == "t5":
        layers["num_decoder_layers"] = n_layers
    d_vocab = max(tokenizer.get_vocab().values()) + 1
    marks = {
        f"{name}_token_id": found
        for name in ("pad", "bos", "eos", "cls", "sep")
        if (found := getattr(tokenizer, f"{name}_token_id")) is not None
    }
    if real.family in {"t5", "marian"}:
        marks["decoder_start_token_id"] = tokenizer.pad_token_id
    return configuration(real, **layers, **marks, vocab_size=d_vocab, **_decoder_vocabulary(real, d_vocab))


def _decoder_vocabulary(real: Real, d_vocab: int) -> Values:
    return {"decoder_vocab_size": d_vocab} if "decoder_vocab_size" in real.values else {}
