"""What is done with hidden states when texts or tokens have labels: BERT's two classifiers for fine-tuning.

Devlin et al. 2018, sections 4.1 (a text, from the state of [CLS]) and 5.3 (every token, from its own state).
"""

from __future__ import annotations

from typing import Literal, get_args

import torch
from torch import Tensor, nn

from models.scratch.config import TransformerConfig
from models.scratch.encoder import Encoder
from models.scratch.pretraining import EncoderModelOutput

Labelled = Literal["text", "tokens"]
"""What gets a label: the text as a whole, or each of its tokens."""
Problem = Literal["single_label_classification", "multi_label_classification", "regression"]
"""How logits are read, in the words of a Hugging Face configuration: by a softmax over the labels, by a sigmoid for
each label, or as they are, as scores without bounds."""


class SequenceClassifier(nn.Module):
    """logits = dropout(tanh(x_0 W + b)) W_2 + b_2, where x_0 is the hidden state of [CLS]; the tanh layer is the
    "pooler"."""

    def __init__(self, config: TransformerConfig, n_labels: int) -> None:
        super().__init__()
        self.pooler = nn.Linear(config.d_model, config.d_model)
        self.dropout = nn.Dropout(config.dropout)
        self.classifier = nn.Linear(config.d_model, n_labels)

    def forward(self, x: Tensor) -> Tensor:
        """Hidden states [b, n_tokens, d_model] -> one logit a label for each text [b, n_labels]."""
        pooled = torch.tanh(self.pooler(x[:, 0]))  # [b, d_model]
        logits: Tensor = self.classifier(self.dropout(pooled))  # [b, n_labels]
        return logits


class TokenClassifier(nn.Module):
    """logits = dropout(x) W + b, for every token alike."""

    def __init__(self, config: TransformerConfig, n_labels: int) -> None:
        super().__init__()
        self.dropout = nn.Dropout(config.dropout)
        self.classifier = nn.Linear(config.d_model, n_labels)

    def forward(self, x: Tensor) -> Tensor:
        """Hidden states [b, n_tokens, d_model] -> one logit a label for each token [b, n_tokens, n_labels]."""
        logits: Tensor = self.classifier(self.dropout(x))  # [b, n_tokens, n_labels]
        return logits


class ClassifierModel(nn.Module):
    """An encoder with one of the two classifiers. Raises ValueError for no labels, or an unknown kind of them."""

    def __init__(
        self,
        config: TransformerConfig,
        labels: tuple[str, ...],
        *,
        of: Labelled = "text",
        problem: Problem = "single_label_classification",
    ) -> None:
        super().__init__()
        if not labels:
            raise ValueError("labels is empty, expected the name of at least one.")
        if of not in get_args(Labelled) or problem not in get_args(Problem):
            raise ValueError(f"of is {of!r} and problem {problem!r}, expected one of {Labelled} and of {Problem}.")
        self.config = config
        self.labels = labels
        self.of: Labelled = of
        self.problem: Problem = problem
        self.encoder = Encoder(config)
        build = SequenceClassifier if of == "text" else TokenClassifier
        self.classifier = build(config, len(labels))

    @property
    def is_multi_label(self) -> bool:
        """Whether each label is a question of its own, answered by a sigmoid."""
        return self.problem == "multi_label_classification"

    @property
    def gives_score(self) -> bool:
        """Whether a logit is a score without bounds (a similarity, a rating) and says nothing of probabilities."""
        return self.problem == "regression" or (len(self.labels) == 1 and not self.is_multi_label)

    def forward(
        self,
        input_ids: Tensor,
        segment_ids: Tensor | None = None,
        mask: Tensor | None = None,
        position_ids: Tensor | None = None,
    ) -> EncoderModelOutput:
        """Encode ids [b, n_tokens] and apply the classifier; arguments as in Encoder."""
        encoded = self.encoder(input_ids, segment_ids, mask, position_ids)
        logits = self.classifier(encoded.last)
        return EncoderModelOutput(
            last=encoded.last,
            hidden_states=encoded.hidden_states,
            text_labels=logits if self.of == "text" else None,
            token_labels=logits if self.of == "tokens" else None,
        )
