"""The languages that a translator reads and writes, by the codes of its own tokenizer: "eng_Latn", "en_XX", "fra"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from models.values.arguments.check import check_arguments
from models.values.errors import SelectionError
from models.values.wording import to_say, worded

NEAREST = 3
"""So many codes are named in the place of one that is not there."""
ENGLISH, FRENCH = "english", "french"
_SAME = tuple(
    tuple(line.split())
    for line in (
        "english en eng 영어",
        "french fr fra fre français 프랑스어",
        "german de deu ger deutsch 독일어",
        "spanish es spa español 스페인어",
        "italian it ita italiano 이탈리아어",
        "portuguese pt por português 포르투갈어",
        "dutch nl nld dut",
        "russian ru rus русский 러시아어",
        "ukrainian uk ukr",
        "polish pl pol",
        "czech cs ces cze",
        "slovak sk slk slo",
        "slovenian sl slv",
        "croatian hr hrv",
        "serbian sr srp",
        "bosnian bs bos",
        "macedonian mk mkd",
        "bulgarian bg bul",
        "romanian ro ron rum",
        "hungarian hu hun",
        "greek el ell gre",
        "albanian sq als sqi",
        "turkish tr tur",
        "azerbaijani az azj aze",
        "kazakh kk kaz",
        "uzbek uz uzn uzb",
        "arabic ar arb ara العربية 아랍어",
        "hebrew he heb iw",
        "persian fa pes fas",
        "pashto ps pbt pus",
        "urdu ur urd",
        "hindi hi hin हिन्दी 힌디어",
        "bengali bn ben",
        "marathi mr mar",
        "gujarati gu guj",
        "punjabi pa pan",
        "tamil ta tam",
        "telugu te tel",
        "kannada kn kan",
        "malayalam ml mal",
        "sinhala si sin",
        "nepali ne npi nep",
        "thai th tha ไทย 태국어",
        "lao lo lao",
        "khmer km khm",
        "burmese my mya",
        "tibetan bo bod",
        "vietnamese vi vie 베트남어",
        "indonesian id ind 인도네시아어",
        "malay ms zsm msa",
        "javanese jv jav",
        "tagalog tl tgl",
        "chinese zh zho cmn mandarin 中文 중국어",
        "cantonese yue",
        "japanese ja jpn 日本語 일본어",
        "korean ko kor 한국어",
        "mongolian mn khk mon",
        "swedish sv swe",
        "danish da dan",
        "norwegian no nb nob nor",
        "finnish fi fin",
        "estonian et est",
        "latvian lv lvs lav",
        "lithuanian lt lit",
        "icelandic is isl",
        "irish ga gle",
        "welsh cy cym",
        "basque eu eus",
        "catalan ca cat",
        "galician gl glg",
        "afrikaans af afr",
        "swahili sw swh swa",
        "hausa ha hau",
        "yoruba yo yor",
        "zulu zu zul",
        "xhosa xh xho",
        "amharic am amh",
        "somali so som",
        "georgian ka kat",
        "armenian hy hye",
        "belarusian be bel",
    )
)
"""Names and codes (ISO 639-1, ISO 639-3) of the same language: tokenizers use the one or the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Languages:
    """Codes of languages that may be chosen, and those in use.

    No `sources`: the model is not told what it reads. No `target`: it is not told what to write, either.
    """

    sources: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    source: str = ""
    target: str = ""

    @check_arguments
    def choose(self, *, source: str = "", target: str = "") -> Languages:
        """Return the same with other languages in use; an empty code leaves what is.

        Raises SelectionError for a language that is not among them, with the nearest that are.
        """
        return replace(
            self,
            source=_code_of(source, self.sources, _NOT_READ) if source.strip() else self.source,
            target=_code_of(target, self.targets, _NOT_WRITTEN) if target.strip() else self.target,
        )

    def choose_known(self, *, source: str, target: str) -> Languages:
        """Return the same with other languages in use, as far as they are among these."""
        return replace(
            self,
            source=source if source in self.sources else self.source,
            target=target if target in self.targets else self.target,
        )


_NOT_READ = to_say(
    "This model does not read {given}. The nearest of its {n} languages: {nearest}. Choose one by its code."
)
_NOT_WRITTEN = to_say(
    "This model does not write {given}. The nearest of its {n} languages: {nearest}. Choose one by its code."
)
_NO_CHOICE = to_say("This model is not told its languages, so {given} cannot be chosen. Leave the language out.")


def nearest(given: str, codes: Sequence[str]) -> tuple[str, ...]:
    """Return the codes that are most likely meant, best first: those of the same language, else of the same letters."""
    wanted = bare(given).casefold()

    def likeness(code: str) -> tuple[bool, float]:
        own = code.casefold()
        return own.startswith(wanted), SequenceMatcher(None, wanted, own).ratio()

    same = [code for code in codes if is_same_language(wanted, code)]
    return tuple(sorted(same or codes, key=likeness, reverse=True)[:NEAREST])


def is_same_language(one: str, other: str) -> bool:
    """Return whether two codes, or a code and a name in English, Korean or the language itself, mean the same one."""
    first, second = _language(one.casefold()), _language(other.casefold())
    return first == second or any(first in group and second in group for group in _SAME)


def of_language(language: str, codes: Sequence[str]) -> str:
    """Return the first code of a language; empty if there is none."""
    return next((code for code in codes if is_same_language(language, code)), "")


def bare(code: str) -> str:
    """Return a code without what tokenizers put around it: "__en__", ">>fra<<" and "<2de>" are en, fra and de."""
    return code.strip().strip("<>_").removeprefix("2")


def _language(code: str) -> str:
    """The part of a code that says the language, without script and country."""
    return code.replace("-", "_").partition("_")[0]


def _code_of(given: str, codes: Sequence[str], says: str) -> str:
    """The code as the tokenizer writes it. Raises SelectionError for one that it does not know."""
    wanted = bare(given)
    spellings = (code for code in codes if code.casefold().replace("-", "_") == wanted.casefold().replace("-", "_"))
    chosen = wanted if wanted in codes else next(spellings, "")
    if not chosen:
        says = says if codes else _NO_CHOICE
        raise SelectionError(
            worded(says, given=repr(given.strip()[:40]), n=len(codes), nearest=", ".join(nearest(given, codes)))
        )
    return chosen
