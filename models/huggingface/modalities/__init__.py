"""Models of transformers that read pictures or sound, as recordings whose tokens have places. A model comes here
opened, and its numbers ready; nothing here reads a file, and what reads text lies one folder up."""
