"""Folders of at most 16 rooms, files of at most 300 lines, functions of at most 40, and what is larger by exception.

The product has no exception. Nothing is added to the lists: what has become smaller is taken out of them.
"""

from __future__ import annotations

from pathlib import Path

from tests.counts import LONGEST_FILE, LONGEST_FUNCTION, PRODUCT, Source, crowded_folders, sources_of

ROOT = Path(__file__).resolve().parents[1]
SOURCES = [
    Source(source.path.relative_to(ROOT), source.text)
    for source in sources_of(ROOT, (*PRODUCT, "recipes", "benchmarks", "tests"))
]
CROWDED = frozenset(
    {
        "benchmarks",
        "tests",
        "tests/browser",
        "tests/models",
        "tests/models/huggingface",
        "tests/recipes",
        "tests/ui",
    }
)
LONG_FILES = frozenset(
    {
        "recipes/sentences/classroom/families.py",
        "recipes/sentences/classroom/lexicon.py",
        "recipes/sentences/korean/verbs.py",
        "recipes/sentences/korean/written.py",
        "recipes/sentences/parallel/lexicon.py",
        "recipes/sentences/sentiment/patterns.py",
        "recipes/sentences/sentiment/tables.py",
        "tests/browser/test_viewer_files.py",
        "tests/browser/test_viewer_map.py",
        "tests/browser/test_viewer_text.py",
        "tests/lab/test_jobs.py",
        "tests/lab/test_recipe.py",
        "tests/lab/test_uploads.py",
        "tests/models/analysis/attribution/test_methods.py",
        "tests/models/analysis/over_texts/test_atlas.py",
        "tests/models/huggingface/families.py",
        "tests/models/huggingface/real_configurations.py",
        "tests/models/huggingface/test_download.py",
        "tests/models/huggingface/test_folders.py",
        "tests/models/huggingface/test_huggingface.py",
        "tests/models/inspection/test_probing.py",
        "tests/models/inspection/test_walk.py",
        "tests/models/opening/test_locations.py",
        "tests/models/scratch/test_llama.py",
        "tests/models/tasks/test_answers.py",
        "tests/models/tasks/test_scratch_writers.py",
        "tests/models/text/zoo.py",
        "tests/models/training/test_over_time.py",
        "tests/recipes/test_headlight.py",
        "tests/recipes/test_parallel.py",
        "tests/recipes/test_translators.py",
        "tests/test_run.py",
        "tests/ui/class_room/test_routes.py",
        "tests/ui/test_pages.py",
        "tests/ui/training_lab/test_page.py",
        "tests/viz/positions/test_positions.py",
        "tests/viz/steps/test_steps.py",
        "tests/viz/two_models/test_two_models.py",
        "tests/viz/writing/test_translation.py",
    }
)
LONG_FUNCTIONS = frozenset(
    {
        "recipes/corpora/repetition.py teach_head",
        "recipes/decoders/gpt.py main",
        "recipes/decoders/llama.py main",
        "recipes/evaluation/evaluate.py evaluate",
        "recipes/korean/sentiment.py main",
        "recipes/pretraining/pretrain.py main",
        "recipes/translators/train.py main",
        "tests/browser/test_viewer_map.py test_every_way_to_zoom_and_to_move",
        "tests/browser/test_viewer_map.py test_the_keyboard_reads_cells_and_holds_rows",
        "tests/models/inspection/test_walk.py test_every_step_of_the_scratch_bert_follows_from_the_one_before",
        "tests/serving/container_by_hand.py namespaces",
        "tests/serving/test_serving.py test_readers_stay_with_their_worker_and_one_that_dies_is_started_again",
        "tests/viz/viewer/test_html.py test_choices_are_read_from_an_address_as_far_as_they_fit",
    }
)


def test_no_folder_is_crowded():
    assert set(crowded_folders(SOURCES)) == CROWDED


def test_no_file_is_long():
    assert {source.path.as_posix() for source in SOURCES if source.n_lines > LONGEST_FILE} == LONG_FILES


def may_have_a_long_function(source: Source) -> bool:
    """Return whether a function is followed by none at its level for more than 40 lines: quicker than parsing all."""
    begins: list[tuple[int, int]] = []  # functions that may go on: their indentation and line
    for number, line in enumerate([*source.text.splitlines(), "def end"]):
        if line.lstrip().startswith(("def ", "async def ", "class ")):
            indent = len(line) - len(line.lstrip())
            while begins and begins[-1][0] >= indent:
                if number - begins.pop()[1] > LONGEST_FUNCTION:
                    return True
            if not line.lstrip().startswith("class "):
                begins.append((indent, number))
    return False


def test_no_function_is_long():
    assert {
        f"{source.path.as_posix()} {function.name}"
        for source in filter(may_have_a_long_function, SOURCES)
        for function in source.functions()
        if (function.end_lineno or function.lineno) - function.lineno + 1 > LONGEST_FUNCTION
    } == LONG_FUNCTIONS


def test_the_product_has_no_exception():
    excepted = CROWDED | LONG_FILES | LONG_FUNCTIONS
    assert not [name for name in excepted if name.split("/")[0] in PRODUCT]
