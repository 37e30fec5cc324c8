"""Figures, and parts of figures, that several rooms draw: bars, chips, panels, maps."""
