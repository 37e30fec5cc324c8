"""Tiny random models of every family, and tokenizers made on the spot: nothing is downloaded.

One line a family; the tests walk FAMILIES. Weights are drawn wide, so that attention is far from uniform and a wrong
scale, mask or order of heads shows.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import sentencepiece
import torch
import transformers as hf
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

SENTENCES = (
    "The animal didn't cross the street because it was too tired.",
    "He went to the shop, and he bought bread!",
    "A well-known café in Zürich (open till 10:30) sells “Kuchen”.",
    "나는 학교에 갑니다. 한국어 문장을 읽습니다.",
    "我喜欢学习语言。",
    "שלום עולם, this is right to left.",
    "Emoji 🙂 and families 👩‍👩‍👧 too.",
)
D_VOCAB = 600
PADDING, MASKED, UNKNOWN = "<pad>", "<mask>", "<unk>"


# -- tokenizers -------------------------------------------------------------------------------------------------------


@cache
def wordpiece() -> hf.PreTrainedTokenizerBase:
    """As BERT: [CLS] A [SEP] B [SEP], with segments."""
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    raw = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    raw.normalizer = normalizers.BertNormalizer(lowercase=True)
    raw.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    raw.decoder = decoders.WordPiece()
    raw.train_from_iterator(SENTENCES, trainers.WordPieceTrainer(vocab_size=D_VOCAB, special_tokens=special))
    raw.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    return hf.PreTrainedTokenizerFast(
        tokenizer_object=raw,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    )


def _byte_level(special: list[str]) -> Tokenizer:
    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=D_VOCAB, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    raw.train_from_iterator(SENTENCES, trainer)
    return raw


@cache
def byte_level() -> hf.PreTrainedTokenizerBase:
    """As RoBERTa: <s> A </s></s> B </s>, without segments."""
    raw = _byte_level(["<s>", PADDING, "</s>", UNKNOWN])
    raw.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    mask: Any = hf.AddedToken(MASKED, lstrip=True, special=True)
    return hf.PreTrainedTokenizerFast(
        tokenizer_object=raw,
        bos_token="<s>",
        eos_token="</s>",
        cls_token="<s>",
        sep_token="</s>",
        pad_token=PADDING,
        unk_token=UNKNOWN,
        mask_token=mask,
    )


@cache
def byte_level_bare() -> hf.PreTrainedTokenizerBase:
    """As GPT-2: no special token is added, none for padding, and no template for a pair."""
    raw = _byte_level(["<|endoftext|>"])
    raw.post_processor = processors.ByteLevel(trim_offsets=False)
    return hf.PreTrainedTokenizerFast(tokenizer_object=raw, eos_token="<|endoftext|>", bos_token="<|endoftext|>")


@cache
def unigram() -> hf.PreTrainedTokenizerBase:
    """As T5: A </s> B </s>, words marked "▁", a limit of 512 tokens."""
    raw = Tokenizer(models.Unigram())
    raw.normalizer = normalizers.NFKC()
    raw.pre_tokenizer = pre_tokenizers.Metaspace()
    raw.decoder = decoders.Metaspace()
    special = [PADDING, "</s>", UNKNOWN]
    trainer = trainers.UnigramTrainer(
        vocab_size=D_VOCAB, special_tokens=special, unk_token=UNKNOWN, show_progress=False
    )
    raw.train_from_iterator(SENTENCES, trainer)
    # The trainer puts pieces of equal probability in another order every time.
    pieces = [(piece, score) for piece, score in json.loads(raw.to_str())["model"]["vocab"]]
    ordered = sorted(pieces[len(special) :], key=lambda pair: (-round(pair[1], 4), pair[0]))
    raw.model = models.Unigram(pieces[: len(special)] + ordered, special.index(UNKNOWN))
    raw.post_processor = processors.TemplateProcessing(
        single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 1)]
    )
    return hf.PreTrainedTokenizerFast(
        tokenizer_object=raw, eos_token="</s>", pad_token=PADDING, unk_token=UNKNOWN, model_max_length=512
    )


def marian(folder: Path) -> hf.PreTrainedTokenizerBase:
    """A Python-only tokenizer without offsets, with two SentencePiece models in `folder`."""
    text = folder / "text.txt"
    text.write_text("\n".join(SENTENCES * 3), encoding="utf-8")
    for name in ("source", "target"):
        sentencepiece.SentencePieceTrainer.train(
            input=str(text), model_prefix=str(folder / name), vocab_size=95, minloglevel=2, character_coverage=1.0
        )
        (folder / f"{name}.model").rename(folder / f"{name}.spm")
    processor = sentencepiece.SentencePieceProcessor(model_file=str(folder / "source.spm"))
    pieces = ["</s>", UNKNOWN, *(processor.id_to_piece(i) for i in range(3, processor.get_piece_size())), PADDING]
    vocabulary = folder / "vocab.json"
    vocabulary.write_text(json.dumps({piece: i for i, piece in enumerate(pieces)}), encoding="utf-8")
    return hf.MarianTokenizer(
        source_spm=str(folder / "source.spm"), target_spm=str(folder / "target.spm"), vocab=str(vocabulary)
    )


# -- families ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A tiny model: its class, its configuration, and the tokenizer that goes with it."""

    model_class: type[hf.PreTrainedModel]
    config: Callable[[], hf.PreTrainedConfig]
    tokenizer: Callable[[], hf.PreTrainedTokenizerBase]
    is_causal: bool = False


