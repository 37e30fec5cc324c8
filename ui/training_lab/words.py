"""Numbers of the lab as a person says them."""

from __future__ import annotations

import math

_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def duration(seconds: float) -> str:
    """ "20 seconds", "3 minutes", "2 h 10 min", "3 days"."""
    if not math.isfinite(seconds):
        return "unknown"
    if seconds < 90:
        return f"{max(round(seconds), 1)} second{'s' if round(seconds) > 1 else ''}"
    minutes = round(seconds / 60)
    if minutes < 120:
        return f"{minutes} minutes"
    return f"{minutes // 60} h {minutes % 60} min" if minutes < 48 * 60 else f"{round(minutes / 1440)} days"


def in_bytes(number: float) -> str:
    """ "3.2 MB"."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if number < 1000 or unit == "GB":
            break
        number /= 1000
    return f"{number:,.0f} {unit}" if number >= 100 or unit == "bytes" else f"{number:,.1f} {unit}"


def power_of_ten(number: float) -> str:
    """ "1.5 × 10¹⁰"."""
    if number <= 0:
        return "0"
    power = math.floor(math.log10(number))
    return f"{number / 10**power:.1f} × 10{str(power).translate(_SUPERSCRIPTS)}"
