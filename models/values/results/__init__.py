"""What analyses of one text, or of a corpus, come to: the values that pictures draw. What is asked of a model for them
is probing/."""