COMMON: dict[str, Any] = {
    "vocab_size": D_VOCAB,
    "hidden_size": 32,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "max_position_embeddings": 130,
    "pad_token_id": 1,
    "bos_token_id": 0,
    "eos_token_id": 2,
}
SMALL: dict[str, Any] = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 48,
}
PICTURES: dict[str, Any] = {"image_size": 32, "patch_size": 8}
GROUPED: dict[str, Any] = COMMON | {"num_key_value_heads": 2, "head_dim": 8}
SEQ2SEQ: dict[str, Any] = {
    "vocab_size": D_VOCAB,
    "d_model": 32,
    "encoder_layers": 2,
    "decoder_layers": 3,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 48,
    "decoder_ffn_dim": 48,
    "max_position_embeddings": 130,
    "pad_token_id": 1,
    "bos_token_id": 0,
    "eos_token_id": 2,
    "decoder_start_token_id": 2,
    "forced_eos_token_id": None,
}
FAMILIES: dict[str, Family] = {
    "bert": Family(
        model_class=hf.BertForPreTraining,
        config=lambda: hf.BertConfig(**COMMON | {"pad_token_id": 0}),
        tokenizer=wordpiece,
    ),
    "roberta": Family(
        model_class=hf.RobertaForMaskedLM,
        config=lambda: hf.RobertaConfig(type_vocab_size=1, **COMMON),
        tokenizer=byte_level,
    ),
    "xlm-roberta": Family(
        model_class=hf.XLMRobertaForMaskedLM,
        config=lambda: hf.XLMRobertaConfig(type_vocab_size=1, **COMMON),
        tokenizer=byte_level,
    ),
    "distilbert": Family(
        model_class=hf.DistilBertForMaskedLM,
        config=lambda: hf.DistilBertConfig(
            vocab_size=D_VOCAB, dim=32, n_layers=3, n_heads=4, hidden_dim=48, max_position_embeddings=130
        ),
        tokenizer=wordpiece,
    ),
    "albert": Family(
        model_class=hf.AlbertForMaskedLM,
        config=lambda: hf.AlbertConfig(embedding_size=16, **COMMON | {"pad_token_id": 0}),
        tokenizer=wordpiece,
    ),
    "electra": Family(
        model_class=hf.ElectraForPreTraining,
        config=lambda: hf.ElectraConfig(embedding_size=16, **COMMON | {"pad_token_id": 0}),
        tokenizer=wordpiece,
    ),
    "electra-generator": Family(
        model_class=hf.ElectraForMaskedLM,
        config=lambda: hf.ElectraConfig(embedding_size=16, **COMMON | {"pad_token_id": 0}),
        tokenizer=wordpiece,
    ),
    "roberta-prelayernorm": Family(
        model_class=hf.RobertaPreLayerNormForMaskedLM,
        config=lambda: hf.RobertaPreLayerNormConfig(type_vocab_size=1, **COMMON),
        tokenizer=byte_level,
    ),
    "modernbert": Family(
        model_class=hf.ModernBertForMaskedLM,
        config=lambda: hf.ModernBertConfig(
            local_attention=8, global_attn_every_n_layers=2, cls_token_id=0, sep_token_id=2, **COMMON
        ),
        tokenizer=byte_level,
    ),
    "esm": Family(
        model_class=hf.EsmForMaskedLM,
        config=lambda: hf.EsmConfig(position_embedding_type="rotary", mask_token_id=4, **COMMON),
        tokenizer=byte_level,
    ),
    "gpt2": Family(
        model_class=hf.GPT2LMHeadModel,
        config=lambda: hf.GPT2Config(
            vocab_size=D_VOCAB, n_embd=32, n_layer=3, n_head=4, n_positions=130, bos_token_id=0, eos_token_id=0
        ),
        tokenizer=byte_level_bare,
        is_causal=True,
    ),
    "opt": Family(
        model_class=hf.OPTForCausalLM,
        config=lambda: hf.OPTConfig(ffn_dim=48, word_embed_proj_dim=16, **COMMON),
        tokenizer=byte_level,
        is_causal=True,
    ),
    "llama": Family(
        model_class=hf.LlamaForCausalLM, config=lambda: hf.LlamaConfig(**GROUPED), tokenizer=byte_level, is_causal=True
    ),
    "qwen3": Family(
        model_class=hf.Qwen3ForCausalLM,
        config=lambda: hf.Qwen3Config(**GROUPED),
        tokenizer=byte_level_bare,
        is_causal=True,
    ),
    "gemma2": Family(
        model_class=hf.Gemma2ForCausalLM,
        config=lambda: hf.Gemma2Config(
            sliding_window=8, attn_logit_softcapping=2.0, query_pre_attn_scalar=4, **GROUPED
        ),
        tokenizer=byte_level,
        is_causal=True,
    ),
    "gemma3_text": Family(
        model_class=hf.Gemma3ForCausalLM,
        config=lambda: hf.Gemma3TextConfig(sliding_window=8, **GROUPED),
        tokenizer=byte_level,
        is_causal=True,
    ),
    "gpt_oss": Family(
        model_class=hf.GptOssForCausalLM,
        config=lambda: hf.GptOssConfig(
            num_local_experts=2, num_experts_per_tok=2, sliding_window=8, initializer_range=0.8, **GROUPED
        ),
        tokenizer=byte_level,
        is_causal=True,
    ),
    "bart": Family(
        model_class=hf.BartForConditionalGeneration, config=lambda: hf.BartConfig(**SEQ2SEQ), tokenizer=byte_level
    ),
    "marian": Family(
        model_class=hf.MarianMTModel,
        config=lambda: hf.MarianConfig(**SEQ2SEQ | {"eos_token_id": 0, "decoder_start_token_id": 1}),
        tokenizer=byte_level,
    ),
    "t5": Family(
        model_class=hf.T5ForConditionalGeneration,
        config=lambda: hf.T5Config(
            vocab_size=D_VOCAB,
            d_model=32,
            d_kv=8,
            d_ff=48,
            num_layers=2,
            num_decoder_layers=3,
            num_heads=4,
            relative_attention_num_buckets=8,
            relative_attention_max_distance=16,
            pad_token_id=0,
            eos_token_id=1,
            decoder_start_token_id=0,
        ),
        tokenizer=unigram,
    ),
    "switch_transformers": Family(
        model_class=hf.SwitchTransformersForConditionalGeneration,
        config=lambda: hf.SwitchTransformersConfig(
            vocab_size=D_VOCAB,
            d_model=32,
            d_kv=8,
            d_ff=48,
            num_layers=2,
            num_decoder_layers=3,
            num_heads=4,
            num_sparse_encoder_layers=1,
            num_sparse_decoder_layers=1,
            num_experts=2,
            relative_attention_num_buckets=8,
            relative_attention_max_distance=16,
            pad_token_id=0,
            eos_token_id=1,
            decoder_start_token_id=0,
        ),
        tokenizer=unigram,
    ),
}
"""Families that are recorded."""

