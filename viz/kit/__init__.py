"""What every figure is made of: theme, tokens, tables, panels, bars, words in boxes. No figure of its own."""
