"""The transformer from scratch, and nothing else: the textbook. Nothing here imports anything of ours from elsewhere.

Read it in this order: config, positions, rotary, cache (the two lines that say what it is for), attention, layers,
encoder, pretraining, classification; then the other half: decoder, encoder_decoder, gpt. How checkpoints lie on disk is
checkpoints/, how a text is written is tasks/, who looks on is recording/.

Sources: Vaswani et al. 2017, "Attention Is All You Need" (arXiv 1706.03762); Devlin et al. 2018, "BERT" (1810.04805);
Xiong et al. 2020, "On Layer Normalization in the Transformer Architecture" (2002.04745), for pre-LN.
"""
