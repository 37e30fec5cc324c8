"""The parallel sentences: what a careful reader wrote by hand, particles by final consonant, seeds and the split."""

from __future__ import annotations

import re
import unicodedata
from itertools import islice

import pytest

from recipes.sentences.parallel import SentencePair, english, is_held_out, korean, pairs, spanish
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
    Tense,
)
from recipes.sentences.parallel.entries import Adjective, Noun, Time, Verb
from recipes.sentences.parallel.lexicon import ADJECTIVES, NOUNS, TIMES, VERBS

MANY = 12_000


def noun(name: str) -> Noun:
    return next(word for word in NOUNS if word.english == name)


def adjective(name: str) -> Adjective:
    return next(word for word in ADJECTIVES if word.english == name)


def verb(name: str) -> Verb:
    return next(word for word in VERBS if name in {word.english, word.spanish})


def time(name: str) -> Time:
    return next(word for word in TIMES if word.english == name)


def the(name: str, determiner: str = "the", said: str = "", *, many: bool = False) -> Phrase:
    return Phrase(noun=noun(name), determiner=determiner, is_plural=many, adjective=adjective(said) if said else None)


BOY, GIRL, BOYS = the("boy"), the("girl"), the("boy", many=True)
ME, YOU, HE, SHE, WE, THEY = Pronoun

