"""Training data that is pasted or uploaded, and sample data. Knows neither jobs nor models."""
