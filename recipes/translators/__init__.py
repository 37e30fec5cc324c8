"""The models that translate, and the rows that they learn from."""
