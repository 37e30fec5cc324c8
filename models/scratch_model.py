"""The adapter of the scratch encoder: text in, Recording out. Same face as `models.huggingface.HuggingFaceModel`."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

import torch
from transformers import AutoTokenizer, PreTrainedTokenizerBase

from models.assemble import records_from_calls, stacked_states
from models.devices import pick_device
from models.errors import MissingHeadError, ModelLoadError
from models.predictions import predict_masks
from models.record import MaskPrediction, ModelInfo, Recording
from models.recorder import recording
from models.scratch.checkpoint import load_checkpoint
from models.scratch.heads import IS_NEXT, PretrainingModel, PretrainingOutput
from models.text import PreparedText, prepare


class ScratchModel:
    """A scratch encoder with its tokenizer. Read-only after loading: many threads may use one."""

    def __init__(
        self, model: PretrainingModel, tokenizer: PreTrainedTokenizerBase, *, name: str, device: torch.device
    ) -> None:
        self.model = model.to(device).eval()
        self.tokenizer = tokenizer
        self.device = device
        self._tokenizing = Lock()
        config = model.config
        self.info = ModelInfo(
            name=name, family="bert", implementation="scratch", kinds=("encoder",), n_layers=config.n_layers,
            n_heads=config.n_heads, n_kv_heads=config.n_heads, d_model=config.d_model, d_head=config.d_head,
            d_ff=config.d_ff, d_vocab=config.d_vocab, max_tokens=config.max_tokens,
            n_parameters=sum(weight.numel() for weight in model.parameters()), device=str(device),
            can_fill_mask=model.mlm is not None, can_judge_next_sentence=model.nsp is not None,
        )  # fmt: skip

    def record(self, text: str, text_b: str | None = None) -> Recording:
        """Run one text, or a pair, and keep everything. Raises TextError if there is nothing to read."""
        prepared = self._prepare(text, text_b)
        with recording() as calls:
            output = self._forward(prepared)
        n_layers = self.info.n_layers
        return Recording(
            info=self.info,
            tokens=prepared.tokens,
            attention=records_from_calls(
                calls, name=self.info.name, tokens={"encoder": prepared.tokens}, n_layers={"encoder": n_layers}
            ),
            hidden_states=stacked_states(output.hidden_states),
            segment_b_start=prepared.segment_b_start,
            predictions=self._predictions(output, prepared, top_k=5) if self.info.can_fill_mask else (),
            note=prepared.note,
        )

    def fill_mask(self, text: str, top_k: int = 5, text_b: str | None = None) -> tuple[MaskPrediction, ...]:
        """The best words for every [MASK], none if there is no [MASK]. Raises MissingHeadError without an MLM head."""
        prepared = self._prepare(text, text_b)
        return self._predictions(self._forward(prepared), prepared, top_k)

    def next_sentence(self, text: str, text_b: str) -> float:
        """The probability, 0 to 1, that `text_b` follows `text`. Raises MissingHeadError without an NSP head."""
        logits = self._forward(self._prepare(text, text_b)).nsp  # [1, 2]
        if logits is None:
            raise MissingHeadError(
                self.info.name, f"{self.info.name} has no next-sentence head. Choose a BERT that has."
            )
        return float(logits[0].softmax(dim=-1)[IS_NEXT])

    def _prepare(self, text: str, text_b: str | None) -> PreparedText:
        with self._tokenizing:  # a tokenizer keeps state while it works
            return prepare(self.tokenizer, text, text_b, max_tokens=self.info.max_tokens)

    @torch.inference_mode()
    def _forward(self, prepared: PreparedText) -> PretrainingOutput:
        ids = torch.tensor([prepared.input_ids], device=self.device)  # [1, n_tokens]
        segments = torch.tensor([prepared.segment_ids], device=self.device)  # [1, n_tokens]
        output: PretrainingOutput = self.model(ids, segments)
        return output

    def _predictions(self, output: PretrainingOutput, prepared: PreparedText, top_k: int) -> tuple[MaskPrediction, ...]:
        if output.mlm is None:
            raise MissingHeadError(
                self.info.name, f"{self.info.name} has no masked-word head. Choose a model that has."
            )
        return predict_masks(output.mlm[0], prepared.input_ids, self.tokenizer, top_k)


def load_scratch(folder: Path, *, name: str, device: str = "auto") -> ScratchModel:
    """Open a BERT folder in the scratch encoder. Raises ModelLoadError if it is not one, DeviceError."""
    target = pick_device(device)
    model = load_checkpoint(folder)
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    except (OSError, ValueError) as error:
        raise ModelLoadError(name, f"{folder} has no tokenizer that transformers can open: {error}") from error
    return ScratchModel(model, tokenizer, name=name, device=target)
