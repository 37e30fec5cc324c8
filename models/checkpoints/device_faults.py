"""Errors of a device, told apart from those of a model: out of memory, or an operation that it does not have.

Accelerators say it in errors of several classes and words: `torch.OutOfMemoryError` (CUDA, ROCm, XPU), a RuntimeError
(MPS, cuBLAS, the processor), a MemoryError (NumPy), a NotImplementedError or TypeError (an operation, a precision).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, TypeVar

from models.values.errors import DeviceError, DeviceMemoryError, HeadlightError
from models.values.record import ModelInfo
from models.values.wording import join_sentences, to_say, worded

_MEMORY_CLASSES = frozenset({"OutOfMemoryError", "MemoryError"})
_MEMORY = re.compile(
    r"out of (?:\w+ )?memory|can't allocate memory|not enough memory|cannot allocate memory|unable to allocate|"
    r"_ALLOC_FAILED|OUT_OF_(?:DEVICE|HOST)_MEMORY|OUT_OF_RESOURCES|ErrorMemoryAllocation|Invalid buffer size|"
    r"bad_alloc|failed to allocate|exceeds? (?:the )?(?:\w+ )?memory",
    re.IGNORECASE,
)
_DEVICE = re.compile(
    r"not (?:currently )?(?:implemented|supported) (?:for|on|by) (?:the )?'?(?:MPS|CUDA|XPU|HIP|\w*Half|BFloat16)\b|"
    r"Could not run 'aten::|Cannot convert a MPS Tensor|MPS (?:backend|framework)? ?doesn't support|no kernel image|"
    r"MPS does not support|for MPS|(?:CUDA|HIP|XPU|cuDNN|MPS|cuBLAS|CUBLAS|CUDNN|hipBLAS|Triton|SYCL)\w* error|"
    r"CU(?:BLAS|DNN|SOLVER|SPARSE)_STATUS_|device-side assert|Native API|MPSGraph|MPSNDArray|NVIDIA driver|"
    r"device kernel image|torch not compiled with",
    re.IGNORECASE,
)
_SIZE = r"(\d+(?:\.\d+)?) ?([KMGT]i?B|bytes)"
_ASKED = re.compile(rf"(?:tried to allocate|unable to allocate|buffer size:?) {_SIZE}", re.IGNORECASE)
_FREE = re.compile(rf"(?:of which {_SIZE} is free|{_SIZE} free)")
_TOTAL = re.compile(rf"(?:total capacity of {_SIZE}|{_SIZE} total capacity|max allowed: {_SIZE})")
_MPS_TAKEN = re.compile(rf"MPS allocated: {_SIZE}, other allocations: {_SIZE}")
_UNITS = {"b": 1.0, "k": 2.0**10, "m": 2.0**20, "g": 2.0**30, "t": 2.0**40}
_PROCESSOR = "cpu"
_NOT_ENOUGH = to_say("The memory of the device {device} did not suffice for {model}.")
_NEEDED = to_say("{asked} more was asked for.")
_NEEDED_OF_FREE = to_say("{asked} more was asked for, and {free} was free.")
_NEEDED_OF_TOTAL = to_say("{asked} more was asked for, and {free} of {total} was free.")
_ON_ACCELERATOR = to_say(
    "Use a shorter text or fewer texts at once, choose half precision (bfloat16 or float16), or the processor (cpu)."
)
_ON_PROCESSOR = to_say(
    "Use a shorter text or fewer texts at once, choose half precision (bfloat16), or a smaller model."
)
_CANNOT = to_say(
    "The device {device} could not compute what {model} needs: torch says “{message}”. Choose the processor (cpu), or "
    "float32 if you have chosen another precision."
)
Class = TypeVar("Class")


def is_memory_fault(error: BaseException) -> bool:
    """Whether an error, or what has caused it, says that the memory of a device did not suffice."""
    return any(_is_about_memory(cause) for cause in _causes(error))


def device_fault(error: BaseException, name: str, device: str) -> DeviceError | None:
    """The error for what a device could not do for the model of that name; None for one that is not of the device."""
    for cause in _causes(error):
        if isinstance(cause, DeviceError):
            return cause
        if _is_about_memory(cause):
            return DeviceMemoryError(_memory_in_words(str(cause), name, _device_of(str(cause), device)))
        if _is_about_device(cause):
            line = (str(cause).strip() or type(cause).__name__).splitlines()[0].rstrip(".") + "."
            return DeviceError(worded(_CANNOT, device=_device_of(str(cause), device), model=name, message=line))
    return None


@contextmanager
def faults_in_sentences(name: str, device: str) -> Iterator[None]:
    """Raise what a device could not do inside the block as a DeviceError, which a person can read."""
    try:
        yield
    except HeadlightError:
        raise
    except Exception as error:
        fault = device_fault(error, name, device)
        if fault is None:
            raise
        raise fault from error


def answers_in_sentences(*questions: str, declared_by: type) -> Callable[[type[Class]], type[Class]]:
    """Decorate the class of a model: its own methods of these names, not those that the class `declared_by` has, raise
    what the device could not do as a DeviceError."""

    def decorate(of: type[Class]) -> type[Class]:
        for question in questions:
            answer = getattr(of, question, None)
            if answer is not None and answer is not getattr(declared_by, question, None):
                setattr(of, question, _in_sentences(answer))
        return of

    return decorate


def _in_sentences(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def answer_in_sentences(model: Any, /, *words: Any, **choices: Any) -> Any:
        try:
            return method(model, *words, **choices)
        except HeadlightError:
            raise
        except Exception:
            info: ModelInfo = model.info
            with faults_in_sentences(info.name, info.device):
                raise

    return answer_in_sentences


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error, and what it was raised from or while."""
    seen = set[int]()
    now: BaseException | None = error
    while now is not None and id(now) not in seen:
        seen.add(id(now))
        yield now
        now = now.__cause__ or (None if now.__suppress_context__ else now.__context__)


