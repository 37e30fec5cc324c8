"""What a model answers and attends to while it learns."""
