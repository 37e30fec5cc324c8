"""Translators whose sources and targets have a vocabulary each: every label comes from the one that was read or
written, as files, in memory, and whatever is asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
import transformers as hf

from models.huggingface.model import HuggingFaceModel, load_huggingface
from models.opening.registry import load
from models.values.errors import UnsupportedModelError
from models.values.probing.changes import Changes
from tests.models.huggingface.families import COMMON, SEQ2SEQ, marian, wordpiece
from tests.models.text.zoo import fsmt

SOURCE, TARGET = "the animal said hello", "street hello"
WITHOUT_SIZE = {name: value for name, value in SEQ2SEQ.items() if name != "vocab_size"}
Numbers = dict[str, int]


def other_order(numbers: Numbers, special: list[str], added: list[str]) -> Numbers:
    """The same pieces with other numbers, and pieces that sources do not have."""
    others = [piece for piece in numbers if piece not in special]
    return {piece: number for number, piece in enumerate([*special, *reversed(others), *added])}


def save(model: hf.PreTrainedModel, tokenizer: hf.PreTrainedTokenizerBase, folder: Path) -> None:
    with torch.no_grad():
        for weight in model.parameters():
            if weight.dim() > 1:
                weight.normal_(0, 0.4)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def make_fsmt(folder: Path) -> tuple[Numbers, Numbers]:
    shared = fsmt()
    sources: Numbers = json.loads(Path(shared.src_vocab_file).read_text(encoding="utf-8"))
    targets = other_order(sources, ["<s>", "<pad>", "</s>", "<unk>"], [f"neu{number}</w>" for number in range(7)])
    path = folder / "targets.json"
    path.write_text(json.dumps(targets), encoding="utf-8")
    tokenizer = hf.FSMTTokenizer(
        langs=["en", "de"],
        src_vocab_file=shared.src_vocab_file,
        tgt_vocab_file=str(path),
        merges_file=shared.merges_file,
    )
    config = hf.FSMTConfig(
        langs=["en", "de"],
        src_vocab_size=len(sources),
        tgt_vocab_size=len(targets),
        tie_word_embeddings=False,
        **WITHOUT_SIZE,
    )
    save(hf.FSMTForConditionalGeneration(config), tokenizer, folder)
    return sources, targets


def make_marian(folder: Path) -> tuple[Numbers, Numbers]:
    marian(folder)
    sources: Numbers = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))
    targets = other_order(sources, ["</s>", "<unk>", "<pad>"], [f"▁neu{number}" for number in range(9)])
    path = folder / "targets.json"
    path.write_text(json.dumps(targets), encoding="utf-8")
    tokenizer = hf.MarianTokenizer(
        source_spm=str(folder / "source.spm"),
        target_spm=str(folder / "target.spm"),
        vocab=str(folder / "vocab.json"),
        target_vocab_file=str(path),
        separate_vocabs=True,
    )
    own = {
        "eos_token_id": 0,
        "bos_token_id": None,
        "pad_token_id": sources["<pad>"],
        "decoder_start_token_id": targets["<pad>"],
        "decoder_vocab_size": len(targets),
        "share_encoder_decoder_embeddings": False,
        "tie_word_embeddings": False,
    }
    config = hf.MarianConfig(vocab_size=len(sources), **WITHOUT_SIZE | own)
    save(hf.MarianMTModel(config), tokenizer, folder)
    return sources, targets


@pytest.fixture(params=[make_fsmt, make_marian], ids=["fsmt", "marian"])
def made(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[HuggingFaceModel, Numbers, Numbers]:
    torch.manual_seed(0)
    make: Callable[[Path], tuple[Numbers, Numbers]] = request.param
    sources, targets = make(tmp_path)
    model = load_huggingface(str(tmp_path), name="two")
    assert isinstance(model, HuggingFaceModel)
    return model, sources, targets


def test_labels_of_a_source_and_of_a_given_target_are_what_was_typed(
    made: tuple[HuggingFaceModel, Numbers, Numbers],
) -> None:
    model, sources, targets = made
    reading = model.read(SOURCE, TARGET)
    assert reading.decoder_ids is not None
    read = {"encoder": (SOURCE, reading.prepared.input_ids, sources), "decoder": (TARGET, reading.decoder_ids, targets)}
    for kind, (text, ids, numbers) in read.items():
        tokens = reading.tokens[kind]
        assert [numbers[str(token.text)] for token in tokens] == list(ids)
        own = [str(token.text) for token in tokens if not token.is_special]
        assert "".join(own).replace("</w>", " ").replace("▁", " ").split() == text.split()
        assert [text[token.start : token.end].strip() for token in tokens if not token.is_special] == [
            piece.replace("</w>", "").strip("▁") for piece in own
        ]


def test_what_is_written_is_spelled_by_the_vocabulary_of_targets(
    made: tuple[HuggingFaceModel, Numbers, Numbers],
) -> None:
    model, sources, targets = made
    assert model.info.d_vocab == len(targets) != len(sources)
    writing = model.translate(SOURCE)
    assert [targets[str(token.chosen.text)] for token in writing.written] == [
        token.token_id for token in writing.written
    ]
    for token in writing.written[:3]:
        assert all(str(choice.text) in targets for choice in token.candidates)
    decoder = writing.recording.attention[1].query_tokens
    assert [str(token.text) for token in decoder[1:4]] == [str(token.chosen.text) for token in writing.written[:3]]
    own = model.model.generate(**model.tokenizer(SOURCE, return_tensors="pt"), max_new_tokens=5, num_beams=1)
    assert [token.token_id for token in writing.written[:5]] == own[0, 1:].tolist()[: len(writing.written)]


def test_questions_about_a_target_ask_for_its_own_words(made: tuple[HuggingFaceModel, Numbers, Numbers]) -> None:
    model, _, targets = made
    asked = model.ask_word("e")
    assert asked.pieces
    assert [targets[piece] for piece in asked.pieces if piece != "▁"] == list(asked.token_ids)
    answers = model.answer_logits(SOURCE, TARGET, changes=Changes())
    assert len(answers.logits) == len(targets)


def test_a_model_in_memory_has_both_vocabularies_too(
    made: tuple[HuggingFaceModel, Numbers, Numbers], tmp_path: Path
) -> None:
    _, _, targets = made
    own = hf.AutoModelForSeq2SeqLM.from_pretrained(tmp_path)
    tokenizer = hf.AutoTokenizer.from_pretrained(tmp_path)
    before = dict(vars(tokenizer))
    opened = load(own, tokenizer)
    written = opened.translate(SOURCE).written
    assert [targets[str(token.chosen.text)] for token in written] == [token.token_id for token in written]
    assert vars(tokenizer) == before


def test_two_vocabularies_with_the_tokenizer_of_one_are_refused(tmp_path: Path) -> None:
    encoder = hf.BertConfig(**COMMON)
    decoder = hf.GPT2Config(vocab_size=900, n_embd=32, n_layer=2, n_head=4, n_positions=64, add_cross_attention=True)
    config = hf.EncoderDecoderConfig.from_encoder_decoder_configs(encoder, decoder)
    config.decoder_start_token_id = config.pad_token_id = 0
    save(hf.EncoderDecoderModel(config=config), wordpiece(), tmp_path)
    with pytest.raises(UnsupportedModelError, match=r"600 tokens and writes with another of 900.*Choose a model"):
        load_huggingface(str(tmp_path), name="bert2gpt2")
