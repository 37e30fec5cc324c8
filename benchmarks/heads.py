"""What it costs to ask what heads do: in forward passes of the same model over the same text.

A BERT of the base shape with random weights and its LM head. The pass is transformers' own, one text, every logit; the
others are `ablate` for every head, the gradient's estimate of it, a patch of every state, the parts of a logit.

    python -m benchmarks.heads --threads 1 --rounds 3
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from statistics import median

import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import BertConfig, BertForMaskedLM, PreTrainedTokenizerBase, PreTrainedTokenizerFast

from models.analysis.contrasts import contrast_of
from models.analysis.effects.ablation import ablate
from models.analysis.effects.importance import head_importance
from models.analysis.effects.logit_parts import logit_parts
from models.analysis.effects.patching import patch
from models.huggingface.attention_interface import IMPLEMENTATION
from models.huggingface.checkpoint.opened import OpenedModel
from models.huggingface.model import HuggingFaceModel

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
WORDS = ("word", "other")


def main() -> None:
    """Read the command line and write the table."""
    arguments = _arguments()
    torch.set_num_threads(arguments.threads)
    model = build(BertConfig(num_hidden_layers=arguments.layers))
    n_heads = model.info.n_layers * model.info.n_heads
    sys.stdout.write("| | tokens | ms | forward passes |\n| --- | --- | --- | --- |\n")
    for n_tokens in arguments.lengths:
        taken = {name: _seconds(run, arguments.rounds) for name, run in runs(model, n_tokens).items()}
        one = taken["a forward pass"]
        for name, seconds in taken.items():
            said = f"{name}, {n_heads} heads" if name == "every head taken away" else name
            sys.stdout.write(f"| {said} | {n_tokens} | {1000 * seconds:.0f} | {seconds / one:.1f} |\n")


def runs(model: HuggingFaceModel, n_tokens: int) -> dict[str, Callable[[], object]]:
    """What is measured, over a text of so many tokens."""
    text, other = (f"{word} [MASK] " + "word " * (n_tokens - 4) for word in WORDS)
    contrast = contrast_of(model, text, answer=5, rival=6)
    ids = torch.tensor([model.tokenizer(text)["input_ids"]])  # [1, n_tokens]

    @torch.inference_mode()
    def once() -> object:
        return model.model(ids)

    return {
        "a forward pass": once,
        "every head taken away": lambda: ablate(model, text, contrast=contrast),
        "the gradient's estimate": lambda: head_importance(model, text, contrast=contrast),
        "every state patched": lambda: patch(model, text, other, contrast=contrast),
        "the parts of a logit": lambda: logit_parts(model, text, contrast=contrast),
    }


def build(config: BertConfig) -> HuggingFaceModel:
    """A random BERT with its LM head, and a tokenizer of two words."""
    torch.manual_seed(0)
    pieces = {piece: number for number, piece in enumerate((*SPECIAL, *WORDS))}
    raw = Tokenizer(models.WordLevel(pieces, unk_token="[UNK]"))
    raw.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    raw.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    make: Callable[..., PreTrainedTokenizerBase] = PreTrainedTokenizerFast
    tokenizer = make(tokenizer_object=raw, unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]", mask_token="[MASK]")
    model = BertForMaskedLM(config)
    model.set_attn_implementation(IMPLEMENTATION)
    torch.nn.Module.eval(model)
    opened = OpenedModel(model=model, tokenizer=tokenizer, is_causal=False, has_mlm_head=True, has_nsp_head=False)
    return HuggingFaceModel(opened, name="bert-base shape", device=torch.device("cpu"))


def _seconds(run: Callable[[], object], rounds: int) -> float:
    """The median of some rounds, after one that warms up."""
    run()
    taken = []
    for _ in range(rounds):
        begun = time.perf_counter()
        run()
        taken.append(time.perf_counter() - begun)
    return median(taken)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=1, help="threads of torch (1)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of which the median is taken (3)")
    parser.add_argument("--lengths", type=int, nargs="+", default=[16, 64], help="numbers of tokens")
    parser.add_argument("--layers", type=int, default=BertConfig().num_hidden_layers, help="layers of the BERT (12)")
    return parser.parse_args()


if __name__ == "__main__":
    main()
