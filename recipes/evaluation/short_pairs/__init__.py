"""Short pairs written by hand, and how many of them a checkpoint tells: does B follow A?

Two hundred pairs of one or two sentences a side lie in pairs.tsv, fifty of each kind: those that follow and share a
word, or none, and those that do not. They were written before any training on short pairs, and nothing that is
learned comes near them (`is_near_copy`).

    python -m recipes.evaluation.short_pairs --checkpoint models/pretrained/headlight-bert
"""
