"""The pages of the menu "Heads"."""
