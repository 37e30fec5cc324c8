"""Write a model folder of the shape of BERT-base with random weights, for the benchmarks: a sentence costs the same
whatever the weights are.

    python -m benchmarks.bert_base FOLDER

The pieces are those of headlight-bert, which are those of bert-base-uncased (Devlin et al. 2019, section 3: 12 layers,
12 heads, 768 wide, 110 million parameters; 440 MB).
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import torch
from transformers import BertConfig, BertForPreTraining

from models.opening.entries import PRETRAINED, ROOT

PIECES = ROOT / PRETRAINED / "headlight-bert"
SEED = 0


def main() -> None:
    """Read the command line, write the folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--layers", type=int, default=BertConfig().num_hidden_layers)
    parser.add_argument("--width", type=int, default=BertConfig().hidden_size)
    arguments = parser.parse_args()
    write_model(arguments.folder, n_layers=arguments.layers, d_model=arguments.width)


def write_model(folder: Path, *, n_layers: int, d_model: int) -> None:
    """Write weights, configuration and pieces; heads are 64 wide, as in BERT."""
    torch.manual_seed(SEED)
    config = BertConfig(
        num_hidden_layers=n_layers,
        hidden_size=d_model,
        num_attention_heads=d_model // 64,
        intermediate_size=4 * d_model,
    )
    BertForPreTraining(config).save_pretrained(folder)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy2(PIECES / name, folder / name)


if __name__ == "__main__":
    main()
