"""Where a question to a model is computed: in this process, in a batch with others. What can be asked is tasks/."""
