"""The scratch translator and the scratch GPT from a folder: what they record, write and guess."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers as hf

from models.analysis.contrasts import contrast_of
from models.huggingface.model import load_huggingface
from models.opening.folders import load_folder
from models.recording.recorder import recording
from models.scratch_models.decoder import ScratchDecoder
from models.scratch_models.encoder import ScratchModel
from models.scratch_models.translator import ScratchTranslator
from models.tasks.decoding import greedy
from models.values.errors import MissingCapabilityError, ModelLoadError, TextError, UnsupportedModelError
from models.values.probing.changes import Changes, HeadEdit
from models.values.record import KINDS, Array, Kind, WordChoice
from models.values.steps import WhatIf
from models.values.writing import TokenGuesses, Writing
from tests.closeness import PARITY, assert_at_most, assert_close, assert_same_ranking
from tests.loaded import load
from tests.models.tasks import tiny_writers
from tests.models.tasks.tiny_writers import MAX_TOKENS

TEXT = "The old man sees a red house."
ENDS = [3, 55]
"""With these random weights the token 55 is written soon: a configuration may name several ends."""

FORBIDDEN = [7, 12, 20, 31, 40, 52]


@pytest.fixture(autouse=True)
def short_texts_of_random_models() -> None:
    """Nothing is cut here: how long a translation may become is among what is tested."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("writers")
    tiny_writers.translator(root / "translator")
    tiny_writers.translator(root / "ending", end_ids=ENDS)
    tiny_writers.gpt(root / "gpt")
    tiny_writers.llama(root / "llama")
    tiny_writers.change(tiny_writers.gpt(root / "forbidding") / "generation_config.json", suppress_tokens=FORBIDDEN)
    return root


@pytest.fixture(scope="module")
def translator(folder: Path) -> ScratchTranslator:
    return opened(ScratchTranslator, folder / "translator")


@pytest.fixture(scope="module")
def gpt(folder: Path) -> ScratchDecoder:
    return opened(ScratchDecoder, folder / "gpt")


def opened(kind: type[ScratchTranslator | ScratchDecoder], folder: Path):
    model = load_folder(folder, name=f"tiny-{folder.name}", device="cpu")
    assert isinstance(model, kind)
    return model


def ids(writing: Writing) -> list[int]:
    return [each.token_id for each in writing.written]


# -- beside Hugging Face, on the same folder --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["translator", "ending"])
@pytest.mark.parametrize("width", [1, 3])
def test_both_adapters_translate_alike(folder: Path, name: str, width: int) -> None:
    ours = load_folder(folder / name, name=name, device="cpu").translate(TEXT, width=width)
    theirs = load_huggingface(str(folder / name), name=name).translate(TEXT, width=width)
    assert ours.is_finished == theirs.is_finished == (name == "ending")
    expect_same(ours, theirs)
    assert [[branch.token_ids for branch in kept] for kept in ours.branches] == [
        [branch.token_ids for branch in kept] for kept in theirs.branches
    ]


@pytest.mark.parametrize("choices", [{"temperature": 0}, {"seed": 4}, {"seed": 4, "temperature": 2.0, "top_k": 5}])
@pytest.mark.parametrize("name", ["gpt", "llama"])
def test_both_adapters_continue_alike(folder: Path, name: str, choices: dict[str, float]) -> None:
    ours, theirs = load_folder(folder / name, name=name, device="cpu"), load_huggingface(str(folder / name), name=name)
    expect_same(ours.continue_text(TEXT, n_new=12, **choices), theirs.continue_text(TEXT, n_new=12, **choices))


def expect_same(ours: Writing, theirs: Writing) -> None:
    assert ids(ours) == ids(theirs)
    assert ours.text == theirs.text
    assert ours.recording.kinds == theirs.recording.kinds
    for one, other in zip(ours.written, theirs.written, strict=True):
        assert (one.position, one.text_so_far, one.chosen.text) == (
            other.position,
            other.text_so_far,
            other.chosen.text,
        )
        assert_close(
            [choice.probability for choice in (one.chosen, *one.candidates)],
            [choice.probability for choice in (other.chosen, *other.candidates)],
        )
    for record in ours.recording.attention:
        assert record.query_tokens == theirs.recording.of(record.kind).query_tokens
        expected = theirs.recording.of(record.kind).layer_weights(1)
        assert_close(record.layer_weights(1), expected)


