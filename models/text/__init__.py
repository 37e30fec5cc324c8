"""From text to tokens with spans and words, for every tokenizer, ours or a stranger's. No weights and no forward
pass."""
