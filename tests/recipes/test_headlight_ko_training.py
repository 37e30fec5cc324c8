"""How headlight-ko and sentiment-ko are trained: runs that stop and go on, the last layers alone, a classifier."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from models.checkpoints.bert import save_checkpoint
from models.checkpoints.on_body import load_on_body
from models.opening.folders import load_folder
from models.scratch.config import TransformerConfig
from models.scratch.pretraining import PretrainingModel
from models.scratch_models.encoder import ScratchModel
from models.training.corpora.corpus import Corpus
from models.training.trainer.fit import FitConfig, evaluating, fit
from recipes.corpora.data import save_corpus
from recipes.korean.data import (
    HELD_OUT,
    STARTS,
    TOKENIZER,
    kinds_of_pieces,
    starts_of_words,
)
from recipes.korean.heads import PARTICLE_PIECES, score_particles
from recipes.korean.particles import MIXTURE, draw_hidden, fit_head, read_hidden
from recipes.korean.questions import PARTICLES
from recipes.korean.sentiment import accuracy, sentiment_task, write
from recipes.korean.start import SIZES, start_from_body
from recipes.korean.texts import PROSE
from recipes.korean.train import KoreanTrainer, RunSettings, train
from recipes.korean.vocabulary import D_VOCAB, reading_tokenizer
from tests.closeness import assert_close
from tests.recipes.conftest import LINES


def write_run(folder: Path, texts: dict[str, Corpus], tokenizer: Tokenizer) -> None:
    """Leave a little text where a run looks for it."""
    folder.mkdir(exist_ok=True)
    for source, corpus in texts.items():
        save_corpus(corpus, folder / f"{source}.npz")
        save_corpus(corpus, folder / f"{source}{HELD_OUT}.npz")
    np.save(folder / STARTS, starts_of_words(tokenizer))
    tokenizer.save(str(folder / TOKENIZER))


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(
    tmp_path: Path, texts: dict[str, Corpus], tokenizer: Tokenizer
):
    def trainer(name: str, pieces: int) -> KoreanTrainer:
        folder = tmp_path / name
        write_run(folder, texts, tokenizer)
        torch.manual_seed(0)
        config = TransformerConfig(d_vocab=D_VOCAB, d_model=16, n_layers=1, n_heads=2, d_ff=32)
        return KoreanTrainer(RunSettings(pieces=pieces, measured=0.05), PretrainingModel(config), folder)

    whole, first = trainer("whole", 2000), trainer("parts", 1000)
    train(whole)
    train(first)
    second = trainer("parts", 2000)
    second.resume()
    assert second.pieces == first.pieces
    train(second)
    assert (second.iteration, second.pieces) == (whole.iteration, whole.pieces)
    ahead = next(second.draws.ahead(3, loaders=1))
    assert torch.equal(ahead.input_ids, second.draws[3].input_ids)
    for weight, other in zip(second.model.parameters(), whole.model.parameters(), strict=True):
        assert_close(weight, other, tolerance=1e-6)
    opened = load_folder(tmp_path / "parts" / "model", name="headlight-ko", device="cpu")
    assert isinstance(opened, ScratchModel)
    decomposed = unicodedata.normalize("NFD", "학교에서는 [MASK]을 먹었다.")
    pieces = [token.text for token in opened.record(decomposed).of("encoder").key_tokens]
    assert pieces == ["[CLS]", "학교", "##에서", "##는", "[MASK]", "을", "먹", "##었다", ".", "[SEP]"]


def test_the_head_learns_particles_of_every_kind_equally_often_and_the_encoder_stays(
    texts: dict[str, Corpus], tokenizer: Tokenizer
):
    kinds = kinds_of_pieces(tokenizer)
    assert kinds.max() + 1 == len(PARTICLES)
    drawn = draw_hidden({name: texts[name] for name in MIXTURE}, kinds, of_each=0, others=30)
    assert len(drawn) == 30
    torch.manual_seed(0)
    model = PretrainingModel(TransformerConfig(d_vocab=D_VOCAB, d_model=16, n_layers=1, n_heads=2, d_ff=32))
    model.requires_grad_(False)
    before = {name: weight.clone() for name, weight in model.state_dict().items()}
    states, targets = read_hidden(model, drawn, texts[PROSE].special)
    alone = [read_hidden(model, [hidden], texts[PROSE].special)[0] for hidden in drawn[:5]]
    assert_close(states[:5], torch.cat(alone), tolerance=1e-5)
    fit_head(model, states, targets)
    changed = {name for name, weight in model.state_dict().items() if not torch.equal(weight, before[name])}
    assert changed
    assert all(name.startswith("mlm.") for name in changed)


def test_a_checkpoint_with_the_same_pieces_goes_on_as_it_is(tmp_path: Path, tokenizer: Tokenizer):
    given = PretrainingModel(TransformerConfig(d_vocab=D_VOCAB, d_model=16, n_layers=1, n_heads=2, d_ff=32))
    save_checkpoint(given, tmp_path, torch.float32)
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    begun = start_from_body(tmp_path, tokenizer, np.ones(D_VOCAB) / D_VOCAB)
    assert begun.config.dropout == SIZES.dropout
    for name, weight in begun.state_dict().items():
        assert torch.equal(weight, given.state_dict()[name]), name


def test_heads_are_asked_for_the_noun_of_each_particle(tmp_path: Path, tokenizer: Tokenizer):
    config = TransformerConfig(d_vocab=D_VOCAB, d_model=16, n_layers=1, n_heads=2, d_ff=32)
    save_checkpoint(PretrainingModel(config), tmp_path, torch.float16)
    reading_tokenizer(tokenizer, config.max_tokens).save_pretrained(tmp_path)
    opened = load_folder(tmp_path, name="headlight-ko", device="cpu")
    assert isinstance(opened, ScratchModel)
    particles = score_particles(opened, LINES, LINES)
    pieces = [piece for line in LINES for piece in tokenizer.encode(line, add_special_tokens=False).tokens]
    assert particles.n == sum(piece in PARTICLE_PIECES for piece in pieces)
    assert 0 <= particles.right <= particles.right_by_offset == 1


def test_a_run_in_bfloat16_with_larger_batches_learns_and_resumes_on_another_device(
    tmp_path: Path, texts: dict[str, Corpus], tokenizer: Tokenizer
):
    write_run(tmp_path, texts, tokenizer)
    config = TransformerConfig(d_vocab=D_VOCAB, d_model=16, n_layers=1, n_heads=2, d_ff=32)

    def trainer(device: str = "cpu", **settings: object) -> KoreanTrainer:
        torch.manual_seed(0)
        chosen = RunSettings(pieces=2000, measured=0.05, warmup=1, rate=3e-3, **settings)
        with torch.device(device):
            model = PretrainingModel(config)
        return KoreanTrainer(chosen, model, tmp_path, device=torch.device(device))

    seen = set[torch.dtype]()
    large = trainer(batch=3, bfloat16=True)
    large.model.encoder.layers[0].feed_forward.expand.register_forward_hook(lambda *given: seen.add(given[2].dtype))
    found = [large.iterate() for _ in range(4)]
    assert seen == {torch.bfloat16}
    assert {weight.dtype for weight in large.model.parameters()} == {torch.float32}
    assert found[-1][0] < found[0][0]
    small = trainer()
    assert_close(found[0][0], small.iterate()[0], tolerance=0.02)
    assert large.pieces > 2.5 * small.pieces * large.iteration
    large.save()
    for device in ("cpu", "meta"):
        other = trainer(device)
        other.resume()
        assert (other.iteration, other.pieces) == (large.iteration, large.pieces)
        kept = [tensor for state in other.optimizers[0].state.values() for tensor in state.values()]
        assert len(kept) == 3 * len(list(large.model.parameters()))
        assert {tensor.device.type for tensor in kept} == {device}
    again = trainer(batch=3, bfloat16=True)
    again.resume()
    assert_close(again.iterate()[0], large.iterate()[0], tolerance=1e-3)


def test_the_classifier_alone_completes_its_body(tmp_path: Path, tokenizer: Tokenizer):
    config = TransformerConfig(d_vocab=D_VOCAB, d_model=16, n_layers=4, n_heads=2, d_ff=32)
    body, alone = tmp_path / "body", tmp_path / "classifier"
    save_checkpoint(PretrainingModel(config), body, torch.float16)
    tokenizer.save(str(body / TOKENIZER))
    texts = (list(LINES), [0, 1, 1, 0])
    task = sentiment_task(body, texts, texts)
    before = {name: weight.clone() for name, weight in task.model.named_parameters()}
    fitted = FitConfig(iterations=3, rows=4, learning_rate=1e-2, optimizer="adamw", measurements=0)
    fit(tmp_path / "run", task, fitted, device=torch.device("cpu"))
    changed = {name for name, weight in task.model.named_parameters() if not torch.equal(weight, before[name])}
    assert changed
    assert all(name.startswith(("classifier.", "encoder.layers.2.", "encoder.layers.3.")) for name in changed)
    write(alone, task.model, "body")
    opened = load_on_body(alone, body)
    ids = torch.from_numpy(task.learned.ids.astype(np.int64))
    assert (ids == 0).any()
    with evaluating(task.model):
        expected = task.model(ids, mask=ids != 0).text_labels
    assert_close(opened(ids, mask=ids != 0).text_labels, expected, tolerance=2e-3)  # in half precision
    assert accuracy(task.model, task.learned, torch.device("cpu")) in (0, 0.25, 0.5, 0.75, 1)
