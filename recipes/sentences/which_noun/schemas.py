"""The schemas of "which noun": sentences with two lists of nouns and two of deciding words. Read by `which_noun.py`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Nouns:
    """The nouns of one side, and the words that decide for it."""

    learned: tuple[str, ...]
    held_out: tuple[str, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """`sentence` has the slots {a}, {b} and {clause}; `clause` begins with the slot {it} and has one more, {word}.

    A schema that is held out is asked with all its nouns, and learned with none.
    """

    sentence: str
    clause: str
    a: Nouns
    b: Nouns
    is_held_out: bool = False


def nouns(words: str, learned: str, held_out: str) -> Nouns:
    """One side of a schema; words stand apart."""
    return Nouns(learned=tuple(learned.split()), held_out=tuple(held_out.split()), words=tuple(words.split()))


SCHEMAS = (
    Schema(
        sentence="The {a} didn't cross the {b} because {clause}.",
        clause="{it} was too {word}",
        a=nouns(
            "tired weak afraid sleepy hungry ill lazy",
            "dog cat horse cow fox wolf bear boy girl child soldier",
            "elephant rabbit sheep goat lion tourist",
        ),
        b=nouns(
            "wide busy deep long crowded muddy",
            "road river bridge field stream square desert",
            "canal highway valley avenue creek",
        ),
    ),
    Schema(
        sentence="The {a} did not fit into the {b} because {clause}.",
        clause="{it} was too {word}",
        a=nouns(
            "big large long thick tall",
            "ball book lamp bottle coat clock doll picture plate stone",
            "guitar trophy hat pillow statue",
        ),
        b=nouns(
            "small narrow tight short little",
            "box bag basket drawer case pocket car",
            "suitcase truck closet chest trunk",
        ),
    ),
    Schema(
        sentence="The {a} broke the {b} because {clause}.",
        clause="{it} was very {word}",
        a=nouns(
            "hard heavy fast solid strong",
            "ball stone hammer brick hail",
            "rock bullet shoe bat",
        ),
        b=nouns(
            "thin fragile delicate weak",
            "window mirror cup plate bottle lamp",
            "glass vase bowl screen",
        ),
    ),
    Schema(
        sentence="The {a} could not lift the {b} because {clause}.",
        clause="{it} was too {word}",
        a=nouns(
            "weak small tired young lazy",
            "donkey horse robot boy girl child",
            "machine elephant man monkey",
        ),
        b=nouns(
            "heavy large big full",
            "stone box log table sack chest basket",
            "piano trunk barrel rock desk",
        ),
    ),
    Schema(
        sentence="The {a} caught the {b} because {clause}.",
        clause="{it} was very {word}",
        a=nouns(
            "fast hungry clever quick",
            "cat fox wolf dog bear",
            "owl lion eagle snake tiger",
        ),
        b=nouns(
            "slow tired careless weak old",
            "mouse bird hen goose fish",
            "rabbit frog deer duck rat",
        ),
    ),
    Schema(
        sentence="The {a} ate the {b} because {clause}.",
        clause="{it} was so {word}",
        a=nouns(
            "hungry greedy excited",
            "dog cat horse boy girl bear",
            "goat rabbit child pig monkey",
        ),
        b=nouns(
            "fresh sweet delicious soft",
            "cake fish bread meat pear",
            "apple cheese pie banana carrot",
        ),
    ),
    Schema(
        sentence="She poured water from the {a} into the {b} until {clause}.",
        clause="{it} was {word}",
        a=nouns(
            "empty",
            "bottle jug can kettle pot tank",
            "jar pitcher bucket barrel",
        ),
        b=nouns(
            "full",
            "cup glass bowl pan bath",
            "mug vase sink pool",
        ),
    ),
    Schema(
        sentence="You cannot see the {a} behind the {b} because {clause}.",
        clause="{it} is too {word}",
        a=nouns(
            "small short low tiny little",
            "cat flower dog child bench bicycle",
            "chair garden sheep rabbit",
        ),
        b=nouns(
            "big high tall wide large thick",
            "wall tree house curtain hill truck",
            "tower fence door rock",
        ),
    ),
    Schema(
        sentence="The {a} could not reach the {b} because {clause}.",
        clause="{it} was too {word}",
        a=nouns(
            "short small little tired",
            "boy girl dog cat child sheep",
            "rabbit monkey goat woman",
        ),
        b=nouns(
            "high distant far",
            "apple shelf nest branch roof window",
            "ceiling lamp fruit leaf",
        ),
    ),
    Schema(
        sentence="The {a} hid from the {b} because {clause}.",
        clause="{it} was {word}",
        a=nouns(
            "scared afraid frightened shy",
            "mouse hen cat bird child",
            "rabbit frog deer sheep",
        ),
        b=nouns(
            "dangerous angry fierce hungry cruel",
            "dog wolf bear fox snake",
            "lion tiger eagle shark",
        ),
    ),
    Schema(
        sentence="The {a} did not climb the {b} because {clause}.",
        clause="{it} was too {word}",
        a=nouns(
            "lazy tired fat sleepy hungry",
            "cat bear boy girl soldier dog",
            "monkey goat tourist squirrel",
        ),
        b=nouns(
            "high steep tall slippery",
            "tree hill wall ladder tower",
            "mountain fence rock pole",
        ),
    ),
    Schema(
        sentence="The {a} passed the {b} because {clause}.",
        clause="{it} was going {word}",
        a=nouns(
            "fast quickly",
            "car bus train boat bicycle horse",
            "taxi truck ship motorcycle",
        ),
        b=nouns(
            "slowly slow",
            "wagon cart tractor donkey",
            "van sheep boat tram",
        ),
    ),
    Schema(
        sentence="The {a} did not drink the {b} because {clause}.",
        clause="{it} was too {word}",
        a=nouns(
            "tired sleepy ill full shy",
            "",
            "cat dog horse child rabbit",
        ),
        b=nouns(
            "hot cold bitter dirty sour",
            "",
            "milk water tea coffee juice",
        ),
        is_held_out=True,
    ),
    Schema(
        sentence="The {a} pulled the {b} slowly because {clause}.",
        clause="{it} was so {word}",
        a=nouns(
            "tired old weak lazy",
            "",
            "horse donkey ox man camel",
        ),
        b=nouns(
            "heavy full large",
            "",
            "cart wagon boat car box",
        ),
        is_held_out=True,
    ),
    Schema(
        sentence="The {a} scratched the {b} because {clause}.",
        clause="{it} was too {word}",
        a=nouns(
            "sharp rough hard",
            "",
            "knife nail stone key fork",
        ),
        b=nouns(
            "soft smooth thin",
            "",
            "table floor car door wood",
        ),
        is_held_out=True,
    ),
)
"""The last ones are held out whole."""
