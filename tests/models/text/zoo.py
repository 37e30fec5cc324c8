"""Tiny tokenizers of every way to spell words, made on the spot: nothing is downloaded."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import sentencepiece
import transformers as hf
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

from tests.models.huggingface.families import SENTENCES, byte_level, byte_level_bare, marian, unigram, wordpiece

CORPUS = (
    *SENTENCES,
    "unbelievable unbelievably believable stories, she didn't say so; the naïve café is open.",
    "the the the street street animal animal he said hello hello twice twice",
    "สวัสดีชาวโลก ฉันรักภาษา",
)
LETTERS = sorted(set("".join(CORPUS)) | set("abcdefghijklmnopqrstuvwxyz'.,!?-“”ëï") - {" "})
MERGES = [
    "t h",
    "th e</w>",
    "a n",
    "i m",
    "an im",
    "anim a",
    "l e",
    "b e",
    "u n",
    "s t",
    "st r",
    "e e",
    "str ee",
    "stree t</w>",
    "h e",
    "e l",
    "l o</w>",
    "c a",
    "ca f",
    "o n",
    "s a",
    "i d</w>",
    "sa id</w>",
    "n '",
    "' t</w>",
]
"""Of words that end in "</w>", as GPT, XLM and CLIP spell them."""


# -- byte-level -------------------------------------------------------------------------------------------------------


def _with_added(tokenizer: hf.PreTrainedTokenizerBase, *contents: str) -> hf.PreTrainedTokenizerBase:
    """A copy with added tokens that are special."""
    raw = Tokenizer.from_str(tokenizer.backend_tokenizer.to_str())
    raw.add_special_tokens([AddedToken(each, special=True, normalized=False) for each in contents])
    return hf.PreTrainedTokenizerFast(tokenizer_object=raw, eos_token="<|endoftext|>", bos_token="<|endoftext|>")


@cache
def deepseek() -> hf.PreTrainedTokenizerBase:
    """Byte-level with added tokens outside the alphabet of bytes, inside it, and with spaces."""
    return _with_added(
        byte_level_bare(),
        "<｜begin▁of▁sentence｜>",
        "<｜User｜>",
        "<｜Assistant｜>",
        "<|im_start|>",
        "🤖",
        "東京",
        "né",
        "[two words]",
    )


@cache
def byte_level_spaced() -> hf.PreTrainedTokenizerBase:
    """With a space before the first word, as `add_prefix_space` makes it."""
    raw = Tokenizer.from_str(byte_level_bare().backend_tokenizer.to_str())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    return hf.PreTrainedTokenizerFast(tokenizer_object=raw, eos_token="<|endoftext|>")


# -- byte fallback ----------------------------------------------------------------------------------------------------


def _with_fallback(*, is_llama: bool) -> hf.PreTrainedTokenizerBase:
    words = ["▁", *sorted(set("The animal didn't cross.abcdefghijklmnopqrstuvwxyz") - {" "})]
    merges = [("▁", "t"), ("▁t", "h"), ("▁th", "e"), ("▁", "a"), ("▁a", "n"), ("▁", "c"), ("r", "o"), ("▁c", "ro")]
    pieces = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), *words, *map("".join, merges)]
    vocabulary = {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}
    raw = Tokenizer(models.BPE(vocabulary, merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    replaced = normalizers.Replace(" ", "▁")
    raw.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), replaced]) if is_llama else replaced
    ends = [decoders.Strip(" ", 1, 0)] if is_llama else []
    raw.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), *ends])
    raw.add_special_tokens(["<unk>", "<s>", "</s>"])
    raw.post_processor = processors.TemplateProcessing(
        single="<s> $A", pair="<s> $A <s> $B:1", special_tokens=[("<s>", vocabulary["<s>"])]
    )
    return hf.PreTrainedTokenizerFast(tokenizer_object=raw, bos_token="<s>", eos_token="</s>", unk_token="<unk>")


@cache
def llama() -> hf.PreTrainedTokenizerBase:
    """As Llama 2: a "▁" before the text, bytes for what has no piece."""
    return _with_fallback(is_llama=True)


@cache
def gemma() -> hf.PreTrainedTokenizerBase:
    """As Gemma: no "▁" before the text, bytes for what has no piece."""
    return _with_fallback(is_llama=False)


# -- words that end in a mark -----------------------------------------------------------------------------------------


def _ended(ordinary: Sequence[str] = LETTERS, merges: Sequence[str] = MERGES, special: Sequence[str] = ()) -> dict:
    """A vocabulary of letters, inside words and at their ends, and of merges."""
    pieces = [*special, *ordinary, *(f"{each}</w>" for each in ordinary), *(each.replace(" ", "") for each in merges)]
    return {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}


@cache
def openai_gpt() -> hf.PreTrainedTokenizerBase:
    """As GPT: "the</w>", lower case, without offsets of bytes."""
    return hf.OpenAIGPTTokenizer(
        vocab=_ended(special=["<unk>"]), merges=[tuple(each.split()) for each in MERGES], unk_token="<unk>"
    )


@cache
def clip() -> hf.PreTrainedTokenizerBase:
    """As CLIP: bytes, and "</w>" at the end of words."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    special = ["<|startoftext|>", "<|endoftext|>"]
    return hf.CLIPTokenizer(vocab=_ended(alphabet, MERGES, special), merges=[tuple(each.split()) for each in MERGES])


