"""Classifiers on top of hidden states, for labels of texts or of tokens: those that BERT is fine-tuned with.

A text: from the state of [CLS] (Devlin et al. 2018, section 4.1), or from the mean of the states of its words (Iyyer et
al. 2015, "Deep Unordered Composition Rivals Syntactic Methods"; Reimers & Gurevych 2019, "Sentence-BERT", section 3).
Every token: from its own state (Devlin et al. 2018, section 5.3).
"""

from __future__ import annotations

from typing import Literal, get_args

import torch
from torch import Tensor, nn

from models.scratch.config import TransformerConfig
from models.scratch.encoder import Encoder
from models.scratch.pretraining import EncoderModelOutput

Labelled = Literal["text", "tokens"]
"""The thing that gets a label: the text as a whole, or each of its tokens."""
Problem = Literal["single_label_classification", "multi_label_classification", "regression"]
"""How logits are read, in the words of a Hugging Face configuration: by a softmax over the labels, by a sigmoid for
each label, or as they are, as scores without bounds."""
Pooling = Literal["cls", "mean"]
"""The one vector of a text: that of [CLS], or the mean over the words."""


def mean_of_words(x: Tensor, words: Tensor) -> Tensor:
    """Return (1 / n) sum_i x_i over the n tokens that `words` [b, n_tokens] is True for; zeros for a text without any.

    x [b, n_tokens, d_model] -> [b, d_model]. Tokens left out, such as padding, add nothing and are not counted.
    """
    ones = words.unsqueeze(-1).to(x.dtype)  # [b, n_tokens, 1], 1 for a word and 0 for the rest
    return (x * ones).sum(dim=1) / ones.sum(dim=1).clamp(min=1)  # [b, d_model]


class SequenceClassifier(nn.Module):
    """logits = dropout(tanh(s W + b)) W_2 + b_2, where s is one vector for the text; the tanh layer is the "pooler".

    pooling "cls":   s = x_0, the hidden state of [CLS]
    pooling "mean":  s = (1 / n) sum_i x_i, the mean over the n words
    """

    def __init__(self, config: TransformerConfig, n_labels: int, pooling: Pooling = "cls") -> None:
        super().__init__()
        self.pooling: Pooling = pooling
        self.pooler = nn.Linear(config.d_model, config.d_model)
        self.dropout = nn.Dropout(config.dropout)
        self.classifier = nn.Linear(config.d_model, n_labels)

    def forward(self, x: Tensor, words: Tensor) -> Tensor:
        """Hidden states [b, n_tokens, d_model], and which tokens are words [b, n_tokens] -> one logit a label for each
        text [b, n_labels]."""
        summary = x[:, 0] if self.pooling == "cls" else mean_of_words(x, words)  # [b, d_model]
        pooled = torch.tanh(self.pooler(summary))  # [b, d_model]
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
    """An encoder with one of the two classifiers.

    `marks` are the ids that are no words: padding, [CLS] and [SEP] are left out of a mean. Raises ValueError for no
    labels, for an unknown kind of them, and for a mean over words where every token has a label of its own.
    """

    def __init__(
        self,
        config: TransformerConfig,
        labels: tuple[str, ...],
        *,
        of: Labelled = "text",
        problem: Problem = "single_label_classification",
        pooling: Pooling = "cls",
        marks: tuple[int, ...] = (),
    ) -> None:
        super().__init__()
        if not labels:
            raise ValueError("labels is empty, expected at least one name.")
        if of not in get_args(Labelled) or problem not in get_args(Problem):
            raise ValueError(f"of is {of!r} and problem {problem!r}, expected one of {Labelled} and of {Problem}.")
        if pooling not in get_args(Pooling) or (pooling == "mean" and of == "tokens"):
            raise ValueError(
                f"pooling is {pooling!r} for labels of {of}, expected one of {Pooling}; labels of tokens "
                "have no pooling."
            )
        self.config = config
        self.labels = labels
        self.of: Labelled = of
        self.problem: Problem = problem
        self.pooling: Pooling = pooling
        self.marks = marks
        self.encoder = Encoder(config)
        n_labels = len(labels)
        self.classifier = (
            SequenceClassifier(config, n_labels, pooling) if of == "text" else TokenClassifier(config, n_labels)
        )

    @property
    def is_multi_label(self) -> bool:
        """Whether each label is a question of its own, answered by a sigmoid."""
        return self.problem == "multi_label_classification"

    @property
    def gives_score(self) -> bool:
        """Whether a logit is a score without bounds (a similarity, a rating) and says nothing of probabilities."""
        return self.problem == "regression" or (len(self.labels) == 1 and not self.is_multi_label)

    def words(self, input_ids: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return True for the tokens that a mean is taken over: neither padding nor a mark [b, n_tokens]."""
        words = torch.ones_like(input_ids, dtype=torch.bool) if mask is None else mask  # [b, n_tokens]
        for mark in self.marks:
            words = words & (input_ids != mark)  # [b, n_tokens]
        return words

    def forward(
        self,
        input_ids: Tensor,
        segment_ids: Tensor | None = None,
        mask: Tensor | None = None,
        position_ids: Tensor | None = None,
    ) -> EncoderModelOutput:
        """Encode ids [b, n_tokens] and apply the classifier; arguments as in Encoder."""
        encoded = self.encoder(input_ids, segment_ids, mask, position_ids)
        if isinstance(self.classifier, SequenceClassifier):
            logits = self.classifier(encoded.last, self.words(input_ids, mask))  # [b, n_labels]
        else:
            logits = self.classifier(encoded.last)  # [b, n_tokens, n_labels]
        return EncoderModelOutput(
            last=encoded.last,
            hidden_states=encoded.hidden_states,
            text_labels=logits if self.of == "text" else None,
            token_labels=logits if self.of == "tokens" else None,
        )
