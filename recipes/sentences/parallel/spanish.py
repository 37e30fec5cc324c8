"""A content in Spanish: agreement in gender and number, adjectives after nouns, pronouns left out."""

from __future__ import annotations

import re

from recipes.sentences.parallel.content import (
    Both,
    Clause,
    Content,
    Description,
    Existence,
    Modal,
    Phrase,
    Pronoun,
    Question,
    Subject,
    Tense,
    is_plural,
)
from recipes.sentences.parallel.entries import PEOPLE, Adjective, Noun

STRESSED_A = {"agua", "aula"}
"""Feminine words that take "el" and "un" in the singular."""
NUMBERS = {"two": "dos", "three": "tres", "four": "cuatro", "five": "cinco"}
DETERMINERS = {  # masculine, feminine, masculine plural, feminine plural
    "the": ("el", "la", "los", "las"),
    "a": ("un", "una", "unos", "unas"),
    "this": ("este", "esta", "estos", "estas"),
    "that": ("ese", "esa", "esos", "esas"),
    "my": ("mi", "mi", "mis", "mis"),
    "our": ("nuestro", "nuestra", "nuestros", "nuestras"),
    "": ("", "", "", ""),
}
ASKED = {"who": "quién", "what": "qué", "where": "dónde", "when": "cuándo", "why": "por qué"}
PERSONS = ("yo", "tú", "él", "nosotros", "ellos")
PRESENT = {"ar": "o as a amos an", "er": "o es e emos en", "ir": "o es e imos en"}
PRETERITE = {"ar": "é aste ó amos aron", "er": "í iste ió imos ieron", "ir": "í iste ió imos ieron"}
FUTURE = "é ás á emos án"
IRREGULAR = {
    ("ser", "present"): "soy eres es somos son",
    ("ser", "imperfect"): "era eras era éramos eran",
    ("estar", "present"): "estoy estás está estamos están",
    ("estar", "imperfect"): "estaba estabas estaba estábamos estaban",
    ("ir", "present"): "voy vas va vamos van",
    ("ir", "past"): "fui fuiste fue fuimos fueron",
    ("venir", "present"): "vengo vienes viene venimos vienen",
    ("venir", "past"): "vine viniste vino vinimos vinieron",
    ("tener", "present"): "tengo tienes tiene tenemos tienen",
    ("tener", "past"): "tuve tuviste tuvo tuvimos tuvieron",
    ("tener", "imperfect"): "tenía tenías tenía teníamos tenían",
    ("hacer", "present"): "hago haces hace hacemos hacen",
    ("hacer", "past"): "hice hiciste hizo hicimos hicieron",
    ("dar", "present"): "doy das da damos dan",
    ("dar", "past"): "di diste dio dimos dieron",
    ("ver", "present"): "veo ves ve vemos ven",
    ("ver", "past"): "vi viste vio vimos vieron",
    ("leer", "past"): "leí leíste leyó leímos leyeron",
    ("conducir", "present"): "conduzco conduces conduce conducimos conducen",
    ("conducir", "past"): "conduje condujiste condujo condujimos condujeron",
    ("elegir", "present"): "elijo eliges elige elegimos eligen",
    ("elegir", "past"): "elegí elegiste eligió elegimos eligieron",
    ("construir", "present"): "construyo construyes construye construimos construyen",
    ("construir", "past"): "construí construiste construyó construimos construyeron",
    ("enviar", "present"): "envío envías envía enviamos envían",
    ("dormir", "past"): "dormí dormiste durmió dormimos durmieron",
    ("querer", "present"): "quiero quieres quiere queremos quieren",
    ("poder", "present"): "puedo puedes puede podemos pueden",
}
CHANGING = {
    "jugar": ("u", "ue"),
    "encontrar": ("o", "ue"),
    "mostrar": ("o", "ue"),
    "volver": ("o", "ue"),
    "dormir": ("o", "ue"),
    "cerrar": ("e", "ie"),
    "perder": ("e", "ie"),
}
FUTURE_STEMS = {"tener": "tendr", "hacer": "har", "venir": "vendr"}
GERUNDS = {
    "leer": "leyendo",
    "ir": "yendo",
    "venir": "viniendo",
    "dormir": "durmiendo",
    "elegir": "eligiendo",
    "construir": "construyendo",
}


