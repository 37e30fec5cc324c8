"""Everyday and classroom sentences, made from small tables: what old books seldom say, a class asks first.

    python -m models.training.sentences.classroom --out runs/classroom --passages 4000     # writes learned.txt and
    held-out.txt

A family is a handful of patterns; a pattern is a passage of one to four sentences ("|" stands between them). `{animal}`
draws a row of the table "animal" of `lexicon.py`, `{animal.young}` another column of that row, `{animal2}` a second
row. `<...>` marks a word that the rest of the passage decides: the question that a mask asks there has one answer.

Everything follows from a seed. A tenth of the combinations of pattern and rows is held out, whatever names are drawn:
a model may have read "Paris" beside "France" in another pattern, never in this one.
"""

from __future__ import annotations

import argparse
import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Formatter

import numpy as np

from models.training.sentences.lexicon import TABLES, Row

HELD_OUT = 0.1
"""The fraction of combinations that are never trained on."""
BORDER = "|"


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One to four sentences. `answers` are the spans, sentence by sentence, of the words that the rest decides:
    (sentence, start, end), in characters, end exclusive."""

    family: str
    sentences: tuple[str, ...]
    answers: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Patterns that teach one thing. With `is_ordered`, rows of one table are drawn in the order of the table."""

    name: str
    patterns: tuple[str, ...]
    is_ordered: bool = False


def _family(name: str, *patterns: str, is_ordered: bool = False) -> Family:
    return Family(name=name, patterns=patterns, is_ordered=is_ordered)


