"""The models of runs open by their names, as in the app."""

from __future__ import annotations

from lab.uploads.checkpoints import register_models

register_models()
