"""The page "Next sentence": predictions of the NSP head."""
