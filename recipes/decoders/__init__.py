"""The models that read from left to right: a GPT and a Llama."""
