"""The answers of a reader of a lesson: predictions, the own sentence, and how far they are."""
