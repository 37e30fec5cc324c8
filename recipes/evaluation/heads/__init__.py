"""What single heads do, held to a treebank and to sentences written by hand."""
