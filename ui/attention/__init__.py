"""The page "Attention": the viewer, comparisons, and bertviz's views."""
