"""Everyday statements: what somebody does, wants, has to do, likes, has and is, in both languages.

Each function draws a clause and gives the English sentence without its capital, the Korean one, and their last mark.
"""

from __future__ import annotations

from recipes.sentences.korean import words as known
from recipes.sentences.korean.clauses import (
    ClauseDrawer,
    KoreanClause,
    MadeSentence,
    about,
    as_subject,
    denied,
    lasted,
    question,
)
from recipes.sentences.korean.endings import (
    Predicate,
    When,
    able,
    as_thing,
    before_noun,
    connected,
    ending,
    forbidden,
    free,
    lasting,
    liking,
    negative,
    obliged,
    skilled,
    wanting,
    with_ending,
)
from recipes.sentences.korean.english import Forms, be, forms
from recipes.sentences.korean.nouns import COUNTERS, NUMERALS
from recipes.sentences.parallel.english import plural
from recipes.sentences.parallel.korean import accusative, topic

WANT, LIKE, LOVE, HATE, HAVE, NEED, LEARN, KNOW = map(
    forms, ("want", "like", "love", "hate", "have", "need", "learn", "know")
)
TENSES: tuple[When, ...] = ("present", "past", "past", "future")
NOW_OR_THEN: tuple[When, ...] = ("present", "present", "past")


def statement(draw: ClauseDrawer) -> MadeSentence:
    """Tom didn't go to school yesterday. He is reading a book."""
    clause, when = draw.clause(), draw.one(TENSES)
    is_lasting = not clause.is_lasting and when == "present" and draw.chance(0.5)
    clause = draw.timed(lasted(clause) if is_lasting else clause, "lasting" if is_lasting else when)
    is_negative = draw.chance(0.2)
    said = clause.english.finite(clause.who, when, negative=is_negative)
    if when == "future" and draw.chance(0.4):
        said = f"{be(clause.who, 'present')}{' not' if is_negative else ''} going to {clause.english.infinitive}"
    korean = denied(clause.korean, is_negative=is_negative)
    return f"{clause.who.english} {said}{clause.behind}", about(draw, clause, korean, when), "."


def with_adverb(draw: ClauseDrawer) -> MadeSentence:
    """Tom always helps me. I never drink beer."""
    clause, when = draw.deed(draw.who()), draw.one(NOW_OR_THEN)
    adverb, korean = "never", negative(clause.korean).after("절대")
    if draw.chance(0.7):
        adverb, other = draw.one(known.BEFORE_VERB)
        korean = clause.korean.after(other)
    who = clause.who.english
    return f"{who} {adverb} {clause.english.finite(clause.who, when)}", about(draw, clause, korean, when), "."


def wish(draw: ClauseDrawer) -> MadeSentence:
    """Tom wants to learn French. I don't want to go. I'd like to sleep."""
    clause, when = draw.deed(draw.who(), lasting_too=False), draw.one(NOW_OR_THEN)
    korean = wanting(clause.korean, own=clause.who.is_own)
    if clause.who is known.ME and draw.chance(0.15):
        return f"I would like to {clause.english.infinitive}", about(draw, clause, korean, "present"), "."
    is_negative = draw.chance(0.3)
    english = WANT.after("to", clause.english.infinitive).finite(clause.who, when, negative=is_negative)
    korean = denied(korean, is_negative=is_negative)
    return f"{clause.who.english} {english}", about(draw, clause, korean, when), "."


def duty(draw: ClauseDrawer) -> MadeSentence:
    """You have to study. Tom doesn't have to go. You must not swim here. You should rest."""
    clause = draw.deed(draw.who(), lasting_too=False)
    who, what, number = clause.who, clause.english.infinitive, draw.random.random()
    if number < 0.45:
        when = draw.one(NOW_OR_THEN)
        english = draw.one((HAVE, HAVE, NEED)).after("to", what).finite(who, when)
        return f"{who.english} {english}", about(draw, clause, obliged(clause.korean), when), "."
    if number < 0.6:
        english = HAVE.after("to", what).finite(who, "present", negative=True)
        return f"{who.english} {english}", about(draw, clause, free(clause.korean), "present"), "."
    if number < 0.75:
        english = f"{draw.one(('must not', 'should not'))} {what}"
        return f"{who.english} {english}", about(draw, clause, forbidden(clause.korean), "present"), "."
    english = f"{draw.one(('should', 'should', 'must'))} {what}"
    return f"{who.english} {english}", about(draw, clause, obliged(clause.korean), "present"), "."