def test_both_adapters_guess_alike(folder: Path, gpt: ScratchDecoder) -> None:
    for ours, theirs in (
        (gpt, load_huggingface(str(folder / "gpt"), name="gpt")),
        (opened(ScratchDecoder, folder / "llama"), load_huggingface(str(folder / "llama"), name="llama")),
        (load("mini-bert", device="cpu"), load("models/pretrained/mini-bert", device="cpu")),
    ):
        one, other = ours.guess_tokens(TEXT), theirs.guess_tokens(TEXT)
        assert one.sides == other.sides == ("left" if isinstance(ours, ScratchDecoder) else "both")
        assert one.tokens == other.tokens
        expect_same_guesses(one, other)


def expect_same_guesses(one: TokenGuesses, other: TokenGuesses) -> None:
    for mine, theirs in zip(one.guesses, other.guesses, strict=True):
        assert mine.position == theirs.position
        assert_close(mine.rank, theirs.rank, tolerance=0.01, magnitude=100 + theirs.rank)  # neighbours may be ties
        assert_close(mine.probability, theirs.probability, magnitude=1)
        assert_same_ranking(ranked(mine.choices), ranked(theirs.choices))
    assert_same_ranking(ranked(one.next_choices), ranked(other.next_choices))


def ranked(choices: Sequence[WordChoice]) -> list[tuple[str, float]]:
    return [(choice.text, choice.probability) for choice in choices]


# -- writing ----------------------------------------------------------------------------------------------------------


@torch.inference_mode()
def stepwise(model: ScratchTranslator | ScratchDecoder, text: str, written: list[int]) -> dict[Kind, list[Array]]:
    """The attention of every token with the cache, the last layer's: [n_heads, n_key] a token and kind."""
    with model.open_prompt(model.prepare(text)) as prompt:
        cache = prompt.decoder.new_cache()
    found: dict[Kind, list[Array]] = {"decoder": [], "cross": []}
    for given in ([*prompt.ids], *([token] for token in written[:-1])):
        with recording() as calls:
            prompt.decoder.next_logits(torch.tensor([given]), cache)
        for call in (call for call in calls if call.kind in found):
            scores = call.query[0, :, -1:] @ call.key[0].transpose(-2, -1) * call.scale  # [n_heads, 1, n_key]
            found[call.kind].append(scores.softmax(dim=-1)[:, 0].numpy())
    n_layers = model.info.n_layers
    return {kind: of_kind[n_layers - 1 :: n_layers] for kind, of_kind in found.items()}


@pytest.mark.parametrize("name", ["translator", "ending", "gpt", "llama"])
def test_the_one_recorded_pass_holds_the_attention_of_every_step(folder: Path, name: str) -> None:
    model = load_folder(folder / name, name=name, device="cpu")
    assert isinstance(model, ScratchTranslator | ScratchDecoder)
    writing = model.continue_text(TEXT, n_new=9) if model.info.can_continue else model.translate(TEXT)
    steps = stepwise(model, TEXT, ids(writing))
    for kind in (kind for kind in ("decoder", "cross") if kind in writing.recording.kinds):
        record = writing.recording.of(kind)
        for token, seen in zip(writing.written, steps[kind], strict=True):
            row = record.layer_weights(model.info.n_layers - 1)[:, token.position]
            assert_close(row[:, : seen.shape[1]], seen, tolerance=PARITY, magnitude=1)
            assert not row[:, seen.shape[1] :].any()


