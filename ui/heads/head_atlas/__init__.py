"""The page "Head atlas": all heads of a model over many texts."""