FAMILIES = (
    _family(
        "occupations",
        "{name} works as a {job}.|{name.he} <{job.does}> {job.made}.",
        "The {person.man} worked as a {job} and used <{job.with}>.",
        "{name} is a {job}. {name.he} works in the <{job.place}>.",
        "a {job} <{job.does}> {job.made}, and a {job2} <{job2.does}> {job2.made}.",
        "The {person} wants to become a {job}, because {person.he} likes <{job.made}>.",
    ),
    _family(
        "capitals",
        "The capital of {country} is <{country.capital}>.",
        "<{country.capital}> is the capital of {country}.",
        "{name} lives in {country.capital}, the capital of <{country}>.",
        "{name} knows that the capital of {country} is <{country.capital}>.",
        "{name} flew from {country.capital} to {country2.capital}, from {country} to <{country2}>.",
        "What is the capital of {country}?|The capital of <{country}> is <{country.capital}>.",
    ),
    _family(
        "languages",
        "In {country} people speak <{country.language}>.",
        "{name} learns {country.language}, because {name.he} wants to live in {country}.",
        "The {country.people} live in <{country}> and speak <{country.language}>.",
        "{name} comes from {country}.|<{name.he}> speaks <{country.language}>.",
        "{country} is a country in <{country.continent}>, and {country2} is a country in <{country2.continent}>.",
    ),
    _family(
        "animal sounds",
        "The {animal} <{animal.calls}>, and the {animal2} <{animal2.calls}>.",
        "{animal.many} <{animal.call}>, and {animal2.many} <{animal2.call}>.",
        "{name} heard the {animal}: it <{animal.calls}>.",
        "Which animal <{animal.calls}>?|The {animal} <{animal.calls}>.",
        "{name} and {name2} heard the {animal.many}: they <{animal.call}>.",
    ),
    _family(
        "animal lives",
        "The {animal} lives in the <{animal.home}> and eats <{animal.food}>.",
        "A young {animal} is called a <{animal.young}>.",
        "The <{animal.young}> is the child of the {animal}.|It lives in the <{animal.home}>.",
        "{name} gave the {animal} some <{animal.food}>.|The <{animal}> was hungry.",
        "The {animal} <{animal.moves}>, and the {animal2} <{animal2.moves}>.",
        "{name} saw a {animal} and its <{animal.young}> near the <{animal.home}>.",
    ),
    _family(
        "agreement across a distance",
        "The {noun.one} {near} the {noun2.many} <is> {state}.",
        "The {noun.many} {near} the {noun2.one} <are> {state}.",
        "The {noun.one} {near} the {noun2.many} <was> {state}, but the {noun3.many} <were> {state2}.",
        "The {noun.many} {near} the {noun2.one} <were> {state}, but the {noun3.one} <was> {state2}.",
        "The {noun.one} that {name} saw with the {noun2.many} <has> always been {state}.",
        "The {noun.many} that {name} saw with the {noun2.one} <have> always been {state}.",
    ),
    _family(
        "one and many",
        "Here is one {noun.one}, and there are two <{noun.many}>.",
        "{name} has one {noun.one}, but {name2} has {number.after} <{noun.many}>.",
        "One {noun.one} and one {noun.one} are two <{noun.many}>.",
        "Not one <{noun.one}>, but many <{noun.many}> are {state}.",
    ),
    _family(
        "it: tired or wide",
        "The {walker} didn't cross the {barrier} because it was too {weak}.|The <{walker}> was too {weak}.",
        "The {walker} didn't cross the {barrier} because it was too {vast}.|The <{barrier}> was too {vast}.",
        "The {walker} could not cross the {barrier}.|The <{walker}> was too {weak}, not the {barrier}.",
        "Why didn't the {walker} cross the {barrier}?|It was too {vast}: I mean the <{barrier}>.",
    ),
    _family(
        "it: big or small",
        "The {item} does not fit in the {container} because it is too big.|The <{item}> is too big.",
        "The {item} does not fit in the {container} because it is too small.|The <{container}> is too small.",
        "{name} put the {item} into the {container} because it was <empty>.|Now the <{container}> is full.",
        "{name} took the {item} out of the {container}.|Now the <{container}> is empty.",
    ),
    _family(
        "pronouns",
        "{name} lost <{name.his}> {object}, and now <{name.he}> is looking for it.",
        "{name} said that <{name.he}> was {mood}.",
        "The {person} took <{person.his}> {object} and went to <{person.his}> room.",
        "{name} was {mood}, so {name2} helped <{name.him}>.",
        "The {person} said: I have lost my {object}.|<{person.he}> was {mood}.",
    ),
    _family(
        "himself and herself",
        "{name} looked at <{name.himself}> in the mirror.",
        "The {person} made a {object} for <{person.himself}>.",
        "The {person} was {mood} and talked to <{person.himself}>.",
        "{name} bought <{name.himself}> a {size} {object}.",
    ),
    _family(
        "names that come back",
        "{name} and {name2} went to the {room}.|{name} gave the {object} to <{name2}>.",
        "{name} and {name2} went to the {room}.|{name2} gave the {object} to <{name}>.",
        "{name} met {name2} in the {room}.|{name2} said to <{name}>: I have your {object}.",
        "This is {name}, and that is {name2}.|{name} has a {object}, but <{name2}> has none.",
    ),
    _family(
        "places that come back",
        "{name} went to the {room}, and {name2} went to the {room2}.|{name} is in the <{room}>.",
        "{name} went to the {room}, and {name2} went to the {room2}.|{name2} is in the <{room2}>.",
        "Where is the {object}?|{name} left it in the {room}.|It is still in the <{room}>.",
        "{name} carried the {object} to the {room}.|Now the <{object}> is in the <{room}>.",
    ),
    _family(
        "things that come back",
        "{name} has a {colour} {object}.|The {object} of <{name}> is <{colour}>.",
        "The {object} is {colour}, and the {object2} is {colour2}.|So the {object} is <{colour}>.",
        "{name} bought a {object} and a {object2}.|The <{object}> was {size}, and the {object2} was {size2}.",
        "{name} wants a {colour} {object}, not a {colour2} one.|Give <{name.him}> the <{colour}> {object}.",
    ),
    _family(
        "opposites",
        "The opposite of {opposite} is <{opposite.other}>.",
        "The {noun.one} is not {opposite}, it is <{opposite.other}>.",
        "One {noun.one} is {opposite}, and the other {noun.one} is <{opposite.other}>.",
        "{opposite} and <{opposite.other}> are opposites.",
        "Is the {object} {opposite}?|No, it is not {opposite}, it is <{opposite.other}>.",
    ),
    _family(
        "comparing",
        "The {noun.one} is {degree}, but the {noun2.one} is <{degree.more}>.",
        "{name} is {degree.more} than {name2}, and {name3} is the <{degree.most}> of all.",
        "{degree}, <{degree.more}>, <{degree.most}>: so it is said of the {noun.one}.",
        "No {noun.one} is {degree.more} than this one: it is the <{degree.most}> {noun.one} of all.",
    ),
    _family(
        "larger and smaller",
        "The {ladder} is smaller than the {ladder2}.|The <{ladder2}> is larger than the <{ladder}>.",
        "The {ladder2} is <larger> than the {ladder}.",
        "The {ladder} is <smaller> than the {ladder2}.",
        "{name} saw a {ladder} and a {ladder2}.|The {ladder2} was much <larger>.",
        is_ordered=True,
    ),
    _family(
        "colours of things",
        "{thing} is <{thing.colour}>, and {thing2} is <{thing2.colour}>.",
        "What colour is {thing}?|It is <{thing.colour}>.",
        "The {object} is as <{thing.colour}> as {thing}.",
        "{name} painted {thing} <{thing.colour}>, as it is.",
    ),
    _family(
        "adding",
        "{sum.left} plus {sum.right} is <{sum.sum}>.",
        "{name} has {sum.left} {noun.many} and gets {sum.right} more.|Now {name.he} has <{sum.sum}> {noun.many}.",
        "If you add {sum.left} and {sum.right}, you get <{sum.sum}>.",
    ),
    _family(
        "taking away",
        "{sum.sum} minus {sum.right} is <{sum.left}>.",
        "{name} had {sum.sum} {noun.many} and lost {sum.right}.|Now {name.he} has <{sum.left}>.",
        "If you take {sum.left} from {sum.sum}, <{sum.right}> are left.",
    ),
    _family(
        "counting",
        "After {number} comes <{number.after}>.",
        "{number.before}, {number}, <{number.after}>.",
        "The number {number} stands between {number.before} and <{number.after}>.",
        "{name} counted {number} {noun.many}, and then one more: <{number.after}> {noun.many}.",
    ),
    _family(
        "days and months",
        "The day after {day} is <{day.after}>.",
        "Today is {day}, so tomorrow is <{day.after}> and yesterday was <{day.before}>.",
        "{name} came on {day}, one day before <{day.after}>.",
        "The month after {month} is <{month.after}>.",
        "{month} comes before <{month.after}> and after <{month.before}>.",
        "{name} was born in {month}, one month after <{month.before}>.",
        "{name} comes on {day}, and {name2} comes one day later, on <{day.after}>.",
    ),
    _family(
        "the alphabet",
        "In the alphabet {letter} comes before <{letter.after}>.",
        "After the letter {letter} comes the letter <{letter.after}>.",
        "{name} wrote three letters: {letter.before}, {letter}, <{letter.after}>.",
        "Which letter comes after {letter}?|{name} said: after <{letter}> comes <{letter.after}>.",
    ),
    _family(
        "verbs in time",
        "Today {name} <{verb.adds}> {verb.what}.|Yesterday {name.he} <{verb.past}> {verb.what}, too.",
        "Yesterday we <{verb.past}> {verb.what}, and tomorrow we will <{verb.base}> {verb.what} again.",
        "{name} has already <{verb.done}> {verb.what}.",
        "The {person} is <{verb.ing}> {verb.what} now.",
        "{name} wants to <{verb.base}> {verb.what}, but {name2} has <{verb.done}> {verb.what} before.",
    ),
    _family(
        "did and not",
        "{name} didn't <{verb.base}> {verb.what}, but {name2} <{verb.past}> {verb.what}.",
        "Did {name} <{verb.base}> {verb.what}?|Yes, {name.he} <{verb.past}> {verb.what}.",
        "Does {name} <{verb.base}> {verb.what}?|No, <{name.he}> never <{verb.adds}> {verb.what}.",
    ),
    _family(
        "kinds of things",
        "{kind.one} and {kind.two} are <{kind}>.",
        "{kind.one} and {kind.three} are <{kind}>, but {kind2.one} and {kind2.two} are <{kind2}>.",
        "{name} likes <{kind}>: {kind.one}, {kind.two} and {kind.three}.",
        "Are {kind.two} and {kind.three} <{kind}>?|Yes, they are <{kind}>, like {kind.one}.",
    ),
    _family(
        "tools",
        "To {use.action}, you need a <{use.tool}>.",
        "You {use.action} with a <{use.tool}>.",
        "{name} needs the <{use.tool}> to {use.action}.",
        "{name} wants to {use.action}.|Give <{name.him}> the <{use.tool}>.",
        "The <{use.tool}> is there to {use.action}, not to {use2.action}.",
    ),
    _family(
        "shopping",
        "{name} went to the {shop.place}.|<{name.he}> bought some <{shop.ware}>.",
        "The {person} went to the {shop.place} and bought <{shop.ware}>.",
        "You can buy <{shop.ware}> at the {shop.place}.",
        "{name} needs {shop.ware}, so {name.he} goes to the <{shop.place}>.",
        "The {size} {person.man} went to the {shop.place}.|<{person.he}> bought <{shop.ware}> and came home.",
    ),
    _family(
        "what things are made of",
        "The {material} is made of <{material.material}>.",
        "{name} bought a {size} {material} made of <{material.material}>.",
        "What is the {material} made of?|It is made of <{material.material}>.",
        "This {material} is <{size}> and {colour}: a {size} {material} of <{material.material}>.",
    ),
    _family(
        "senses",
        "We {sense.verb} with our <{sense.part}>.",
        "{name} could not {sense.verb}, because {name.his} <{sense.part}> hurt.",
        "We {sense.verb} with our <{sense.part}> and {sense2.verb} with our <{sense2.part}>.",
        "The {person} uses {person.his} <{sense.part}> to {sense.verb}.",
        "{name} told {name2} that we {sense.verb} with our <{sense.part}>.",
    ),
    _family(
        "family",
        "My {relative.path} is my <{relative.relative}>.",
        "{name} visited {name.his} {relative.path}, {name.his} <{relative.relative}>.",
        "Who is your {relative.path}?|My {relative.path} is my <{relative.relative}>.",
        "{name} is {mood}, because the {relative.path}, {name.his} <{relative.relative}>, is here.",
    ),
    _family(
        "seasons",
        "In {season} it is <{season.weather}>, and we wear a <{season.wear}>.",
        "After {season} comes <{season.after}>.",
        "{name} put on a {size} {season.wear}, because in {season} it is <{season.weather}>.",
        "{season} is <{season.weather}>.|<{season.after}> comes after <{season}>.",
        "In {season} {name} and {name2} wear a {colour} <{season.wear}>.",
    ),
    _family(
        "weather",
        "It is {weather}.|Take your <{weather.take}>, {name}.",
        "When it is {weather}, {name} takes a <{weather.take}>.",
        "{name} took the {colour} <{weather.take}>, because it was {weather}.",
        "It was {weather} on {day}, so the {person} took <{person.his}> <{weather.take}>.",
    ),
    _family(
        "school",
        "In {subject} we learn about <{subject.about}>.",
        "{name} likes {subject} and reads about <{subject.about}>.",
        "{name} has {subject} on {day}.|On <{day}> we hear about <{subject.about}>.",
        "The lesson about {subject.about} is called <{subject}>.",
    ),
    _family(
        "meals",
        "In the {meal} we eat <{meal.meal}>.",
        "{name} had <{meal.meal}> in the {meal} with {name2}.",
        "On {day} {name} came in the {meal}, in time for <{meal.meal}>.",
        "It is {meal} now, {name}.|Your <{meal.meal}> is on the table.",
    ),
    _family(
        "vehicles",
        "The {vehicle} <{vehicle.moves}>, and the {vehicle2} <{vehicle2.moves}>.",
        "{name} saw a {size} {vehicle} on the <{vehicle.where}>.",
        "The {colour} {vehicle} <{vehicle.moves}> on the <{vehicle.where}>.",
        "{name} travels by {vehicle}.|It <{vehicle.moves}> to {country.capital}, the capital of <{country}>.",
    ),
    _family(
        "feelings",
        "{name} {event.event}.|<{name.he}> was <{event.mood}>.",
        "The {person} was <{event.mood}>, because {person.he} {event.event}.",
        "{name} {event.event}, so {name.he} was <{event.mood}>.",
        "Why is {name} so {event.mood}?|<{name.he}> {event.event}.",
    ),
    _family(
        "questions and answers",
        "{name} asked {name2}: {answer.question}|<{name2}> said: {answer.answer}",
        "{answer.question}|{answer.answer}",
        "The {person} asked: {answer.question}|{name} said: {answer.answer}",
        "The {person} asked {name}: {answer.question}|<{name}> answered: {answer.answer}",
    ),
    _family(
        "not this but that",
        "{name} wanted a {object}, not a {object2}.|So {name2} gave <{name.him}> the <{object}>.",
        "The {object} is {colour}, not {colour2}.|It is <{colour}>.",
        "Not {name} but {name2} took the {object}.|<{name2}> has the <{object}>.",
        "{name} likes the {colour} {object} more than the {colour2} one.|<{name.he}> takes the <{colour}> one.",
    ),
    _family(
        "having and giving",
        "{name} had a {object}.|{name} gave it to {name2}.|Now <{name2}> has the <{object}>.",
        "{name} borrowed a {object} from {name2}.|{name.he} gave the <{object}> back to <{name2}>.",
        "The {object} belongs to {name}.|It is <{name.his}> {object}.",
        "Whose {object} is this?|It is the {object} of {name}, so give it to <{name}>.",
    ),
)  # fmt: skip


