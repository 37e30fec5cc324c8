"""Effects of heads on an answer: ablation, gradients, patching, direct contributions. Where heads look is heads/."""
