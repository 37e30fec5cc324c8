"""Every error that Headlight raises on purpose.

    HeadlightError
    ├── ArgumentError          an argument of another kind than the function takes
    ├── TextError              a text that no model can read (empty, only spaces)
    ├── SelectionError         a layer, head, kind, method or other choice that there is not
    ├── RecordError            arrays that do not fit together; names the field
    ├── DeviceError            a device or a precision that is not there, or that cannot compute what was asked
    │   └── DeviceMemoryError      its memory does not suffice
    ├── LabError               a training that cannot be: its recipe, its data, an upload, a full queue
    ├── LessonError            a lesson that cannot be read; has every mistake with its line
    └── ModelError             something about a model, by name
        ├── ModelNotFoundError     neither in the registry, nor on this disk, nor reachable
        ├── ModelNotAllowedError   this server does not open that model
        ├── ModelLoadError         found, but its files cannot be read
        ├── UnsupportedModelError  loads, but its attention cannot be recorded
        └── MissingCapabilityError has nothing that answers what was asked (no LM head, no NSP head)

A message says what was given, what was expected and what to do next.
"""

from __future__ import annotations

from models.values.wording import join_sentences, worded


class HeadlightError(Exception):
    """Base of every error whose message is meant to be read by a person."""

    def __str__(self) -> str:
        """The message as it was given: a `Message` stays one, so that whoever shows it can translate it."""
        given = self.args[0] if len(self.args) == 1 else None
        return given if isinstance(given, str) else super().__str__()


class ArgumentError(HeadlightError, TypeError, ValueError):
    """An argument is not of the kind that the function takes."""


class TextError(HeadlightError, ValueError):
    """The text cannot be turned into tokens."""


class SelectionError(HeadlightError, IndexError):
    """There is no such layer, head, kind of attention, or other choice."""


class RecordError(HeadlightError, ValueError):
    """Two fields of a record contradict each other."""


class DeviceError(HeadlightError, ValueError):
    """The device or the precision that was asked for is not there, or cannot compute what a model needs."""


class DeviceMemoryError(DeviceError):
    """The memory of the device does not suffice for a model, or for what it was asked."""


class LabError(HeadlightError, ValueError):
    """A run of the training lab cannot be made, found or opened as it was asked for."""


class LessonError(HeadlightError, ValueError):
    """A lesson is not written as lessons are. `mistakes` are (line, what is wrong), lines counted from 1."""

    def __init__(self, *mistakes: tuple[int, str]) -> None:
        lines = (worded("Line {line}: {says}", line=line, says=says) for line, says in mistakes)
        super().__init__(join_sentences(*lines, by="\n"))
        self.mistakes = mistakes

    def __reduce__(self) -> tuple[type[LessonError], tuple[tuple[int, str], ...]]:
        """Let another process rebuild the error."""
        return type(self), self.mistakes


class ModelError(HeadlightError):
    """Something is wrong with the model called `name`."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name

    def __reduce__(self) -> tuple[type[ModelError], tuple[str, str]]:
        """Let another process rebuild the error."""
        return type(self), (self.name, str(self))


class ModelNotFoundError(ModelError):
    """No model of that name is embedded, on this disk, or reachable."""


class ModelNotAllowedError(ModelError):
    """The settings of this server do not allow that model."""


class ModelLoadError(ModelError):
    """The model was found, but could not be opened."""


class UnsupportedModelError(ModelError):
    """The model runs, but its attention does not pass through the recorder."""


class MissingCapabilityError(ModelError):
    """The model cannot answer what was asked of it: it has no LM head, NSP head or classifier for that."""
