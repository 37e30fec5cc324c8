"""Compare a value with an annotation: where it does not fit, and what would."""

from __future__ import annotations

import collections.abc
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Annotated, Any, Literal, Union, get_args, get_origin, is_typeddict

import numpy as np

from models.values.arguments.bounds import AtLeastOne, Between, Called

_ONE_TEXT = (str, bytes, bytearray)
_UNIONS = (Union, types.UnionType)


@dataclass(frozen=True, slots=True, kw_only=True)
class Misfit:
    """A value that does not fit: its `name` in the call ("heads[2]"), and the annotation that it should fit."""

    name: str
    value: Any
    expected: Any

    @property
    def is_choice(self) -> bool:
        """Whether it is of the kind of the choices, but one that there is not."""
        return any(type(self.value) is type(choice) for choice in choices_of(self.expected))


def alternatives(expected: Any) -> tuple[Any, ...]:
    """Return the alternatives that an annotation allows, without the marks on it."""
    if get_origin(expected) is Annotated:
        return alternatives(get_args(expected)[0])
    if get_origin(expected) in _UNIONS:
        return tuple(part for alternative in get_args(expected) for part in alternatives(alternative))
    return (expected,)


def fitting_types(expected: Any) -> frozenset[type]:
    """Types of which every value fits an annotation: so most values need no closer look."""
    parts = get_args(expected) if get_origin(expected) in _UNIONS else (expected,)
    return frozenset(part for part in parts if isinstance(part, type) and not is_typeddict(part)) - {Any}


def choices_of(expected: Any) -> tuple[Any, ...]:
    """All choices that an annotation names."""
    literals = (alternative for alternative in alternatives(expected) if get_origin(alternative) is Literal)
    return tuple(choice for literal in literals for choice in get_args(literal))


def row_of(expected: Any) -> Any:
    """The annotation of the items of a row, None where no row is expected."""
    for alternative in alternatives(expected):
        origin, parts = get_origin(alternative), get_args(alternative)
        is_row = isinstance(origin, type) and issubclass(origin, Iterable) and not issubclass(origin, Mapping)
        if is_row and origin is not np.ndarray and (origin is not tuple or parts[-1:] == (Ellipsis,)):
            return parts[0]
    return None


def misfit(name: str, value: Any, expected: Any) -> Misfit | None:
    """Return where a value does not fit an annotation; None if it does, or if there is nothing to check."""
    origin = get_origin(expected)
    compare = _COMPARED.get(origin, _with_class if origin is None else _of_parts)
    return compare(name, value, expected)


def is_choice(value: Any, expected: Any) -> bool:
    """Whether a value is one of the choices, and of the same type: True is not 1."""
    return any(type(value) is type(choice) and value == choice for choice in get_args(expected))


