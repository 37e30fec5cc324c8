"""Values that cross boundaries: records, answers, writings, steps, histories, and errors. NumPy alone; nothing here
computes with a model."""