@torch.inference_mode()
def test_candidates_are_what_the_model_said_at_that_moment(folder: Path) -> None:
    model = opened(ScratchTranslator, folder / "ending")
    writing = model.translate(TEXT)
    with model.open_prompt(model.prepare(TEXT)) as prompt:
        beam = greedy(prompt.decoder, torch.tensor(prompt.ids), n_new=MAX_TOKENS - 1, end_id=ENDS)
    assert tuple(ids(writing)) == beam.ids
    assert writing.is_finished
    assert writing.written[-1].token_id in ENDS
    for number, token in enumerate(writing.written):
        given = torch.tensor([[*prompt.ids, *beam.ids[:number]]])
        expected = prompt.decoder.next_logits(given)[0].softmax(dim=-1).topk(20)
        assert token.position == number
        names = [model.vocabulary[each] for each in expected.indices]
        assert_same_ranking(ranked(token.candidates), list(zip(names, expected.values.tolist(), strict=True)))
        assert token.chosen == token.candidates[0]
    assert_close(sum(np.log(token.chosen.probability) for token in writing.written), beam.log_probability)


def test_beams_end_in_what_is_written(folder: Path) -> None:
    model = opened(ScratchTranslator, folder / "ending")
    one, four = model.translate(TEXT), model.translate(TEXT, width=4, length_penalty=0.0)
    assert not one.branches
    best = four.branches[-1][0]
    assert tuple(ids(four)) == best.token_ids
    assert best.text == four.text
    assert_close(best.score, best.log_probability)
    assert_close(best.score, sum(np.log(token.chosen.probability) for token in four.written))
    assert_at_most(sum(np.log(token.chosen.probability) for token in one.written), best.log_probability)
    assert best.is_finished == four.is_finished
    for before, after in pairwise(four.branches):
        parents = {branch.token_ids for branch in before}
        assert all(branch.token_ids in parents or branch.token_ids[:-1] in parents for branch in after)
        assert [branch.score for branch in after] == sorted((branch.score for branch in after), reverse=True)
        assert all(branch.tokens == tuple(model.vocabulary[each] for each in branch.token_ids) for branch in after)


def test_what_is_written_is_cut_at_the_positions(translator: ScratchTranslator, gpt: ScratchDecoder) -> None:
    writing = translator.translate("house " * 200)
    assert not writing.is_finished
    assert len(writing.written) == MAX_TOKENS - 1
    assert writing.recording.of("decoder").n_query == MAX_TOKENS
    assert "was cut after" in writing.recording.note
    assert len(translator.translate("car").written) == 2 * len(translator.prepare("car").tokens) + 20
    long = gpt.continue_text("house " * 200, n_new=10, temperature=0)
    assert len(long.written) == 10
    assert MAX_TOKENS - 2 <= len(long.recording.tokens) <= MAX_TOKENS
    assert "was cut after" in long.recording.note
    assert (
        MAX_TOKENS // 2 <= len(gpt.continue_text("house " * 200, n_new=1000, temperature=0).written) < MAX_TOKENS - 10
    )


def test_the_same_seed_is_the_same_text(gpt: ScratchDecoder) -> None:
    texts = [gpt.continue_text(TEXT, n_new=8, seed=seed).text for seed in (0, 0, 1, 2, 3)]
    assert texts[0] == texts[1]
    assert len(set(texts)) > 1
    greedily = gpt.continue_text(TEXT, n_new=8, temperature=0)
    assert ids(gpt.continue_text(TEXT, n_new=8, top_k=1, seed=5)) == ids(greedily)
    hot = gpt.continue_text(TEXT, n_new=8, temperature=9, top_k=3, seed=5)
    for token in hot.written:
        assert token.chosen.text in [choice.text for choice in token.candidates[:3]]
        assert sum(choice.probability for choice in token.candidates) < 1, "the model's own, not those of the draw"


