"""Work over a corpus: what is read of a part of it, and how what two parts come to becomes that of both.

The parts are the same wherever they are read, and are merged in their order, so that here and on a cluster the counts
are equal, and the sums but for their last digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from typing import Any, Generic, TypeVar

from tokenizers import Tokenizer

from models.analysis.over_texts.atlas import merge_sums, sums_of_texts
from models.analysis.over_texts.corpus import CorpusText, text_of
from models.analysis.over_texts.faithful import FaithfulnessSums, faithfulness_sums
from models.analysis.over_texts.sums import AtlasSums
from models.checkpoints.bert import load_checkpoint
from models.engine.content_words import ContentHits, content_hits
from models.model import Model
from models.opening.registry import embedded_folder, load
from models.scratch.pretraining import PretrainingModel
from models.values.errors import MissingCapabilityError, ModelLoadError
from models.values.record import Kind
from models.values.wording import worded

Opened = TypeVar("Opened")
Sums = TypeVar("Sums")
TEXTS_A_PART = 256
CorpusPart = tuple[CorpusText, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusWork(Generic[Opened, Sums]):
    """Functions of modules, which any machine finds by their names: `open` makes a reader for the model of a name,
    `read` says what a part of the corpus comes to, and `merge` is associative."""

    open: Callable[[str], Opened]
    read: Callable[[Opened, Sequence[CorpusText]], Sums]
    merge: Callable[[Sums, Sums], Sums]


def parts_of(texts: Iterable[CorpusText], n_texts: int = TEXTS_A_PART) -> Iterator[CorpusPart]:
    """The texts, so many at a time."""
    rest = iter(texts)
    while part := tuple(islice(rest, n_texts)):
        yield part


def over_parts(
    work: CorpusWork[Any, Sums],
    name: str,
    texts: Iterable[CorpusText],
    *,
    n_texts: int = TEXTS_A_PART,
    progress: Callable[[int], None] | None = None,
) -> Sums:
    """Return the result of a corpus, read in this process; `progress` is called with the number of texts. Raises what
    the work raises."""
    opened = work.open(name)

    def read_parts() -> Iterator[Sums]:
        n_read = 0
        for part in parts_of(texts, n_texts):
            yield work.read(opened, part)
            n_read += len(part)
            if progress is not None:
                progress(n_read)

    return reduce(work.merge, read_parts(), work.read(opened, ()))


# -- what can be done ------------------------------------------------------------------------------------------------


def open_on_this_machine(name: str) -> Model:
    """The model, on the best device that is here."""
    return load(name)


def open_checkpoint(name: str) -> tuple[PretrainingModel, Tokenizer]:
    """The weights of an embedded BERT, with its tokenizer. Raises MissingCapabilityError for any other model."""
    says = worded("{model} is no embedded BERT with an LM head. Choose headlight-bert or mini-bert.", model=name)
    folder = embedded_folder(name)
    if folder is None:
        raise MissingCapabilityError(name, says)
    try:
        model = load_checkpoint(folder)
    except ModelLoadError as error:
        raise MissingCapabilityError(name, says) from error
    if model.mlm is None:
        raise MissingCapabilityError(name, says)
    return model, Tokenizer.from_file(str(folder / "tokenizer.json"))


def content_of(opened: tuple[PretrainingModel, Tokenizer], texts: Sequence[CorpusText]) -> ContentHits:
    """How many content words of some texts are found."""
    return content_hits(*opened, map(text_of, texts))


ATLAS: CorpusWork[Model, dict[Kind, AtlasSums]] = CorpusWork(
    open=open_on_this_machine, read=sums_of_texts, merge=merge_sums
)
CONTENT: CorpusWork[tuple[PretrainingModel, Tokenizer], ContentHits] = CorpusWork(
    open=open_checkpoint, read=content_of, merge=ContentHits.__add__
)
FAITHFULNESS: CorpusWork[Model, FaithfulnessSums] = CorpusWork(
    open=open_on_this_machine, read=faithfulness_sums, merge=FaithfulnessSums.__add__
)
