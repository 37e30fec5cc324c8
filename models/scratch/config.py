"""All that defines a transformer of ours, in one value. The letters are those of the papers: d_model, d_ff, ...

The defaults are BERT's choices (Devlin et al. 2018, section 3 and appendix A.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

NormOrder = Literal["post", "pre"]
Positions = Literal["learned", "sinusoidal"]
Activation = Literal["gelu", "gelu_tanh", "relu"]
_CHOICES: dict[str, object] = {
    "norm": NormOrder,
    "positions": Positions,
    "activation": Activation,
    "embedding_norm": Literal[True, False],
    "final_norm": Literal[True, False],
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TransformerConfig:
    """Sizes and choices of a transformer. Raises ValueError, naming the field, for what cannot be built."""

    d_vocab: int
    d_model: int = 768
    n_layers: int = 12
    n_heads: int = 12
    d_ff: int = 3072
    max_tokens: int = 512
    n_segments: int = 2
    """How many segment embeddings there are: 2 for BERT's sentence A and B, 0 for none."""
    norm: NormOrder = "post"
    embedding_norm: bool = True
    """Whether a post-LN model norms its embeddings: BERT does, Vaswani's does not. A pre-LN model never does."""
    final_norm: bool = False
    """Whether a post-LN stack ends in one more norm, as in torch.nn.Transformer. A pre-LN stack always does."""
    positions: Positions = "learned"
    activation: Activation = "gelu"
    layer_norm_eps: float = 1e-12
    dropout: float = 0.0

    def __post_init__(self) -> None:
        for name in ("d_vocab", "d_model", "n_layers", "n_heads", "d_ff", "max_tokens"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}, expected 1 or more.")
        if self.d_model % self.n_heads:
            raise ValueError(f"d_model is {self.d_model}, expected a multiple of n_heads ({self.n_heads}).")
        if self.positions == "sinusoidal" and self.d_model % 2:
            raise ValueError(f"d_model is {self.d_model}, expected an even number for sinusoidal positions.")
        if self.n_segments < 0:
            raise ValueError(f"n_segments is {self.n_segments}, expected 0 or more.")
        if not 0 <= self.dropout < 1:
            raise ValueError(f"dropout is {self.dropout}, expected 0 or more and less than 1.")
        if not 0 <= self.layer_norm_eps < 1:
            raise ValueError(f"layer_norm_eps is {self.layer_norm_eps}, expected 0 or more and less than 1.")
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in get_args(choices):
                raise ValueError(f"{name} is {getattr(self, name)!r}, expected one of {get_args(choices)}.")

    @property
    def d_head(self) -> int:
        """The width of one head."""
        return self.d_model // self.n_heads

    @property
    def norms_embeddings(self) -> bool:
        """Whether a norm follows the embeddings."""
        return self.norm == "post" and self.embedding_norm

    @property
    def norms_output(self) -> bool:
        """Whether a norm follows the last layer."""
        return self.norm == "pre" or self.final_norm


PRESETS: dict[str, TransformerConfig] = {
    "mini-bert": TransformerConfig(d_vocab=8192, d_model=256, n_layers=4, n_heads=8, d_ff=1024, max_tokens=256),
    "tiny-bert": TransformerConfig(d_vocab=4096, d_model=96, n_layers=2, n_heads=4, d_ff=384, max_tokens=128),
    "bert-base": TransformerConfig(d_vocab=30522),
    "attention-is-all-you-need": TransformerConfig(
        d_vocab=37000, d_model=512, n_layers=6, n_heads=8, d_ff=2048, n_segments=0,
        positions="sinusoidal", activation="relu", layer_norm_eps=1e-5, dropout=0.1,
        embedding_norm=False,
    ),
    "mini-gpt": TransformerConfig(
        d_vocab=8192, d_model=256, n_layers=4, n_heads=8, d_ff=1024, max_tokens=256, n_segments=0, norm="pre",
        activation="gelu_tanh", layer_norm_eps=1e-5,
    ),
    "pre-ln": TransformerConfig(
        d_vocab=8192, d_model=256, n_layers=4, n_heads=8, d_ff=1024, max_tokens=256, n_segments=0, norm="pre",
        layer_norm_eps=1e-5,
    ),
}  # fmt: skip
"""Well-known shapes. "attention-is-all-you-need" is that paper's base model (table 3)."""
