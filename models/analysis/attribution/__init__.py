"""Which tokens mattered for an answer: one file a method, found by the registry; and how far each can be believed.

What follows from attention alone is no explanation (Jain and Wallace 2019): methods are compared, and judged by what
happens without the words that they name.
"""
