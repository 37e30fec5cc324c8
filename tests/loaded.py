"""`load` for tests that only read a model: each is opened once in a process."""

from __future__ import annotations

from functools import lru_cache

import models

MOST = 12
"""Models that are kept at a time: there are fewer embedded ones, and tests add tiny ones of their own."""
load = lru_cache(maxsize=MOST)(models.load)
