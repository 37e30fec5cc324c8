"""What is inside a model: the walk through a layer, positions, the lines of code beside a step. Over many texts it is
analysis/."""
