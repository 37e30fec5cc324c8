"""A figure of plotly as a drawing, for where no script runs: what our figures are made of, and no more of plotly than
that."""
