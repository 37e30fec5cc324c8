"""The costs of attention: sizes of public models, and FlashAttention block by block. Timing a model is in tasks/."""
