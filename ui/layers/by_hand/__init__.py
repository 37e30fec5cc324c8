"""The page "By hand": matrices of a head that the reader writes."""
