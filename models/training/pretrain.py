"""Pretrain the scratch encoder with masked words and next sentences (Devlin et al. 2018, section 3.1).

    python -m models.training.pretrain --text ../shared/corpus/gutenberg.txt.xz --run runs/mini-bert

Stops and resumes at will: a run continues from its last checkpoint, on the same data in the same order.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional
from tqdm import tqdm

from models.devices import pick_device
from models.scratch.attention import MultiHeadAttention
from models.scratch.checkpoint import save_checkpoint
from models.scratch.config import PRESETS, TransformerConfig
from models.scratch.heads import PretrainingModel
from models.scratch.positional import sinusoidal_encoding
from models.training.batches import Batch, make_batch
from models.training.data import TrainingData, prepare_data
from models.training.vocabulary import save_tokenizer


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """A stretch of the run, up to the fraction `until` of all its pieces."""

    until: float
    n_tokens: int
    mask_rate: float


CURRICULUM = (
    Phase(until=0.08, n_tokens=32, mask_rate=0.30),
    Phase(until=0.30, n_tokens=64, mask_rate=0.25),
    Phase(until=0.85, n_tokens=128, mask_rate=0.20),
    Phase(until=1.00, n_tokens=128, mask_rate=0.15),
)
"""Short and heavily masked first: a small model leaves the unigram plateau much sooner that way."""


SAVE_EVERY = 300
"""Seconds between two checkpoints of a run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingConfig:
    """How a run learns. `pieces` is its length in word pieces, `pieces_per_batch` the size of one step."""

    pieces: int = 16_000_000
    pieces_per_batch: int = 3072
    learning_rate: float = 2e-3
    warmup_steps: int = 200
    decay: float = 0.4
    """The last part of the run, in which the learning rate falls to 0 along a line."""
    weight_decay: float = 0.01
    clip: float = 1.0
    seed: int = 0

    @property
    def steps(self) -> int:
        """How many optimizer steps the run has."""
        return self.pieces // self.pieces_per_batch

    def phase(self, step: int) -> Phase:
        """The stretch of the curriculum that a step belongs to."""
        return next(phase for phase in CURRICULUM if step < phase.until * self.steps or phase is CURRICULUM[-1])

    def rate(self, step: int) -> float:
        """The learning rate of a step: up over `warmup_steps`, level, then down to 0."""
        left = (self.steps - step) / (self.decay * self.steps)
        return self.learning_rate * min(1.0, (step + 1) / self.warmup_steps, left)


def initialise(model: PretrainingModel, seed: int) -> None:
    """Weights from N(0, 0.02) as in BERT, but positions start as sinusoids and W_Q starts equal to W_K.

    A model this small does not find out by itself, in the pieces it sees, that neighbours matter; this tells it.
    """
    config = model.config
    random = torch.Generator().manual_seed(seed)
    for name, weight in model.named_parameters():
        if "norm" in name:
            continue
        if weight.dim() == 1:
            nn.init.zeros_(weight)
        else:
            nn.init.normal_(weight, std=0.02, generator=random)
    with torch.no_grad():
        for layer in model.encoder.layers:
            attention = layer.get_submodule("attention")
            if isinstance(attention, MultiHeadAttention):
                nn.init.normal_(attention.query.weight, std=0.1, generator=random)
                attention.key.weight.copy_(attention.query.weight)
        sinusoids = sinusoidal_encoding(config.max_tokens, config.d_model)  # [max_tokens, d_model]
        model.encoder.embeddings.position.weight.copy_(sinusoids * (0.06 * 2**0.5))


def losses(model: PretrainingModel, batch: Batch) -> tuple[Tensor, Tensor]:
    """(MLM loss over the masked pieces, NSP loss), in nats. The MLM head runs on the masked positions alone."""
    last = model.encoder(batch.input_ids, batch.segment_ids, batch.mask).last  # [b, n_tokens, d_model]
    if model.mlm is None or model.nsp is None:
        raise ValueError("the model to be trained lacks its MLM or NSP head.")
    at_masks = last.flatten(end_dim=1)[batch.masked]  # [n_masked, d_model]
    mlm = functional.cross_entropy(model.mlm(at_masks), batch.targets)
    nsp = functional.cross_entropy(model.nsp(last), batch.next_labels)
    return mlm, nsp


