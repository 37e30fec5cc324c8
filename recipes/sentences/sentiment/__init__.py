"""Reviews that praise or complain, from tables, and some written by hand."""
