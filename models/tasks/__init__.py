"""Tasks of a model: fill a mask, guess, write, label, next sentence. How one pass is run is the adapters'
business."""
