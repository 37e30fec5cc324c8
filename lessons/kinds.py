"""The kinds of answers: the question, its parameters, the prediction, and the computation from a model's numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from lessons.parameters import Parameter
from lessons.values import Ask, Outcome, TapOn
from models.model import Model


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonQuestion:
    """One kind of answer. `facts` are what a claim can speak of, by name, with what they mean; `says` is the finding in
    words, with facts in braces. `is_of_text` says whether it can be asked about a reader's own sentence."""

    name: str
    about: str
    tap: TapOn
    parameters: tuple[Parameter, ...]
    facts: Mapping[str, str]
    says: str
    compute: Callable[[Model, Ask], Outcome]
    is_of_text: bool = True
    asks: str = ""
    """The question about a reader's own sentence, with facts in braces that do not tell the answer; empty: `about`."""

    @property
    def has_question(self) -> bool:
        """Whether a step of this kind asks something."""
        return self.tap != "nothing"

    def parameter(self, name: str) -> Parameter | None:
        """Return the declaration of a parameter; None if there is none of that name."""
        return next((parameter for parameter in self.parameters if parameter.name == name), None)