@torch.inference_mode()
@pytest.mark.parametrize(
    ("adapter", "name"), [("scratch", "gpt"), ("huggingface", "gpt"), ("huggingface", "forbidding")]
)
@pytest.mark.parametrize("kept", [2, 20, 1000])
def test_every_token_is_drawn_with_the_softmax_of_all_logits(
    folder: Path, adapter: str, name: str, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("models.tasks.writing.CANDIDATES", kept)
    path = folder / name
    model = load_huggingface(str(path)) if adapter == "huggingface" else load_folder(path, name=name, device="cpu")
    peer = hf.GPT2LMHeadModel.from_pretrained(path, attn_implementation="eager").eval()
    for temperature, top_k in ((0, 0), (0, 5), (0.5, 0), (0.5, 5), (1, 0), (1, 1), (2, 0), (2, 5), (2, 1000)):
        writing = model.continue_text(TEXT, n_new=6, temperature=temperature, top_k=top_k, seed=3)
        read = [*model.prepare(TEXT).input_ids, *ids(writing)]
        logits = peer(torch.tensor([read])).logits[0].double()  # [n_tokens, d_vocab]
        for token in writing.written:
            row = logits[token.position]  # [d_vocab]
            said, places = row.softmax(dim=-1), row.topk(min(kept, len(row))).indices
            allowed = row.clone()
            allowed[FORBIDDEN if name == "forbidding" else []] = -torch.inf
            expected = drawn_by_torch(allowed, temperature, top_k)
            assert_close(token.drawn, expected[places], magnitude=1)
            assert_close(token.chosen_drawn, float(expected[token.token_id]), magnitude=1)
            assert token.chosen_drawn > 0
            assert_close(token.entropy, -float((said * said.log2()).sum()))
            assert_at_most(sum(token.drawn), 1)
            if len(token.candidates) == len(row) or (name == "gpt" and (temperature == 0 or 0 < top_k <= kept)):
                assert_close(sum(token.drawn), 1)


def drawn_by_torch(logits: torch.Tensor, temperature: float, top_k: int) -> torch.Tensor:
    """softmax(logits / temperature) over the `top_k` likeliest, 0 for all; one token alone without a temperature."""
    if temperature == 0:
        return torch.nn.functional.one_hot(logits.argmax(), len(logits)).double()
    masked = logits / temperature
    if 0 < top_k < len(logits):
        masked[logits < logits.topk(top_k).values[-1]] = -torch.inf
    return masked.softmax(dim=-1)


def test_a_translation_is_not_drawn_by_lot(translator: ScratchTranslator) -> None:
    for token in translator.translate(TEXT, width=2).written:
        assert (token.drawn, token.chosen_drawn) == ((), None)
        assert token.entropy is not None


def test_a_continued_text_is_the_prompt_and_what_follows_it(gpt: ScratchDecoder) -> None:
    writing = gpt.continue_text("The man", n_new=6, seed=2)
    prompt = gpt.prepare("The man").tokens
    tokens = writing.recording.tokens
    assert tokens[: len(prompt)] == prompt
    assert prompt[0].is_special
    assert [token.text for token in tokens[len(prompt) :]] == [token.chosen.text for token in writing.written]
    assert [token.position for token in writing.written] == list(range(len(prompt) - 1, len(tokens) - 1))
    for before, after in pairwise(writing.written):
        assert after.text_so_far.startswith(before.text_so_far)
    whole = gpt.tokenizer.decode([*gpt.prepare("The man").input_ids, *ids(writing)], skip_special_tokens=True)
    assert "The man" + writing.text == whole
    words = [(token.word, token.text) for token in tokens if not token.is_special]
    for (before, _), (after, piece) in pairwise(words):
        assert after == before + (not piece.startswith("##"))


# -- reading ----------------------------------------------------------------------------------------------------------


def test_a_target_that_is_given_is_read_and_one_that_is_not_is_written(translator: ScratchTranslator) -> None:
    given = translator.record(TEXT, "El hombre")
    record = given.of("cross")
    assert given.kinds == KINDS
    assert [token.text for token in record.query_tokens] == ["[CLS]", *translator.tokenizer.tokenize("El hombre")]
    assert "".join("El hombre"[token.start : token.end] for token in record.query_tokens[1:]) == "Elhombre"
    assert all(token.segment == 1 for token in record.query_tokens)
    assert record.key_tokens == given.tokens
    written, writing = translator.record(TEXT), translator.translate(TEXT)
    assert "itself wrote" in written.note
    assert "itself wrote" not in writing.recording.note
    for kind in KINDS:
        assert written.of(kind).query_tokens == writing.recording.of(kind).query_tokens
        assert np.array_equal(written.of(kind).query, writing.recording.of(kind).query)


def test_words_that_no_translator_has_seen_are_told(folder: Path, tmp_path: Path) -> None:
    model = opened(ScratchTranslator, folder / "translator")
    assert model.translate(TEXT).unknown_words == ()
    assert model.translate("The 🙂 man Qwx 漢 car.").unknown_words == ("🙂", "Qwx", "漢")
    told = tiny_writers.translator(tmp_path / "told")
    (told / "source-words.txt").write_text("The\nthe\nman\nhas\na\nred\n\n", encoding="utf-8")
    model = opened(ScratchTranslator, told)
    assert model.translate("The man has a red Car. The MAN a new man-car.").unknown_words == (
        "Car",
        "MAN",
        "new",
        "man-car",
    )


def test_a_word_is_known_as_the_tokenizer_reads_it_and_in_no_other_case(tmp_path: Path) -> None:
    """ "Man" is written down, but has no piece: what is said must be what the model reads, [UNK]."""
    told = tiny_writers.translator(tmp_path / "told")
    (told / "source-words.txt").write_text("The\nMan\nman\nhas\n", encoding="utf-8")
    model = opened(ScratchTranslator, told)
    for text in ("The man has", "The Man has", "The MAN has", "The 3 has"):
        writing = model.translate(text)
        read = [token.text for token in writing.recording.tokens]
        assert writing.unknown_words == ((text.split()[1],) if "[UNK]" in read else ())


def test_text_without_words_is_refused(translator: ScratchTranslator, gpt: ScratchDecoder) -> None:
    for ask in (translator.translate, gpt.continue_text, gpt.guess_tokens, translator.record, gpt.record):
        for text in ("", "   ", "\u200b"):
            with pytest.raises(TextError):
                ask(text)
    with pytest.raises(ValueError, match="width is 0"):
        translator.translate(TEXT, width=0)
    with pytest.raises(ValueError, match="temperature is -1"):
        gpt.continue_text(TEXT, temperature=-1)
    with pytest.raises(ValueError, match="0 new tokens"):
        gpt.continue_text(TEXT, n_new=0)


# -- guesses ----------------------------------------------------------------------------------------------------------


@torch.inference_mode()
def test_a_causal_model_guesses_from_the_left(gpt: ScratchDecoder, monkeypatch: pytest.MonkeyPatch) -> None:
    guesses = gpt.guess_tokens(TEXT)
    given = gpt.prepare(TEXT).input_ids
    said = gpt.model(torch.tensor([given])).logits[0].log_softmax(dim=-1)  # [n_tokens, d_vocab]
    assert [guess.position for guess in guesses.guesses] == list(range(1, len(given)))
    assert guesses.of(0) is None
    for guess in guesses.guesses:
        row = said[guess.position - 1]
        assert_close(guess.probability, float(row[given[guess.position]].exp()), magnitude=1)
        assert guess.rank == 1 + int((row > row[given[guess.position]]).sum())
        assert_same_ranking(ranked(guess.choices), likeliest(gpt, row, 10))
    assert_same_ranking(ranked(guesses.next_choices), likeliest(gpt, said[-1], 20))
    assert guesses.next_choices == gpt.continue_text(TEXT, n_new=1).written[0].candidates
    monkeypatch.setattr("models.tasks.writing.MOST_NUMBERS", 3 * gpt.info.d_vocab)
    expect_same_guesses(gpt.guess_tokens(TEXT), guesses)


def likeliest(model: ScratchDecoder, log_probabilities: torch.Tensor, n: int) -> list[tuple[str, float]]:
    best = log_probabilities.exp().topk(n)
    return [
        (model.vocabulary[token], strength) for token, strength in zip(best.indices, best.values.tolist(), strict=True)
    ]


def test_an_encoder_guesses_every_token_behind_a_mask(monkeypatch: pytest.MonkeyPatch) -> None:
    model = load("mini-bert", device="cpu")
    assert isinstance(model, ScratchModel)
    text = "The man [MASK] a letter."
    guesses = model.guess_tokens(text)
    words = ["the", "man", "[MASK]", "a", "letter", "."]
    assert [token.text for token in guesses.tokens] == ["[CLS]", *words, "[SEP]"]
    assert [guess.position for guess in guesses.guesses] == [1, 2, 4, 5, 6]
    for guess in guesses.guesses:
        hidden = [*words[: guess.position - 1], "[MASK]", *words[guess.position :]]
        masked = model.masked_words(" ".join(hidden))
        mask = masked.positions.index(guess.position)
        (token_id,) = model.ask_word(words[guess.position - 1]).token_ids
        assert_close(guess.probability, masked.choice(mask, token_id).probability, magnitude=1)
        assert guess.rank == masked.rank(mask, token_id)
        assert_same_ranking(ranked(guess.choices), ranked(masked.best(mask, 10)))
    monkeypatch.setattr("models.tasks.mask_guesser.ROWS_AT_ONCE", 2)
    expect_same_guesses(model.guess_tokens(text), guesses)


def test_a_model_without_the_head_says_so(translator: ScratchTranslator, gpt: ScratchDecoder) -> None:
    bert = load("mini-bert", device="cpu")
    for ask, why in (
        (bert.translate, "mini-bert cannot translate: it is an encoder"),
        (bert.continue_text, "mini-bert cannot continue a text: it is an encoder"),
        (gpt.translate, "it has no encoder"),
        (gpt.masked_words, "causal"),
        (translator.continue_text, "does not continue a text"),
        (translator.guess_tokens, "no LM head for masked words"),
        (translator.label_text, "no classifier for texts"),
        (gpt.find_replaced, "cannot find replaced tokens"),
    ):
        with pytest.raises(MissingCapabilityError, match=why):
            ask("The man")
    with pytest.raises(MissingCapabilityError):
        gpt.next_sentence("The man", "A car")


# -- steps and positions ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["El coche rojo es viejo", "The old man sees a red house."])
def test_every_kind_of_a_translator_is_walked(translator: ScratchTranslator, target: str) -> None:
    recorded = translator.record(TEXT, target)
    embeddings = {"encoder": translator.model.encoder.embeddings, "decoder": translator.model.decoder.embeddings}
    for kind in KINDS:
        walk = translator.walk(TEXT, target, kind=kind, layer=1, head=2)
        assert not walk.missing
        assert_close(walk.step("softmax").outputs[0].values, recorded.of(kind).weights(1, 2))
        table = embeddings["encoder" if kind == "encoder" else "decoder"].position.weight
        position = next(each for each in walk.step("embeddings").inputs if each.symbol == "P")
        np.testing.assert_array_equal(position.values, table[: len(walk.query_tokens)])
        if kind == "encoder":
            arrived = walk.step("feed_forward_residual").outputs[-1].values
            assert_close(arrived, recorded.hidden_states[2])


def test_a_gpt_is_walked_also_with_other_positions(gpt: ScratchDecoder) -> None:
    plain = gpt.walk(TEXT, kind="decoder", layer=1, head=0)
    assert plain.norm == "pre"
    assert {missing.name for missing in plain.missing} == set()
    arrived = plain.step("feed_forward_residual").outputs[-1].values
    assert_close(arrived, gpt.record(TEXT).hidden_states[2])
    shuffled = gpt.walk(TEXT, kind="decoder", layer=0, head=0, what_if=WhatIf(name="shuffled_positions", seed=1))
    tokens, positions = (
        {each.symbol: each.values for each in walk.step("embeddings").inputs} for walk in (plain, shuffled)
    )
    np.testing.assert_array_equal(tokens["E"], positions["E"])
    assert not np.array_equal(tokens["P"], positions["P"])
    np.testing.assert_array_equal(np.sort(tokens["P"], axis=0), np.sort(positions["P"], axis=0))


def test_positions_are_told_and_what_cannot_be_shuffled_says_so(
    translator: ScratchTranslator, gpt: ScratchDecoder
) -> None:
    for model, table in (
        (translator, translator.model.encoder.embeddings.position.weight),
        (gpt, gpt.model.decoder.embeddings.position.weight),
    ):
        found = model.positions()
        assert found.scheme == "learned"
        np.testing.assert_array_equal(found.table, table)
        with pytest.raises(UnsupportedModelError, match=model.info.name):
            model.record_shuffled(TEXT, with_positions=True)
    with pytest.raises(UnsupportedModelError, match="an encoder and a decoder"):
        translator.walk(TEXT, layer=0, head=0, what_if=WhatIf(name="shuffled_positions"))


def test_a_llama_of_ours_is_probed_as_theirs_is(folder: Path) -> None:
    """What is added up, and answers under changes: the future stays hidden where heads and tokens are exchanged."""
    ours, theirs = load_folder(folder / "llama", name="llama", device="cpu"), load_huggingface(str(folder / "llama"))
    contrast = contrast_of(ours, TEXT, position=5)
    changes = (
        Changes(),
        Changes(hidden=(("decoder", 2),)),
        Changes(heads=(HeadEdit(kind="decoder", layer=1, head=3, by="uniform"),)),
    )
    one, other = (model.answers_under(TEXT, contrast=contrast, changes=changes) for model in (ours, theirs))
    assert_close(one.logits, other.logits)
    assert len(set(one.logits[:, 0].tolist())) == 3
    mine, their = (model.answer_streams(TEXT, contrast=contrast) for model in (ours, theirs))
    assert_close(mine.direction, their.direction)
    for part, same_part in zip(mine.streams[0].sub_layers, their.streams[0].sub_layers, strict=True):
        assert_close(part.added, same_part.added)
    slope, same_slope = (model.gradients(TEXT, contrast=contrast)[0] for model in (ours, theirs))
    for own, other_own in zip(slope.weights, same_slope.weights, strict=True):
        assert_close(own.gradient, other_own.gradient)


def test_a_llama_tells_its_angles(folder: Path) -> None:
    model = opened(ScratchDecoder, folder / "llama")
    found = model.positions()
    assert found.scheme == "rotary"
    assert_close(found.frequencies * 10000.0 ** (np.arange(0, 8, 2) / 8), 1)
    with pytest.raises(UnsupportedModelError, match=model.info.name):
        model.record_shuffled(TEXT, with_positions=True)
    (record,) = model.record("dog dog dog dog dog").attention
    first, third = record.query[0, 1, 1], record.query[0, 1, 3]  # equal tokens: equal in the first layer, but turned
    turns = np.exp(2j * found.frequencies)
    assert_close((first[:4] + 1j * first[4:]) * turns, third[:4] + 1j * third[4:])


# -- folders ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [tiny_writers.translator, tiny_writers.gpt, tiny_writers.llama])
@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("config.json", None),
        ("config.json", "[]"),
        ("config.json", '{"model_type": ["bart"]}'),
        ("config.json", '{"model_type": "t5"}'),
        ("model.safetensors", "nonsense"),
        ("tokenizer.json", None),
        ("tokenizer.json", "{"),
        ("tokenizer.json", '{"model": {}}'),
    ],
)
def test_a_broken_folder_is_named(make, file: str, content: str | None, tmp_path: Path) -> None:
    folder = make(tmp_path / "broken")
    (folder / file).unlink() if content is None else (folder / file).write_text(content, encoding="utf-8")
    with pytest.raises(ModelLoadError, match=r"my-model|broken"):
        load_folder(folder, name="my-model", device="cpu")


def test_tokens_that_the_model_does_not_know_are_refused(tmp_path: Path) -> None:
    folder = tiny_writers.translator(tmp_path / "one")
    other = tiny_writers.cased_wordpiece([*tiny_writers.wordpiece().get_vocab(), "one", "more"])
    tiny_writers.writing_tokenizer(other, MAX_TOKENS).save_pretrained(folder)
    with pytest.raises(ModelLoadError, match="do not belong together"):
        load_folder(folder, name="one", device="cpu")
    for field, value in (("eos_token_id", 9999), ("decoder_start_token_id", None), ("decoder_start_token_id", "two")):
        folder = tiny_writers.translator(tmp_path / "other")
        tiny_writers.change(folder / "config.json", **{field: value})
        with pytest.raises(ModelLoadError):
            load_folder(folder, name="other", device="cpu")