WRITTEN_OUT: dict[str, Family] = {
    "bloom": Family(
        model_class=hf.BloomForCausalLM,
        config=lambda: hf.BloomConfig(
            vocab_size=D_VOCAB, hidden_size=32, n_layer=3, n_head=4, pad_token_id=1, bos_token_id=0, eos_token_id=2
        ),
        tokenizer=byte_level,
        is_causal=True,
    ),
    "falcon": Family(
        model_class=hf.FalconForCausalLM, config=lambda: hf.FalconConfig(**COMMON), tokenizer=byte_level, is_causal=True
    ),
    "gpt_neo": Family(
        model_class=hf.GPTNeoForCausalLM,
        config=lambda: hf.GPTNeoConfig(
            vocab_size=D_VOCAB,
            hidden_size=32,
            num_layers=2,
            num_heads=4,
            intermediate_size=48,
            window_size=8,
            attention_types=[[["global", "local"], 1]],
            max_position_embeddings=130,
            bos_token_id=0,
            eos_token_id=2,
        ),
        tokenizer=byte_level,
        is_causal=True,
    ),
    "gptj": Family(
        model_class=hf.GPTJForCausalLM,
        config=lambda: hf.GPTJConfig(
            vocab_size=D_VOCAB,
            n_embd=32,
            n_layer=3,
            n_head=4,
            rotary_dim=4,
            n_positions=130,
            bos_token_id=0,
            eos_token_id=2,
        ),
        tokenizer=byte_level,
        is_causal=True,
    ),
    "mpnet": Family(model_class=hf.MPNetForMaskedLM, config=lambda: hf.MPNetConfig(**COMMON), tokenizer=byte_level),
}
"""Families whose forward writes softmax(scale * q @ k.T + bias) @ v out: their queries and keys are recorded, too."""
WEIGHTS_ALONE: dict[str, Family] = {
    "xlnet": Family(
        model_class=hf.XLNetLMHeadModel,
        config=lambda: hf.XLNetConfig(vocab_size=D_VOCAB, d_model=32, n_layer=2, n_head=4, d_inner=48),
        tokenizer=byte_level,
    ),
    "deberta-v2": Family(
        model_class=hf.DebertaV2ForMaskedLM,
        config=lambda: hf.DebertaV2Config(relative_attention=True, pos_att_type=["c2p", "p2c"], **COMMON),
        tokenizer=byte_level,
    ),
    "longformer": Family(
        model_class=hf.LongformerForMaskedLM,
        config=lambda: hf.LongformerConfig(attention_window=4, **COMMON),
        tokenizer=byte_level,
    ),
    "led": Family(
        model_class=hf.LEDForConditionalGeneration,
        config=lambda: hf.LEDConfig(
            attention_window=4, max_encoder_position_embeddings=130, max_decoder_position_embeddings=130, **SEQ2SEQ
        ),
        tokenizer=byte_level,
    ),
    "longt5": Family(
        model_class=hf.LongT5ForConditionalGeneration,
        config=lambda: hf.LongT5Config(
            vocab_size=D_VOCAB,
            d_model=32,
            d_kv=8,
            d_ff=48,
            num_layers=2,
            num_heads=4,
            local_radius=2,
            pad_token_id=1,
            eos_token_id=2,
            decoder_start_token_id=2,
        ),
        tokenizer=byte_level,
    ),
}
"""Families that mix more into their attention, or look at a band of tokens: their weights alone are recorded."""