def spanish(content: Content) -> str:
    """The sentence in Spanish."""
    if isinstance(content, Clause):
        liked = content.object if content.verb.spanish == "gustar" else None
        words = _liking(content, liked) if liked else _clause(content)
    elif isinstance(content, Description):
        words = _description(content)
    else:
        words = _existence(content)
    text = " ".join(word for word in words if word)
    text = re.sub(r"\b([aA]) el (?=\w)", r"\1l ", text)
    return "¿" + text[0].upper() + text[1:] + "?" if content.question else text[0].upper() + text[1:] + "."


def plural(word: str) -> str:
    """libros, flores, lápices, jardines, jóvenes."""
    if word.endswith("z"):
        return word[:-1] + "ces"
    if word == "paraguas":
        return word
    if word[-1] in "aeioué":
        return word + "s"
    if word[-2] in "áéíóú" and word[-1] in "ns":
        word = word[:-2] + "aeiou"["áéíóú".index(word[-2])] + word[-1]
    return word + "es"


def adjective(word: Adjective, *, is_feminine: bool, is_plural: bool) -> str:
    """rojo, roja, rojos, rojas; grande, grandes; trabajadora."""
    form = word.spanish
    if is_feminine:
        form = form[:-1] + "a" if form.endswith("o") else form + "a" if form.endswith("dor") else form
    return plural(form) if is_plural else form


def phrase(said: Phrase) -> str:
    """los libros rojos, una casa grande, el agua fría."""
    noun = plural(said.noun.spanish) if said.is_plural else said.noun.spanish
    words = [determiner(said), noun]
    if said.adjective:
        words.append(adjective(said.adjective, is_feminine=said.noun.is_feminine, is_plural=said.is_plural))
    return " ".join(word for word in words if word)


def determiner(said: Phrase) -> str:
    if said.determiner in NUMBERS:
        return NUMBERS[said.determiner]
    is_feminine = said.noun.is_feminine
    if said.noun.spanish in STRESSED_A and said.determiner in {"the", "a"} and not said.is_plural:
        is_feminine = False
    return DETERMINERS[said.determiner][2 * said.is_plural + is_feminine]


def subject(said: Subject | None) -> str:
    """The subject, "" for pronouns, which the verb says."""
    if isinstance(said, Both):
        return f"{phrase(said.first)} y {phrase(said.second)}"
    return phrase(said) if isinstance(said, Phrase) else ""


def person(said: Subject | None) -> int:
    """The place in PERSONS."""
    pronouns = {Pronoun.ME: 0, Pronoun.YOU: 1, Pronoun.WE: 3}
    return pronouns[said] if isinstance(said, Pronoun) and said in pronouns else 4 if is_plural(said) else 2


def conjugate(verb: str, tense: str, who: int) -> str:
    """A verb in the "present", "past", "imperfect" (ser, estar, tener alone) or "future", for a place in PERSONS."""
    if (verb, tense) in IRREGULAR:
        return IRREGULAR[verb, tense].split()[who]
    stem, kind = verb[:-2], verb[-2:]
    if tense == "future":
        return FUTURE_STEMS.get(verb, verb) + FUTURE.split()[who]
    if tense == "past":
        return _spelled(stem, PRETERITE[kind].split()[who])
    if verb in CHANGING and PERSONS[who] != "nosotros":
        old, new = CHANGING[verb]
        before, _, after = stem.rpartition(old)
        stem = before + new + after
    return stem + PRESENT[kind].split()[who]


def _spelled(stem: str, ending: str) -> str:
    """busqué, jugué: the sound stays, so the letters change before "é"."""
    if ending == "é":
        for letter, written in (("c", "qu"), ("g", "gu"), ("z", "c")):
            if stem.endswith(letter):
                return stem[:-1] + written + ending
    return stem + ending


