"""Where a question to a model is computed: in this process, in a batch with others, on the machines of a Ray cluster.
What can be asked is tasks/."""
