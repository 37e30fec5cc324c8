"""The page "Labels": labels of a text and of its words, and the attention behind them."""