def is_several(value: Any) -> bool:
    """Whether a value is a row of others, at hand or one after the other: no text, table, mapping or tensor."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    is_one = isinstance(value, (*_ONE_TEXT, Mapping)) or hasattr(value, "columns") or is_tensor(value)
    return not is_one and hasattr(value, "__iter__")


def is_at_hand(value: Any) -> bool:
    """Whether the items of a row can be looked at without using them up."""
    return isinstance(value, Sequence | AbstractSet | np.ndarray)


def is_tensor(value: Any) -> bool:
    """Whether a value is a tensor of another library, as those of torch, which nothing here imports."""
    return hasattr(value, "shape") and hasattr(value, "dtype") and not isinstance(value, np.ndarray | np.generic)


def plain_number(value: Any, expected: Any) -> Any:
    """Return a number of NumPy as one of Python, and an array or a tensor of one number without axes, where a number is
    expected; any other value as it is."""
    is_scalar = getattr(value, "shape", None) == () and bool({int, float, bool} & set(alternatives(expected)))
    is_one = isinstance(value, np.number | np.bool_) or (is_scalar and hasattr(value, "item"))
    return value.item() if is_one else value


def is_array(value: Any, expected: Any) -> bool:
    """Whether a value is an array of the numbers that an annotation names."""
    if not isinstance(value, np.ndarray):
        return False
    number = array_type(expected)
    return number is None or issubclass(value.dtype.type, number)


def array_type(expected: Any) -> type[np.generic] | None:
    """The numbers of an annotated array; None where it does not say."""
    number = next((argument for of_type in get_args(expected)[1:] for argument in get_args(of_type)), None)
    return number if isinstance(number, type) and issubclass(number, np.generic) else None


def _misfit_with_marks(name: str, value: Any, expected: Any) -> Misfit | None:
    base, *marks = get_args(expected)
    fault = misfit(name, value, base)
    if fault is not None:
        is_whole = fault.name == name or any(isinstance(mark, Called) for mark in marks)
        return Misfit(name=name, value=value, expected=expected) if is_whole else fault
    if all(mark.holds(value) for mark in marks if isinstance(mark, Between | AtLeastOne)):
        return None
    return Misfit(name=name, value=value, expected=expected)


def _of_several(name: str, value: Any, expected: Any) -> Misfit | None:
    """Return why a value fits none of several annotations; a row is compared with the only one that takes rows."""
    faults = [misfit(name, value, alternative) for alternative in get_args(expected)]
    if None in faults:
        return None
    inner = [fault for fault in faults if fault is not None and fault.name != name]
    return inner[0] if len(inner) == 1 else Misfit(name=name, value=value, expected=expected)


def _of_parts(name: str, value: Any, expected: Any) -> Misfit | None:
    """Of rows, pairs and mappings the first part that does not fit."""
    origin, parts = get_origin(expected), get_args(expected)
    if not isinstance(origin, type):
        return None
    if issubclass(origin, Mapping):
        return _of_mapping(name, value, expected)
    if origin is tuple and parts[-1:] != (Ellipsis,):
        is_alike = isinstance(value, tuple | list) and len(value) == len(parts)
        fits = is_alike and all(misfit(name, *pair) is None for pair in zip(value, parts, strict=True))
        return None if fits else Misfit(name=name, value=value, expected=expected)
    if issubclass(origin, Iterable):
        needs_length = origin not in (Iterable, Iterator)
        has_no_order = isinstance(value, set | frozenset) and issubclass(origin, Sequence)
        if not is_several(value) or has_no_order or (needs_length and not is_at_hand(value)):
            return Misfit(name=name, value=value, expected=expected)
        return _of_items(name, value, parts[0]) if is_at_hand(value) else None
    return None if isinstance(value, origin) else Misfit(name=name, value=value, expected=expected)


def _of_items(name: str, items: Iterable[Any], expected: Any) -> Misfit | None:
    faults = (misfit(f"{name}[{number}]", item, expected) for number, item in enumerate(items))
    return next((fault for fault in faults if fault is not None), None)


def _of_mapping(name: str, value: Any, expected: Any) -> Misfit | None:
    if not isinstance(value, Mapping):
        return Misfit(name=name, value=value, expected=expected)
    of_key, of_value = get_args(expected)
    for key, item in value.items():
        fault = misfit(name, key, of_key) or misfit(f"{name}[{key!r}]", item, of_value)
        if fault is not None:
            return fault
    return None


def _with_class(name: str, value: Any, expected: Any) -> Misfit | None:
    """Whether a value is of a class; a truth value is no number."""
    if expected in _PLAIN:
        fits = _PLAIN[expected](value)
    else:
        fits = not isinstance(expected, type) or is_typeddict(expected) or isinstance(value, expected)
    return None if fits else Misfit(name=name, value=value, expected=expected)


def _is_number(value: Any, kind: type) -> bool:
    return isinstance(value, kind) and type(value) is not bool


def _where(fits: Callable[[Any, Any], bool]) -> Callable[[str, Any, Any], Misfit | None]:
    """Compare by a function that tells whether a value fits."""
    return lambda name, value, expected: (
        None if fits(value, expected) else Misfit(name=name, value=value, expected=expected)
    )


_PLAIN: dict[Any, Callable[[Any], bool]] = {
    Any: lambda _: True,
    object: lambda _: True,
    None: lambda value: value is None,
    type(None): lambda value: value is None,
    Callable: callable,
    bool: lambda value: isinstance(value, bool | np.bool_),
    int: lambda value: _is_number(value, Integral),
    float: lambda value: _is_number(value, Real),
}
_COMPARED: dict[Any, Callable[[str, Any, Any], Misfit | None]] = {
    Annotated: _misfit_with_marks,
    Union: _of_several,
    types.UnionType: _of_several,
    Literal: _where(is_choice),
    np.ndarray: _where(is_array),
    Callable: _where(lambda value, _: callable(value)),
    collections.abc.Callable: _where(lambda value, _: callable(value)),
}
