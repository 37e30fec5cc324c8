"""A model whose questions are answered somewhere else: in another process, on a cluster, or here after a wait."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import cache, wraps
from typing import Any, get_origin, get_type_hints

from models.model import QUESTIONS, Model
from models.values.arguments.check import check_arguments


class ForwardingModel(Model):
    """A model that sends every question to `ask`, its arguments checked."""

    @abstractmethod
    def ask(self, question: str, *args: Any, **kwargs: Any) -> Any:
        """Return the answer to one of QUESTIONS."""


class ModelElsewhere(ForwardingModel):
    """A model that computes in another process, so that whoever asks takes no core of this one."""


@cache
def answer_type(question: str) -> type:
    """Return the class of the answers to a question, as `Model` declares it."""
    declared = get_type_hints(getattr(Model, question))["return"]
    answer_class: type = get_origin(declared) or declared
    return answer_class


def _forwarding(question: str) -> Callable[..., Any]:
    declared = vars(Model)[question]

    @wraps(declared)
    def forward(self: ForwardingModel, *args: Any, **kwargs: Any) -> Any:
        return self.ask(question, *args, **kwargs)

    return check_arguments(forward, declared)


for _question in QUESTIONS:
    setattr(ForwardingModel, _question, _forwarding(_question))
