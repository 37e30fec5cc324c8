"""Statistics of every head of a model over many texts: measures, distances, pieces, and how alike the heads look."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan

from models.values.arguments.bounds import Index
from models.values.arguments.check import check_arguments
from models.values.arguments.shapes import fix_arrays
from models.values.errors import RecordError, SelectionError
from models.values.head_roles import HeadRole, head_places
from models.values.history import Measure
from models.values.record import Array, Kind, no_such_head, no_such_layer
from models.values.results.grammar import RelationScore
from models.values.wording import worded

FURTHEST = 10
"""Offsets of key and query are counted from -FURTHEST to FURTHEST; the ends hold all that are further away."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AtlasMeasure:
    """A number for every head, `values` [n_layers, n_heads], over `count` of what `counted_as` says; NaN where nothing
    was counted. `baseline` is what attention spread evenly would give, NaN where that says nothing."""

    measure: Measure
    unit: str
    values: Array
    baseline: float
    count: int
    counted_as: str

    def __post_init__(self) -> None:
        fix_arrays(self, values=("n_layers", "n_heads"))


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceShare:
    """A piece of the vocabulary, how often it stood in the texts, and its mean for a head: of a query piece the largest
    weight of its row, of a key piece what it is given by the other tokens of its text."""

    text: str
    share: float
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadPieces:
    """The pieces that a head looks from and at most, the strongest first."""

    queries: tuple[PieceShare, ...]
    keys: tuple[PieceShare, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextShare:
    """A text of the corpus, and the mean share of a measure in it."""

    text: str
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadExamples:
    """Texts for the measure that says most of a head: those where it is largest, the largest first; and typical ones,
    nearest to its mean of those that were drawn by chance."""

    measure: str
    strongest: tuple[TextShare, ...]
    typical: tuple[TextShare, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HeadAtlas:
    """Every head of one kind of attention of a model, over the texts of a corpus.

    `offsets` [n_layers, n_heads, 2 · FURTHEST + 1] is the share of attention at each offset of key and query; `pieces`
    and `examples` have an entry for every head, layer by layer. `apart` [n_all, n_all] are the mean distances of Jensen
    and Shannon between the rows of any two heads, and `places` [n_all, 2] the plane that shows them best.
    `circuits` are measures from the weights alone, empty where they were not found; `roles` what can be said of heads.
    Over a treebank, `relations` has the best head for every relation of grammar that is not too rare in its `n_parsed`
    sentences.
    """

    model: str
    kind: Kind
    n_texts: int
    n_pieces: int
    measures: tuple[AtlasMeasure, ...]
    offsets: Array
    pieces: tuple[HeadPieces, ...]
    examples: tuple[HeadExamples, ...]
    apart: Array
    places: Array
    circuits: tuple[AtlasMeasure, ...] = ()
    roles: tuple[HeadRole, ...] = ()
    relations: tuple[RelationScore, ...] = ()
    n_parsed: int = 0

    def __post_init__(self) -> None:
        n_layers, n_heads = self.offsets.shape[:2]
        n_all = n_layers * n_heads
        fix_arrays(self, offsets=(n_layers, n_heads, "n_offsets"), apart=(n_all, n_all), places=(n_all, 2))
        for name in ("pieces", "examples"):
            if len(getattr(self, name)) != n_all:
                raise RecordError(f"{name} has {len(getattr(self, name))} entries, expected one a head of {n_all}.")

    @property
    def n_layers(self) -> int:
        """The number of layers of the model."""
        return int(self.offsets.shape[0])

    @property
    def n_heads(self) -> int:
        """The number of heads of each layer."""
        return int(self.offsets.shape[1])

    @property
    def all_measures(self) -> tuple[AtlasMeasure, ...]:
        """The measures over the texts, and those of the weights alone."""
        return (*self.measures, *self.circuits)

    @check_arguments
    def roles_of(self, layer: int, head: int) -> tuple[HeadRole, ...]:
        """Return the roles of a head, the most certain first. Raises SelectionError."""
        self._expect_head(layer, head)
        return tuple(role for role in self.roles if (role.layer, role.head) == (layer, head))

    @check_arguments
    def examples_of(self, layer: int, head: int) -> HeadExamples:
        """Return the texts that show the head best. Raises SelectionError."""
        self._expect_head(layer, head)
        return self.examples[layer * self.n_heads + head]

    @check_arguments
    def pieces_of(self, layer: int, head: int) -> HeadPieces:
        """The pieces that it looks from and at most. Raises SelectionError."""
        self._expect_head(layer, head)
        return self.pieces[layer * self.n_heads + head]

    @check_arguments
    def of(self, name: str) -> AtlasMeasure:
        """A measure by its name. Raises SelectionError if there is none."""
        for measure in self.all_measures:
            if measure.measure.name == name:
                return measure
        names = ", ".join(measure.measure.name for measure in self.all_measures)
        raise SelectionError(worded("{name} was not measured, only {names}.", name=repr(name), names=names))

    @check_arguments
    def strongest(self, name: str, n_heads: Index) -> tuple[tuple[int, int, float], ...]:
        """(layer, head, value) of the heads with the most of a measure, the strongest first."""
        values = self.of(name).values
        places = ((layer, head, float(values[layer, head])) for layer, head in head_places(*values.shape))
        known = [place for place in places if not isnan(place[2])]
        return tuple(sorted(known, key=lambda place: -place[2])[:n_heads])

    def _expect_head(self, layer: int, head: int) -> None:
        if not 0 <= layer < self.n_layers:
            raise SelectionError(no_such_layer(layer, self.n_layers))
        if not 0 <= head < self.n_heads:
            raise SelectionError(no_such_head(head, self.n_heads))
