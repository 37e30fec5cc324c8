"""How well a translator does on what it never saw, where its cross attention looks, and what it says lies outside; the
tables of its card."""
