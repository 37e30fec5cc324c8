"""What a recording costs: time and peak memory beside a plain forward pass and beside transformers' own way.

Three variants of one BERT of the base shape with random weights: "plain" (fused attention, nothing kept), "eager"
(transformers with output_attentions=True, which keeps every weight) and "ours" (a whole `record`, text to Recording).
Times are medians over rounds in one process, the variants in turn, in a new order each round. Memory is the growth of
the process at its highest, in a process of its own for each variant and length.

    python -m benchmarks.recording --threads 1 --rounds 9 --json recording.json
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from copy import deepcopy
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import BertConfig, BertModel, PreTrainedTokenizerBase, PreTrainedTokenizerFast

from models.huggingface.attention_interface import IMPLEMENTATION
from models.huggingface.checkpoint.opened import OpenedModel
from models.huggingface.model import HuggingFaceModel

VARIANTS = ("plain", "eager", "ours")
LENGTHS = (16, 64, 128, 256, 512)
MEBIBYTE = 1024 * 1024
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
WORD_ID = len(SPECIAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """One cell of the table."""

    variant: str
    n_tokens: int
    seconds: float
    peak_mebibytes: float


def main() -> None:
    arguments = _arguments()
    torch.set_num_threads(arguments.threads)
    config = BertConfig(num_hidden_layers=arguments.layers)
    if arguments.peak_of:
        variant, n_tokens = arguments.peak_of.split(":")
        _say(str(peak_growth(config, variant, int(n_tokens))))
        return
    seconds = time_all(config, arguments.lengths, arguments.rounds)
    measurements = [
        Measurement(
            variant=variant, n_tokens=n_tokens, seconds=value, peak_mebibytes=_peak_apart(config, variant, n_tokens)
        )
        for (variant, n_tokens), value in seconds.items()
    ]
    _say(_table(measurements, arguments.lengths))
    if arguments.json:
        report = {
            "machine": platform.platform(),
            "python": platform.python_version(),
            "torch": torch.__version__,
            "threads": arguments.threads,
            "rounds": arguments.rounds,
            "measurements": [asdict(measurement) for measurement in measurements],
        }
        arguments.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=1, help="threads of torch (1)")
    parser.add_argument("--rounds", type=int, default=9, help="rounds of which the median is taken (9)")
    parser.add_argument("--lengths", type=int, nargs="+", default=list(LENGTHS), help="numbers of tokens")
    parser.add_argument("--layers", type=int, default=BertConfig().num_hidden_layers, help="layers of the BERT (12)")
    parser.add_argument("--json", type=Path, help="write the measurements to this file too")
    parser.add_argument("--peak-of", help=argparse.SUPPRESS)
    return parser.parse_args()


# -- variants ---------------------------------------------------------------------------------------------------------


def runner(
    variant: str, n_tokens: int, models_by_variant: dict[str, BertModel | HuggingFaceModel]
) -> Callable[[], object]:
    """A function that runs the variant once on a text of `n_tokens` and returns what it keeps."""
    model = models_by_variant[variant]
    if isinstance(model, HuggingFaceModel):
        text = "word " * (n_tokens - 2)
        return lambda: model.record(text)
    ids = torch.tensor([[2, *[WORD_ID] * (n_tokens - 2), 3]])  # [1, n_tokens]
    options = {"output_attentions": True, "output_hidden_states": True} if variant == "eager" else {}

    def run() -> object:
        with torch.inference_mode():
            return model(ids, **options)

    return run


def build(config: BertConfig, variants: tuple[str, ...]) -> dict[str, BertModel | HuggingFaceModel]:
    """The variants, all with the weights of one model."""
    implementations = {"plain": "sdpa", "eager": "eager", "ours": IMPLEMENTATION}
    built: dict[str, BertModel | HuggingFaceModel] = {}
    weights: dict[str, torch.Tensor] | None = None
    for variant in variants:
        torch.manual_seed(0)
        model = BertModel(deepcopy(config))  # which attention it runs is written there
        model.set_attn_implementation(implementations[variant])
        torch.nn.Module.eval(model)
        if weights is None:
            weights = model.state_dict()
        else:
            model.load_state_dict(weights, assign=True)
        built[variant] = _adapted(model) if variant == "ours" else model
    return built


def _adapted(model: BertModel) -> HuggingFaceModel:
    raw = Tokenizer(
        models.WordLevel({**{piece: i for i, piece in enumerate(SPECIAL)}, "word": WORD_ID}, unk_token="[UNK]")
    )
    raw.pre_tokenizer = pre_tokenizers.Whitespace()
    raw.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    make: Callable[..., PreTrainedTokenizerBase] = PreTrainedTokenizerFast
    tokenizer = make(tokenizer_object=raw, unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]")
    opened = OpenedModel(model=model, tokenizer=tokenizer, is_causal=False, has_mlm_head=False, has_nsp_head=False)
    return HuggingFaceModel(opened, name="bert-base shape", device=torch.device("cpu"))


# -- time -------------------------------------------------------------------------------------------------------------


def time_all(config: BertConfig, lengths: list[int], rounds: int) -> dict[tuple[str, int], float]:
    """Median seconds of every variant and length, in one process, the variants interleaved."""
    built = build(config, VARIANTS)
    result: dict[tuple[str, int], float] = {}
    for n_tokens in lengths:
        runners = {variant: runner(variant, n_tokens, built) for variant in VARIANTS}
        times: dict[str, list[float]] = {variant: [] for variant in VARIANTS}
        for run in runners.values():
            run()  # warm up
        for round_index in range(rounds):
            first = round_index % len(VARIANTS)
            for variant in (*VARIANTS[first:], *VARIANTS[:first]):
                started = time.perf_counter()
                kept = runners[variant]()
                times[variant].append(time.perf_counter() - started)
                del kept
        result |= {(variant, n_tokens): median(times[variant]) for variant in VARIANTS}
    return result


# -- memory -----------------------------------------------------------------------------------------------------------


def peak_growth(config: BertConfig, variant: str, n_tokens: int) -> float:
    """By how many MiB this process grows at its highest while the variant runs once, its result kept."""
    built = build(config, (variant,))
    runner(variant, 8, built)()  # what is allocated once for all is no cost of a recording
    before = restart_peak()
    kept = runner(variant, n_tokens, built)()
    growth = peak() - before
    del kept
    return max(growth, 0.0) / MEBIBYTE


def _peak_apart(config: BertConfig, variant: str, n_tokens: int) -> float:
    command = [sys.executable, "-m", "benchmarks.recording", "--peak-of", f"{variant}:{n_tokens}"]
    same = ["--layers", str(config.num_hidden_layers), "--threads", str(torch.get_num_threads())]
    done = subprocess.run([*command, *same], check=True, capture_output=True, text=True)
    return float(done.stdout.split()[-1])


def restart_peak() -> float:
    """The bytes in use now; on Linux the highest mark starts again from here."""
    clear = Path("/proc/self/clear_refs")
    if clear.exists():
        clear.write_text("5", encoding="ascii")
    return peak()


def peak() -> float:
    """The most bytes that this process has used since."""
    status = Path("/proc/self/status")
    if status.exists():
        marks = dict(line.split(":", 1) for line in status.read_text(encoding="ascii").splitlines() if ":" in line)
        return float(marks["VmHWM"].split()[0]) * 1024
    highest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(highest) * (1 if sys.platform == "darwin" else 1024)


# -- report -----------------------------------------------------------------------------------------------------------


def _table(measurements: list[Measurement], lengths: list[int]) -> str:
    found = {(measurement.variant, measurement.n_tokens): measurement for measurement in measurements}
    lines = [
        "tokens |  plain ms   eager ms    ours ms  ours/plain | plain MiB  eager MiB   ours MiB",
        "-------+-----------------------------------------------+--------------------------------",
    ]
    for n_tokens in lengths:
        plain, eager, ours = (found[variant, n_tokens] for variant in VARIANTS)
        times = "".join(f"{1000 * cell.seconds:11.1f}" for cell in (plain, eager, ours))
        memory = "".join(f"{cell.peak_mebibytes:11.1f}" for cell in (plain, eager, ours))
        lines.append(f"{n_tokens:6d} |{times}{ours.seconds / plain.seconds:12.2f} |{memory}")
    return "\n".join(lines)


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main()
