"""What heads do to an answer: ablation, gradients, patching, what each adds. Where heads look is heads/."""
