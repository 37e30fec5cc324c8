"""The training lab: a recipe and a text become a run, in a process of its own, and the run becomes a model."""
