"""The training lab: a recipe and somebody's text become a run, in a process of its own, and the run becomes a model."""