def _is_about_memory(error: BaseException) -> bool:
    if isinstance(error, HeadlightError):
        return isinstance(error, DeviceMemoryError)
    if any(ancestor.__name__ in _MEMORY_CLASSES for ancestor in type(error).__mro__):
        return True
    return isinstance(error, RuntimeError | OSError) and bool(_MEMORY.search(str(error)))


def _is_about_device(error: BaseException) -> bool:
    if isinstance(error, HeadlightError):
        return isinstance(error, DeviceError)
    return isinstance(error, RuntimeError | TypeError | ValueError | AssertionError) and bool(
        _DEVICE.search(str(error))
    )


def _device_of(said: str, device: str) -> str:
    """The device that an error is about: NumPy and the processor run short beside an accelerator, too."""
    is_own = re.search(r"DefaultCPUAllocator|for an array with shape", said)
    return _PROCESSOR if is_own else device


def _memory_in_words(said: str, name: str, device: str) -> str:
    """Say what did not suffice, how much was asked for and free as far as torch says it, and what to do."""
    asked, free, total = (_first_size(pattern, said) for pattern in (_ASKED, _FREE, _TOTAL))
    free = free or _free_of_mps(said, total)
    sizes = ""
    if asked and free and total:
        sizes = worded(_NEEDED_OF_TOTAL, asked=asked, free=free, total=total)
    elif asked and free:
        sizes = worded(_NEEDED_OF_FREE, asked=asked, free=free)
    elif asked:
        sizes = worded(_NEEDED, asked=asked)
    advice = _ON_PROCESSOR if device == _PROCESSOR else _ON_ACCELERATOR
    return join_sentences(worded(_NOT_ENOUGH, device=device, model=name), sizes, advice)


def _first_size(pattern: re.Pattern[str], said: str) -> str:
    """The size that a pattern finds, in words; empty if it finds none."""
    match = pattern.search(said)
    size = [part for part in match.groups() if part] if match else []
    return _in_words(_bytes(*size[:2])) if size else ""


def _free_of_mps(said: str, total: str) -> str:
    """Return what MPS has left, which it does not say: the most that is allowed, less what is taken."""
    taken, most = _MPS_TAKEN.search(said), _TOTAL.search(said)
    if not (taken and most and total):
        return ""
    allowed = _bytes(*[part for part in most.groups() if part][:2])
    return _in_words(max(0.0, allowed - _bytes(*taken.groups()[:2]) - _bytes(*taken.groups()[2:])))


def _bytes(number: str, unit: str) -> float:
    return float(number) * _UNITS[unit[0].lower()]


def _in_words(n_bytes: float) -> str:
    for unit, name in (("g", "GiB"), ("m", "MiB"), ("k", "KiB")):
        if n_bytes >= _UNITS[unit]:
            return f"{n_bytes / _UNITS[unit]:.2f} {name}"
    return f"{n_bytes:.0f} B"
