"""Made-up effects, attributions and atlases for the demos and the tests."""
