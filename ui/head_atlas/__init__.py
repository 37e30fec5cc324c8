"""The page "Head atlas": what every head of a model does over many texts. One sentence is the Attention page's."""