BY_HAND: tuple[tuple[Content, str, str, str], ...] = (
    (
        Clause(subject=BOY, verb=verb("read"), object=the("book", "a", "interesting")),
        "The boy reads an interesting book.",
        "El niño lee un libro interesante.",
        "소년은 재미있는 책을 읽어요.",
    ),
    (
        Clause(subject=SHE, verb=verb("eat"), tense=Tense.PAST, object=the("apple", "two", many=True)),
        "She ate two apples.",
        "Comió dos manzanas.",
        "그녀는 사과 두 개를 먹었어요.",
    ),
    (
        Clause(subject=ME, verb=verb("drink"), object=the("water", "", "cold"), is_negative=True),
        "I do not drink cold water.",
        "No bebo agua fría.",
        "저는 차가운 물을 마시지 않아요.",
    ),
    (
        Clause(subject=GIRL, verb=verb("drink"), tense=Tense.PAST, object=the("water", "the", "cold")),
        "The girl drank the cold water.",
        "La niña bebió el agua fría.",
        "소녀는 차가운 물을 마셨어요.",
    ),
    (
        Clause(subject=ME, verb=verb("look for"), tense=Tense.PAST, object=the("key", "my", many=True)),
        "I looked for my keys.",
        "Busqué mis llaves.",
        "저는 제 열쇠를 찾았어요.",
    ),
    (
        Clause(subject=the("king"), verb=verb("help"), tense=Tense.PAST, object=BOYS),
        "The king helped the boys.",
        "El rey ayudó a los niños.",
        "왕은 소년들을 도왔어요.",
    ),
    (
        Clause(subject=WE, verb=verb("help"), tense=Tense.FUTURE, object=the("prince")),
        "We will help the prince.",
        "Ayudaremos al príncipe.",
        "우리는 왕자를 도울 거예요.",
    ),
    (
        Clause(
            subject=the("queen"),
            verb=verb("visit"),
            tense=Tense.FUTURE,
            object=the("museum", "our"),
            time=time("tomorrow"),
        ),
        "The queen will visit our museum tomorrow.",
        "La reina visitará nuestro museo mañana.",
        "여왕은 내일 우리 박물관을 방문할 거예요.",
    ),
    (
        Clause(subject=the("dog", many=True), verb=verb("sleep"), tense=Tense.PROGRESSIVE, place=noun("garden")),
        "The dogs are sleeping in the garden.",
        "Los perros están durmiendo en el jardín.",
        "개들은 정원에서 자고 있어요.",
    ),
    (
        Clause(subject=THEY, verb=verb("sleep"), tense=Tense.PAST, place=noun("house"), time=time("last night")),
        "They slept in the house last night.",
        "Durmieron en la casa anoche.",
        "그들은 어젯밤에 집에서 잤어요.",
    ),
    (
        Clause(subject=BOY, verb=verb("go"), tense=Tense.PAST, place=noun("park"), tool=noun("bus")),
        "The boy went by bus to the park.",
        "El niño fue en autobús al parque.",
        "소년은 버스로 공원에 갔어요.",
    ),
    (
        Clause(subject=BOY, verb=verb("go"), question=Question.WHERE),
        "Where does the boy go?",
        "¿Adónde va el niño?",
        "소년은 어디에 가요?",
    ),
    (
        Clause(subject=the("cat"), verb=verb("be"), question=Question.WHERE),
        "Where is the cat?",
        "¿Dónde está el gato?",
        "고양이는 어디에 있어요?",
    ),
    (
        Clause(subject=the("cat"), verb=verb("be"), place=noun("kitchen"), is_negative=True),
        "The cat is not in the kitchen.",
        "El gato no está en la cocina.",
        "고양이는 부엌에 없어요.",
    ),
    (
        Clause(subject=GIRL, verb=verb("buy"), tense=Tense.PAST, question=Question.WHAT),
        "What did the girl buy?",
        "¿Qué compró la niña?",
        "소녀는 무엇을 샀어요?",
    ),
    (
        Clause(subject=None, verb=verb("open"), tense=Tense.PAST, object=the("door"), question=Question.WHO),
        "Who opened the door?",
        "¿Quién abrió la puerta?",
        "누가 문을 열었어요?",
    ),
    (
        Clause(subject=YOU, verb=verb("like"), object=the("cat", "", many=True), question=Question.WHETHER),
        "Do you like cats?",
        "¿Te gustan los gatos?",
        "고양이를 좋아해요?",
    ),
    (
        Clause(subject=GIRL, verb=verb("like"), object=the("coffee", ""), is_negative=True),
        "The girl does not like coffee.",
        "A la niña no le gusta el café.",
        "소녀는 커피를 좋아하지 않아요.",
    ),
    (
        Clause(subject=BOY, verb=verb("like"), object=the("dog", "", many=True)),
        "The boy likes dogs.",
        "Al niño le gustan los perros.",
        "소년은 개를 좋아해요.",
    ),
    (
        Clause(
            subject=the("prince"),
            verb=verb("give"),
            tense=Tense.PAST,
            object=the("ring", "a"),
            recipient=the("princess"),
        ),
        "The prince gave a ring to the princess.",
        "El príncipe le dio un anillo a la princesa.",
        "왕자는 공주에게 반지를 줬어요.",
    ),
    (
        Clause(subject=HE, verb=verb("show"), object=the("book", "this"), recipient=BOYS),
        "He shows this book to the boys.",
        "Les muestra este libro a los niños.",
        "그는 소년들에게 이 책을 보여줘요.",
    ),
    (
        Clause(subject=GIRL, verb=verb("listen to"), modal=Modal.WANT, object=the("song", "this")),
        "The girl wants to listen to this song.",
        "La niña quiere escuchar esta canción.",
        "소녀는 이 노래를 듣고 싶어 해요.",
    ),
    (
        Clause(subject=ME, verb=verb("dance"), modal=Modal.WANT, companion=the("queen")),
        "I want to dance with the queen.",
        "Quiero bailar con la reina.",
        "저는 여왕과 함께 춤추고 싶어요.",
    ),
    (
        Clause(subject=BOY, verb=verb("tocar"), modal=Modal.CAN, object=the("violin"), is_negative=True),
        "The boy cannot play the violin.",
        "El niño no puede tocar el violín.",
        "소년은 바이올린을 연주할 수 없어요.",
    ),
    (
        Clause(subject=WE, verb=verb("cut"), modal=Modal.MUST, object=the("onion"), tool=noun("knife")),
        "We have to cut the onion with a knife.",
        "Tenemos que cortar la cebolla con un cuchillo.",
        "우리는 칼로 양파를 잘라야 해요.",
    ),
    (
        Clause(subject=the("knight"), verb=verb("sing"), tense=Tense.PAST, object=the("song", "the", "")),
        "The knight sang the song.",
        "El caballero cantó la canción.",
        "기사는 노래를 불렀어요.",
    ),
    (
        Clause(subject=Both(first=BOY, second=GIRL), verb=verb("walk"), place=noun("forest")),
        "The boy and the girl walk in the forest.",
        "El niño y la niña caminan en el bosque.",
        "소년과 소녀는 숲에서 걸어요.",
    ),
    (
        Clause(
            subject=the("giant", "the", "strong"), verb=verb("build"), tense=Tense.PAST, object=the("house", "a", "big")
        ),
        "The strong giant built a big house.",
        "El gigante fuerte construyó una casa grande.",
        "강한 거인은 큰 집을 지었어요.",
    ),
    (
        Clause(subject=GIRL, verb=verb("have"), object=the("skirt", "a", "red")),
        "The girl has a red skirt.",
        "La niña tiene una falda roja.",
        "소녀는 빨간 치마가 있어요.",
    ),
    (
        Clause(subject=GIRL, verb=verb("make"), tense=Tense.FUTURE, object=the("hat", "three", "white", many=True)),
        "The girl will make three white hats.",
        "La niña hará tres sombreros blancos.",
        "소녀는 하얀 모자 세 개를 만들 거예요.",
    ),
    (
        Clause(subject=BOY, verb=verb("cry"), tense=Tense.PROGRESSIVE, question=Question.WHY),
        "Why is the boy crying?",
        "¿Por qué está llorando el niño?",
        "소년은 왜 울고 있어요?",
    ),
    (
        Clause(subject=YOU, verb=verb("return"), tense=Tense.FUTURE, place=noun("school"), question=Question.WHEN),
        "When will you return to the school?",
        "¿Cuándo volverás a la escuela?",
        "언제 학교에 돌아갈 거예요?",
    ),
    (
        Clause(subject=SHE, verb=verb("write"), object=the("letter", "a"), tool=noun("pencil")),
        "She writes a letter with a pencil.",
        "Escribe una carta con un lápiz.",
        "그녀는 연필로 편지를 써요.",
    ),
    (
        Clause(subject=the("Daniel", ""), verb=verb("eat"), object=the("soup", ""), tool=noun("spoon")),
        "Daniel eats soup with a spoon.",
        "Daniel come sopa con una cuchara.",
        "다니엘은 숟가락으로 수프를 먹어요.",
    ),
    (
        Description(subject=Both(first=GIRL, second=the("queen")), adjective=adjective("tired")),
        "The girl and the queen are tired.",
        "La niña y la reina están cansadas.",
        "소녀와 여왕은 피곤해요.",
    ),
    (
        Description(subject=Both(first=GIRL, second=BOY), adjective=adjective("hardworking")),
        "The girl and the boy are hardworking.",
        "La niña y el niño son trabajadores.",
        "소녀와 소년은 부지런해요.",
    ),
    (
        Description(subject=the("bus"), adjective=adjective("fast"), is_negative=True),
        "The bus is not fast.",
        "El autobús no es rápido.",
        "버스는 빠르지 않아요.",
    ),
    (
        Description(subject=the("room", "this"), adjective=adjective("dark"), tense=Tense.PAST),
        "This room was dark.",
        "Esta habitación estaba oscura.",
        "이 방은 어두웠어요.",
    ),
    (
        Description(subject=SHE, adjective=adjective("busy"), tense=Tense.FUTURE),
        "She will be busy.",
        "Estará ocupada.",
        "그녀는 바쁠 거예요.",
    ),
    (
        Description(subject=the("lemon", "that", many=True), adjective=adjective("sweet"), question=Question.WHETHER),
        "Are those lemons sweet?",
        "¿Esos limones son dulces?",
        "그 레몬은 달아요?",
    ),
    (
        Existence(thing=the("cat", "two", "black", many=True), place=noun("garden")),
        "There are two black cats in the garden.",
        "Hay dos gatos negros en el jardín.",
        "정원에 까만 고양이 두 마리가 있어요.",
    ),
    (
        Existence(thing=the("mirror", "a"), place=noun("bathroom"), tense=Tense.PAST, question=Question.WHETHER),
        "Was there a mirror in the bathroom?",
        "¿Había un espejo en el baño?",
        "화장실에 거울이 있었어요?",
    ),
)


