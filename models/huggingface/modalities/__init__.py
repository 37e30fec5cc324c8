"""Models of transformers that read a picture or a sound: they are recorded, and refuse every other question.
Their files are opened one folder up."""
