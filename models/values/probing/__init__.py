"""What is asked of a pass through a model, and what comes back: an answer and its rival, changes inside the pass,
gradients, the residual stream. What an analysis makes of them is results/."""
