"""What a student is called in a room: a colour and an animal, by the order of coming; nobody is asked for a name."""

from __future__ import annotations

COLOURS = {
    "blue": "#2f5fc4", "orange": "#b85a00", "green": "#1e7d45", "purple": "#7b3fb5", "red": "#c0303b",
    "teal": "#0b7a83", "pink": "#b8357f", "brown": "#7a5230", "grey": "#5a6270", "olive": "#6b6f12",
}  # fmt: skip
"""Each with white on it is read from the back row: a contrast of at least 4.5 (WCAG 2.2, section 1.4.3)."""
ANIMALS = (
    "otter", "heron", "lynx", "tortoise", "magpie", "badger", "salmon", "cricket", "hedgehog", "crane",
    "dolphin", "goat", "owl", "tiger", "rabbit", "whale", "sparrow", "fox", "bear", "frog",
    "swan", "deer", "seal", "mole", "falcon", "horse", "beetle", "penguin", "squirrel", "crab",
    "camel", "zebra", "koala", "wolf", "duck", "hare", "eel", "robin", "panda", "bee",
)  # fmt: skip


def name_of(place: int) -> tuple[str, str, str]:
    """The name of a colour, its code, and an animal: another pair for each of the first 400 places."""
    colour = list(COLOURS)[place % len(COLOURS)]
    animal = ANIMALS[(place + place // len(COLOURS)) % len(ANIMALS)]
    return colour, COLOURS[colour], animal
