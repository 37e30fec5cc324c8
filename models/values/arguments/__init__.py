"""Check what is handed to a public function against its annotations, and say in a sentence what does not fit.

`check` has the decorator for functions and the check of a value's fields, `fit` compares a value with an annotation,
`words` says what was given, what is possible, and what to do; `bounds` has annotations of numbers.
"""
