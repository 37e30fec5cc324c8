"""Building blocks of every figure: theme, tokens, tables, panels, bars, words in boxes. Contains no figure itself."""
