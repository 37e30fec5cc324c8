"""Every method of attribution against its formula, written out once more, and against what must hold."""

from __future__ import annotations

from functools import cache

import networkx as nx
import numpy as np
import pytest
import torch
from torch.nn import functional

from models.analysis import analyses
from models.analysis.attribution.attribute import attribute, attribute_by, attribution_methods
from models.analysis.attribution.block_parts import block_of
from models.analysis.attribution.evidence import Evidence
from models.analysis.attribution.methods.alti import contributions
from models.analysis.attribution.methods.flow import maximum_flow
from models.analysis.attribution.methods.gradient_attention import gradient_attention
from models.analysis.attribution.methods.integrated import clenshaw_curtis
from models.analysis.attribution.methods.norms import head_norms
from models.analysis.attribution.methods.raw_attention import raw_attention
from models.analysis.attribution.methods.rollout import rollout
from models.analysis.attribution.mixing import attention_layers, mean_attention, mixings, roll_out
from models.analysis.contrasts import contrast_of
from models.model import Model
from models.opening.entries import PRETRAINED
from models.opening.forwarding import ForwardingModel
from models.values.errors import SelectionError
from models.values.probing.changes import NO_CHANGES, Changes, StateEdit
from models.values.record import Array
from models.values.results.attribution import STANDS_STILL, words_of
from tests.closeness import assert_at_most, assert_close
from tests.loaded import load
from tests.models.huggingface.families import FAMILIES
from tests.models.probed import TEXT, opened, question_to

ASKED = {
    "mini-bert": ("The old [MASK] barked at the cat.", None),
    "mini-gpt": ("The old dog barked at the", None),
    "translator-es": ("the cat sleeps in the old house", "El gato"),
    "sentiment": ("not a really good film", None),
}
METHODS = [method.name for method in attribution_methods()]


def model_of(name: str) -> Model:
    return load(name, device="cpu")


@cache
def evidence_of(name: str) -> Evidence:
    model, (text, text_b) = model_of(name), ASKED[name]
    return Evidence(model, text, text_b, contrast_of(model, text, text_b))


# -- all of them ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ASKED)
def test_scratch_and_hugging_face_say_the_same(name: str) -> None:
    text, text_b = ASKED[name]
    theirs = load(f"{PRETRAINED.as_posix()}/{name}", device="cpu")
    one, other = (attribute_by(model, text, text_b=text_b) for model in (model_of(name), theirs))
    assert [each.method for each in one] == METHODS
    for ours, same in zip(one, other, strict=True):
        assert ours.tokens == same.tokens
        assert_close(ours.scores, same.scores, tolerance=1e-4, err_msg=ours.method)


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("method", ["raw", "rollout", "norms", "block_norms", "alti"])
def test_shares_of_what_was_read_sum_to_1(name: str, method: str) -> None:
    text, text_b = ASKED[name]
    found = attribute(model_of(name), text, method, text_b=text_b)
    assert_close(found.scores.sum(), 1)
    assert (found.scores >= 0).all()
    assert not found.is_signed


def test_what_a_head_gives_to_a_sink_stays_with_the_token_that_looks() -> None:
    model = opened("gpt_oss")
    record = model.record(TEXT).attention[0]
    assert_close(attribute(model, TEXT, "rollout").scores.sum(), 1)
    evidence = Evidence(model, TEXT, None, question_to("gpt_oss"))
    left = evidence.readers @ (1 - record.sink_shares(record.n_layers - 1, None))
    assert_close(raw_attention(evidence).sum(), left)
    assert left < 0.99


def test_what_is_written_later_has_nothing_to_do_with_a_decoders_answer() -> None:
    model, text = model_of("mini-gpt"), "The old dog barked at the cat."
    contrast = contrast_of(model, text, position=3)
    for found in attribute_by(model, text, contrast=contrast):
        if found.method != "integrated":  # whose scores are as exact as its sum
            assert_close(found.scores[4:], 0, magnitude=1, err_msg=found.method)


