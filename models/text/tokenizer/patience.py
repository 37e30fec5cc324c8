"""Time limits for work on a stranger's files, and panics of Rust code as errors that can be caught."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from threading import Thread
from typing import TypeVar

Result = TypeVar("Result")


class PanicError(RuntimeError):
    """Rust code of a library has panicked; its own PanicException is no Exception, and passes by all that catch one."""


@contextmanager
def panics_as_errors() -> Iterator[None]:
    """Raise PanicError for a panic inside the block."""
    try:
        yield
    except BaseException as error:
        if is_panic(error):
            raise PanicError(str(error)) from error
        raise


def is_panic(error: BaseException) -> bool:
    """Whether an exception is a panic of Rust code; its class has no other name for Python."""
    return type(error).__module__ == "pyo3_runtime"


def within(seconds: float, work: Callable[[], Result]) -> Result:
    """Return the result of some work. Raises TimeoutError if it takes longer; the work itself goes on."""
    done: Future[Result] = Future()
    Thread(target=_work, args=(work, done), name="patience", daemon=True).start()
    return done.result(timeout=seconds)


def _work(work: Callable[[], Result], done: Future[Result]) -> None:
    try:
        done.set_result(work())
    except BaseException as error:  # it is raised where the result is waited for
        done.set_exception(error)
