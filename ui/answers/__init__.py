"""The pages of the menu "Answers"."""
