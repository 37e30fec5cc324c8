"""The transformer from scratch: a textbook. Nothing here imports any other module of this project.

Read it in this order: config, positions, rotary, cache (for now only its first lines), attention, layers, encoder,
pretraining, classification; then the other half: decoder, encoder_decoder, gpt.

Sources: Vaswani et al. 2017, "Attention Is All You Need" (arXiv 1706.03762); Devlin et al. 2018, "BERT" (1810.04805);
Xiong et al. 2020, "On Layer Normalization in the Transformer Architecture" (2002.04745), for pre-LN.
"""