HYBRIDS: dict[str, Family] = {
    "jamba": Family(
        model_class=hf.JambaForCausalLM,
        config=lambda: hf.JambaConfig(
            attn_layer_period=2, attn_layer_offset=1, num_experts=2, **GROUPED | {"num_hidden_layers": 5}
        ),
        tokenizer=byte_level,
        is_causal=True,
    ),
    "qwen3_next": Family(
        model_class=hf.Qwen3NextForCausalLM,
        config=lambda: hf.Qwen3NextConfig(
            layer_types=["linear_attention", "full_attention"] * 2 + ["linear_attention"],
            linear_key_head_dim=8,
            linear_value_head_dim=8,
            linear_num_key_heads=2,
            linear_num_value_heads=4,
            num_experts=4,
            num_experts_per_tok=2,
            moe_intermediate_size=16,
            shared_expert_intermediate_size=16,
            **GROUPED | {"num_hidden_layers": 5},
        ),
        tokenizer=byte_level,
        is_causal=True,
    ),
    "lfm2": Family(
        model_class=hf.Lfm2ForCausalLM,
        config=lambda: hf.Lfm2Config(
            layer_types=["conv", "full_attention", "conv", "full_attention", "conv"],
            **GROUPED | {"num_hidden_layers": 5},
        ),
        tokenizer=byte_level,
        is_causal=True,
    ),
    "nemotron_h": Family(
        model_class=hf.NemotronHForCausalLM,
        config=lambda: hf.NemotronHConfig(
            layers_block_type=["linear_attention", "full_attention", "mlp", "full_attention", "linear_attention"],
            ssm_state_size=8,
            mamba_num_heads=8,
            mamba_head_dim=8,
            n_groups=2,
            chunk_size=16,
            moe_intermediate_size=16,
            moe_shared_expert_intermediate_size=16,
            **{name: size for name, size in GROUPED.items() if name != "num_hidden_layers"},
        ),
        tokenizer=byte_level,
        is_causal=True,
    ),
}
"""Families that have attention in some of their layers only: here in their own layers 1 and 3 of 0 to 4."""
BESIDE_ATTENTION: dict[str, Family] = {
    "falcon_h1": Family(
        model_class=hf.FalconH1ForCausalLM,
        config=lambda: hf.FalconH1Config(
            mamba_d_ssm=64,
            mamba_n_heads=8,
            mamba_d_head=8,
            mamba_n_groups=2,
            mamba_d_state=8,
            mamba_chunk_size=16,
            **GROUPED | {"num_hidden_layers": 2},
        ),
        tokenizer=byte_level,
        is_causal=True,
    ),
}
"""Families whose layers have attention and a recurrent state side by side."""