@cache
def herbert() -> hf.PreTrainedTokenizerBase:
    """As HerBERT."""
    special = ["<s>", "<unk>", "</s>", "<pad>", "<mask>"]
    return hf.HerbertTokenizer(vocab=_ended(special=special), merges=[tuple(each.split()) for each in MERGES])


@cache
def _folder() -> Path:
    return Path(mkdtemp(prefix="headlight-zoo-"))


def _files(name: str, special: Sequence[str], *, counted: bool = True) -> tuple[str, str]:
    """vocab.json and merges.txt of words that end in "</w>"."""
    vocabulary, merges = _folder() / f"{name}.json", _folder() / f"{name}.txt"
    vocabulary.write_text(json.dumps(_ended(special=special), ensure_ascii=False), encoding="utf-8")
    merges.write_text("".join(f"{each}{' 1' if counted else ''}\n" for each in MERGES), encoding="utf-8")
    return str(vocabulary), str(merges)


@cache
def xlm() -> hf.PreTrainedTokenizerBase:
    """As XLM: Moses parts the words, accents are stripped; no offsets."""
    vocabulary, merges = _files("xlm", ["<s>", "</s>", "<pad>", "<unk>", *(f"<special{n}>" for n in range(10))])
    return hf.XLMTokenizer(vocabulary, merges)


@cache
def flaubert() -> hf.PreTrainedTokenizerBase:
    vocabulary, merges = _files("flaubert", ["<s>", "</s>", "<pad>", "<unk>", *(f"<special{n}>" for n in range(10))])
    return hf.FlaubertTokenizer(vocabulary, merges)


@cache
def fsmt() -> hf.PreTrainedTokenizerBase:
    """As FSMT: Moses parts the words and writes "&apos;" for an apostrophe; no offsets."""
    vocabulary, merges = _files("fsmt", ["<s>", "<pad>", "</s>", "<unk>", "&", ";"])
    return hf.FSMTTokenizer(
        langs=["en", "de"], src_vocab_file=vocabulary, tgt_vocab_file=vocabulary, merges_file=merges
    )


@cache
def biogpt() -> hf.PreTrainedTokenizerBase:
    vocabulary, merges = _files("biogpt", ["<s>", "<pad>", "</s>", "<unk>", "&", ";"])
    return hf.BioGptTokenizer(vocabulary, merges)


# -- words that go on after a mark ------------------------------------------------------------------------------------


def _going_on(name: str) -> tuple[Path, Path]:
    """vocab.txt (pieces with counts) and codes of words whose pieces but the last end in "@@"."""
    joined = [each.replace(" ", "") for each in MERGES]
    ends = [each.removesuffix("</w>") for each in joined if each.endswith("</w>")]
    pieces = [
        *ends,
        *(f"{each}@@" for each in joined if not each.endswith("</w>")),
        *LETTERS,
        *(f"{each}@@" for each in LETTERS),
    ]
    vocabulary, merges = _folder() / f"{name}.vocab", _folder() / f"{name}.codes"
    vocabulary.write_text("".join(f"{each} 1\n" for each in dict.fromkeys(pieces) if each.strip()), encoding="utf-8")
    merges.write_text("".join(f"{each} 1\n" for each in MERGES), encoding="utf-8")
    return vocabulary, merges


@cache
def phobert() -> hf.PreTrainedTokenizerBase:
    """As PhoBERT: words between spaces, marks at their sides; no offsets."""
    vocabulary, merges = _going_on("phobert")
    return hf.PhobertTokenizer(str(vocabulary), str(merges))


@cache
def bertweet() -> hf.PreTrainedTokenizerBase:
    vocabulary, merges = _going_on("bertweet")
    return hf.BertweetTokenizer(str(vocabulary), str(merges))


