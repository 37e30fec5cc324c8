"""One iteration of pretraining after the other: masked words and next sentences (Devlin et al. 2018, section 3.1)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from models.scratch.pretraining import PretrainingModel
from models.training.corpora.batches import NO_LABEL, Batch, Draw, draw_passage, draw_sentence, make_batches
from models.training.corpora.corpus import Corpus
from models.training.trainer.line_by_line import attending_line_by_line
from models.training.trainer.optimizers import has_fast_bfloat16, load_state, make_optimizers, save_state, update_all
from models.training.trainer.processes import ALONE, Worker
from recipes.corpora.data import TrainingData
from recipes.corpora.repetition import RepetitionAids, RepetitionPlan, attention_of, rarity, teach_head
from recipes.pretraining.curriculum import TrainingConfig

SHORT_TOKENS = 32
"""The longest row of a classroom passage, of which all are shorter, or of a single sentence."""
SHORT_PARTS = 3
"""How many batches of like length such rows are sorted into."""
_AIDS = "aids"


def losses(
    model: PretrainingModel, batches: Sequence[Batch], aids: RepetitionAids | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """(MLM loss, NSP loss, loss of the `aids`), summed over the masked pieces, the labelled pairs, and the rows.

    The first two are in nats. The MLM head runs on the masked positions alone, once for all batches.
    """
    if model.mlm is None or model.nsp is None:
        raise ValueError("the model to be trained lacks its MLM or NSP head.")
    at_masks: list[Tensor] = []
    nsp = aid = next(model.parameters()).new_zeros(())
    for batch in batches:
        encoded = model.encoder(batch.input_ids, batch.segment_ids, batch.mask)
        at_masks.append(encoded.last.flatten(end_dim=1)[batch.masked])  # [n_masked, d_model]
        logits = model.nsp(encoded.last)  # [b, 2]
        nsp = nsp + functional.cross_entropy(logits, batch.next_labels, ignore_index=NO_LABEL, reduction="sum")
        aid = aid if aids is None else aid + aids(encoded.hidden_states, batch)
    targets = torch.cat([batch.targets for batch in batches])  # [n_masked of all]
    return functional.cross_entropy(model.mlm(torch.cat(at_masks)), targets, reduction="sum"), nsp, aid


class Pretrainer:
    """A model, its optimizers and the iteration that they have reached; one of several workers, or alone."""

    def __init__(
        self,
        config: TrainingConfig,
        model: PretrainingModel,
        data: TrainingData,
        device: torch.device,
        worker: Worker = ALONE,
    ) -> None:
        self.config, self.model, self.data, self.device, self.worker = config, model.to(device), data, device, worker
        self.iteration = 0
        self.optimizers = make_optimizers(
            model,
            optimizer=config.optimizer,
            learning_rate=config.learning_rate,
            weight_decay=config.weight_decay,
            device=device,
            looking=config.looking,
        )
        self.aids: RepetitionAids | None = None
        self.learning = nn.ModuleDict(dict(model.named_children()))
        if config.repetition:
            rare = rarity(data.learned, model.config.d_vocab)
            self.aids = RepetitionAids(model.config.d_model, rare, data.learned.special).to(device)
            self.learning[_AIDS] = self.aids
            self.optimizers.append(torch.optim.AdamW(self.aids.parameters(), lr=config.learning_rate))
        self.bfloat16 = has_fast_bfloat16(device)

    def iterate(self) -> dict[str, float]:
        """Learn from the batches of one iteration; returns what there is to log: losses in nats, mean per question (the
        next sentence: of the text alone).

        The pairs of each source, text or classroom, weigh the same in all, however many they are.
        """
        sources = self.batches(self.iteration)
        rate = self.config.rate(self.iteration)
        begins = self.config.repetition_iteration
        aids = None if begins is None or self.iteration < begins else self.aids
        self.learning.zero_grad(set_to_none=True)
        # dropout, the same after a resume, another one in each process
        torch.manual_seed((self.config.seed + self.iteration) * self.worker.size + self.worker.rank)
        n_masks = sum(len(batch.targets) for batches in sources for batch in batches)
        totals, to_learn = {"mlm_loss": 0.0, "nsp_loss": 0.0}, []
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.bfloat16), attending_line_by_line():
            for number, batches in enumerate(sources):
                n_pairs = max(1, sum(int((batch.next_labels != NO_LABEL).sum()) for batch in batches))
                is_text = number == 0
                mlm, nsp, aid = losses(
                    self.model, [self.worker.part(batch) for batch in batches], aids if is_text else None
                )
                to_learn.append(mlm / n_masks + (self.config.next_sentence_weight * nsp + aid) / n_pairs)
                totals["mlm_loss"] += mlm.item() / n_masks
                totals["nsp_loss"] += nsp.item() / n_pairs if is_text else 0.0
        torch.autograd.backward(to_learn)
        totals = self.worker.all_reduce(self.learning.parameters(), totals)
        nn.utils.clip_grad_norm_(self.model.parameters(), self.config.clip, error_if_nonfinite=True)
        update_all(self.optimizers, rate)
        self.iteration += 1
        return {"step": self.iteration, "pieces": self.iteration * self.config.pieces_per_batch, **totals, "rate": rate}

    def teach(self, plan: RepetitionPlan) -> float:
        """Teach the head of the plan, and forget how its old weights were moving. Returns the weight that lies on the
        same piece in the other text, of tokens that have one."""
        found = [
            on_same
            for on_same, _ in teach_head(
                self.model,
                self.data.learned,
                layer=plan.layer,
                head=plan.head,
                iterations=plan.steps,
                seed=self.config.seed,
            )
        ]
        attention = attention_of(self.model, plan.layer)
        d_head = self.model.config.d_model // self.model.config.n_heads
        for weight in (*attention.query.parameters(), *attention.key.parameters()):
            moved = [value for optimizer in self.optimizers for value in optimizer.state.get(weight, {}).values()]
            for value in moved:
                if value.shape == weight.shape:
                    value[plan.head * d_head : (plan.head + 1) * d_head] = 0
        return found[-1]

    def save(self, folder: Path, name: str = "state") -> None:
        """Write the whole state; the old one stays whole until the new one is. Of several workers, one writes."""
        if not self.worker.leads:
            return
        metadata = {"step": str(self.iteration), "config": json.dumps(asdict(self.config))}
        save_state(folder, self.learning, self.optimizers, metadata, name)

    def resume(self, folder: Path) -> None:
        """Continue from what `save` wrote there."""
        self.iteration = int(load_state(folder, self.learning, self.optimizers, self.device, may_lack=_AIDS)["step"])

    def watched(self) -> dict[str, Any]:
        """What else there is to be written down of the model now and then, beside the losses: of this kind, nothing."""
        return {}

    def batches(self, iteration: int) -> list[list[Batch]]:
        """The text of an iteration, single sentences of it, and classroom passages."""
        config, phase = self.config, self.config.phase(iteration)
        fitting = [length for length in phase.lengths if length <= self.model.config.max_tokens]
        lengths = fitting or [self.model.config.max_tokens]
        n_tokens = int(np.random.default_rng((config.seed, iteration, 1)).choice(lengths))
        shared: dict[str, Any] = {
            "mask_rate": phase.mask_rate,
            "d_vocab": self.model.config.d_vocab,
            "iteration": iteration,
        }
        text = make_batches(
            self.data.learned,
            batch_size=max(1, config.pieces_per_batch // n_tokens),
            n_tokens=n_tokens,
            seed=config.seed,
            **shared,
        )
        sources = [text]
        shared |= {"parts": SHORT_PARTS, "n_tokens": min(SHORT_TOKENS, self.model.config.max_tokens)}
        short: tuple[tuple[Corpus | None, int, Draw], ...] = (
            (self.data.classroom, config.classroom_rows, draw_passage),
            (self.data.learned, config.sentence_rows, draw_sentence),
        )
        for number, (corpus, rows, draw) in enumerate(short, start=1):
            if corpus is not None and rows:
                sources.append(make_batches(corpus, batch_size=rows, draw=draw, seed=config.seed + number, **shared))
        return [[batch.to(self.device) for batch in batches] for batches in sources]