def ability(draw: ClauseDrawer) -> MadeSentence:
    """I can swim. Tom couldn't come. Can you hear me?"""
    clause, is_past = draw.deed(draw.who()), draw.chance(0.25)
    who, what, when = clause.who, clause.english.infinitive, _when(is_past=is_past)
    modal = "could" if is_past else "can"
    if draw.chance(0.2):
        return (
            f"{modal} {who.english} {what}",
            question(draw, clause, ending(able(clause.korean), when, "intimate")),
            "?",
        )
    is_negative = draw.chance(0.45)
    said = modal if not is_negative else "could not" if is_past else "cannot"
    korean = denied(able(clause.korean), is_negative=is_negative)
    return f"{who.english} {said} {what}", about(draw, clause, korean, when), "."


def _when(*, is_past: bool) -> When:
    return "past" if is_past else "present"


def liked(draw: ClauseDrawer) -> MadeSentence:
    """I like to dance. Tom hates swimming. Mary loves reading books."""
    clause = draw.deed(draw.who(), lasting_too=False)
    verb, likes = draw.one(((LIKE, "좋아하"), (LIKE, "좋아하"), (LOVE, "아주 좋아하"), (HATE, "싫어하")))
    what = clause.english.doing if draw.chance(0.5) else f"to {clause.english.infinitive}"
    is_negative = verb is LIKE and draw.chance(0.3)
    english = verb.after(what).finite(clause.who, "present", negative=is_negative)
    korean = denied(liking(clause.korean, likes), is_negative=is_negative)
    return f"{clause.who.english} {english}", about(draw, clause, korean, "present"), "."


BEGUN: tuple[tuple[Forms, str, str], ...] = tuple(
    (forms(verb), suffix, then)
    for verb, suffix, then in (
        ("start", "기", "시작하"),
        ("begin", "기", "시작하"),
        ("decide", "기로", "결정하"),
        ("try", "려고", "노력하"),
        ("plan", "려고", "계획하"),
        ("promise", "기로", "약속하"),
        ("refuse", "기를", "거부하"),
        ("forget", "", "잊어버리"),
    )
)


def begun(draw: ClauseDrawer) -> MadeSentence:
    """Tom started to cry. I decided to wait. She tried to open the door."""
    clause = draw.deed(draw.who(), lasting_too=False)
    verb, suffix, then = draw.one(BEGUN)
    korean = with_ending(clause.korean, suffix, then) if suffix else liking(clause.korean, then)
    when = draw.one((*TENSES[:3], "past"))
    what = clause.english.doing if verb.base == "start" and draw.chance(0.5) else f"to {clause.english.infinitive}"
    return f"{clause.who.english} {verb.after(what).finite(clause.who, when)}", about(draw, clause, korean, when), "."


def learned(draw: ClauseDrawer) -> MadeSentence:
    """Tom knows how to swim. I learned to drive. He used to live here."""
    clause = draw.deed(draw.who(), lasting_too=False)
    who, what, number = clause.who, clause.english.infinitive, draw.random.random()
    if number < 0.4:
        is_negative = draw.chance(0.4)
        english = KNOW.after("how to", what).finite(who, "present", negative=is_negative)
        korean = denied(skilled(clause.korean), is_negative=is_negative)
        return f"{who.english} {english}", about(draw, clause, korean, "present"), "."
    if number < 0.65:
        korean = Predicate(text=f"{before_noun(clause.korean, 'present')} 법을 배우")
        english = LEARN.after(draw.one(("how to", "to")), what).finite(who, "past")
        return f"{who.english} {english}", about(draw, clause, korean, "past"), "."
    korean = Predicate(text=f"{clause.korean.text}곤 하")
    return f"{who.english} used to {what}", about(draw, clause, korean, "past"), "."


def compared(draw: ClauseDrawer) -> MadeSentence:
    """Tom is taller than me. This book is more expensive than that. You are as tall as Tom."""
    are_things = draw.chance(0.2)
    who, other = (draw.one(known.THINGS[2:]), draw.one(known.THINGS[:2])) if are_things else (draw.who(), draw.who())
    if who is other:
        other = known.MARY if who is not known.MARY else known.TOM
    if not are_things and draw.chance(0.35):
        deed = draw.one([one for one in known.PERSONAL if one.korean.kind == "adjective"])
        is_negative = draw.chance(0.4)
        korean = denied(deed.korean.after(f"{other.korean}만큼"), is_negative=is_negative)
        english = f"{'not ' if is_negative else ''}as {deed.forms.tail} as {other.object}"
    else:
        name, stem = draw.one(known.COMPARED["things" if are_things else "people"])
        korean = known.read_predicate(stem, "adjective").after(f"{other.korean}보다 더")
        english = f"{name} than {other.object}"
    said = f"{topic(who.korean)} {ending(korean, 'present', draw.level(who))}"
    return f"{who.english} {be(who, 'present')} {english}", said, "."


OWNED = ("thing", "animal", "vehicle", "idea", "text", "time", "clothes", "relative")


