"""The tasks that a model can be trained for: each has its data, its loss and its measure, and says how it is saved.

masked.py          guess hidden words, tell whether B follows A     (Devlin et al. 2018)
next_token.py      say what comes next                              (Radford et al. 2018)
classification.py  give a text its label                            (Devlin et al. 2018, section 4.1)
translation.py     write a target for a source; copy and reverse    (Vaswani et al. 2017)
"""
