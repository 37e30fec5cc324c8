"""A stranger's model: it lives in a process of its own, with limits of memory and of time, and is asked from here.

Nobody else waits for it. A process that takes too much is ended, which is said in a sentence, and begun anew when the
model is asked again. On Windows and macOS the time is limited, and the memory is not.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock, Timer
from typing import Any
from weakref import finalize

from models.model import TellProgress
from models.opening.forwarding import ModelElsewhere, answer_type
from models.opening.guest_answers import OPEN, read_frame, write_frame
from models.values import errors
from models.values.answers import JointFilling
from models.values.errors import HeadlightError, ModelError, ModelLoadError
from models.values.probing.changes import Changes
from models.values.probing.contrast import AnswersUnder, Contrast
from models.values.record import ModelInfo
from models.values.wording import Message, worded

ROOT, PROCESS = Path(__file__).resolve().parents[2], "models.opening.guest_process"
_ERRORS: dict[str, type[HeadlightError]] = {
    name: error_class
    for name, error_class in vars(errors).items()
    if isinstance(error_class, type) and issubclass(error_class, HeadlightError)
}
MEGABYTE = 1024**2
WEIGHTS, COPIES = "model.safetensors", 8
"""So often the weights may be in memory: as the file has them, often in half precision, in float32, and once more."""
_LONGEST_MESSAGE = 1000
_SECRETS = ("TOKEN", "SECRET", "PASSWORD", "KEY")
"""Parts of the names of environment variables that an uploaded model does not see."""
_TIME_TO_DIE = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestLimits:
    """Limits of the process of an uploaded model: memory beyond that of torch and the weights, and time by the
    clock."""

    megabytes: float = 3000
    opening_seconds: float = 180
    seconds: float = 60


USUAL = GuestLimits()


class GuestModel(ModelElsewhere):
    """A model in a process of its own, which is asked one question at a time. Ended when nobody holds it any more."""

    def __init__(self, folder: Path, *, name: str, dtype: str = "float32", limits: GuestLimits = USUAL) -> None:
        """Open the model in a checkpoint folder, to compute in `dtype`. Raises ModelLoadError if it does not open
        within the limits."""
        self.limits = limits
        self._folder, self._name, self._dtype = folder, name, dtype
        self._asking = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self.info: ModelInfo = self._start_process()

    def turn_to(self, folder: Path) -> None:
        """Open another checkpoint in the same process, in the place of the one that is open: another snapshot of the
        same training. Raises ModelLoadError."""
        with self._asking:
            self._folder = folder
            if self._process is None or self._process.poll() is not None:
                self.info = self._start_process()
                return
            self.info = self._hear_answer(ModelInfo, self.limits.opening_seconds, (OPEN, (str(folder),), {}))

    def close(self) -> None:
        """End the process; the next question begins a new one."""
        if self._process is not None:
            _end(self._process)
            self._process = None

    def ask(self, question: str, *args: Any, **kwargs: Any) -> Any:
        """Return the answer of the process to a question.

        Raises what the model raises, and ModelLoadError if it took too much time or memory.
        """
        with self._asking:
            if self._process is None or self._process.poll() is not None:
                self._start_process()
            return self._hear_answer(answer_type(question), self.limits.seconds, (question, args, kwargs))

    def fill_jointly(self, text: str, text_b: str | None = None, progress: TellProgress | None = None) -> JointFilling:
        """As `Model.fill_jointly`; `progress` is called once, at the end."""
        filling: JointFilling = self.ask("fill_jointly", text, text_b)
        if progress is not None:
            progress(len(filling.masks), len(filling.masks))
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
        """As `Model.answers_under`; `progress` is called once, at the end."""
        answers: AnswersUnder = self.ask("answers_under", text, text_b, contrast=contrast, changes=tuple(changes))
        if progress is not None:
            progress(len(changes), len(changes))
        return answers

    # -- the process ---------------------------------------------------------------------------------------------------

    def _start_process(self) -> ModelInfo:
        """Begin the process, which says what it has opened."""
        self.close()
        megabytes = self.limits.megabytes + COPIES * (self._folder / WEIGHTS).stat().st_size / MEGABYTE
        self._process = subprocess.Popen(
            [sys.executable, "-m", PROCESS, str(self._folder), self._name, f"{megabytes}", self._dtype],
            cwd=ROOT,
            env=_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Linux keeps niceness by session: else its stepping back would be the server's
        )
        finalize(self, _end, self._process)
        try:
            info: ModelInfo = self._hear_answer(ModelInfo, self.limits.opening_seconds)
        except HeadlightError:
            self.close()  # it has said why it has nothing to answer with
            raise
        return info

    def _hear_answer(self, expected: type, seconds: float, question: object = None) -> Any:
        """Return the next answer of the process, within some seconds; an error ends the process."""
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise RuntimeError("The process of a model has no pipes.")
        is_late = Event()

        def give_up() -> None:
            is_late.set()
            process.kill()

        watch = Timer(seconds, give_up)
        watch.daemon = True
        watch.start()
        try:
            if question is not None:
                write_frame(process.stdin, question)
            said = read_frame(process.stdout)
            return self._read_answer(expected, said)
        except (OSError, EOFError, ValueError, TypeError, LookupError, RecursionError, MemoryError) as error:
            if isinstance(error, HeadlightError):
                raise
            self.close()
            raise self._no_answer_error(seconds if is_late.is_set() else None) from error
        finally:
            watch.cancel()

    def _read_answer(self, expected: type, said: Any) -> Any:
        """The answer, or the error that is said instead. Raises TypeError for an answer to another question."""
        if "error" in said:
            message = self._clean_message(said["message"])
            kind = _ERRORS[said["error"]]
            raise kind(self._name, message) if issubclass(kind, ModelError) else kind(message)
        answer = said["answer"]
        if not isinstance(answer, expected):
            raise TypeError(f"{type(answer).__name__} came, expected {expected.__name__}.")
        return answer

    def _clean_message(self, message: Any) -> str:
        """Return a message of the process, cut, and without the path of the files on this machine."""
        if isinstance(message, Message) and len(message) <= _LONGEST_MESSAGE:
            said = {
                name: self._clean_message(value) for name, value in message.values.items() if isinstance(value, str)
            }
            return Message(message.template, message.plural, {**message.values, **said})
        return str(message)[:_LONGEST_MESSAGE].replace(str(self._folder), self._name)

    def _no_answer_error(self, seconds: float | None) -> ModelLoadError:
        says = worded(
            "{model}, which somebody uploaded, stopped without an answer, perhaps because it needs more memory than "
            "this server gives it. Use a shorter text or another model.",
            model=self._name,
        )
        if seconds is not None:
            says = worded(
                "{model}, which somebody uploaded, took more than {seconds} seconds, and was stopped. Use a shorter "
                "text or another model.",
                model=self._name,
                seconds=f"{seconds:g}",
            )
        return ModelLoadError(self._name, says)


def _environment() -> dict[str, str]:
    """Return the environment of the process: without secrets, and with the hub's network off."""
    told = {name: value for name, value in os.environ.items() if not any(word in name.upper() for word in _SECRETS)}
    return told | {
        "HF_HUB_OFFLINE": "1",
        "MALLOC_ARENA_MAX": "2",
        "OMP_NUM_THREADS": "1",
        "TOKENIZERS_PARALLELISM": "false",
    }


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process, and let go of its pipes."""
    process.kill()
    process.wait(timeout=_TIME_TO_DIE)
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:  # a question that was never sent
                continue