class Trainer:
    """A model, its optimizer and the step that they have reached."""

    def __init__(
        self, config: TrainingConfig, model: PretrainingModel, data: TrainingData, device: torch.device
    ) -> None:
        self.config, self.model, self.data, self.device = config, model.to(device), data, device
        self.step = 0
        decayed = [weight for weight in model.parameters() if weight.dim() > 1]
        others = [weight for weight in model.parameters() if weight.dim() <= 1]
        self.optimizer = torch.optim.AdamW(
            [{"params": decayed, "weight_decay": config.weight_decay}, {"params": others, "weight_decay": 0.0}],
            lr=config.learning_rate, betas=(0.9, 0.98), fused=device.type in ("cpu", "cuda"),
        )  # fmt: skip
        self.bfloat16 = has_fast_bfloat16(device)

    def train_step(self) -> dict[str, float]:
        """Learn from one batch; returns what there is to log."""
        batch = self._batch(self.step)
        for group in self.optimizer.param_groups:
            group["lr"] = self.config.rate(self.step)
        torch.manual_seed(self.config.seed + self.step)  # dropout, the same after a resume
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.bfloat16):
            mlm, nsp = losses(self.model, batch)
        self.optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(mlm + nsp)
        nn.utils.clip_grad_norm_(self.model.parameters(), self.config.clip)
        self.optimizer.step()
        self.step += 1
        return {"step": self.step, "mlm_loss": mlm.item(), "nsp_loss": nsp.item(), "rate": self.config.rate(self.step)}

    def save(self, folder: Path) -> None:
        """Write the whole state; the old one stays whole until the new one is."""
        folder.mkdir(parents=True, exist_ok=True)
        tensors = dict(_optimizer_tensors(self.optimizer, self.model))
        tensors |= {f"model.{name}": weight.detach().cpu() for name, weight in self.model.named_parameters()}
        save_file(
            tensors, folder / "state.new", metadata={"step": str(self.step), "config": json.dumps(asdict(self.config))}
        )
        (folder / "state.new").replace(folder / "state.safetensors")

    def resume(self, folder: Path) -> None:
        """Continue from what `save` wrote there."""
        tensors = load_file(folder / "state.safetensors")
        with torch.no_grad():
            for name, weight in self.model.named_parameters():
                weight.copy_(tensors[f"model.{name}"])
                state = {key: tensors[f"optimizer.{key}.{name}"] for key in ("step", "exp_avg", "exp_avg_sq")}
                self.optimizer.state[weight] = {
                    key: tensor if key == "step" and self.device.type == "cpu" else tensor.to(self.device)
                    for key, tensor in state.items()
                }
        self.step = int(next(iter(self.optimizer.state.values()))["step"])

    def _batch(self, step: int) -> Batch:
        phase = self.config.phase(step)
        return make_batch(
            self.data.learned, batch_size=self.config.pieces_per_batch // phase.n_tokens, n_tokens=phase.n_tokens,
            mask_rate=phase.mask_rate, d_vocab=self.model.config.d_vocab, seed=self.config.seed, step=step,
        ).to(self.device)  # fmt: skip


def has_fast_bfloat16(device: torch.device) -> bool:
    """Whether bfloat16 is quicker than float32 there: on GPUs, and on processors that multiply it in hardware."""
    if device.type != "cpu":
        return device.type == "cuda"
    capabilities: Mapping[str, Any] = torch.cpu.get_capabilities()
    return bool(capabilities.get("avx512_bf16") or capabilities.get("amx_bf16") or capabilities.get("arm_bf16"))


def _optimizer_tensors(optimizer: torch.optim.AdamW, model: nn.Module) -> Iterator[tuple[str, Tensor]]:
    for name, weight in model.named_parameters():
        for key, tensor in optimizer.state[weight].items():
            yield f"optimizer.{key}.{name}", tensor.detach().cpu()


def run(
    folder: Path, data: TrainingData, model_config: TransformerConfig, config: TrainingConfig, device: torch.device
) -> None:
    """Train to the end, with a progress bar and a metrics file. A stop saves what was learned; the next run resumes."""
    model = PretrainingModel(model_config)
    initialise(model, config.seed)
    trainer = Trainer(config, model, data, device)
    if (folder / "state.safetensors").exists():
        trainer.resume(folder)
    try:
        _train(trainer, folder)
    finally:
        trainer.save(folder)
    export(trainer.model, data, folder / "model")


def _train(trainer: Trainer, folder: Path) -> None:
    config, saved = trainer.config, time.monotonic()
    done = trainer.step * config.pieces_per_batch
    with (
        (folder / "metrics.jsonl").open("a", encoding="utf-8") as metrics,
        tqdm(total=config.pieces, initial=done, unit="piece", unit_scale=True) as bar,
    ):
        while trainer.step < config.steps:
            logged = trainer.train_step()
            bar.update(config.pieces_per_batch)
            if trainer.step % 20 == 0:
                bar.set_postfix(mlm=f"{logged['mlm_loss']:.3f}", nsp=f"{logged['nsp_loss']:.3f}")
                metrics.write(json.dumps(logged | {"time": time.time()}) + "\n")
                metrics.flush()
            if time.monotonic() - saved > SAVE_EVERY:
                trainer.save(folder)
                saved = time.monotonic()


def export(model: PretrainingModel, data: TrainingData, folder: Path) -> None:
    """Write the finished checkpoint: half-precision weights, configuration and tokenizer."""
    save_checkpoint(model, folder, torch.float16)
    save_tokenizer(data.tokenizer, folder, model.config.max_tokens)


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", type=Path, nargs="+", required=True, help="text files, plain or .xz")
    parser.add_argument("--run", type=Path, required=True, help="folder of this run; an unfinished run is resumed")
    parser.add_argument("--held-out", nargs="*", default=[], help="titles of documents never to train on")
    parser.add_argument("--preset", choices=PRESETS, default="mini-bert")
    parser.add_argument("--pieces", type=int, default=TrainingConfig().pieces, help="length of the run in word pieces")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    config = PRESETS[arguments.preset]
    data = prepare_data(arguments.run, arguments.text, arguments.held_out, config.d_vocab)
    training = TrainingConfig(pieces=arguments.pieces, seed=arguments.seed)
    run(arguments.run, data, config, training, pick_device(arguments.device))


if __name__ == "__main__":
    main()
