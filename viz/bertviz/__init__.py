"""The views of bertviz, from the installed package, in a frame that loads nothing."""
