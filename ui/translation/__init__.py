"""The page "Translation"."""