class Classroom:
    """The generator: passages of all families in turn, each from a random stream that `seed` starts."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)

    def passages(self, per_family: int, *, held_out: bool) -> Iterator[Passage]:
        """`per_family` distinct passages of every family, from the combinations that are held out, or from the others.

        A family that has fewer gives all that twenty times as many draws find.
        """
        for family in FAMILIES:
            seen: set[tuple[str, ...]] = set()
            for _ in range(20 * per_family):
                passage = self.draw(family, held_out=held_out)
                if passage is not None and passage.sentences not in seen:
                    seen.add(passage.sentences)
                    yield passage
                if len(seen) == per_family:
                    break

    def draw(self, family: Family, *, held_out: bool) -> Passage | None:
        """A passage of a family, None if the combination drawn is on the other side of the split."""
        pattern = family.patterns[int(self.random.integers(len(family.patterns)))]
        rows = self._rows(family, slots(pattern))
        return fill(family.name, pattern, rows) if is_held_out(pattern, rows) == held_out else None

    def _rows(self, family: Family, names: tuple[str, ...]) -> dict[str, Row]:
        """A row for every slot; slots of one table get different rows."""
        rows: dict[str, Row] = {}
        for table in dict.fromkeys(table_of(name) for name in names):
            wanted = [name for name in names if table_of(name) == table]
            drawn = self.random.choice(len(TABLES[table]), size=len(wanted), replace=False).tolist()
            ordered = sorted(drawn) if family.is_ordered else drawn
            rows |= {name: TABLES[table][at] for name, at in zip(sorted(wanted), ordered, strict=True)}
        return rows


def slots(pattern: str) -> tuple[str, ...]:
    """The slots of a pattern, each once: "{animal.young} {animal}" has one, "animal"."""
    names = (name.split(".")[0] for _, name, _, _ in Formatter().parse(pattern) if name)
    return tuple(dict.fromkeys(names))


def table_of(slot: str) -> str:
    """The table that a slot draws from: "animal2" draws a second animal."""
    return slot.rstrip("0123456789")


def is_held_out(pattern: str, rows: Mapping[str, Row]) -> bool:
    """Whether a combination belongs to the part that is never trained on: it depends on its text alone, names apart."""
    names = iter(TABLES["name"])
    nameless = {slot: next(names) if table_of(slot) == "name" else rows[slot] for slot in sorted(rows)}
    digest = hashlib.blake2b(pattern.format_map(nameless).encode(), digest_size=8).digest()
    return int.from_bytes(digest) < HELD_OUT * 2**64


def fill(family: str, pattern: str, rows: Mapping[str, Row]) -> Passage:
    """The passage of a family's pattern with these rows in its slots."""
    sentences: list[str] = []
    answers: list[tuple[int, int, int]] = []
    for number, marked in enumerate(pattern.split(BORDER)):
        sentence, spans = _unmarked(_with_articles(marked.format_map(rows)))
        sentences.append(with_capitals(sentence))
        answers += [(number, start, end) for start, end in spans]
    return Passage(family=family, sentences=tuple(sentences), answers=tuple(answers))


