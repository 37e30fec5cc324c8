"""The kinds of answer that a lesson may ask for, by what they are about. Each is a function of a model and of what is
given to it, and of nothing else. How lessons are written does not belong here."""
