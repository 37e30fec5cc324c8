"""Where a question to a model is computed: in this process, in a batch with others, or on the machines of `ray/`.
What can be asked is tasks/."""
