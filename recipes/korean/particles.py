"""Let the MLM head of headlight-ko learn particles of every kind equally often; the encoder stays as it is.

    python -m recipes.korean.particles --body LONG_RUN/model --run RUN --out FOLDER

RUN has the text of the long run, as recipes.korean.train leaves it. In text 은, 는, 이 and 가 are several times as
frequent as 와 and 과, so a model in doubt says 은. Here one piece of each whole sentence is hidden: a particle, as
many of every kind, or any piece. As the encoder is fixed, each sentence is read once, and the head learns on what
comes out.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional

from models.checkpoints.bert import load_checkpoint, save_checkpoint
from models.scratch.pretraining import PretrainingModel
from models.training.corpora.corpus import Corpus
from models.training.corpora.vocabulary import SpecialIds
from recipes.korean.data import TOKENIZER, kinds_of_pieces, open_texts
from recipes.korean.measures import heads
from recipes.korean.questions import PARTICLES
from recipes.korean.texts import PARALLEL, PROSE, REVIEWS, SENTENCES
from recipes.korean.vocabulary import reading_tokenizer

MIXTURE: Mapping[str, float] = {SENTENCES: 0.45, PROSE: 0.25, REVIEWS: 0.25, PARALLEL: 0.05}
OF_EACH_KIND, OTHERS = 7_000, 14_000
"""How many particles of each kind are hidden, and how many pieces of any kind."""
SHORTEST, LONGEST = 5, 26
"""The pieces of a sentence."""
READ_AT_ONCE = 64
ROWS, PASSES, RATE = 512, 2, 3e-4


class Hidden(NamedTuple):
    """The pieces of a sentence [n], and the place of the one that is hidden."""

    ids: NDArray[np.int64]
    place: int


def draw_hidden(
    texts: Mapping[str, Corpus], kinds: NDArray[np.int64], *, of_each: int, others: int, seed: int = 0
) -> list[Hidden]:
    """Draw sentences with one piece hidden in each: `of_each` particles of every kind, and `others` of all pieces."""
    random, names, drawn = np.random.default_rng(seed), list(MIXTURE), []
    left = np.array([*[of_each] * len(PARTICLES), others])
    while left.any():
        corpus = texts[names[random.choice(len(names), p=list(MIXTURE.values()))]]
        sentence = int(random.integers(corpus.n_sentences))
        begin, end = corpus.sentence_starts[[sentence, sentence + 1]].tolist()
        if not SHORTEST <= end - begin <= LONGEST:
            continue
        ids = corpus.ids[begin:end].astype(np.int64)
        wanted = [place for place, kind in enumerate(kinds[ids]) if kind >= 0 and left[kind]]
        if not wanted and not left[-1]:
            continue
        place = int(random.choice(wanted or len(ids)))
        left[kinds[ids[place]] if wanted else -1] -= 1
        drawn.append(Hidden(ids, place))
    return drawn


@torch.inference_mode()
def read_hidden(model: PretrainingModel, drawn: list[Hidden], special: SpecialIds) -> tuple[Tensor, Tensor]:
    """Return the last state of every hidden piece [n, d_model], and which piece it is [n]."""
    states = torch.empty(len(drawn), model.config.d_model)
    targets = torch.tensor([int(hidden.ids[hidden.place]) for hidden in drawn])
    by_length = sorted(range(len(drawn)), key=lambda n: drawn[n].ids.size)
    for first in range(0, len(by_length), READ_AT_ONCE):
        numbers = by_length[first : first + READ_AT_ONCE]
        longest = max(drawn[n].ids.size for n in numbers) + 2
        ids = np.zeros((len(numbers), longest), dtype=np.int64)  # [b, n_tokens]
        for row, n in enumerate(numbers):
            ids[row, : drawn[n].ids.size + 2] = [special.cls, *drawn[n].ids, special.sep]
            ids[row, drawn[n].place + 1] = special.mask
        rows, tokens = torch.arange(len(numbers)), torch.from_numpy(ids)
        last = model.encoder(tokens, mask=tokens != 0).last  # [b, n_tokens, d_model]
        states[numbers] = last[rows, torch.tensor([drawn[n].place + 1 for n in numbers])]
    return states, targets


def fit_head(model: PretrainingModel, states: Tensor, targets: Tensor, *, seed: int = 0) -> None:
    """Let the MLM head learn, but for the embeddings that it shares with the encoder; the rate falls to 0."""
    mlm, shared = heads(model)[0], model.encoder.embeddings.token.weight
    learning = [weight.requires_grad_(True) for weight in mlm.parameters() if weight is not shared]
    optimizer = torch.optim.AdamW(learning, lr=RATE, weight_decay=0.01)
    random = torch.Generator().manual_seed(seed)
    order = torch.cat([torch.randperm(len(states), generator=random) for _ in range(PASSES)])
    n_parts = max(1, len(order) // ROWS)
    for done in range(n_parts):
        part = order[done * ROWS : (done + 1) * ROWS]
        optimizer.param_groups[0]["lr"] = RATE * (1 - done / n_parts)
        loss = functional.cross_entropy(mlm(states[part]), targets[part])
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        optimizer.step()


def main() -> None:
    """Read the command line, train, and write the model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--body", type=Path, required=True, help="the model of the long run")
    parser.add_argument("--run", type=Path, required=True, help="folder with the text of the long run")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    tokenizer = Tokenizer.from_file(str(arguments.run / TOKENIZER))
    texts, model = open_texts(arguments.run), load_checkpoint(arguments.body).requires_grad_(False)
    drawn = draw_hidden(texts, kinds_of_pieces(tokenizer), of_each=OF_EACH_KIND, others=OTHERS)
    fit_head(model, *read_hidden(model, drawn, texts[PROSE].special))
    save_checkpoint(model, arguments.out, torch.float16)
    reading_tokenizer(tokenizer, model.config.max_tokens).save_pretrained(arguments.out)


if __name__ == "__main__":
    main()
