"""Writing with the key/value cache and without, greedily and with beams, beside brute force."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
import torch
from torch import nn

from models.recording.recorder import recording
from models.scratch.config import TransformerConfig
from models.scratch.encoder_decoder import EncoderDecoder
from models.scratch.gpt import LanguageModel
from models.tasks.decoding import Beam, NextTokenModel, beam_search, greedy, sample
from tests.closeness import assert_close

D_VOCAB, END, N_NEW = 5, 4, 3
MEASURES = {"d_vocab": D_VOCAB, "d_model": 24, "n_layers": 2, "n_heads": 3, "d_ff": 40, "max_tokens": 12}
PROMPT = torch.tensor([1, 3])


def randomised(model: nn.Module, seed: int) -> nn.Module:
    torch.manual_seed(seed)
    with torch.no_grad():
        for weight in model.parameters():
            weight.copy_(torch.randn_like(weight) * 0.3 + (0.5 if weight.dim() == 1 else 0))
    return model.eval()


def writers(seed: int) -> dict[str, NextTokenModel]:
    """A GPT, and a translator in both orders of its norms that has read a padded source."""
    source = torch.tensor([[2, 1, 0, 3, 1, 1, 0]])
    found: dict[str, NextTokenModel] = {
        "gpt": randomised(LanguageModel(TransformerConfig(**MEASURES, n_segments=0, norm="pre")), seed)
    }
    for norm in ("post", "pre"):
        config = TransformerConfig(**MEASURES, n_segments=0, norm=norm, positions="sinusoidal")
        model = randomised(EncoderDecoder(config), seed)
        with torch.inference_mode():
            found[norm] = model.writer(source, torch.arange(7)[None] < 5)
    return found


@pytest.fixture(params=["gpt", "post", "pre"])
def writer(request: pytest.FixtureRequest) -> NextTokenModel:
    return writers(seed=9)[request.param]


@torch.inference_mode()
def true_log_probability(writer: NextTokenModel, ids: tuple[int, ...]) -> float:
    """Of a text after the prompt, token by token and without a cache."""
    total = 0.0
    for n_before, token in enumerate(ids):
        given = torch.tensor([[*PROMPT.tolist(), *ids[:n_before]]])
        total += float(writer.next_logits(given).log_softmax(dim=-1)[0, token])
    return total


def test_the_cache_changes_nothing(writer: NextTokenModel) -> None:
    ids = torch.randint(0, D_VOCAB, (3, 10), generator=torch.Generator().manual_seed(1))
    cache = writer.new_cache()
    with torch.inference_mode():
        for begin, end in ((0, 4), (4, 5), (5, 6), (6, 9), (9, 10)):
            stepped = writer.next_logits(ids[:, begin:end], cache)
            assert_close(stepped, writer.next_logits(ids[:, :end]))
    assert cache.n_tokens == 10


def test_with_a_cache_only_the_new_token_asks(writer: NextTokenModel) -> None:
    with recording() as calls:
        beam = greedy(writer, PROMPT, n_new=3)
    assert len(beam.ids) == 3
    own = [call for call in calls if call.kind == "decoder"]
    assert [call.query.shape[2] for call in own] == [2, 2, 1, 1, 1, 1]
    assert [call.key.shape[2] for call in own] == [2, 2, 3, 3, 4, 4]
    assert {call.key.shape[2] for call in calls if call.kind == "cross"} <= {7}
    assert not [call for call in calls if call.kind == "encoder"]


def test_reordered_beams_keep_their_own_past(writer: NextTokenModel) -> None:
    ids = torch.tensor([[0, 1, 2], [3, 4, 0]])
    cache = writer.new_cache()
    rows = torch.tensor([1, 1, 0])
    new = torch.tensor([[2], [1], [4]])
    with torch.inference_mode():
        writer.next_logits(ids, cache)
        cache.reorder(rows)
        stepped = writer.next_logits(new, cache)
        whole = writer.next_logits(torch.cat((ids[rows], new), dim=1))
    assert_close(stepped, whole)


def test_too_many_tokens_are_named_with_a_cache_too(writer: NextTokenModel) -> None:
    with pytest.raises(ValueError, match="13 tokens were given, but this model has 12"):
        greedy(writer, PROMPT, n_new=20)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["gpt", "post", "pre"])
def test_greedy_is_a_beam_of_width_one(name: str, seed: int) -> None:
    writer = writers(seed)[name]
    expected = greedy(writer, PROMPT, n_new=6, end_id=END, with_cache=False)
    for with_cache in (False, True):
        written = greedy(writer, PROMPT, n_new=6, end_id=END, with_cache=with_cache)
        (beam,) = beam_search(writer, PROMPT, width=1, n_new=6, end_id=END, with_cache=with_cache)[-1]
        assert written.ids == beam.ids == expected.ids
        assert beam.is_finished == written.is_finished == (END in expected.ids)
        assert_close(written.log_probability, expected.log_probability)
        assert_close(written.log_probability, true_log_probability(writer, written.ids))


def test_a_full_beam_finds_the_best_text(writer: NextTokenModel) -> None:
    texts = {ids[: ids.index(END) + 1] if END in ids else ids for ids in product(range(D_VOCAB), repeat=N_NEW)}
    every = [Beam(ids=ids, log_probability=true_log_probability(writer, ids)) for ids in texts]
    for length_penalty, with_cache in product((0.0, 0.6, 2.0), (False, True)):
        expected = max(every, key=lambda beam: beam.score(length_penalty))
        *_, beams = beam_search(
            writer,
            PROMPT,
            width=D_VOCAB**N_NEW,
            n_new=N_NEW,
            end_id=END,
            length_penalty=length_penalty,
            with_cache=with_cache,
        )
        assert {beam.ids for beam in beams} == texts
        assert beams[0].ids == expected.ids
        assert_close(beams[0].log_probability, expected.log_probability)
        assert_close(sum(torch.tensor([beam.log_probability for beam in beams]).exp()), 1)


def test_a_narrow_beam_is_a_tree_of_true_texts(writer: NextTokenModel) -> None:
    steps = beam_search(writer, PROMPT, width=3, n_new=N_NEW, end_id=END)
    for before, after in pairwise(steps):
        parents = {beam.ids for beam in before}
        assert all(beam in before or beam.ids[:-1] in parents for beam in after)
    for beams in steps:
        assert len(beams) == 3
        assert len({beam.ids for beam in beams}) == 3
        for beam in beams:
            assert_close(beam.log_probability, true_log_probability(writer, beam.ids))


@torch.inference_mode()
def test_all_logits_are_the_next_logits_of_every_place(writer: NextTokenModel) -> None:
    ids = torch.tensor([[0, 1, 2, 3], [3, 4, 0, 0]])
    cache = writer.new_cache()
    found = torch.cat([writer.all_logits(ids[:, :3], cache), writer.all_logits(ids[:, 3:], cache)], dim=1)
    for place in range(4):
        expected = writer.next_logits(ids[:, : place + 1])
        assert_close(found[:, place], expected)


@torch.inference_mode()
@pytest.mark.parametrize(("temperature", "top_k"), [(1.0, 0), (2.5, 0), (0.5, 3), (1.0, 2)])
def test_lots_fall_as_often_as_their_shares_say(temperature: float, top_k: int) -> None:
    writer, n_drawn = writers(seed=9)["gpt"], 600
    logits = writer.next_logits(PROMPT[None])[0] / temperature
    if top_k:
        logits[logits < logits.topk(top_k).values[-1]] = -torch.inf
    expected = logits.softmax(dim=-1)
    drawn = torch.zeros(D_VOCAB)
    for seed in range(n_drawn):
        beam = sample(writer, PROMPT, n_new=1, temperature=temperature, top_k=top_k, seed=seed, with_cache=False)
        drawn[beam.ids[0]] += 1
    assert not drawn[expected == 0].any()
    spread = (expected * (1 - expected) / n_drawn).sqrt()
    assert ((drawn / n_drawn - expected).abs() < 4.5 * spread)[expected > 0].all()


@pytest.mark.parametrize("with_cache", [False, True])
def test_lots_are_drawn_again_by_their_seed(writer: NextTokenModel, with_cache: bool) -> None:
    texts = [sample(writer, PROMPT, n_new=6, seed=seed, with_cache=with_cache) for seed in (1, 1, 2, 3, 4)]
    assert texts[0] == texts[1]
    assert len({beam.ids for beam in texts}) > 1
    assert sample(writer, PROMPT, n_new=6, temperature=0, seed=8).ids == greedy(writer, PROMPT, n_new=6).ids
    assert sample(writer, PROMPT, n_new=6, top_k=1, seed=8).ids == greedy(writer, PROMPT, n_new=6).ids
    for beam in texts:
        assert_close(beam.log_probability, true_log_probability(writer, beam.ids))


def test_a_rule_forbids_and_several_tokens_end(writer: NextTokenModel) -> None:
    free = greedy(writer, PROMPT, n_new=6)

    def without_the_first(ids: torch.Tensor, found: torch.Tensor) -> torch.Tensor:
        assert ids[:, :2].tolist() == [PROMPT.tolist()] * len(ids)
        return found.index_fill(1, torch.tensor([free.ids[0]]), -torch.inf)

    searched = beam_search(writer, PROMPT, width=4, n_new=6, rule=without_the_first)
    written = [
        greedy(writer, PROMPT, n_new=6, rule=without_the_first),
        *searched[-1],
        sample(writer, PROMPT, n_new=6, temperature=5.0, rule=without_the_first),
    ]
    for beam in written:
        assert free.ids[0] not in beam.ids
        assert_close(beam.log_probability, true_log_probability(writer, beam.ids))
    ended = greedy(writer, PROMPT, n_new=6, end_id=(free.ids[2], END))
    assert ended.is_finished
    assert ended.ids[-1] in (free.ids[2], END)


def test_nothing_to_do_is_named(writer: NextTokenModel) -> None:
    with pytest.raises(ValueError, match="width is 0"):
        beam_search(writer, PROMPT, width=0, n_new=1)
    with pytest.raises(ValueError, match="n_new is 0"):
        greedy(writer, PROMPT, n_new=0)
    with pytest.raises(ValueError, match=r"temperature is -0\.5"):
        sample(writer, PROMPT, n_new=1, temperature=-0.5)
    with pytest.raises(ValueError, match="the prompt has shape"):
        greedy(writer, PROMPT[:0], n_new=1)
