"""How much the words of a sentence count for an answer by several methods, and which methods are to be trusted."""