def test_methods_share_what_they_ask_and_unknown_ones_are_refused() -> None:
    class Counting(ForwardingModel):
        """The model itself, with its questions counted."""

        def __init__(self) -> None:
            self.asked: list[str] = []

        def ask(self, question: str, *args: object, **kwargs: object) -> object:
            self.asked.append(question)
            return getattr(model_of("mini-bert"), question)(*args, **kwargs)

    model = Counting()
    attribute_by(model, ASKED["mini-bert"][0], ["rollout", "norms", "block_norms", "alti", "raw", "flow"])
    assert sorted(model.asked) == ["answer_logits", "answer_streams", "record"]
    with pytest.raises(SelectionError, match="'guess' is unknown, expected one of raw, rollout"):
        attribute(model, ASKED["mini-bert"][0], "guess")
    assert {*METHODS} <= {analysis.name for analysis in analyses()}
    assert len(METHODS) == 10


def test_the_tokens_of_a_translator_are_the_source_and_then_what_is_written() -> None:
    evidence = evidence_of("translator-es")
    source, target = (evidence.records[kind].query_tokens for kind in ("encoder", "decoder"))
    assert evidence.tokens == (*source, *target)
    assert evidence.places[len(source) :] == tuple(("decoder", at) for at in range(len(target)))
    assert evidence.readers[len(source)] == evidence.readers.sum() == 1
    words = words_of(evidence.tokens, evidence.places, evidence.contrast)
    assert [" ".join(evidence.tokens[at].text for at in word) for word in words][:2] == ["the", "cat"]
    assert all(not evidence.tokens[at].is_special for word in words for at in word)


def test_words_are_whole_and_the_mask_that_is_asked_about_is_none() -> None:
    evidence = evidence_of("mini-bert")
    spelled = ["".join(evidence.tokens[at].text.removeprefix("##") for at in word) for word in evidence.words]
    assert spelled == ["the", "old", "barked", "at", "the", "cat", "."]
    np.testing.assert_array_equal(evidence_of("sentiment").readers > 0, [1, 0, 0, 0, 0, 0, 0])  # [CLS]


# -- rollout and flow -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["mini-bert", "mini-gpt"])
def test_rollout_is_the_product_of_all_layers_the_last_one_first(name: str) -> None:
    evidence = evidence_of(name)
    (record,) = evidence.recording.attention
    product = np.eye(record.n_query)
    for layer in range(record.n_layers):
        mean = np.mean([record.weights(layer, head) for head in range(record.n_heads)], axis=0)
        product = (0.5 * mean + 0.5 * np.eye(record.n_query)) @ product
    assert_close(roll_out(mixings(evidence, mean_attention)), product)
    assert_close(rollout(evidence), product[evidence.contrast.position])
    in_the_wrong_order = np.linalg.multi_dot(mixings(evidence, mean_attention))
    assert np.abs(in_the_wrong_order - product).max() > 1e-2


def test_rollout_of_a_translator_goes_from_the_source_through_cross_attention() -> None:
    evidence = evidence_of("translator-es")
    records = evidence.records
    half = {
        kind: [0.5 * record.mean_weights(layer) for layer in range(record.n_layers)] for kind, record in records.items()
    }
    n_source, n_target = records["encoder"].n_query, records["decoder"].n_query
    n_layers, source = records["encoder"].n_layers, np.eye(n_source)
    for layer in range(n_layers):
        source = (half["encoder"][layer] + 0.5 * np.eye(n_source)) @ source
    from_source, from_target = np.zeros((n_target, n_source)), np.eye(n_target)
    for layer in range(n_layers):
        own = half["decoder"][layer] + 0.5 * np.eye(n_target)
        from_source, from_target = own @ from_source, own @ from_target
        from_source, from_target = 0.5 * from_source + half["cross"][layer] @ source, 0.5 * from_target
    expected = np.hstack((from_source, from_target))[evidence.contrast.position]
    assert_close(rollout(evidence), expected)


