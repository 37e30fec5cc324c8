"""The trainings of the models in pretrained/, one program each. What they share is the trainer."""