def gerund(verb: str) -> str:
    return GERUNDS.get(verb, verb[:-2] + ("ando" if verb.endswith("ar") else "iendo"))


def _verb(clause: Clause) -> str:
    verb, who = clause.verb.spanish, person(clause.subject)
    if clause.modal is not None:
        helper = {Modal.CAN: "poder", Modal.WANT: "querer", Modal.MUST: "tener"}[clause.modal]
        joint = " que " if clause.modal is Modal.MUST else " "
        return conjugate(helper, "present", who) + joint + verb
    if clause.tense is Tense.PROGRESSIVE:
        return conjugate("estar", "present", who) + " " + gerund(verb)
    tense = clause.tense.value
    if clause.tense is Tense.PAST and verb in {"estar", "tener"}:
        tense = "imperfect"
    return conjugate(verb, tense, who)


def _object(said: Phrase) -> str:
    """A person takes "a": "ve al niño", "ve el perro"."""
    return ("a " if said.noun.kind in PEOPLE else "") + phrase(said)


def _clause(clause: Clause) -> list[str]:
    verb, who = _verb(clause), subject(clause.subject)
    negation = "no" if clause.is_negative else ""
    clitic = ("les" if clause.recipient.is_plural else "le") if clause.recipient else ""
    if clause.modal is not None and clitic:
        verb, clitic = verb + clitic, ""
    tail = [
        _object(clause.object) if clause.object else "",
        f"a {phrase(clause.recipient)}" if clause.recipient else "",
        f"con {phrase(clause.companion)}" if clause.companion else "",
        _with(clause.tool) if clause.tool else "",
        in_place(clause.place, "a" if clause.verb.place == "to" else "en") if clause.place else "",
        clause.time.spanish if clause.time else "",
    ]
    if clause.question is None or clause.question is Question.WHETHER:
        return [who, negation, clitic, verb, *tail]
    asked = ASKED[clause.question.value]
    if clause.question is Question.WHERE and clause.verb.place == "to":
        asked = "adónde"
    return [asked, negation, clitic, verb, who, *tail]


def in_place(place: Noun, preposition: str) -> str:
    return f"{preposition} {phrase(Phrase(noun=place))}"


def _with(tool: Noun) -> str:
    if tool.kind in {"vehicle", "carrier"}:
        return f"en {tool.spanish}"
    return f"con {phrase(Phrase(noun=tool, determiner='a'))}"


def _liking(clause: Clause, liked: Phrase) -> list[str]:
    """What is liked is the subject in Spanish: "A la niña le gustan los perros"."""
    who = ("me", "te", "le", "nos", "les")[person(clause.subject)]
    verb = "gustan" if liked.is_plural else "gusta"
    if clause.question is Question.WHO:
        who, named = "le", "a quién"
    else:
        named = _to_each(clause.subject)
    thing = phrase(Phrase(noun=liked.noun, is_plural=liked.is_plural))
    return [named, "no" if clause.is_negative else "", who, verb, thing]


def _to_each(said: Subject | None) -> str:
    if isinstance(said, Both):
        return f"a {phrase(said.first)} y a {phrase(said.second)}"
    return f"a {phrase(said)}" if isinstance(said, Phrase) else ""


def _is_feminine(said: Subject) -> bool:
    if isinstance(said, Both):
        return said.first.noun.is_feminine and said.second.noun.is_feminine
    return said.noun.is_feminine if isinstance(said, Phrase) else said is Pronoun.SHE


def _description(content: Description) -> list[str]:
    tense = "imperfect" if content.tense is Tense.PAST else content.tense.value
    verb = conjugate("estar" if content.adjective.is_state else "ser", tense, person(content.subject))
    said = adjective(
        content.adjective, is_feminine=_is_feminine(content.subject), is_plural=person(content.subject) in {3, 4}
    )
    return [subject(content.subject), "no" if content.is_negative else "", verb, said]


def _existence(content: Existence) -> list[str]:
    verb = {Tense.PAST: "había", Tense.FUTURE: "habrá"}.get(content.tense, "hay")
    return [verb, phrase(content.thing), in_place(content.place, "en")]
