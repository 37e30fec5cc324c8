"""Made-up values for the demos and the tests."""