@cache
def ctrl() -> hf.PreTrainedTokenizerBase:
    vocabulary, merges = _going_on("ctrl")
    pieces = [line.split(" ")[0] for line in vocabulary.read_text(encoding="utf-8").splitlines()]
    numbered = _folder() / "ctrl.json"
    numbered.write_text(json.dumps({each: n for n, each in enumerate(["<unk>", *pieces])}), encoding="utf-8")
    return hf.CTRLTokenizer(str(numbered), str(merges))


@cache
def blenderbot_small() -> hf.PreTrainedTokenizerBase:
    ctrl()
    return hf.BlenderbotSmallTokenizer(
        str(_folder() / "ctrl.json"),
        str(_folder() / "ctrl.codes"),
        bos_token="<s>",
        eos_token="</s>",
        unk_token="<unk>",
    )


# -- without offsets, otherwise ---------------------------------------------------------------------------------------


@cache
def prophetnet() -> hf.PreTrainedTokenizerBase:
    """As ProphetNet: WordPiece in Python."""
    vocabulary = _folder() / "prophetnet.txt"
    pieces = sorted(wordpiece().get_vocab(), key=wordpiece().get_vocab().__getitem__)
    vocabulary.write_text("\n".join([*pieces, "[X_SEP]"]), encoding="utf-8")
    return hf.ProphetNetTokenizer(str(vocabulary))


@cache
def byt5() -> hf.PreTrainedTokenizerBase:
    """As ByT5: bytes, spelled as the letters of Latin-1."""
    return hf.ByT5Tokenizer()


@cache
def perceiver() -> hf.PreTrainedTokenizerBase:
    return hf.PerceiverTokenizer()


def _sentencepiece(name: str, **options: object) -> str:
    text = _folder() / f"{name}-text.txt"
    text.write_text("\n".join(CORPUS * 3), encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(text),
        model_prefix=str(_folder() / name),
        vocab_size=options.pop("vocab_size", 200),
        minloglevel=2,
        character_coverage=1.0,
        **options,
    )
    return str(_folder() / f"{name}.model")


@cache
def m2m100() -> hf.PreTrainedTokenizerBase:
    """As M2M-100: SentencePiece in Python, and codes of languages."""
    model = _sentencepiece("m2m", vocab_size=130)
    processor = sentencepiece.SentencePieceProcessor(model_file=model)
    pieces = ["<s>", "<pad>", "</s>", "<unk>", *(processor.id_to_piece(n) for n in range(3, len(processor)))]
    vocabulary = _folder() / "m2m.json"
    vocabulary.write_text(json.dumps({piece: n for n, piece in enumerate(pieces)}), encoding="utf-8")
    return hf.M2M100Tokenizer(str(vocabulary), model)


@cache
def gpt_sw3() -> hf.PreTrainedTokenizerBase:
    """As GPT-SW3: SentencePiece in Python, with bytes for what has no piece."""
    model = _sentencepiece("sw3", byte_fallback=True, vocab_size=500, model_type="bpe")
    return hf.GPTSw3Tokenizer(model)


@cache
def marian_python() -> hf.PreTrainedTokenizerBase:
    return marian(_folder())


@cache
def esm() -> hf.PreTrainedTokenizerBase:
    """As ESM: letters of proteins, words between spaces."""
    vocabulary = _folder() / "esm.txt"
    vocabulary.write_text("\n".join(["<cls>", "<pad>", "<eos>", "<unk>", *"LAGVSERTIDPKQNFYMHWC", "<mask>"]))
    return hf.EsmTokenizer(str(vocabulary))


ZOO: dict[str, Callable[[], hf.PreTrainedTokenizerBase]] = {
    "wordpiece": wordpiece,
    "byte_level": byte_level,
    "byte_level_bare": byte_level_bare,
    "byte_level_spaced": byte_level_spaced,
    "unigram": unigram,
    "deepseek": deepseek,
    "llama": llama,
    "gemma": gemma,
    "openai_gpt": openai_gpt,
    "clip": clip,
    "herbert": herbert,
    "xlm": xlm,
    "flaubert": flaubert,
    "fsmt": fsmt,
    "biogpt": biogpt,
    "phobert": phobert,
    "bertweet": bertweet,
    "ctrl": ctrl,
    "blenderbot_small": blenderbot_small,
    "prophetnet": prophetnet,
    "byt5": byt5,
    "perceiver": perceiver,
    "m2m100": m2m100,
    "gpt_sw3": gpt_sw3,
    "marian": marian_python,
}