def _unmarked(marked: str) -> tuple[str, list[tuple[int, int]]]:
    """The text without its "<" and ">", and the spans that stood between them."""
    text, spans, start = "", [], 0
    for part in re.split("([<>])", marked):
        if part == "<":
            start = len(text)
        elif part == ">":
            spans.append((start, len(text)))
        else:
            text += part
    return text, spans


def _with_articles(text: str) -> str:
    """ "an" for "a" before the sound of a vowel, in a text that may still be marked."""
    return re.sub(r"\b([Aa])(?= <?(?!uni|eu|one)[aeio])", r"\1n", text)


def with_capitals(text: str) -> str:
    """A capital letter at the start and after ". ": as many letters as before, so spans stay right."""
    return re.sub(r"(^|[.?!] )([a-z])", lambda match: match.group(1) + match.group(2).upper(), text)


def main() -> None:
    """Write both parts as text, one passage a paragraph, to read or to train on elsewhere."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="folder for learned.txt and held-out.txt")
    parser.add_argument("--passages", type=int, default=4000, help="passages of every family to learn from")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    generator = Classroom(arguments.seed)
    for name, held_out, per_family in (
        ("learned", False, arguments.passages),
        ("held-out", True, arguments.passages // 20),
    ):
        passages = generator.passages(per_family, held_out=held_out)
        lines = "\n\n".join(" ".join(passage.sentences) for passage in passages)
        (arguments.out / f"{name}.txt").write_text(lines + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
