"""How Korean words are cut: letters of a syllable, stems and suffixes, the annotated words of the treebanks."""