@pytest.fixture(scope="module")
def drawn() -> list[SentencePair]:
    return list(islice(pairs("es", seed=7), MANY))


@pytest.mark.parametrize(("content", "in_english", "in_spanish", "in_korean"), BY_HAND, ids=[row[1] for row in BY_HAND])
def test_what_was_written_by_hand_is_what_the_grammar_says(
    content: Content, in_english: str, in_spanish: str, in_korean: str
) -> None:
    assert (english(content), spanish(content), korean(content)) == (in_english, in_spanish, in_korean)


def final(word: str) -> str:
    """The final consonant of a word, "" for none, as Unicode takes the last syllable apart."""
    return (unicodedata.normalize("NFD", word[-1]) + "..")[2].strip(".")


def test_every_particle_fits_the_final_consonant_before_it(drawn: list[SentencePair]) -> None:
    names = {word.korean for word in NOUNS} | {word.counter for word in NOUNS} | {"저", "그", "그녀", "우리", "그들"}
    names = (names | {name + "들" for name in names}) - {""}
    seen = dict.fromkeys(("은", "는", "이", "가", "을", "를", "와", "과", "로", "으로"), 0)
    for pair in drawn:
        for word in korean(pair.content).rstrip(".?").split():
            for particle in seen:
                before = word.removesuffix(particle)
                if before == word or before not in names or word in names:
                    continue
                seen[particle] += 1
                wanted = (final(before) not in {"", "\u11af"}) if "로" in particle else bool(final(before))
                assert (particle in {"은", "이", "을", "과", "으로"}) == wanted, word
    assert min(seen.values()) > 10


