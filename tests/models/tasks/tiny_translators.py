"""Checkpoint folders of tiny translators of many languages, of every way to tell them: random weights, drawn wide."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import transformers as hf
from transformers.models.mbart.tokenization_mbart import FAIRSEQ_LANGUAGE_CODES as MBART_CODES
from transformers.models.mbart50.tokenization_mbart50 import FAIRSEQ_LANGUAGE_CODES as MBART50_CODES

from tests.models.huggingface.families import D_VOCAB, SEQ2SEQ, marian, unigram
from tests.models.text.zoo import CORPUS, _sentencepiece, m2m100

Tokenizer = hf.PreTrainedTokenizerBase
LETTERS = sorted(set("".join(CORPUS)) - {" "})
MERGES = [("▁", "t"), ("▁t", "h"), ("▁th", "e")]
JOINED = ("▁t", "▁th", "▁the")
WITHOUT_START = {name: value for name, value in SEQ2SEQ.items() if name != "decoder_start_token_id"}
TASKS = {
    "summarization": {"prefix": "summarize: ", "num_beams": 4},
    "translation_en_to_de": {"prefix": "translate English to German: "},
    "translation_en_to_fr": {"prefix": "translate English to French: "},
}
"""As T5's configuration lists them."""


def _nllb(_folder: Path) -> Tokenizer:
    pieces = ["<s>", "<pad>", "</s>", "<unk>", "▁", *LETTERS, *JOINED]
    return hf.NllbTokenizer(vocab={piece: number for number, piece in enumerate(pieces)}, merges=MERGES)


def _unigram_pieces(codes: list[str]) -> list[tuple[str, float]]:
    known = ["<s>", "<pad>", "</s>", "<unk>"]
    scored = [("▁", -2.0), *((letter, -5.0) for letter in LETTERS), ("▁the", -3.0)]
    return [*((each, 0.0) for each in known), *scored, *((code, 0.0) for code in codes), ("<mask>", 0.0)]


def _seamless(_folder: Path) -> Tokenizer:
    pieces = ["<pad>", "<unk>", "<s>", "</s>", "▁", *LETTERS, *JOINED]
    codes = [f"__{code}__" for code in ("eng", "fra", "kor", "deu")]
    numbered = {piece: number for number, piece in enumerate(pieces)}
    return hf.SeamlessM4TTokenizer(vocab=numbered, merges=MERGES, additional_special_tokens=codes)


def _marian(folder: Path) -> Tokenizer:
    marian(folder)
    vocabulary = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))
    vocabulary |= {tag: len(vocabulary) + at for at, tag in enumerate((">>deu<<", ">>fra<<", ">>kor_Hang<<"))}
    (folder / "vocab.json").write_text(json.dumps(vocabulary), encoding="utf-8")
    spm = {name: str(folder / f"{name.removesuffix('_spm')}.spm") for name in ("source_spm", "target_spm")}
    return hf.MarianTokenizer(vocab=str(folder / "vocab.json"), **spm)


def _madlad(folder: Path) -> Tokenizer:
    unigram().save_pretrained(folder)
    tokenizer = hf.AutoTokenizer.from_pretrained(folder)
    tokenizer.add_tokens(["<2de>", "<2fr>", "<2zh_Hant>"])
    return tokenizer


def _t5(d_vocab: int, **more: Any) -> hf.T5Config:
    return hf.T5Config(
        vocab_size=d_vocab,
        d_model=32,
        d_kv=8,
        d_ff=48,
        num_layers=2,
        num_decoder_layers=2,
        num_heads=4,
        relative_attention_num_buckets=8,
        relative_attention_max_distance=16,
        pad_token_id=0,
        eos_token_id=1,
        decoder_start_token_id=0,
        **more,
    )


