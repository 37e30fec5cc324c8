"""Everyday questions and requests, in both languages; what a function gives, `statements.py` says."""

from __future__ import annotations

from recipes.sentences.korean import words as known
from recipes.sentences.korean.clauses import ClauseDrawer, KoreanClause, MadeSentence, about, lasted, question
from recipes.sentences.korean.endings import (
    Level,
    asked_for,
    connected,
    ending,
    experienced,
    giving,
    negative,
    prohibited,
    proposed,
)
from recipes.sentences.korean.english import EnglishSubject, be
from recipes.sentences.korean.statements import NOW_OR_THEN, TENSES
from recipes.sentences.parallel.korean import topic


def asked(draw: ClauseDrawer) -> MadeSentence:
    """Do you like cats? Did Tom go home? Are you tired? Is he reading?"""
    who = known.YOU if draw.chance(0.55) else draw.who()
    clause, when = draw.deed(who) if draw.chance(0.6) else draw.state(who), draw.one(TENSES)
    is_lasting = not clause.is_lasting and when == "present" and draw.chance(0.45)
    clause = draw.timed(lasted(clause) if is_lasting else clause, "lasting" if is_lasting else when)
    level: Level = "polite" if draw.chance(0.12) else "intimate"
    korean = question(draw, clause, ending(clause.korean, when, level))
    return f"{clause.english.asked(who, when)}{clause.behind}", korean, "?"


ASKED = (("why", "왜"), ("where", "어디에서"), ("when", "언제"), ("how", "어떻게"), ("why", "왜"), ("who", "누구와"))


def asked_for_more(draw: ClauseDrawer) -> MadeSentence:
    """Why did Tom leave? Where do you work? When will she come?"""
    who = known.YOU if draw.chance(0.5) else draw.who()
    clause, when = draw.deed(who, lasting_too=False), draw.one(TENSES)
    word, korean = draw.one(ASKED)
    if when == "present" and draw.chance(0.5):
        clause = lasted(clause)
    predicate = ending(clause.korean.after(korean), when, "intimate")
    behind = " with" if word == "who" else ""
    return f"{word} {clause.english.asked(who, when)}{behind}", question(draw, clause, predicate), "?"


NOBODY = "아무도"
ANYBODY = (
    ("who", "누가", "?"),
    ("nobody", NOBODY, "."),
    ("no one", NOBODY, "."),
    ("everyone", "모두", "."),
    ("everybody", "모두", "."),
)


def asked_who(draw: ClauseDrawer) -> MadeSentence:
    """Who broke the window? Nobody knows. Everyone laughed."""
    who, korean, mark = draw.one(ANYBODY)
    subject = EnglishSubject(english=who, object=who, possessive="their", korean=korean)
    clause, when = draw.deed(subject), draw.one(NOW_OR_THEN)
    predicate = negative(clause.korean) if korean == NOBODY else clause.korean
    level: Level = "intimate" if mark == "?" or draw.chance(0.6) else "plain"
    return f"{who} {clause.english.finite(subject, when)}", f"{korean} {ending(predicate, when, level)}", mark


def asked_what(draw: ClauseDrawer) -> MadeSentence:
    """What did you buy? What does Tom want? What are you reading?"""
    who, when = known.YOU if draw.chance(0.55) else draw.who(), draw.one(TENSES)
    deed = draw.one([one for one in known.DEEDS if one.takes and one.particle == "을" and "person" not in one.takes])
    clause = KoreanClause(who=who, english=deed.forms, korean=deed.korean.after("무엇을"), is_lasting=deed.is_lasting)
    if when == "present" and not deed.is_lasting:
        clause = lasted(clause)
    korean = question(draw, clause, ending(clause.korean, when, "intimate"))
    return f"what {clause.english.asked(who, when)}", korean, "?"


def located(draw: ClauseDrawer) -> MadeSentence:
    """Where is my key? Where is Tom? Where are you?"""
    if draw.chance(0.4):
        who = draw.who()
        return f"where {be(who, 'present')} {who.english}", f"{topic(who.korean)} 어디에 있어", "?"
    what, noun = draw.noun(("thing", "text", "animal", "vehicle", "place", "room"))
    first, _, rest = what.partition(" ")
    return f"where is {f'the {rest}' if first in {'a', 'an'} else what}", f"{topic(noun)} 어디에 있어", "?"


def experience(draw: ClauseDrawer) -> MadeSentence:
    """Have you ever eaten fish? I've never met him. I have already read the book."""
    who = known.YOU if draw.chance(0.5) else draw.who()
    clause, number = draw.deed(who, lasting_too=False), draw.random.random()
    has, done = "have" if who.is_bare else "has", clause.english.done
    if number < 0.5:
        korean = ending(experienced(clause.korean), "present", "intimate")
        return f"{has} {who.english} ever {done}", question(draw, clause, korean), "?"
    if number < 0.75:
        korean = about(draw, clause, negative(experienced(clause.korean)), "present")
        return f"{who.english} {has} never {done}", korean, "."
    return f"{who.english} {has} already {done}", about(draw, clause, clause.korean.after("이미"), "past"), "."


def request(draw: ClauseDrawer) -> MadeSentence:
    """Open the door. Don't cry. Please help me. Let's go home. Will you help me? Stop crying."""
    clause = draw.deed(known.YOU, lasting_too=False)
    english, korean, number = clause.english.infinitive, clause.korean, draw.random.random()
    if number < 0.25:
        return english, ending(korean, "present", "intimate"), "."
    if number < 0.45:
        return f"do not {english}", prohibited(korean, "intimate" if draw.chance(0.75) else "polite"), "."
    if number < 0.6:
        return f"please {english}", asked_for(giving(korean) if draw.chance(0.5) else korean), "."
    if number < 0.8:
        return f"let us {english}", proposed(korean), "."
    if number < 0.9:
        return f"stop {clause.english.doing}", f"그만 {ending(korean, 'present', 'intimate')}", "."
    helper = draw.one(("will you", "can you", "could you", "would you"))
    return f"{helper} {english}", f"{connected(korean)}줄래", "?"


def permission(draw: ClauseDrawer) -> MadeSentence:
    """May I come in? Can I use your phone? You may go home."""
    is_question = draw.chance(0.75)
    clause = draw.deed(known.ME if is_question else known.YOU, lasting_too=False)
    korean = f"{connected(clause.korean)}도 돼"
    if is_question:
        return f"{draw.one(('can', 'may'))} I {clause.english.infinitive}", korean + draw.one(("", "", "요")), "?"
    return f"you may {clause.english.infinitive}", korean, "."
