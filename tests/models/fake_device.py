"""A device that this machine does not have, computed on the processor: tensors say that they are on MPS, cannot be in
float64 or beside tensors of the processor, take up a memory that ends, and lack the operations that a test names.

    with FakeDevice(n_bytes=2**20) as device:
        tensor = torch.zeros(4).to("mps")

Nothing of the project is exchanged: its own code moves tensors there, and meets what the device cannot do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any, Self
from unittest.mock import patch
from weakref import finalize

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

NAME = "mps"
_ATEN = torch.ops.aten
_INSTEAD = {_ATEN._scaled_dot_product_attention_math_for_mps.default: _ATEN._scaled_dot_product_attention_math.default}


_WITHOUT_A_DRIVER: dict[str, Any] = {
    "contiguous": lambda given: _ATEN.clone.default(given, memory_format=torch.contiguous_format),
    "__invert__": _ATEN.bitwise_not.default,
    **dict.fromkeys(("__float__", "__bool__", "__int__", "__index__", "item", "tolist"), None),
}
"""What torch does for which it would ask a driver, done otherwise."""
for _name in [name for name, done in _WITHOUT_A_DRIVER.items() if done is None]:
    _WITHOUT_A_DRIVER[_name] = lambda given, _name=_name: getattr(given.held, _name)()
_NO_FLOAT64 = "Cannot convert a MPS Tensor to float64 dtype as the MPS framework doesn't support float64."


class FakeDevice(TorchDispatchMode):
    """The device, as long as the block lasts; `largest` is the size of the largest tensor that was made on it."""

    def __init__(self, *, n_bytes: float = float("inf"), lacks: Collection[str] = ()) -> None:
        super().__init__()
        self.n_bytes, self.lacks = n_bytes, lacks
        self.n_taken = self.largest = 0
        self._known: dict[int, int] = {}

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return self.run(func, args, kwargs or {})

    def run(self, func: Any, args: Any, kwargs: Any) -> Any:
        """What an operation of torch gives, computed on the processor, placed where it would be."""
        leaves = tree_leaves((args, kwargs))
        given = [each for each in leaves if isinstance(each, Tensor)]
        target = next((each for each in leaves if isinstance(each, torch.device)), None)
        if func is _ATEN.to.other:
            target = args[1].device
        is_here = any(isinstance(each, FakeTensor) for each in given) if target is None else target.type == NAME
        if is_here or any(isinstance(each, FakeTensor) for each in given):
            self._refuse(func, leaves, given)
        own_args, own_kwargs = tree_map(_held, (args, kwargs))
        found = _INSTEAD.get(func, func)(*own_args, **own_kwargs)
        if func._schema.name.endswith("_") and isinstance(args[0], FakeTensor):
            return args[0]
        return (
            tree_map(lambda each: self._placed(each) if isinstance(each, Tensor) else each, found) if is_here else found
        )

    def _refuse(self, func: Any, leaves: list[Any], given: list[Tensor]) -> None:
        name = func._schema.name.removeprefix("aten::")
        if name in self.lacks:
            raise NotImplementedError(f"The operator 'aten::{name}' is not currently implemented for the MPS device.")
        if torch.float64 in leaves:
            raise TypeError(_NO_FLOAT64)
        foreign = [each for each in given if not isinstance(each, FakeTensor) and each.dim() > 0]
        if foreign and len(foreign) < len(given) and name not in {"to", "_to_copy", "copy_", "index", "index_put_"}:
            raise RuntimeError(f"Expected all tensors to be on the same device, but {name} got cpu and {NAME}.")

    def _placed(self, held: Tensor) -> Tensor:
        if held.dtype == torch.float64:
            raise TypeError(_NO_FLOAT64)
        storage = held.untyped_storage()
        made = FakeTensor(held, self)
        key = storage.data_ptr()
        if key not in self._known:
            self._known[key] = 0
            self.n_taken += storage.nbytes()
            self.largest = max(self.largest, storage.nbytes())
        self._known[key] += 1
        finalize(made, self._let_go, key, storage.nbytes())
        if self.n_taken > self.n_bytes:
            asked, most = storage.nbytes() / 2**20, self.n_bytes / 2**20
            raise RuntimeError(
                f"MPS backend out of memory (MPS allocated: {most:.2f} MB, other allocations: 0.00 MB, max allowed: "
                f"{most:.2f} MB). Tried to allocate {asked:.2f} MB on private pool."
            )
        return made

    def _let_go(self, key: int, n_bytes: int) -> None:
        self._known[key] -= 1
        if not self._known[key]:
            del self._known[key]
            self.n_taken -= n_bytes


class FakeTensor(Tensor):
    """A tensor on the device; `held` is the one that its numbers are in."""

    held: Tensor
    device_here: FakeDevice

    @staticmethod
    def __new__(cls, held: Tensor, device: FakeDevice) -> Self:
        with torch.inference_mode(mode=False):  # torch keeps no count of the versions of what is made inside
            made: Self = Tensor._make_wrapper_subclass(
                cls,
                held.shape,
                strides=held.stride(),
                storage_offset=held.storage_offset(),
                dtype=held.dtype,
                device=torch.device(NAME, 0),
                requires_grad=held.requires_grad,
            )
        made.held, made.device_here = held, device
        return made

    __torch_function__ = torch._C._disabled_torch_function_impl

    def __repr__(self) -> str:
        return f"FakeTensor({self.held!r})"

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        flat = tree_leaves((args, kwargs or {}))
        device = next(each.device_here for each in flat if isinstance(each, FakeTensor))
        return device.run(func, args, kwargs or {})


class _Numbered(TorchFunctionMode):
    """Gives the device its number, for which torch would ask a driver, and makes on the processor, to be moved, what
    torch makes without asking its dispatcher."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        args, given = tree_map(_numbered, (args, kwargs or {}))
        if func in {Tensor.__getitem__, Tensor.__setitem__} and isinstance(args[0], FakeTensor):
            return _indexed(*args)
        name = getattr(func, "__name__", "")
        if args and isinstance(args[0], FakeTensor) and name in _WITHOUT_A_DRIVER:
            return _WITHOUT_A_DRIVER[name](args[0])
        if func is not torch.tensor or given.get("device") is None:
            return func(*args, **given)
        device = given.pop("device")
        return func(*args, **given).to(device)