def owned(draw: ClauseDrawer) -> MadeSentence:
    """I have a car. Tom doesn't have a friend. Do you have a pen? There is a cat in the garden."""
    who, number = draw.who(), draw.random.random()
    what, other = draw.noun(OWNED)
    held = Predicate(text=f"{as_subject(other)} 있", kind="being")
    if number < 0.3 and what.startswith(("a ", "an ")):
        return _existing(draw, what, held)
    clause = KoreanClause(who=who, english=HAVE.after(what), korean=held, is_lasting=True)
    if number < 0.5:
        return clause.english.asked(who, "present"), question(draw, clause, ending(held, "present", "intimate")), "?"
    is_negative, when = draw.chance(0.35), draw.one(NOW_OR_THEN)
    korean = denied(held, is_negative=is_negative)
    english = clause.english.finite(who, when, negative=is_negative)
    return f"{who.english} {english}", about(draw, clause, korean, when), "."


def _existing(draw: ClauseDrawer, what: str, held: Predicate) -> MadeSentence:
    where, place = draw.one(known.PLACED)
    if draw.chance(0.25):
        return f"is there {what} {where}", f"{place}에 {ending(held, 'present', 'intimate')}", "?"
    level = draw.level(known.THINGS[0])
    return f"there is {what} {where}", f"{place}에 {ending(held, 'present', level)}", "."


def counted(draw: ClauseDrawer) -> MadeSentence:
    """Tom has three cats. I bought two books."""
    who, kind = draw.who(), draw.one(tuple(COUNTERS))
    word = draw.one([noun for noun in known.NOUNS[kind] if noun.has_article and noun.english != "family"])
    number, other = draw.one(tuple(NUMERALS.items()))
    what, named = f"{number} {plural(word.english)}", f"{word.korean} {other} {COUNTERS[kind]}"
    deeds = [deed for deed in known.DEEDS if kind in deed.takes and deed.particle == "을" and deed.forms.base != "be"]
    if kind == "relative" or not deeds or draw.chance(0.4):
        english, korean = HAVE, Predicate(text=f"{as_subject(named)} 있", kind="being")
        when = draw.one(NOW_OR_THEN)
    else:
        deed, when = draw.one(deeds), draw.one(TENSES[1:])
        english, korean = deed.forms, deed.korean.after(accusative(named))
    clause = KoreanClause(who=who, english=english.after(what), korean=korean)
    return f"{who.english} {clause.english.finite(who, when)}", about(draw, clause, korean, when), "."


def looking(draw: ClauseDrawer) -> MadeSentence:
    """Tom looks tired. You seem to be happy."""
    who = draw.who()
    deed = draw.one([one for one in known.PERSONAL if one.korean.kind == "adjective"])
    degree, other = draw.one((("", ""), ("", ""), ("very", "매우"), ("really", "정말")))
    korean = Predicate(text=f"{connected(deed.korean)} 보이").after(other)
    verb = forms(draw.one(("look", "look", "seem", "seem to be"))).after(f"{degree} {deed.forms.tail}".strip())
    clause = KoreanClause(who=who, english=verb, korean=korean, is_lasting=True)
    when = draw.one(NOW_OR_THEN)
    return f"{who.english} {verb.finite(who, when)}", about(draw, clause, korean, when), "."


VALUES = frozenset(
    {
        "easy",
        "difficult",
        "hard",
        "important",
        "interesting",
        "boring",
        "dangerous",
        "possible",
        "impossible",
        "necessary",
        "useful",
        "ridiculous",
        "strange",
        "great",
        "good",
        "bad",
    }
)


def valued(draw: ClauseDrawer) -> MadeSentence:
    """It's difficult to learn French. Learning French is fun."""
    clause = draw.deed(known.YOU, lasting_too=False)
    deed = draw.one([one for one in known.NEUTRAL if one.forms.tail in VALUES])
    korean = f"{as_thing(clause.korean)}은 {ending(deed.korean, 'present', draw.level(known.THINGS[0]))}"
    if draw.chance(0.5):
        return f"it is {deed.forms.tail} to {clause.english.infinitive}", korean, "."
    return f"{clause.english.doing} is {deed.forms.tail}", korean, "."


def weather(draw: ClauseDrawer) -> MadeSentence:
    """It's cold today. It's raining."""
    english, korean = draw.one(known.WEATHER)
    is_verb = korean.endswith(("오", "불"))
    of = known.read_predicate(korean, "verb" if is_verb else "adjective")
    time, other = draw.one((("", ""), ("today", "오늘"), ("here", "여기는"), ("outside", "밖이"), ("now", "지금")))
    said = ending(lasting(of) if is_verb and draw.chance(0.5) else of, "present", draw.level(known.ME))
    return f"{english} {time}".strip(), f"{other} {said}".strip(), "."


def whole(draw: ClauseDrawer) -> MadeSentence:
    """What is always said alike."""
    english, korean = draw.one(known.SAID_WHOLE)
    return english, korean, ""
