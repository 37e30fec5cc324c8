"""Train sentiment-ko: whether a film review praises, on the body of headlight-ko.

    python -m recipes.korean.sentiment --body headlight-ko --run RUN --korean ../shared/korean --out sentiment-ko

Reviews rated 1 to 4 against 9 and 10, as many of the one as of the other; those in between are left out, as in NSMC.
The last layers go on learning, those below them stay as they are: the folder OUT has the last ones alone, and names the
body beside it. A stopped run goes on where it was. At the end it is printed how often the classifier is right: on
reviews of films that it has not read of, and on sixty plain sentences by hand that are no reviews.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer

from models.checkpoints import folder as files
from models.checkpoints.bert import load_checkpoint, save_checkpoint
from models.checkpoints.devices import pick_device
from models.checkpoints.on_body import BODY
from models.scratch.classification import ClassifierModel
from models.training.tasks.classification import ClassificationTask, EncodedTexts
from models.training.tasks.rows import pad_rows
from models.training.trainer.fit import FitConfig, Progress, evaluating, fit
from models.training.trainer.start import start_from
from recipes.korean.data import TOKENIZER
from recipes.korean.questions import HERE
from recipes.korean.texts import HELD_OUT_REVIEWS, REVIEWS, read_reviews
from recipes.korean.vocabulary import reading_tokenizer
from recipes.sentences.sentiment.reviews import LABELS

COMPLAINTS, PRAISE = range(1, 5), range(9, 11)
"""The ratings that count as either."""
MAX_TOKENS = 96
TEST_REVIEWS = "reviews-test"
LAYERS = 2
"""How many of the last layers learn."""
MEASURED_ROWS = 64


def accuracy(model: ClassifierModel, texts: EncodedTexts, device: torch.device) -> float:
    """Return the share of texts whose label is the likeliest one."""
    n_right = 0
    with evaluating(model):
        for part in np.array_split(np.arange(len(texts)), max(1, len(texts) // MEASURED_ROWS)):
            ids, labels = (side.to(device) for side in texts.rows(part))
            logits = model(ids, mask=ids != 0).text_labels  # [b, n_labels]
            n_right += int((logits.argmax(-1) == labels).sum())
    return n_right / len(texts)


def read_feelings() -> tuple[list[str], list[int]]:
    """Read sixty plain sentences and the numbers of their labels."""
    lines = (HERE / "feelings.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    return [text for _, text in rows], [LABELS.index(label) for label, _ in rows]


def balanced_reviews(korean: Path, part: str, n: int | None = None, seed: int = 0) -> tuple[list[str], list[int]]:
    """Return reviews that complain and as many that praise, `n` together or all there are, in an order of chance."""
    by_label: tuple[list[str], list[str]] = ([], [])
    for rating, text in read_reviews(korean, part):
        if rating in COMPLAINTS or rating in PRAISE:
            by_label[rating in PRAISE].append(text)
    random = np.random.default_rng(seed)
    each = min(*map(len, by_label), *([n // 2] if n else []))
    drawn = [
        (texts[place], label) for label, texts in enumerate(by_label) for place in random.permutation(len(texts))[:each]
    ]
    order = random.permutation(len(drawn))
    return [drawn[place][0] for place in order], [drawn[place][1] for place in order]


def encode(tokenizer: Tokenizer, texts: Sequence[str], labels: Sequence[int]) -> EncodedTexts:
    """Encode texts, each with [CLS] and [SEP], within MAX_TOKENS."""
    encodings = tokenizer.encode_batch_fast(list(texts), add_special_tokens=True)
    sep = encodings[0].ids[-1]
    rows = [row.ids if len(row.ids) <= MAX_TOKENS else [*row.ids[: MAX_TOKENS - 1], sep] for row in encodings]
    return EncodedTexts(ids=pad_rows(rows), labels=np.array(labels, dtype=np.int64))


def sentiment_task(
    body: Path, learned: tuple[list[str], list[int]], held_out: tuple[list[str], list[int]]
) -> ClassificationTask:
    """Return the task: the encoder of a checkpoint, and a classifier that knows nothing yet."""
    given, tokenizer = load_checkpoint(body), Tokenizer.from_file(str(body / TOKENIZER))
    task = ClassificationTask(
        given.config,
        reading_tokenizer(tokenizer, given.config.max_tokens),
        LABELS,
        encode(tokenizer, *learned),
        encode(tokenizer, *held_out),
    )
    start_from(task.model.encoder, given.encoder, n_learning=LAYERS)
    return task


def write(out: Path, model: ClassifierModel, body: str) -> None:
    """Write what has learned, in half precision, with the configuration of the model that it completes."""
    with tempfile.TemporaryDirectory() as whole:
        save_checkpoint(model, Path(whole), torch.float16)
        config = {**files.read_config(Path(whole)), BODY: body}
        weights = load_file(Path(whole) / files.WEIGHTS)
    layers = [f"bert.encoder.layer.{layer}." for layer in range(model.config.n_layers)[-LAYERS:]]
    learned = (*layers, "bert.pooler.", "classifier.")
    kept = {name: weight for name, weight in weights.items() if name.startswith(learned)}
    out.mkdir(parents=True, exist_ok=True)
    (out / files.CONFIG).write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    save_file(kept, out / files.WEIGHTS, metadata={"format": "pt"})


def main() -> None:
    """Read the command line, train, and print how often the classifier is right."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--body", type=Path, required=True, help="a checkpoint of headlight-ko")
    parser.add_argument("--run", type=Path, required=True, help="folder of this run; an unfinished run is resumed")
    parser.add_argument("--korean", type=Path, required=True, help="folder with the reviews")
    parser.add_argument("--out", type=Path, required=True, help="the folder to write; it is to lie beside the body")
    parser.add_argument("--reviews", type=int, help="how many to learn from, if not from all")
    parser.add_argument("--iterations", type=int, default=1600)
    parser.add_argument("--rows", type=int, default=256)
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--device", default="cpu", help='"cpu", "cuda" or "mps"')
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    task = sentiment_task(
        arguments.body,
        balanced_reviews(arguments.korean, REVIEWS, arguments.reviews),
        balanced_reviews(arguments.korean, HELD_OUT_REVIEWS),
    )
    config = FitConfig(
        iterations=arguments.iterations,
        rows=arguments.rows,
        learning_rate=arguments.rate,
        warmup_iterations=100,
        decay=0.9,
        optimizer="adamw",
        log_every=20,
    )

    def watch(progress: Progress) -> None:
        if progress.held_out:
            sys.stderr.write(json.dumps(progress.as_line()) + "\n")

    device = pick_device(arguments.device)
    fit(arguments.run, task, config, device=device, watch=watch, save_every=300)
    write(arguments.out, task.model, arguments.body.name)
    tokenizer = Tokenizer.from_file(str(arguments.body / TOKENIZER))
    asked = {
        "unseen films (test)": balanced_reviews(arguments.korean, TEST_REVIEWS),
        "unseen films (dev)": balanced_reviews(arguments.korean, HELD_OUT_REVIEWS),
        "by hand": read_feelings(),
    }
    right = {name: accuracy(task.model, encode(tokenizer, *texts), device) for name, texts in asked.items()}
    sys.stdout.write(json.dumps(right, ensure_ascii=False, indent=2) + "\n")


if __name__ == "__main__":
    main()
