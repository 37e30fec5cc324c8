"""A model that learns to continue repeated random words grows an induction head, and the atlas finds it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from models.analysis.over_texts.atlas import atlas
from models.checkpoints.gpt2 import save_gpt2
from models.opening.folders import load_folder
from models.scratch.config import TransformerConfig
from models.scratch.gpt import LanguageModel
from models.training.corpora.vocabulary import CLS_ID, PAD_ID, SEP_ID, cased_wordpiece, continuing_tokenizer
from models.training.trainer.fit import FitConfig, fit
from models.training.trainer.start import initialise
from models.training.trainer.task import Loss
from recipes.evaluation.repeated_pieces import draw_repeated, measure_length

WORDS = tuple(f"{first}{second}" for first in "bdfgk" for second in "aeiou")
MAX_TOKENS = 32
CONFIG = TransformerConfig(
    d_vocab=5 + len(WORDS),
    d_model=64,
    n_layers=2,
    n_heads=2,
    d_ff=64,
    max_tokens=MAX_TOKENS,
    n_segments=0,
    norm="pre",
    activation="gelu_tanh",
    layer_norm_eps=1e-5,
)


class RepeatedWords:
    """Random words, and once more the same: what comes next is what came after the same word before."""

    def __init__(self) -> None:
        self.tokenizer = continuing_tokenizer(cased_wordpiece(WORDS), MAX_TOKENS)
        self.ids = np.array(self.tokenizer.convert_tokens_to_ids(list(WORDS)))
        self.model = LanguageModel(CONFIG)
        initialise(self.model, 0)

    def rows(self, n_rows: int, random: np.random.Generator) -> tuple[np.ndarray, int]:
        """Rows [CLS] x1 ... xn x1 ... xn, and n, which is another each time: no offset leads back to the same word."""
        n_words = int(random.integers(6, 13))
        words = random.choice(self.ids, (n_rows, n_words))
        return np.hstack((np.full((n_rows, 1), CLS_ID), words, words)), n_words

    def loss(self, iteration: int, *, rows: int, seed: int, device: torch.device) -> Loss:
        ids, n_words = self.rows(rows, np.random.default_rng((seed, iteration)))
        given = torch.from_numpy(ids).to(device)
        logits = self.model(given[:, :-1]).logits[:, n_words + 1 :].flatten(end_dim=1)  # from the second word on
        asked = given[:, n_words + 2 :].flatten()
        right = int((logits.argmax(-1) == asked).sum())
        return Loss(
            total=functional.cross_entropy(logits, asked), n_asked=len(asked), n_right=right, n_tokens=given.numel()
        )

    def measure(self, device: torch.device) -> dict[str, float]:
        return {}

    def save(self, folder: Path, dtype: torch.dtype = torch.float16) -> None:
        save_gpt2(self.model, folder, dtype, pad_id=PAD_ID, start_id=CLS_ID, end_id=SEP_ID)
        self.tokenizer.save_pretrained(folder)


def test_the_induction_head_of_a_trained_model_is_found(tmp_path: Path) -> None:
    accuracies: list[float] = []
    task = RepeatedWords()
    fit(
        tmp_path,
        task,
        FitConfig(iterations=400, rows=32, learning_rate=3e-3, measurements=0),
        device=torch.device("cpu"),
        watch=lambda progress: accuracies.append(progress.accuracy),
    )
    assert np.mean(accuracies[-20:]) > 0.9
    random = np.random.default_rng(1)
    drawn = [" ".join(random.choice(WORDS, 9, replace=False)) for _ in range(30)]
    (found,) = atlas(
        load_folder(tmp_path / "model", name="repeats", device="cpu"), [f"{text} {text}" for text in drawn]
    )
    (layer, _, share), *_ = found.strongest("induction", 1)
    assert layer == 1
    assert share > 0.6 > 5 * found.of("induction").baseline
    assert ("induction", 1) in {(role.name, role.layer) for role in found.roles}
    (layer, _, share), *_ = found.strongest("previous", 1)  # what the induction head reads (Olsson et al. 2022)
    assert layer == 0
    assert share > 2 * found.of("previous").baseline
    by_order = measure_length(task.model.eval(), draw_repeated(16, 9, CONFIG.d_vocab, random))
    layer, _, matching = by_order.best_head()
    assert layer == 1
    assert matching > 0.5
    assert by_order.repeated_right > 0.8
    assert by_order.repeated_loss < by_order.first_loss / 3
