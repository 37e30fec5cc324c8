"""Results of analyses of one text, or of a corpus: the values that pictures draw. Their questions to a model are in
probing/."""