UNRECORDABLE: dict[str, Family] = {
    "fnet": Family(model_class=hf.FNetForMaskedLM, config=lambda: hf.FNetConfig(**COMMON), tokenizer=byte_level),
    "nystromformer": Family(
        model_class=hf.NystromformerForMaskedLM,
        config=lambda: hf.NystromformerConfig(num_landmarks=16, segment_means_seq_len=64, **COMMON),
        tokenizer=wordpiece,
    ),
    "canine": Family(
        model_class=hf.CanineModel,
        config=lambda: hf.CanineConfig(**{name: size for name, size in COMMON.items() if name != "vocab_size"}),
        tokenizer=wordpiece,
    ),
    "clip": Family(
        model_class=hf.CLIPModel,
        config=lambda: hf.CLIPConfig(text_config=COMMON | SMALL, vision_config=PICTURES | SMALL),
        tokenizer=byte_level,
    ),
    "deit": Family(model_class=hf.DeiTModel, config=lambda: hf.DeiTConfig(**PICTURES | SMALL), tokenizer=wordpiece),
}
"""Families without attention, with attention over other things than tokens; that need more than text."""


def build(family: Family, *, attention: str) -> hf.PreTrainedModel:
    """A random model in evaluation mode; the same weights every time."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)  # for what has its own beginning: biases of routers, sinks
        model: hf.PreTrainedModel = family.model_class._from_config(family.config(), attn_implementation=attention)
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for weight in model.parameters():
            if weight.dim() > 1:
                weight.normal_(0, 0.2, generator=generator)
    return model.eval()


def save(family: Family, folder: Path, *, model: hf.PreTrainedModel | None = None) -> Path:
    """A checkpoint in `folder`, as one from the hub looks."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (model or build(family, attention="eager")).save_pretrained(folder)
        family.tokenizer().save_pretrained(folder)
    return folder
