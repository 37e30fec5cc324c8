"""The pages of the menu "Inside a layer"."""
