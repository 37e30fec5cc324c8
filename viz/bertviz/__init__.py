"""The views of bertviz, from a copy of its scripts, in a frame that loads nothing."""
