"""What `ui/script.py` does before a page: a test may run a page without it."""

from __future__ import annotations

from ui.training_lab.source import register_lab

register_lab()
