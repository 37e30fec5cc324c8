"""A model on the cluster, as a process that asks sees it: text goes out, values come back.

Questions change nothing, so one whose replica or machine has died is asked again, of another.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, Self

from ray.exceptions import RayError, RayTaskError
from ray.serve.exceptions import ReplicaUnavailableError

from models.engine.ray.cluster import served_models
from models.engine.ray.messages import Advance, RemoteQuestion, answer_in
from models.model import TellProgress
from models.opening.forwarding import ModelElsewhere, answer_type
from models.values.answers import JointFilling
from models.values.errors import ModelError
from models.values.probing.changes import Changes
from models.values.probing.contrast import AnswersUnder, Contrast
from models.values.record import ModelInfo
from models.values.wording import worded

PATIENCE = 120.0
"""Seconds after which a question is given up whose replicas die one after the other."""
LONGEST = 600.0
"""Seconds that a replica may take for an answer without progress, the time until there is one included."""
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 2.0


class RayModel(ModelElsewhere):
    """A model that the replicas of a cluster hold."""

    def __init__(self, name: str, *, progress: Callable[[str], None] | None = None) -> None:
        """Have it opened. `progress` is told what goes on there. Raises what `models.load` raises, and ModelLoadError
        where no cluster answers."""
        self._name = name
        self._languages = ("", "")
        self._handle = served_models(name)
        self.info: ModelInfo = self._ask_replicas(lambda: self._open_model(progress))

    def ask(self, question: str, *args: Any, **kwargs: Any) -> Any:
        """Return the answer of a replica. Raises what the model raises, and ModelError if none answers."""
        asked = self._question(question, *args, **kwargs)
        answer = self._ask_replicas(lambda: self._to("answer").remote(asked).result(timeout_s=LONGEST))
        return _check_type(answer_type(question), answer)

    def fill_jointly(self, text: str, text_b: str | None = None, progress: TellProgress | None = None) -> JointFilling:
        """Every [MASK] filled, the surest first; `progress` is told (done, of)."""
        filling: JointFilling = self._ask_with_progress(
            JointFilling, progress, self._question("fill_jointly", text, text_b)
        )
        return filling

    def answers_under(
        self,
        text: str,
        text_b: str | None = None,
        *,
        contrast: Contrast,
        changes: Sequence[Changes],
        progress: TellProgress | None = None,
    ) -> AnswersUnder:
        """The answer and its rival under each of some changes; `progress` is told (done, of)."""
        asked = self._question("answers_under", text, text_b, contrast=contrast, changes=tuple(changes))
        answers: AnswersUnder = self._ask_with_progress(AnswersUnder, progress, asked)
        return answers

    def in_languages(self, *, source: str = "", target: str = "") -> Self:
        """The same model, every question to which says these languages."""
        if self.info.languages is None or not (source.strip() or target.strip()):
            return super().in_languages(source=source, target=target)
        languages = self.info.languages.choose(source=source, target=target)
        told = copy(self)
        info = replace(self.info, languages=languages)
        vars(told).update(info=info, _languages=(languages.source, languages.target))
        return told

    # -- the replicas --------------------------------------------------------------------------------------------------

    def _question(self, question: str, *words: object, **choices: object) -> RemoteQuestion:
        return RemoteQuestion(
            model=self._name, question=question, words=words, choices=choices, languages=self._languages
        )

    def _to(self, method: str, *, is_told: bool = False) -> Any:
        """A method of a replica, of one that has the model already where there is one."""
        return self._handle.options(method_name=method, multiplexed_model_id=self._name, stream=is_told)

    def _open_model(self, progress: Callable[[str], None] | None) -> Any:
        for said in self._to("open", is_told=True).remote(self._name):
            if not isinstance(said, str):
                return said
            if progress is not None:
                progress(said)
        raise _NoAnswerError

    def _ask_with_progress(self, reply: type, progress: TellProgress | None, asked: RemoteQuestion) -> Any:
        """The answer, with its progress. What `progress` raises ends the work there, too."""

        def hear() -> Any:
            telling = self._to("tell", is_told=True).remote(asked)
            try:
                return _hear_answer(telling, progress)
            except BaseException:
                telling.cancel()
                raise

        return _check_type(reply, self._ask_replicas(hear))

    def _ask_replicas(self, ask: Callable[[], Any]) -> Any:
        """Return the answer of a replica; ask again as long as replicas die before they answer."""
        pause, until = FIRST_PAUSE, time.monotonic() + PATIENCE
        while True:
            try:
                return answer_in(ask())
            except (RayError, ReplicaUnavailableError, _NoAnswerError) as error:
                if isinstance(error, RayTaskError) and not isinstance(error.cause, RayError):
                    raise  # a mistake of ours in a replica, which would be made again
                if time.monotonic() > until:
                    raise self._no_answer_error(PATIENCE) from error
            except TimeoutError as error:
                raise self._no_answer_error(LONGEST) from error
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _no_answer_error(self, seconds: float) -> ModelError:
        says = worded(
            "No machine of the cluster has answered for {model} within {seconds} seconds. Ask again in a while, or ask "
            "whoever runs this server.",
            model=self._name,
            seconds=f"{seconds:g}",
        )
        return ModelError(self._name, says)


class _NoAnswerError(Exception):
    """A replica ended what it told without an answer."""


def _hear_answer(telling: Iterator[Any], progress: TellProgress | None) -> Any:
    """The answer at the end of what a replica tells."""
    for said in telling:
        if not isinstance(said, Advance):
            return said
        if progress is not None:
            progress(said.done, said.of)
    raise _NoAnswerError


def _check_type(reply: type, answer: Any) -> Any:
    if not isinstance(answer, reply):
        raise TypeError(f"{type(answer).__name__} came, expected {reply.__name__}.")
    return answer
