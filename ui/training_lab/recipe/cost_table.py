"""The cost of a recipe as a table, with the arithmetic that it follows from."""

from __future__ import annotations

import streamlit as st

from lab.recipe import PAIR_TASKS, Cost, Recipe
from ui.training_lab.words import duration, in_bytes, power_of_ten
from viz.kit.language import said, to_say, tr

ABOUT_TIME = to_say("measured just now on part of one iteration; longer while others use this machine")


def cost_table(recipe: Recipe, cost: Cost) -> None:
    """Draw the estimate as a table, with the arithmetic."""
    per_iteration = (
        tr("{rows} rows × {tokens} tokens × 2 (source and target)", **_rows(recipe))
        if recipe.task in PAIR_TASKS
        else tr("{rows} rows × {tokens} tokens", **_rows(recipe))
    )
    st.table(
        {
            "": [
                tr("Parameters"),
                tr("Tokens per iteration"),
                tr("Tokens in all"),
                tr("Operations"),
                tr("Memory"),
                tr("Time"),
            ],
            tr("this training"): [
                f"{cost.parameters:,}",
                tr("at most {number}", number=f"{cost.tokens_per_iteration:,}"),
                tr("at most {number}", number=f"{cost.tokens:,}"),
                tr("about {number}", number=power_of_ten(cost.operations)),
                tr("about {number}", number=in_bytes(cost.memory)),
                tr("about {number}", number=duration(cost.seconds)),
            ],
            tr("how it is worked out"): [
                tr("every weight of the model, counted"),
                per_iteration,
                tr(
                    "{tokens} × {iterations} iterations",
                    tokens=f"{cost.tokens_per_iteration:,}",
                    iterations=f"{recipe.iterations:,}",
                ),
                *_explain_work(recipe, cost),
                said(ABOUT_TIME),
            ],
        },
        hide_index=True,
    )


def _explain_work(recipe: Recipe, cost: Cost) -> tuple[str, str]:
    """Say how the operations and the memory are worked out."""
    if recipe.body:
        return (
            tr("(2 × parameters + 4 × the {learning} that learn) × tokens", learning=f"{cost.learning:,}"),
            tr("4 bytes per parameter, and 12 more for one that learns; what an iteration computes comes on top"),
        )
    return (
        tr("6 × parameters × tokens (Kaplan et al. 2020)"),
        tr("16 bytes per parameter: weight, gradient, optimizer; what an iteration computes comes on top"),
    )


def _rows(recipe: Recipe) -> dict[str, str]:
    return {"rows": f"{recipe.rows:,}", "tokens": f"{recipe.n_tokens:,}"}