def _held(given: Any) -> Any:
    if isinstance(given, FakeTensor):
        return given.held
    return torch.device("cpu") if isinstance(given, torch.device) and given.type == NAME else given


def _numbered(given: Any) -> Any:
    return torch.device(NAME, 0) if isinstance(given, str | torch.device) and str(given) == NAME else given


def _indexed(tensor: Tensor, index: Any, *values: Any) -> Any:
    """What stands at an index, or is put there, by operations that ask no driver."""
    parts = list(index) if isinstance(index, tuple) else [index]
    if Ellipsis in [each for each in parts if not isinstance(each, Tensor)]:
        at = next(at for at, each in enumerate(parts) if each is Ellipsis)
        n_given = sum(each is not None for each in parts) - 1
        parts[at : at + 1] = [slice(None)] * (tensor.dim() - n_given)
    dim, tensors = 0, dict[int, Tensor]()
    for part in parts:
        if isinstance(part, int):
            tensor = _ATEN.select.int(tensor, dim, part)
            continue
        if part is None:
            tensor = _ATEN.unsqueeze.default(tensor, dim)
        elif isinstance(part, slice):
            tensor = _ATEN.slice.Tensor(tensor, dim, part.start, part.stop, part.step or 1)
        else:
            tensors[dim] = part if isinstance(part, Tensor) else torch.tensor(part, dtype=torch.long)
        dim += 1
    chosen = [tensors.get(at) for at in range(max(tensors, default=-1) + 1)]
    if not values:
        return _ATEN.index.Tensor(tensor, chosen) if chosen else tensor
    value = values[0] if isinstance(values[0], Tensor) else torch.tensor(values[0], dtype=tensor.dtype)
    return _ATEN.index_put_.default(tensor, chosen, value) if chosen else tensor.copy_(value)


@contextmanager
def fake_device(*, n_bytes: float = float("inf"), lacks: Collection[str] = ()) -> Iterator[FakeDevice]:
    """A machine that has the device, too: "auto" is this device then."""
    device = FakeDevice(n_bytes=n_bytes, lacks=lacks)
    memory = 0 if n_bytes == float("inf") else int(n_bytes)
    overwrites = torch.__future__.get_overwrite_module_params_on_conversion()
    torch.__future__.set_overwrite_module_params_on_conversion(True)
    try:
        with _machine(device, memory):
            yield device
    finally:
        torch.__future__.set_overwrite_module_params_on_conversion(overwrites)


@contextmanager
def _machine(device: FakeDevice, memory: int) -> Iterator[None]:
    with (
        patch("torch.backends.mps.is_available", lambda: True),
        patch("torch.mps.recommended_max_memory", lambda: memory),
        _Numbered(),
        device,
    ):
        yield