def test_articles_and_adjectives_agree_with_their_nouns_in_spanish(drawn: list[SentencePair]) -> None:
    genders = {word.spanish: word.is_feminine for word in NOUNS}
    articles = {"un": False, "una": True, "el": False, "la": True, "este": False, "esta": True}
    checked = 0
    for pair in drawn:
        for article, word in re.findall(r"\b(un|una|el|la|este|esta) (\w+)", pair.target.lower()):
            if word in genders and word not in {"agua", "aula"}:
                checked += 1
                assert articles[article] == genders[word], pair.target
        assert not re.search(r"\b[aA] el [a-z]", pair.target)
    assert checked > 1000


def test_korean_ends_politely_and_a_question_asks_in_every_language(drawn: list[SentencePair]) -> None:
    for pair in drawn:
        text, is_question = korean(pair.content), pair.content.question is not None
        assert re.search(r"요[.?]$", text)
        assert text.endswith("?") == pair.source.endswith("?") == pair.target.endswith("?") == is_question
        assert pair.target.startswith("¿") == is_question
        assert "  " not in text + pair.source + pair.target


def test_a_sentence_in_english_has_one_translation(drawn: list[SentencePair]) -> None:
    for realise in (spanish, korean):
        said: dict[str, str] = {}
        for pair in drawn:
            assert said.setdefault(pair.source, realise(pair.content)) == realise(pair.content)


@pytest.mark.parametrize("language", ["es", "ko"])
def test_a_seed_gives_the_same_pairs_and_another_seed_others(language: str) -> None:
    first, again, other = (list(islice(pairs(language, seed), 200)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_no_sentence_that_is_held_out_is_learned_in_any_language(drawn: list[SentencePair]) -> None:
    held_out = list(islice(pairs("ko", seed=7, held_out=True), MANY // 4))
    for realise in (english, spanish, korean):
        learned = {realise(pair.content) for pair in drawn}
        assert not learned & {realise(pair.content) for pair in held_out}
    assert all(is_held_out(pair.content) for pair in held_out)


def test_there_are_many_sentences_and_several_hundred_words(drawn: list[SentencePair]) -> None:
    assert len({pair.source for pair in drawn}) > 0.75 * MANY
    for texts, words in (
        ([pair.source for pair in drawn], 400),
        ([pair.target for pair in drawn], 700),
        ([korean(pair.content) for pair in drawn], 900),
    ):
        assert len({word for text in texts for word in re.findall(r"\w+", text.lower())}) > words


def test_a_word_of_one_language_stands_for_one_word_of_another() -> None:
    for table in (NOUNS, ADJECTIVES, TIMES):
        for language in ("english", "spanish", "korean"):
            words = [getattr(word, language) for word in table]
            assert len(words) == len(set(words))