def _of_seamless(d_vocab: int) -> hf.SeamlessM4TConfig:
    sizes = {
        f"{part}_{stack}_{name}": size
        for part in ("t2u_",)
        for stack in ("encoder", "decoder")
        for name, size in (("layers", 1), ("attention_heads", 4), ("ffn_dim", 48))
    }
    sizes = {name.replace("__", "_"): size for name, size in sizes.items()}
    return hf.SeamlessM4TConfig(
        vocab_size=d_vocab,
        hidden_size=32,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=48,
        decoder_ffn_dim=48,
        max_position_embeddings=130,
        pad_token_id=0,
        bos_token_id=2,
        eos_token_id=3,
        decoder_start_token_id=3,
        speech_encoder_layers=1,
        speech_encoder_attention_heads=4,
        speech_encoder_intermediate_size=48,
        t2u_vocab_size=20,
        unit_hifi_gan_vocab_size=20,
        vocoder_num_langs=3,
        vocoder_num_spkrs=2,
        unit_embed_dim=32,
        lang_embed_dim=16,
        spkr_embed_dim=16,
        upsample_initial_channel=32,
        **sizes,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A way to tell languages: the tokenizer, the model, those that it begins with, and two others."""

    tokenizer: Callable[[Path], Tokenizer]
    model_class: type[hf.PreTrainedModel]
    config: Callable[[int], hf.PreTrainedConfig]
    begins_with: tuple[str, str]
    others: tuple[str, str]
    tokens: tuple[str, str] = ("", "")
    """Those two as the tokenizer adds them; empty where it adds none."""
    before: str = ""
    """What stands before the text instead."""
    starts: bool = False
    """Whether the decoder starts with the language."""
    unwritten: int = 0
    """So many tokens the vocabulary of the model has beyond that of the tokenizer."""

    def save(self, folder: Path) -> Path:
        """A checkpoint folder."""
        tokenizer = self.tokenizer(folder)
        torch.manual_seed(1)
        model = self.model_class(self.config(len(tokenizer) + self.unwritten))
        for weight in model.parameters():
            if weight.dim() > 1:
                torch.nn.init.normal_(weight, std=0.4)
        model.generation_config.eos_token_id = list(range(6, 90, 4))  # a text of random weights ends soon
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        return folder


def _with(**more: Any) -> Callable[[type[hf.PreTrainedConfig]], Callable[[int], hf.PreTrainedConfig]]:
    return lambda config: lambda d_vocab: config(**SEQ2SEQ | more | {"vocab_size": d_vocab})


KINDS: dict[str, Kind] = {
    "nllb": Kind(
        tokenizer=_nllb,
        model_class=hf.M2M100ForConditionalGeneration,
        config=_with()(hf.M2M100Config),
        begins_with=("eng_Latn", "fra_Latn"),
        others=("deu_Latn", "kor_Hang"),
        tokens=("deu_Latn", "kor_Hang"),
    ),
    "m2m100": Kind(
        tokenizer=lambda _folder: m2m100(),
        model_class=hf.M2M100ForConditionalGeneration,
        config=_with()(hf.M2M100Config),
        begins_with=("en", "fr"),
        others=("de", "ko"),
        tokens=("__de__", "__ko__"),
        unwritten=108,
    ),
    "mbart": Kind(
        tokenizer=lambda _folder: hf.MBartTokenizer(vocab=_unigram_pieces(MBART_CODES)),
        model_class=hf.MBartForConditionalGeneration,
        config=lambda d_vocab: hf.MBartConfig(**WITHOUT_START | {"vocab_size": d_vocab}),
        begins_with=("en_XX", "fr_XX"),
        others=("de_DE", "ko_KR"),
        tokens=("de_DE", "ko_KR"),
        starts=True,
    ),
    "mbart50": Kind(
        tokenizer=lambda _folder: hf.MBart50Tokenizer(vocab=_unigram_pieces(MBART50_CODES)),
        model_class=hf.MBartForConditionalGeneration,
        config=_with()(hf.MBartConfig),
        begins_with=("en_XX", "fr_XX"),
        others=("de_DE", "ko_KR"),
        tokens=("de_DE", "ko_KR"),
    ),
    "plbart": Kind(
        tokenizer=lambda _folder: hf.PLBartTokenizer(_sentencepiece("plbart", vocab_size=130), language_codes="multi"),
        model_class=hf.PLBartForConditionalGeneration,
        config=_with()(hf.PLBartConfig),
        begins_with=("en_XX", "java"),
        others=("java", "python"),
        tokens=("__java__", "__python__"),
        starts=True,
        unwritten=8,
    ),
    "seamless": Kind(
        tokenizer=_seamless,
        model_class=hf.SeamlessM4TForTextToText,
        config=_of_seamless,
        begins_with=("eng", "fra"),
        others=("deu", "kor"),
        tokens=("__deu__", "__kor__"),
    ),
    "marian": Kind(
        tokenizer=_marian,
        model_class=hf.MarianMTModel,
        config=_with(eos_token_id=0, decoder_start_token_id=1)(hf.MarianConfig),
        begins_with=("", "fra"),
        others=("", "deu"),
        before=">>deu<< ",
        unwritten=5,
    ),
    "madlad": Kind(
        tokenizer=_madlad,
        model_class=hf.T5ForConditionalGeneration,
        config=_t5,
        begins_with=("", "fr"),
        others=("", "de"),
        before="<2de> ",
        unwritten=5,
    ),
    "t5": Kind(
        tokenizer=lambda _folder: unigram(),
        model_class=hf.T5ForConditionalGeneration,
        config=lambda _d_vocab: _t5(D_VOCAB, task_specific_params=TASKS),
        begins_with=("en", ""),
        others=("", "de"),
        before="translate English to German: ",
    ),
}
