"""The transformer from scratch as models that can be asked, like those of huggingface/. The transformer itself is
scratch/."""
