"""A Jacobian lens as a file: safetensors, its matrices in half precision."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from models.values.arguments.check import check_arguments
from models.values.errors import RecordError
from models.values.record import Array
from models.values.results.lens import JacobianLens
from models.values.wording import worded

FILE = "lens.safetensors"
"""Its name beside the weights of a model."""
_ARRAYS = ("matrices", "as_they_are", "carried")


@check_arguments
def write_lens(lens: JacobianLens, path: Path) -> None:
    """Write a lens to a file; its matrices [n_layers, d_model, d_model] are rounded to float16."""
    arrays: dict[str, Array] = {
        "matrices": lens.matrices.astype(np.float16),
        "as_they_are": lens.as_they_are,
        "carried": lens.carried,
    }
    counts = {"model": lens.model, "n_texts": str(lens.n_texts), "n_answers": str(lens.n_answers)}
    save_file(arrays, path, metadata=counts)


@check_arguments
def read_lens(path: Path) -> JacobianLens:
    """Read a lens. Raises RecordError, saying what is wrong, for a file that holds none."""
    try:
        with safe_open(path, framework="np") as file:
            arrays = {name: file.get_tensor(name).astype(np.float32) for name in _ARRAYS}
            said = file.metadata() or {}
        lens = JacobianLens(
            model=said["model"], n_texts=int(said["n_texts"]), n_answers=int(said["n_answers"]), **arrays
        )
    except (SafetensorError, LookupError, ValueError, TypeError, OSError) as error:
        raise RecordError(worded("{file} is no Jacobian lens: {why}.", file=path.name, why=str(error))) from error
    if not all(np.isfinite(array).all() for array in arrays.values()):
        raise RecordError(worded("{file} is no Jacobian lens: {why}.", file=path.name, why="a number is not finite"))
    return lens
