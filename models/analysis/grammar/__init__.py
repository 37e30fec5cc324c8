"""Grammar: treebanks, the relations of Universal Dependencies, and which head follows which of them."""
