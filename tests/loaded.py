"""Models that are opened once for all tests of a process, as no test changes them."""

from __future__ import annotations

from functools import lru_cache

import models

MOST = 12
"""Those opened last are kept: the embedded ones, and a few of the tiny ones that tests write into folders."""
load = lru_cache(maxsize=MOST)(models.load)
