"""English verbs in their forms, as people say them: contracted, with "do" in questions and negations."""

from __future__ import annotations

from dataclasses import dataclass, replace

from recipes.sentences.korean.endings import When
from recipes.sentences.parallel.english import third

_VOWELS = "aeiou"
_DOUBLED = {"admit", "begin", "commit", "forget", "quit"}


@dataclass(frozen=True, slots=True, kw_only=True)
class EnglishSubject:
    """Who does something: as English names it before a verb and after one, and whose it is; the Korean noun. The verb
    of "I", "you" and of several people has no ending."""

    english: str
    object: str
    possessive: str
    korean: str
    is_bare: bool = False

    @property
    def is_own(self) -> bool:
        """Whether somebody speaks of himself, or asks the one he talks to."""
        return self.english in {"I", "you", "we"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Forms:
    """A verb with what belongs to it: "take", "took", "taken" and "a bath"; the verb "be" with what somebody is."""

    base: str
    past: str
    participle: str
    tail: str = ""

    def after(self, *words: str) -> Forms:
        """The same with more words behind it."""
        return replace(self, tail=" ".join(part for part in (self.tail, *words) if part))

    @property
    def infinitive(self) -> str:
        """take a bath"""
        return self._with(self.base)

    @property
    def done(self) -> str:
        """taken a bath"""
        return self._with(self.participle)

    @property
    def doing(self) -> str:
        """taking a bath"""
        return self._with(gerund(self.base))

    def _with(self, form: str) -> str:
        return f"{form} {self.tail}".strip()

    def by(self, who: EnglishSubject) -> Forms:
        """The same of somebody: "do one's best" is "do my best" of "I"."""
        return replace(self, tail=self.tail.replace("one's", who.possessive))

    def finite(self, who: EnglishSubject, when: When, *, negative: bool = False) -> str:
        """takes a bath, didn't take a bath, will take a bath; isn't happy."""
        if self.base == "be" and when != "future":
            return self._with(be(who, when) + (" not" if negative else ""))
        if when == "future":
            return f"{'will not' if negative else 'will'} {self.infinitive}"
        if negative:
            return f"{_helper(who, when)} not {self.infinitive}"
        return self._with(self.past if when == "past" else self.base if who.is_bare else _third(self.base))

    def backshifted(self, who: EnglishSubject, when: When, *, negative: bool = False) -> str:
        """As somebody said it in the past: was happy, had gone, would go."""
        no = " not" if negative else ""
        if when == "present":
            return self.finite(who, "past", negative=negative)
        return f"had{no} {self.done}" if when == "past" else f"would{no} {self.infinitive}"

    def asked(self, who: EnglishSubject, when: When) -> str:
        """does Tom take a bath, will he, are you happy."""
        if self.base == "be" and when != "future":
            return f"{be(who, when)} {who.english} {self.tail}".strip()
        helper = "will" if when == "future" else _helper(who, when)
        return f"{helper} {who.english} {self.infinitive}"


def forms(words: str) -> Forms:
    """The forms of a verb, with what stands behind it: "go home"."""
    base, _, tail = words.partition(" ")
    past, participle = IRREGULAR.get(base) or (regular_past(base),) * 2
    return Forms(base=base, past=past, participle=participle, tail=tail)


def being(what: str) -> Forms:
    """be happy, be a teacher"""
    return Forms(base="be", past="was", participle="been", tail=what)


def be(who: EnglishSubject, when: When) -> str:
    """am, is, are, was, were."""
    if who.english == "I":
        return "am" if when == "present" else "was"
    if who.is_bare:
        return "are" if when == "present" else "were"
    return "is" if when == "present" else "was"


def _third(verb: str) -> str:
    return "does" if verb == "do" else third(verb)


def _helper(who: EnglishSubject, when: When) -> str:
    return "did" if when == "past" else "do" if who.is_bare else "does"


def gerund(verb: str) -> str:
    """taking, running, lying."""
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith("ee") and verb != "be":
        return verb[:-1] + "ing"
    return _closed(verb) + "ing"


def regular_past(verb: str) -> str:
    """worked, loved, stopped, studied."""
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2] not in _VOWELS:
        return verb[:-1] + "ied"
    return _closed(verb) + "ed"


def _closed(verb: str) -> str:
    """The verb before a vowel: a lone consonant after a lone vowel is doubled."""
    is_short = sum(letter in _VOWELS for letter in verb) == 1 and len(verb) > 2 and verb[-2] in _VOWELS
    return verb + verb[-1] if (is_short and verb[-1] not in "wxy") or verb in _DOUBLED else verb


CONTRACTED = {
    "do not": "don't",
    "does not": "doesn't",
    "did not": "didn't",
    "is not": "isn't",
    "are not": "aren't",
    "was not": "wasn't",
    "were not": "weren't",
    "will not": "won't",
    "cannot": "can't",
    "could not": "couldn't",
    "should not": "shouldn't",
    "have not": "haven't",
    "has not": "hasn't",
    "I am": "I'm",
    "he is": "he's",
    "she is": "she's",
    "it is": "it's",
    "we are": "we're",
    "they are": "they're",
    "you are": "you're",
    "I will": "I'll",
    "you will": "you'll",
    "we will": "we'll",
    "that is": "that's",
    "I have": "I've",
    "let us": "let's",
    "would not": "wouldn't",
    "had not": "hadn't",
    "must not": "mustn't",
    "I would like": "I'd like",
}
"""What people mostly say, and write, in one word."""
_ROWS = """
    be was been; beat beat beaten; become became become; begin began begun; bite bit bitten; bleed bled bled;
    break broke broken; bring brought brought; build built built; buy bought bought; catch caught caught;
    choose chose chosen; come came come; cut cut cut; do did done; draw drew drawn; drink drank drunk;
    drive drove driven; eat ate eaten; fall fell fallen; feed fed fed; feel felt felt; fight fought fought;
    find found found; forget forgot forgotten; forgive forgave forgiven; get got gotten; give gave given;
    go went gone; grow grew grown; have had had; hear heard heard; hide hid hidden; hit hit hit; hold held held;
    hurt hurt hurt; keep kept kept; know knew known; leave left left; lend lent lent; lie lied lied; lose lost lost;
    make made made; meet met met; pay paid paid; put put put; quit quit quit; read read read; ride rode ridden;
    run ran run; say said said; see saw seen; sell sold sold; send sent sent; set set set; shake shook shaken;
    shoot shot shot; sing sang sung; sit sat sat; sleep slept slept; speak spoke spoken; spend spent spent;
    stand stood stood; steal stole stolen; swim swam swum; take took taken; teach taught taught; tell told told;
    think thought thought; throw threw thrown; understand understood understood; wake woke woken; wear wore worn;
    win won won; write wrote written
"""
IRREGULAR: dict[str, tuple[str, str]] = {
    base: (past, participle) for base, past, participle in (row.split() for row in _ROWS.split(";"))
}
