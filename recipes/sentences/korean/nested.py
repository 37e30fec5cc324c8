"""Everyday sentences within sentences: what somebody thinks, knows, says, hopes, and why, in both languages; what a
function gives, `statements.py` says."""

from __future__ import annotations

from dataclasses import dataclass

from recipes.sentences.korean import words as known
from recipes.sentences.korean.clauses import (
    PEOPLE,
    REFERRED,
    SPEAKERS,
    ClauseDrawer,
    KoreanClause,
    MadeSentence,
    denied,
    lasted,
)
from recipes.sentences.korean.endings import (
    Level,
    Predicate,
    When,
    able,
    at_the_time,
    because,
    before_noun,
    conditional,
    contrasted,
    ending,
    giving,
    negative,
    obliged,
    ordered,
    quoted,
    seeming,
    whether,
)
from recipes.sentences.korean.english import EnglishSubject
from recipes.sentences.korean.statements import KNOW, TENSES
from recipes.sentences.parallel.korean import topic

NOT_TO_KNOW = Predicate(text="모르", change="르")
TO_KNOW = Predicate(text="알")


@dataclass(frozen=True, slots=True, kw_only=True)
class Inner:
    """A clause within another one, and when it is: its `korean` predicate may be denied."""

    clause: KoreanClause
    when: When
    is_negative: bool

    @property
    def english(self) -> str:
        """As it stands by itself."""
        who = self.clause.who
        return f"{who.english} {self.clause.english.finite(who, self.when, negative=self.is_negative)}"

    @property
    def backshifted(self) -> str:
        """As it stands behind something in the past: Tom said he was tired."""
        who = self.clause.who
        return f"{who.english} {self.clause.english.backshifted(who, self.when, negative=self.is_negative)}"

    @property
    def korean(self) -> Predicate:
        """Its predicate."""
        return denied(self.clause.korean, is_negative=self.is_negative)

    def said(self, predicate: str) -> str:
        """The Korean clause with a form of its predicate."""
        return self.clause.said(predicate, marked="subject")


def inner(draw: ClauseDrawer, not_of: EnglishSubject | None = None) -> Inner:
    """A clause about somebody else."""
    clause = draw.clause()
    while clause.who is not_of:
        clause = draw.clause()
    when = draw.one(TENSES)
    if when == "present" and not clause.is_lasting:
        clause = lasted(clause)
    return Inner(clause=clause, when=when, is_negative=draw.chance(0.15))


def _that(draw: ClauseDrawer) -> str:
    return draw.one(("that ", "", ""))


def thought(draw: ClauseDrawer) -> MadeSentence:
    """I think that Tom is tired. I don't think you are right. It seems he left."""
    about = inner(draw, known.ME)
    if draw.chance(0.3):
        said = f"나는 {about.said(quoted(about.korean, about.when))} 생각하지 않아"
        return f"I do not think {_that(draw)}{about.english}", said, "."
    level: Level = "intimate" if draw.chance(0.8) else "plain"
    said = about.said(ending(seeming(about.korean, about.when), "present", level))
    return f"{'it seems' if draw.chance(0.12) else 'I think'} {_that(draw)}{about.english}", said, "."


def knew(draw: ClauseDrawer) -> MadeSentence:
    """I know that Tom is here. I didn't know you were sick. I thought Tom was a doctor."""
    who = known.ME if draw.chance(0.6) else draw.who()
    about, level = inner(draw, who), draw.level(who)
    if draw.chance(0.6):
        is_negative = draw.chance(0.25)
        knows = ending(denied(TO_KNOW, is_negative=is_negative), "present", level)
        said = f"{topic(who.korean)} {about.said(f'{before_noun(about.korean, about.when)} 것을')} {knows}"
        return (
            f"{who.english} {KNOW.finite(who, 'present', negative=is_negative)} {_that(draw)}{about.english}",
            said,
            ".",
        )
    verb, predicate = draw.one((("did not know", NOT_TO_KNOW), ("thought", TO_KNOW)))
    said = about.said(f"{before_noun(about.korean, about.when)} 줄")
    said = f"{topic(who.korean)} {said} {ending(predicate, 'past', level)}"
    return f"{who.english} {verb} {_that(draw)}{about.backshifted}", said, "."


WORDS = (("why", "왜"), ("where", "어디에서"), ("when", "언제"), ("how", "어떻게"))


def wondered(draw: ClauseDrawer) -> MadeSentence:
    """I know why he left. I don't know if she is happy. I wonder whether Tom will come."""
    who = known.ME if draw.chance(0.6) else draw.who()
    about = inner(draw, who)
    if draw.chance(0.4):
        said = about.said(whether(about.korean, about.when))
        return f"I wonder {draw.one(('if', 'whether'))} {about.english}", f"{said} 궁금해", "."
    is_negative = draw.chance(0.6)
    word, korean = (
        ("if", "") if is_negative and draw.chance(0.35) else draw.one(WORDS[:1] if about.clause.is_lasting else WORDS)
    )
    said = about.said(whether(about.korean.after(korean), about.when))
    knows = ending(denied(TO_KNOW, is_negative=is_negative), "present", draw.level(who))
    verb = KNOW.finite(who, "present", negative=is_negative)
    return f"{who.english} {verb} {word} {about.english}", f"{topic(who.korean)} {said} {knows}", "."


