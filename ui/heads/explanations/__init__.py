"""The page "Explanations": methods of attribution and their faithfulness."""
