"""Names of students in a room: a colour and an animal, by order of arrival. No names are asked for."""

from __future__ import annotations

from viz.kit.language import to_say, tr

COLOURS = {
    to_say("blue"): "#2f5fc4",
    to_say("orange"): "#b85a00",
    to_say("green"): "#1e7d45",
    to_say("purple"): "#7b3fb5",
    to_say("red"): "#c0303b",
    to_say("teal"): "#0b7a83",
    to_say("pink"): "#b8357f",
    to_say("brown"): "#7a5230",
    to_say("grey"): "#5a6270",
    to_say("olive"): "#6b6f12",
}
"""Background colours of white text, with a contrast of at least 4.5 (WCAG 2.2, section 1.4.3)."""
ANIMALS = (
    to_say("otter"),
    to_say("heron"),
    to_say("lynx"),
    to_say("tortoise"),
    to_say("magpie"),
    to_say("badger"),
    to_say("salmon"),
    to_say("cricket"),
    to_say("hedgehog"),
    to_say("crane"),
    to_say("dolphin"),
    to_say("goat"),
    to_say("owl"),
    to_say("tiger"),
    to_say("rabbit"),
    to_say("whale"),
    to_say("sparrow"),
    to_say("fox"),
    to_say("bear"),
    to_say("frog"),
    to_say("swan"),
    to_say("deer"),
    to_say("seal"),
    to_say("mole"),
    to_say("falcon"),
    to_say("horse"),
    to_say("beetle"),
    to_say("penguin"),
    to_say("squirrel"),
    to_say("crab"),
    to_say("camel"),
    to_say("zebra"),
    to_say("koala"),
    to_say("wolf"),
    to_say("duck"),
    to_say("hare"),
    to_say("eel"),
    to_say("robin"),
    to_say("panda"),
    to_say("bee"),
)


def name_of(place: int) -> tuple[str, str, str]:
    """Return the name of a colour, its code, and an animal, in English; unique for the first 400 places."""
    colour = list(COLOURS)[place % len(COLOURS)]
    animal = ANIMALS[(place + place // len(COLOURS)) % len(ANIMALS)]
    return colour, COLOURS[colour], animal


def student_name(place: int) -> str:
    """Return the name of a student in the current language."""
    colour, _, animal = name_of(place)
    return tr("{colour} {animal}", colour=tr(colour), animal=tr(animal))
