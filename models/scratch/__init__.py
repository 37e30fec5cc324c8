"""The transformer from scratch. Read it in this order: config, positional, attention, layers, encoder, heads;
then the other half: cache, decoder, encoder_decoder, gpt, generation. On disk: folder, checkpoint, bart.

Sources: Vaswani et al. 2017, "Attention Is All You Need" (arXiv 1706.03762); Devlin et al. 2018, "BERT" (1810.04805);
Xiong et al. 2020, "On Layer Normalization in the Transformer Architecture" (2002.04745), for pre-LN.
"""
