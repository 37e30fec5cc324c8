"""Which models there are, and how one is opened: in this process, or, if it is a stranger's, in one of its own."""