@pytest.mark.parametrize("seed", range(6))
def test_flow_is_the_maximum_flow(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n_layers, n_nodes = 4, 5
    capacities = rng.dirichlet(np.full(n_nodes, 0.4), (n_layers, n_nodes))
    graph = nx.DiGraph()
    for layer, above, below in np.ndindex(*capacities.shape):
        graph.add_edge((layer, above), (layer + 1, below), capacity=float(capacities[layer, above, below]))
    for end in range(n_nodes):
        expected = nx.maximum_flow_value(graph, (0, 2), (n_layers, end))
        assert_close(maximum_flow(capacities, 2, end), expected)


def test_in_one_layer_flow_is_rollout_and_in_several_it_is_more() -> None:
    text, _ = ASKED["sentiment"]
    one, other = attribute_by(model_of("sentiment"), text, ["rollout", "flow"])
    assert_close(one.scores, other.scores)
    one, other = attribute_by(model_of("mini-bert"), ASKED["mini-bert"][0], ["rollout", "flow"])
    assert_at_most(one.scores, other.scores)


# -- vectors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FAMILIES)
def test_what_comes_from_every_token_adds_up_to_what_the_block_gives(name: str) -> None:
    evidence = Evidence(opened(name), TEXT, None, question_to(name))
    layers = attention_layers(evidence)
    for record, layer, with_value_bias in [(*each, biased) for each in layers for biased in (True, False)]:
        block = block_of(evidence, record, layer, with_value_bias=with_value_bias)
        stream = evidence.streams.of(record.kind)
        after = stream.sub_layers[stream.sub_layers.index(block.sub_layer) + 1].carried
        found = np.stack([block.parts(query).output for query in range(record.n_query)])
        assert_close(found, after, tolerance=1e-4)


def test_the_biases_of_the_values_are_found_where_there_are_any() -> None:
    for name in ("bert", "gpt2", "bart", "opt"):
        evidence = Evidence(opened(name), TEXT, None, question_to(name))
        for record, layer in attention_layers(evidence):
            assert block_of(evidence, record, layer, with_value_bias=True).moved_bias.any()
    record, stream = evidence_of("mini-bert").records["encoder"], evidence_of("mini-bert").streams.answering
    model = model_of("mini-bert").model.encoder.layers[1].attention
    expected = model.value.bias.detach().numpy().reshape(record.n_heads, -1)
    assert_close(stream.attention("encoder", 1).projection.value_bias, expected)


def block_by_hand(layer: int, query: int) -> tuple[Array, Array, Array]:
    """Of one token of mini-bert, in torch: the part of every token without biases, with those of the values, and the
    output of the block."""
    evidence = evidence_of("mini-bert")
    block = model_of("mini-bert").model.encoder.layers[layer]
    record = evidence.records["encoder"]
    x = torch.tensor(evidence.recording.hidden_states[layer])
    with torch.no_grad():
        bare, biased = torch.zeros_like(x), torch.zeros_like(x)
        for head in range(record.n_heads):
            rows = slice(head * 32, (head + 1) * 32)
            w_v, b_v, w_o = (
                block.attention.value.weight[rows],
                block.attention.value.bias[rows],
                block.attention.output.weight[:, rows],
            )
            weights = torch.tensor(record.weights(layer, head)[query])[:, None]
            bare += weights * (x @ w_v.T) @ w_o.T
            biased += weights * (x @ w_v.T + b_v) @ w_o.T
        total = biased.sum(dim=0) + block.attention.output.bias + x[query]
        deviation = (total.var(unbiased=False) + block.attention_norm.eps).sqrt()
        for parts in (bare, biased):
            parts[query] += x[query]
            parts.sub_(parts.mean(dim=1, keepdim=True)).mul_(block.attention_norm.weight / deviation)
        return bare.numpy(), biased.numpy(), block.attention_norm(total).numpy()


@pytest.mark.parametrize("method", ["alti", "block_norms", "norms"])
def test_vectors_are_weighed_by_the_formula_of_the_paper(method: str) -> None:
    evidence = evidence_of("mini-bert")
    record, w_o = evidence.records["encoder"], evidence.streams.answering
    n_tokens = record.n_query
    product = np.eye(n_tokens)
    for layer in range(record.n_layers):
        rows = []
        for query in range(n_tokens):
            bare, biased, output = block_by_hand(layer, query)
            if method == "alti":
                distances = np.abs(output - bare).sum(axis=1)
                sizes = np.maximum(0, np.abs(output).sum() - distances)
            elif method == "block_norms":
                sizes = np.linalg.norm(biased, axis=1)
            else:
                moved = record.value[layer] @ w_o.attention("encoder", layer).projection.weight
                weights = np.stack([record.weights(layer, head)[query] for head in range(record.n_heads)])
                sizes = np.linalg.norm((weights[:, :, None] * moved).sum(axis=0), axis=1)
            rows.append(sizes / sizes.sum())
        mixed = np.stack(rows)
        product = (mixed if method != "norms" else 0.5 * mixed + 0.5 * np.eye(n_tokens)) @ product
    found = attribute(model_of("mini-bert"), ASKED["mini-bert"][0], method, contrast=evidence.contrast)
    assert_close(found.scores, product[evidence.contrast.position])


def test_contributions_count_what_comes_nearer_and_not_what_others_cancel() -> None:
    output = np.array([1, 0, 2], np.float32)
    parts = np.array([[1, 0, 2], [5, 0, 0], [-5, 0, 0]], np.float32)
    assert_close(contributions(parts, output), [1, 0, 0])
    assert_close(contributions(-parts[:1].repeat(2, axis=0), output), [0.5, 0.5])


def test_the_norms_of_a_head_take_w_o_with_them() -> None:
    evidence = evidence_of("mini-bert")
    record = evidence.records["encoder"]
    layer, head = 1, 3
    block = model_of("mini-bert").model.encoder.layers[layer].attention
    moved = record.value[layer, head] @ block.output.weight.detach().numpy()[:, head * 32 : (head + 1) * 32].T
    expected = np.linalg.norm(record.weights(layer, head)[:, :, None] * moved, axis=-1)
    found = head_norms(record, evidence.streams.answering.attention("encoder", layer), head)
    assert_close(found, expected)


# -- gradients --------------------------------------------------------------------------------------------------------


def test_relevance_spreads_by_the_generic_rule() -> None:
    for name in ("mini-bert", "mini-gpt", "sentiment"):
        evidence = evidence_of(name)
        (of_kind,) = evidence.gradients.weights
        relevance = torch.eye(len(evidence.tokens))
        for weights, gradient in zip(of_kind.weights, of_kind.gradient, strict=True):
            positive = functional.relu(torch.tensor(weights) * torch.tensor(gradient)).mean(dim=0)
            relevance = relevance + positive @ relevance
        at = evidence.contrast.position or 0
        expected = (relevance - torch.eye(len(relevance)))[at]
        assert_close(gradient_attention(evidence), expected)


def test_relevance_crosses_from_the_source_by_equation_10() -> None:
    evidence = evidence_of("translator-es")
    gradients = {each.kind: each for each in evidence.gradients.weights}

    def positive(kind: str, layer: int) -> torch.Tensor:
        product = torch.tensor(gradients[kind].weights[layer]) * torch.tensor(gradients[kind].gradient[layer])
        return functional.relu(product).mean(dim=0)

    def normalised(relevance: torch.Tensor) -> torch.Tensor:
        added = relevance - torch.eye(len(relevance))
        return torch.nan_to_num(added / added.sum(dim=1, keepdim=True)) + torch.eye(len(relevance))

    source, target = (torch.eye(evidence.records[kind].n_query) for kind in ("encoder", "decoder"))
    crossed, n_layers = torch.zeros(len(target), len(source)), evidence.records["encoder"].n_layers
    for layer in range(n_layers):
        source = source + positive("encoder", layer) @ source
    for layer in range(n_layers):
        own = positive("decoder", layer)
        target, crossed = target + own @ target, crossed + own @ crossed
        crossed = crossed + normalised(target).T @ positive("cross", layer) @ normalised(source)
    at = evidence.contrast.position
    expected = torch.cat((crossed[at], (target - torch.eye(len(target)))[at]))
    assert_close(gradient_attention(evidence), expected)


@pytest.mark.parametrize("name", ASKED)
def test_gradient_times_input_is_what_a_longer_embedding_does(name: str) -> None:
    evidence, (text, text_b) = evidence_of(name), ASKED[name]
    found = attribute(model_of(name), text, "gradient_input", text_b=text_b, contrast=evidence.contrast)
    for at in (1, len(evidence.tokens) - 1):
        stack, position = evidence.places[at]
        inputs = next(each for each in model_of(name).layer_inputs(text, text_b) if each.stack == stack)
        changes = [
            Changes(
                states=(
                    StateEdit(stack=stack, layer=0, positions=(position,), states=size * inputs.states[0][[position]]),
                )
            )
            for size in (np.float32(1.002), np.float32(0.998))
        ]
        longer, shorter = evidence.under(changes).differences
        slope = float(longer - shorter) / 0.004
        assert_close(found.scores[at], slope, tolerance=3e-2, magnitude=1 + abs(slope))


def test_gradient_times_input_is_of_all_that_layer_0_reads_and_not_of_the_words_alone() -> None:
    evidence, (text, _) = evidence_of("mini-bert"), ASKED["mini-bert"]
    (gradients,) = evidence.gradients_under([NO_CHANGES])
    (read,) = gradients.embeddings
    embeddings = model_of("mini-bert").model.encoder.embeddings
    ids = torch.tensor([model_of("mini-bert").prepare_together(text).input_ids])
    with torch.no_grad():
        whole, words = embeddings(ids)[0].numpy(), embeddings.token(ids)[0].numpy()
    assert_close(read.embeddings, whole)
    found = attribute(model_of("mini-bert"), text, "gradient_input", contrast=evidence.contrast)
    assert_close(found.scores, (whole * read.gradient).sum(axis=1))
    of_words = (words * read.gradient).sum(axis=1)
    assert np.abs(found.scores - of_words).max() > 0.1 * np.abs(found.scores).max()


@pytest.mark.parametrize(
    ("name", "text", "text_b"),
    [
        ("mini-bert", "The [MASK] was shining in the sky.", None),
        ("mini-bert", "He went to the shop.", "He bought bread."),
        ("mini-gpt", "Once upon a time there was a", None),
        ("translator-es", "the cat sleeps in the old house", "El gato"),
        ("sentiment", "not a really good film", None),
    ],
)
def test_integrated_gradients_are_complete(name: str, text: str, text_b: str | None) -> None:
    model = model_of(name)
    contrast = contrast_of(model, text, text_b, alone=name != "sentiment")
    found = attribute(model, text, "integrated", text_b=text_b, contrast=contrast)
    assert abs(found.sums_to) > 0.1
    assert_close(found.scores.sum(), found.sums_to, tolerance=1e-2)
    special = [at for at, token in enumerate(found.tokens) if token.is_special]
    assert_close(found.scores[special], 0, magnitude=1)


def integral_by_gauss(evidence: Evidence, n_points: int) -> Array:
    """Integrated gradients once more [n_tokens], by another rule, with so many points that its error is nothing."""
    (start,) = evidence.gradients_under(
        [Changes(blank=tuple(evidence.places[at] for word in evidence.words for at in word))]
    )
    end = evidence.gradients
    points, weights = np.polynomial.legendre.leggauss(n_points)
    pairs = list(zip(start.embeddings, end.embeddings, strict=True))
    changes = [
        Changes(
            states=tuple(
                StateEdit(
                    stack=last.stack,
                    layer=0,
                    positions=tuple(range(len(last.tokens))),
                    states=np.float32(1 - share) * first.embeddings + np.float32(share) * last.embeddings,
                )
                for first, last in pairs
            )
        )
        for share in (points + 1) / 2
    ]
    under = evidence.gradients_under(changes)
    return np.concatenate(
        [
            np.einsum(
                "p,ptd,td->t",
                weights / 2,
                [found.embeddings[at].gradient for found in under],
                last.embeddings - first.embeddings,
            )
            for at, (first, last) in enumerate(pairs)
        ]
    )


@pytest.mark.parametrize(
    ("name", "text", "text_b", "n_points"),
    [
        ("headlight-bert", "She was so [MASK] that she fell asleep at once.", None, 96),
        ("mini-bert", "She was so [MASK] that she fell asleep at once.", None, 96),
        ("mini-bert", "He went to the shop.", "He bought bread.", 96),
        ("mini-gpt", "Once upon a time there was a", None, 64),
        ("translator-es", "the cat sleeps in the old house", "El gato", 48),
        ("sentiment", "not a really good film, but a short one", None, 48),
    ],
)
def test_integrated_gradients_stop_when_every_token_stands_still(
    name: str, text: str, text_b: str | None, n_points: int
) -> None:
    model = model_of(name)
    evidence = Evidence(model, text, text_b, contrast_of(model, text, text_b))
    expected = integral_by_gauss(evidence, n_points)
    found = attribute(model, text, "integrated", text_b=text_b, contrast=evidence.contrast)
    assert_close(found.scores, expected, tolerance=STANDS_STILL)
    assert 0 <= found.off_by <= STANDS_STILL
    assert np.abs(found.scores).argmax() == np.abs(expected).argmax()


@pytest.mark.parametrize("n_intervals", [8, 16, 64])
def test_the_points_of_an_integral_are_exact_for_polynomials_and_among_those_of_twice_as_many(n_intervals: int) -> None:
    points, weights = clenshaw_curtis(n_intervals)
    powers = np.arange(n_intervals + 1)
    assert_close(weights @ points[:, None] ** powers, 1 / (powers + 1.0), tolerance=1e-12)
    np.testing.assert_array_equal(clenshaw_curtis(2 * n_intervals)[0][::2], points)


def test_leaving_a_word_out_is_hiding_all_of_its_pieces() -> None:
    evidence, (text, _) = evidence_of("mini-bert"), ASKED["mini-bert"]
    model = model_of("mini-bert")
    found = attribute(model, text, "leave_out", contrast=evidence.contrast)
    word = next(word for word in evidence.words if len(word) > 1)
    ids = torch.tensor([model.prepare(text).input_ids])
    mask = torch.ones_like(ids, dtype=torch.bool)
    mask[0, list(word)] = False
    with torch.no_grad():
        with_all, without = (model.model(ids, mask=each).mlm[0, 3] for each in (None, mask))
    numbers = evidence.contrast.numbers
    effect = (with_all[numbers[0]] - with_all[numbers[1]]) - (without[numbers[0]] - without[numbers[1]])
    assert_close(found.of_words([word])[0], float(effect), magnitude=with_all.abs().max())
    assert found.scores[word[0]] == found.scores[word[1]]
    assert not found.scores[[0, 3, len(found.scores) - 1]].any()


def test_the_word_from_which_a_decoder_answers_is_left_out_as_a_blank() -> None:
    model, text = model_of("mini-gpt"), "The old dog barked"
    contrast = contrast_of(model, text)
    evidence = Evidence(model, text, None, contrast)
    at = contrast.position
    assert evidence.without([at]).blank == (("decoder", at),)
    assert evidence.without([1]).blank == ()
    assert abs(attribute(model, text, "leave_out", contrast=contrast).scores[at]) > 0.01
