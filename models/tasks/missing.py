"""Why a model does not answer: the error, in a sentence that ends with what to do."""

from __future__ import annotations

from models.tasks.capabilities import ADVICE, LACKS, NEXT_TOKENS, TRANSLATION
from models.values.errors import MissingCapabilityError
from models.values.record import ModelInfo
from models.values.wording import Message, to_say, worded, worded_n

UNTRAINED = to_say(
    "its configuration names it, but it is untrained: its weights are not in the checkpoint, so its answers would be "
    "random"
)
NO_WEIGHTS = to_say("its checkpoint has no weights for it")


def missing(info: ModelInfo, capability: str, why: str, *, lacks: str = "") -> MissingCapabilityError:
    """The error for a capability that `info` does not have; `why` is half a sentence, and `lacks` what is said of the
    model first where that of the capability would not be true of it."""
    reason = UNTRAINED if capability in info.untrained else why
    return MissingCapabilityError(
        info.name,
        worded(
            "{model} {lacks}: {why}. {advice}",
            model=info.name, lacks=lacks or LACKS[capability], why=reason, advice=ADVICE[capability],
        ),
    )  # fmt: skip


def gives_scores(n: int) -> Message:
    """What is said first of a classifier that gives so many numbers without bounds."""
    return worded_n("gives one score for a text, without bounds", "gives {n} scores for a text, without bounds", n)


def why_it_does_not_write(info: ModelInfo, capability: str) -> str:
    """Why a model cannot translate, or not continue a text, as half a sentence."""
    if info.kinds == ("encoder",):
        return worded("it is an encoder, which reads text from both sides and writes none")
    if capability == TRANSLATION and "encoder" not in info.kinds:
        return worded("it has no encoder to read a source, and only continues what it is given")
    if capability == NEXT_TOKENS and "encoder" in info.kinds:
        return worded("its decoder writes for a source that its encoder has read, and does not continue a text")
    return NO_WEIGHTS
