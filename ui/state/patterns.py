"""How choices that name a head, a language, a run, a guess or a number are written in an address."""

from __future__ import annotations

from models.values.record import Kind

A_HEAD = r"[edc][0-9]{1,3}\.[0-9]{1,3}"
"""The pattern of a head in an address: kind of attention, layer, head."""
A_LANGUAGE = r"[A-Za-z][A-Za-z0-9_-]{0,30}|"
"""The pattern of the code of a language, or none."""
LETTERS: dict[Kind, str] = {"encoder": "e", "decoder": "d", "cross": "c"}
"""The letter of each kind in an address."""
ALL_ON = "none"
"""The value of `off` if all heads are on."""
A_GUESS = r"-?[0-9]{1,9}(\.[0-9]{1,9})?"
"""The pattern of a predicted number."""
RUN_ID = r"[0-9a-f]{20}"
"""The pattern of the id of a training."""
SKIPPED = "skipped"
"""The value of `lesson_guess` for a prediction that was skipped."""
