"""Methods of attribution, one file each; a file that defines `ANALYSIS` is found by the registry."""
