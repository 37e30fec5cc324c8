"""Look inside a model: the walk through a layer, positions, the lines of code beside a step. Analyses over many texts
are in analysis/."""
