"""Every model that the list offers, once, from the real hub: `python run.py test -- -m network`.

What was found stands in the summary at the end, a line a model. Where the hub cannot be reached a test is skipped.
Downloads are kept in the hub's cache, some nine gigabytes for all of them.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import transformers as hf
from huggingface_hub import try_to_load_from_cache

from models.huggingface.checkpoint.revisions import cached_revision
from models.huggingface.model import HuggingFaceModel
from models.opening.registry import REGISTRY, load
from models.values.errors import ModelLoadError, ModelNotFoundError
from tests.models.huggingface.eager import expect_own_weights
from tests.models.huggingface.real_configurations import REAL, Real

pytestmark = pytest.mark.network
TEXT = "The capital of France is [MASK]."
KOREAN = "나는 어제 친구와 함께 [MASK]를 보았다."
PLAIN = "The capital of France is Paris."
UNREACHABLE = "huggingface.co cannot be reached"
Found = Callable[[str, object], None]


@pytest.fixture(autouse=True)
def online(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the hub be asked; the other tests must not."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    yield
    gc.collect()  # the next model needs the room


def opened(name: str) -> HuggingFaceModel:
    """The model, downloaded if it is not here yet."""
    try:
        model = load(name, device="cpu")
    except ModelNotFoundError as error:
        if UNREACHABLE in str(error):
            pytest.skip(str(error))
        raise
    except ModelLoadError as error:
        if "could not be downloaded" in str(error):
            pytest.skip(str(error))
        raise
    assert isinstance(model, HuggingFaceModel)
    return model


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", REAL)
def test_a_model_of_the_list_opens_records_and_answers(name: str, record_property: Found) -> None:
    real, model = REAL[name], opened(name)
    info, folder = model.info, _folder(name)
    expect_what_is_said_without_weights(real, hf.AutoConfig.from_pretrained(folder))
    assert (info.n_layers, info.n_heads, info.n_kv_heads) == (real.n_layers, real.n_heads, real.n_kv_heads)
    assert (info.d_model, info.d_ff, info.max_tokens) == (real.d_model, real.d_ff, real.max_tokens)
    megabytes = sum(file.stat().st_size for file in folder.glob("model*.safetensors")) / 1e6
    assert REGISTRY[name].megabytes == pytest.approx(megabytes, rel=0.15)
    target = PLAIN if "can_translate" in real.can else None  # what the decoder reads
    difference = expect_own_weights(model, str(folder), model.record(_text(name, real), target))
    assert all(getattr(info, each) or each == "can_judge_next_sentence" for each in real.can)
    record_property(
        "found",
        f"{name}: {info.n_parameters / 1e6:.0f} million parameters, {megabytes:.0f} MB, weights "
        f"within {difference:.0e} of eager attention; {_answer(model, name)}",
    )


def expect_what_is_said_without_weights(real: Real, config: hf.PreTrainedConfig) -> None:
    """The tests without a network go by `real`: the hub has to say the same."""
    said = config.to_dict() | {"model_type": config.model_type}
    assert said["model_type"] == real.family
    assert (config.architectures or [""])[0] == real.architecture
    differing = {name: (value, said.get(name)) for name, value in real.values.items() if said.get(name) != value}
    assert not differing, "here, and on the hub"


def _folder(name: str) -> Path:
    """Where the files of a model lie in the hub's cache."""
    found = try_to_load_from_cache(name, "config.json", revision=cached_revision(name))
    assert isinstance(found, str)
    return Path(found).parent


def _text(name: str, real: Real) -> str:
    if "can_fill_mask" in real.can or "can_find_replaced" in real.can:
        return KOREAN if "ko" in REGISTRY[name].languages else TEXT
    return PLAIN


def _answer(model: HuggingFaceModel, name: str) -> str:
    """What it answers to the question that it can be asked, in a few words; what it lacks is said, too."""
    info, text = model.info, KOREAN if "ko" in REGISTRY[name].languages else TEXT
    if info.can_fill_mask:
        best = [f"{choice.text.strip()} {choice.probability:.3f}" for choice in model.masked_words(text).best(0, 3)]
        return f"[MASK] → {', '.join(best)}{_next_sentence(model, name)}"
    if info.can_find_replaced:
        found = model.find_replaced(text)
        likeliest = int(found.probabilities.argmax())
        return f"most likely replaced: {found.tokens[likeliest].text} {found.probabilities[likeliest]:.3f}"
    if info.can_translate:
        return f"writes “{model.translate(PLAIN).text}”"
    return f"goes on “{model.continue_text(PLAIN, n_new=6, temperature=0.0).text}”"


def _next_sentence(model: HuggingFaceModel, name: str) -> str:
    if "can_judge_next_sentence" not in REAL[name].can:
        return ""
    if not model.info.can_judge_next_sentence:
        return "; no NSP head in its files"
    return f"; next sentence {model.next_sentence('It rains.', 'Take an umbrella.'):.2f}"


def test_the_discriminator_finds_the_mask_that_stands_in_the_place_of_a_word(record_property: Found) -> None:
    """The document's sentence, as it asks: ELECTRA judges "The capital of France is [MASK]." token by token."""
    model = opened("google/electra-base-discriminator")
    found = model.find_replaced(TEXT)
    said = {token.text: float(chance) for token, chance in zip(found.tokens, found.probabilities, strict=True)}
    assert all(0 <= chance <= 1 for chance in said.values())
    replaced = model.find_replaced("The capital of France is banana.")
    chances = {token.text: float(chance) for token, chance in zip(replaced.tokens, replaced.probabilities, strict=True)}
    assert max(chances, key=chances.__getitem__) == "banana"
    record_property("found", f"ELECTRA on “{TEXT}”: " + ", ".join(f"{word} {said[word]:.2f}" for word in said))
