"""Whether this server opens the models of its list only, for the registry and for the limits of the training lab."""

from __future__ import annotations

import os
from collections.abc import Mapping

CURATED_ONLY = "HEADLIGHT_CURATED_ONLY"
YES = frozenset({"1", "true", "yes", "on"})
"""Values of a setting that mean "on", in lower case."""


def is_restricted(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether HEADLIGHT_CURATED_ONLY restricts the models."""
    return environment.get(CURATED_ONLY, "").lower() in YES