TELLERS = (known.TOM, known.TOM, known.HE, known.SHE, known.MARY, known.ME)
TOLD = (known.ME, known.TOM, known.MARY, known.HE, known.SHE, known.YOU)


def told(draw: ClauseDrawer) -> MadeSentence:
    """Tom said that he was tired. She told me that she would come. Tom told Mary to wait."""
    who = draw.one(TELLERS)
    end = "어" if draw.level(who) == "intimate" else "다"
    if draw.chance(0.65):
        about = inner(draw, who)
        said = f"{topic(who.korean)} {about.said(quoted(about.korean, about.when))} 말했{end}"
        return f"{who.english} said {_that(draw)}{about.backshifted}", said, "."
    other = draw.one([one for one in TOLD if one is not who])
    clause, is_negative = draw.deed(other, lasting_too=False), draw.chance(0.3)
    command = f"{clause.korean.text}지 말라고" if is_negative else ordered(clause.korean)
    verb, then = draw.one((("told", "말했"), ("asked", "부탁했")))
    english = f"{verb} {other.object} {'not ' if is_negative else ''}to {clause.english.infinitive}"
    return f"{who.english} {english}", f"{topic(who.korean)} {other.korean}에게 {command} {then}{end}", "."


def joined(draw: ClauseDrawer) -> MadeSentence:
    """I didn't come because I was busy. If you are tired, you should rest. Tom was sick, but he went out."""
    who = draw.one((*SPEAKERS, *PEOPLE))
    again, level, number = REFERRED.get(who.english, who.english), draw.level(who), draw.random.random()
    clause = draw.state(who) if draw.chance(0.6) else draw.deed(who)
    after = draw.deed(who, lasting_too=False)
    was, did = clause.english.finite(who, "past"), after.english.finite(who, "past")
    if number < 0.35:
        did = after.english.finite(who, "past", negative=True)
        korean = f"{clause.said(because(clause.korean))} {ending(negative(after.korean), 'past', level)}"
        return f"{who.english} {did} because {again} {was}", korean, "."
    if number < 0.65:
        is_so, said = clause.english.finite(who, "present"), clause.said(conditional(clause.korean), marked="subject")
        korean = f"{said} {ending(obliged(after.korean), 'present', level)}"
        return f"if {who.english} {is_so}, {again} should {after.english.infinitive}", korean, "."
    then = ending(after.korean, "past", level)
    if number < 0.85:
        return (
            f"{who.english} {was}, but {again} {did}",
            f"{clause.said(contrasted(clause.korean, 'past'))} {then}",
            ".",
        )
    said = clause.said(at_the_time(clause.korean, "past"), marked="subject")
    return f"when {who.english} {was}, {again} {did}", f"{said} {then}", "."


def sorry(draw: ClauseDrawer) -> MadeSentence:
    """I'm sorry I was late. Thank you for helping me. I'm glad that you came."""
    number = draw.random.random()
    if number < 0.5:
        clause = draw.deed(known.YOU, lasting_too=False)
        return f"thank you for {clause.english.doing}", f"{because(giving(clause.korean))} 고마워", "."
    if number < 0.8:
        clause = draw.deed(known.ME, lasting_too=False)
        return f"I am sorry I {clause.english.finite(known.ME, 'past')}", f"{because(clause.korean)} 미안해", "."
    about = inner(draw, known.ME)
    return f"I am glad {_that(draw)}{about.english}", f"{about.said(because(about.korean))} 기뻐", "."


HOPED_OF = (known.YOU, known.TOM, known.MARY, known.HE, known.THEY)


def hoped(draw: ClauseDrawer) -> MadeSentence:
    """I hope that you will come. I want Tom to wait. I wish I could swim."""
    number = draw.random.random()
    if number < 0.4:
        clause = draw.clause()
        when: When = "present" if clause.is_lasting and draw.chance(0.5) else "future"
        english = f"{clause.who.english} {clause.english.finite(clause.who, when)}"
        return (
            f"I hope {_that(draw)}{english}",
            f"{clause.said(conditional(clause.korean), marked='subject')} 좋겠어",
            ".",
        )
    if number < 0.75:
        clause = draw.deed(draw.one(HOPED_OF), lasting_too=False)
        korean = f"나는 {clause.said(conditional(clause.korean), marked='subject')} 좋겠어"
        return f"I {draw.one(('want', 'would like'))} {clause.who.object} to {clause.english.infinitive}", korean, "."
    clause = draw.deed(known.ME)
    return f"I wish I could {clause.english.infinitive}", f"{conditional(able(clause.korean))} 좋을 텐데", "."
