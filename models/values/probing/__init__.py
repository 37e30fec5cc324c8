"""Questions about a pass through a model, and their answers: an answer and its rival, changes inside the pass,
gradients, the residual stream. Results of analyses are in results/."""
