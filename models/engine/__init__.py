"""Where a question to a model is computed: in this process, in a batch, or on the machines of a Ray cluster."""
