"""Recipes that make the weights which the app brings along; they import `models`, and nothing imports them."""
