"""The recipe of headlight-ko, a BERT that reads Korean: its vocabulary, its text, its training and its measures."""
