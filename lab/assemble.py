"""Assemble a recipe and its rows to one of the tasks of the trainer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from tokenizers import Tokenizer
from transformers import AutoTokenizer, BertTokenizer, PreTrainedTokenizerBase

from lab import runs
from lab.blueprint import LEARNING_LAYERS, body_configuration, body_folder, configuration
from lab.data.cleaning import TableRow
from lab.data.given import Given
from lab.data.samples import SYMBOLS, sequences
from lab.jobs.locks import write_whole
from lab.recipe import GENERATED, PAIR_TASKS, Body, Recipe, TaskName
from lab.runs import Run
from models.checkpoints.bert import load_checkpoint
from models.training.corpora.corpus import Corpus, Document, tokenize
from models.training.corpora.labelled_words import from_row
from models.training.corpora.vocabulary import (
    SPECIAL_TOKENS,
    continuing_tokenizer,
    train_cased_wordpiece,
    writing_tokenizer,
)
from models.training.tasks.classification import ClassificationTask, EncodedTexts, encode_texts
from models.training.tasks.masked import MaskedTask
from models.training.tasks.next_token import NextTokenTask
from models.training.tasks.translation import EncodedPairs, TranslationTask, encode_pairs
from models.training.tasks.word_labels import WordLabelTask, encode_words
from models.training.trainer.start import start_from
from models.values.errors import LabError
from models.values.wording import to_say, worded

LabTask = TranslationTask | NextTokenTask | MaskedTask | ClassificationTask | WordLabelTask
"""The tasks of the trainer that the lab offers."""
LABELLED: frozenset[TaskName] = frozenset({"labels", "words"})
"""The tasks whose rows are a text and what is said of it."""
IN_LOWER_CASE: frozenset[TaskName] = LABELLED | {"masked"}
ROOM_FOR_MARKS = 1
"""Tokens of a row that are not its text: the end of a source, or of a target."""

LOOKED_AT = 200
"""The number of texts that decide in which script a table is written."""
LEARNED_AT_ONCE = 2_000_000
"""The number of characters up to which a vocabulary is learned during a request."""


def rows_of(run: Run, recipe: Recipe) -> Given:
    """Return the rows to train on and those held out. Raises LabError if the data are gone."""
    if recipe.task in GENERATED:
        return generate_rows(recipe)
    given = runs.given_of(run)
    if given is None:
        raise LabError(to_say("The data of this run is gone. Start a new one."))
    return given


def generate_rows(recipe: Recipe) -> Given:
    """Return the rows of a task that makes its own."""
    return sequences(recipe.task, longest=recipe.n_tokens - ROOM_FOR_MARKS, seed=recipe.seed)


def assemble(recipe: Recipe, given: Given, kept: Path | None = None) -> LabTask:
    """Return the task of a recipe, its vocabulary read from the file `kept`, or learned on what is learned from and
    written there. Raises LabError for too little of it, OSError if the file cannot be written."""
    try:
        if recipe.body:
            tokenizer = AutoTokenizer.from_pretrained(body_folder(recipe.body), local_files_only=True)
            return _labels(recipe, given, tokenizer)
        pieces = _pieces(recipe, given, kept)
        if recipe.task in PAIR_TASKS:
            return _pairs(recipe, given, pieces)
        if recipe.task == "labels":
            return _labels(recipe, given, _reading_tokenizer(pieces, recipe))
        if recipe.task == "words":
            return _words(recipe, given, _reading_tokenizer(pieces, recipe))
        if recipe.task == "next":
            return _next_token(recipe, given, pieces)
        return _masked_task(recipe, given, _reading_tokenizer(pieces, recipe))
    except ValueError as error:
        raise LabError(worded("It cannot learn from this data: {why}", why=_message_of(error))) from error


def _message_of(error: ValueError) -> str:
    """Return the message of an error; a `Message` keeps its template."""
    given = error.args[0] if len(error.args) == 1 else None
    return given if isinstance(given, str) else str(error)


def body_for(task: TaskName, given: Given | None) -> Body:
    """Return the embedded model that a training should start from: for labels of texts in Hangul, one that reads it."""
    if task != "labels" or given is None:
        return ""
    letters = "".join(filter(str.isalpha, "".join(text for text, _ in given.learned[:LOOKED_AT])))
    n_hangul = sum("가" <= letter <= "힣" for letter in letters)
    return "headlight-ko" if 2 * n_hangul > len(letters) else ""


def number_of_labels(task: TaskName, given: Given) -> int:
    """Return the number of labels of a classifier for these rows; 2 for a task without labels."""
    if task == "labels":
        return len({label for _, label in given.learned})
    if task == "words":
        return len({label for row in given.learned for label in from_row(row).labels})
    return 2


def vocabulary_size(recipe: Recipe, given: Given | None) -> int:
    """Return the size of the vocabulary of a recipe, special tokens included; an upper bound for a long text."""
    if recipe.task in GENERATED:
        return len(SPECIAL_TOKENS) + len(SYMBOLS)
    if recipe.body:
        return body_configuration(recipe.body).d_vocab
    if given is None or sum(len(text) for row in given.learned for text in row) > LEARNED_AT_ONCE:
        return recipe.d_vocab
    return int(_pieces(recipe, given).get_vocab_size())


def _pieces(recipe: Recipe, given: Given, kept: Path | None = None) -> Tokenizer:
    """Return the word pieces of a recipe: those of the file `kept`, or else learned and written there. Each time that
    pieces are learned they get other numbers, so a training that goes on has to read them."""
    if kept is not None and kept.exists():
        return Tokenizer.from_file(str(kept))
    trained = train_cased_wordpiece(_texts_to_learn(recipe, given), recipe.d_vocab)
    if kept is not None:
        write_whole(kept, trained.to_str())
    return trained


def _texts_to_learn(recipe: Recipe, given: Given) -> Iterator[str]:
    """Yield the texts on which a vocabulary is learned."""
    for row in given.learned:
        for text in row[:1] if recipe.task in LABELLED else row:
            yield text.lower() if recipe.task in IN_LOWER_CASE else text


def _pairs(recipe: Recipe, given: Given, pieces: Tokenizer) -> TranslationTask:
    tokenizer = writing_tokenizer(pieces, recipe.n_tokens)

    def encode_rows(rows: Sequence[TableRow]) -> EncodedPairs:
        sources, targets = zip(*rows, strict=True)
        return encode_pairs(tokenizer, sources, targets, max_tokens=recipe.n_tokens)

    return TranslationTask(
        configuration(recipe, len(tokenizer)),
        tokenizer,
        encode_rows(given.learned),
        encode_rows(given.held_out),
        seed=recipe.seed,
    )


def _labels(recipe: Recipe, given: Given, tokenizer: PreTrainedTokenizerBase) -> ClassificationTask:
    labels = tuple(sorted({label for _, label in given.learned}))

    def encode_rows(rows: Sequence[TableRow]) -> EncodedTexts:
        texts, said = zip(*rows, strict=True)
        return encode_texts(tokenizer, texts, [labels.index(label) for label in said], max_tokens=recipe.n_tokens)

    task = ClassificationTask(
        configuration(recipe, len(tokenizer)),
        tokenizer,
        labels,
        encode_rows(given.learned),
        encode_rows(given.held_out),
        pooling=recipe.pooling,
        seed=recipe.seed,
    )
    if recipe.body:
        body = load_checkpoint(body_folder(recipe.body)).encoder
        start_from(task.model.encoder, body, n_learning=LEARNING_LAYERS)
    return task


def _words(recipe: Recipe, given: Given, tokenizer: BertTokenizer) -> WordLabelTask:
    learned, held_out = (list(map(from_row, rows)) for rows in (given.learned, given.held_out))
    labels = tuple(sorted({label for sentence in learned for label in sentence.labels}))
    encoded = (
        encode_words(tokenizer, sentences, labels, max_tokens=recipe.n_tokens) for sentences in (learned, held_out)
    )
    return WordLabelTask(configuration(recipe, len(tokenizer)), tokenizer, labels, *encoded, seed=recipe.seed)


def _masked_task(recipe: Recipe, given: Given, tokenizer: BertTokenizer) -> MaskedTask:
    pieces: Tokenizer = tokenizer.backend_tokenizer
    return MaskedTask(
        configuration(recipe, len(tokenizer)),
        tokenizer,
        _corpus(given.learned, pieces),
        _corpus(given.held_out, pieces),
        n_tokens=recipe.n_tokens,
        seed=recipe.seed,
    )


def _next_token(recipe: Recipe, given: Given, pieces: Tokenizer) -> NextTokenTask:
    tokenizer = continuing_tokenizer(pieces, recipe.n_tokens)
    return NextTokenTask(
        configuration(recipe, len(tokenizer)),
        tokenizer,
        _corpus(given.learned, pieces),
        _corpus(given.held_out, pieces),
        n_tokens=(recipe.n_tokens,),
        seed=recipe.seed,
    )


def _corpus(rows: Sequence[TableRow], tokenizer: Tokenizer) -> Corpus:
    return tokenize([Document(title=str(number), sentences=row) for number, row in enumerate(rows)], tokenizer)


def _reading_tokenizer(pieces: Tokenizer, recipe: Recipe) -> BertTokenizer:
    """Lower-case pieces that keep their accents, with [CLS] before and [SEP] behind: small texts need few pieces."""
    return BertTokenizer(
        vocab=pieces.get_vocab(), model_max_length=recipe.n_tokens, do_lower_case=True, strip_accents=False
    )
