"""The sizes and choices of a transformer, in one value. The letters are those of the papers: d_model, d_ff, ...

The defaults are BERT's choices (Devlin et al. 2018, section 3 and appendix A.2).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

NormOrder = Literal["post", "pre"]
NormKind = Literal["layer", "rms"]
Positions = Literal["learned", "sinusoidal", "rotary"]
Activation = Literal["gelu", "gelu_tanh", "relu", "silu"]
_CHOICES: dict[str, object] = {
    "norm": NormOrder,
    "norm_kind": NormKind,
    "positions": Positions,
    "activation": Activation,
    "embedding_norm": Literal[True, False],
    "final_norm": Literal[True, False],
    "gated": Literal[True, False],
    "biases": Literal[True, False],
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TransformerConfig:
    """Sizes and choices of a transformer. Raises ValueError, naming the field, for what cannot be built."""

    d_vocab: int
    d_model: int = 768
    n_layers: int = 12
    n_heads: int = 12
    n_kv_heads: int | None = None
    """The number of heads of keys and values, each shared by a group of query heads; None for one a head."""
    d_ff: int = 3072
    max_tokens: int = 512
    n_segments: int = 2
    """The number of segment embeddings: 2 for BERT's sentence A and B, 0 for none."""
    norm: NormOrder = "post"
    norm_kind: NormKind = "layer"
    """Whether a norm divides by the spread around the mean, or by the root mean square (RMSNorm)."""
    embedding_norm: bool = True
    """Whether a post-LN model norms its embeddings: BERT does, Vaswani's does not. A pre-LN model never does."""
    final_norm: bool = False
    """Whether a post-LN stack ends in one more norm, as in torch.nn.Transformer. A pre-LN stack always does."""
    positions: Positions = "learned"
    rotary_base: float = 10000.0
    """The ratio of the angles of rotary positions from the first pair of dimensions to the last."""
    activation: Activation = "gelu"
    gated: bool = False
    """Whether the inner layer has a gate; with "silu" that is SwiGLU."""
    biases: bool = True
    """Whether the matrices of the layers have a bias each."""
    layer_norm_eps: float = 1e-12
    dropout: float = 0.0

    def __post_init__(self) -> None:
        for name in ("d_vocab", "d_model", "n_layers", "n_heads", "d_ff", "max_tokens"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}, expected 1 or more.")
        if self.d_model % self.n_heads:
            raise ValueError(f"d_model is {self.d_model}, expected a multiple of n_heads ({self.n_heads}).")
        self._check_groups()
        self._check_pairs()
        if self.n_segments < 0:
            raise ValueError(f"n_segments is {self.n_segments}, expected 0 or more.")
        if not 0 <= self.dropout < 1:
            raise ValueError(f"dropout is {self.dropout}, expected 0 or more and less than 1.")
        if not 0 <= self.layer_norm_eps < 1:
            raise ValueError(f"layer_norm_eps is {self.layer_norm_eps}, expected 0 or more and less than 1.")
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in get_args(choices):
                raise ValueError(f"{name} is {getattr(self, name)!r}, expected one of {get_args(choices)}.")

    def _check_groups(self) -> None:
        if self.n_kv_heads is not None and (self.n_kv_heads < 1 or self.n_heads % self.n_kv_heads):
            raise ValueError(f"n_kv_heads is {self.n_kv_heads}, expected a divisor of n_heads ({self.n_heads}).")

    def _check_pairs(self) -> None:
        if self.positions == "sinusoidal" and self.d_model % 2:
            raise ValueError(f"d_model is {self.d_model}, expected an even number for sinusoidal positions.")
        if self.positions == "rotary" and self.d_head % 2:
            raise ValueError(f"d_head is {self.d_head}, expected an even number for rotary positions.")
        if not self.rotary_base > 1:
            raise ValueError(f"rotary_base is {self.rotary_base}, expected more than 1.")

    @property
    def d_head(self) -> int:
        """The width of one head."""
        return self.d_model // self.n_heads

    @property
    def n_groups(self) -> int:
        """The number of groups of query heads, each with one head of keys and values (Ainslie et al. 2023)."""
        return self.n_heads if self.n_kv_heads is None else self.n_kv_heads

    @property
    def norms_embeddings(self) -> bool:
        """Whether a norm follows the embeddings."""
        return self.norm == "post" and self.embedding_norm

    @property
    def norms_output(self) -> bool:
        """Whether a norm follows the last layer."""
        return self.norm == "pre" or self.final_norm


_MINI_BERT = TransformerConfig(d_vocab=8192, d_model=256, n_layers=4, n_heads=8, d_ff=1024, max_tokens=256)
_PRE_LN = replace(_MINI_BERT, n_segments=0, norm="pre", layer_norm_eps=1e-5)
PRESETS: dict[str, TransformerConfig] = {
    "mini-bert": _MINI_BERT,
    "tiny-bert": TransformerConfig(d_vocab=4096, d_model=96, n_layers=2, n_heads=4, d_ff=384, max_tokens=128),
    "bert-base": TransformerConfig(d_vocab=30522),
    "attention-is-all-you-need": TransformerConfig(
        d_vocab=37000,
        d_model=512,
        n_layers=6,
        n_heads=8,
        d_ff=2048,
        n_segments=0,
        positions="sinusoidal",
        activation="relu",
        layer_norm_eps=1e-5,
        dropout=0.1,
        embedding_norm=False,
    ),
    "mini-gpt": replace(_PRE_LN, activation="gelu_tanh"),
    "mini-llama": replace(
        _PRE_LN,
        n_layers=5,
        n_kv_heads=4,
        d_ff=688,
        max_tokens=4096,
        norm_kind="rms",
        positions="rotary",
        activation="silu",
        gated=True,
        biases=False,
    ),
    "pre-ln": _PRE_LN,
}
"""Well-known shapes. "attention-is-all-you-need" is that paper's base model (table 3)."""
