"""Sentences to show a translator with, and the translations of each that are right.

A page offers those that the model at hand gets right: its card names them (`recipes/evaluation/translation`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from recipes.sentences.parallel import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedExample:
    """A sentence with a label, and what is a right translation of it, without regard to capitals and the last mark."""

    label: str
    text: str
    right: dict[Language, frozenset[str]]

    def is_right(self, language: Language, written: str) -> bool:
        """Whether a translation is among the right ones."""
        return _plain(written) in {_plain(one) for one in self.right[language]}


def _plain(text: str) -> str:
    return text.strip().rstrip(".!").casefold()


def _read(blocks: str) -> tuple[OfferedExample, ...]:
    return tuple(_example(*block.splitlines()) for block in blocks.strip().split("\n\n"))


def _example(head: str, *lines: str) -> OfferedExample:
    label, text = head.split(" | ")
    right = {language: _right(language, lines) for language in get_args(Language)}
    return OfferedExample(label=label, text=text, right=right)


def _right(language: Language, lines: tuple[str, ...]) -> frozenset[str]:
    mark = f"{language}: "
    return frozenset(one for line in lines if line.startswith(mark) for one in line.removeprefix(mark).split(" / "))


EXAMPLES = _read("""
red skirt | The girl has a red skirt.
es: La niña tiene una falda roja. / La chica tiene una falda roja. / La muchacha tiene una falda roja.
ko: 소녀는 빨간 치마가 있어요. / 그 소녀는 빨간 치마가 있어. / 소녀는 빨간 치마가 있어.
ko: 소녀는 빨간 치마를 가지고 있다. / 그 소녀는 빨간 치마를 가지고 있다. / 소녀는 빨간 치마를 가지고 있어.

two black cats | There are two black cats in the garden.
es: Hay dos gatos negros en el jardín.
ko: 정원에 까만 고양이 두 마리가 있어요. / 정원에 까만 고양이 두 마리가 있어. / 정원에 검은 고양이 두 마리가 있어.
ko: 정원에 검은 고양이 두 마리가 있다.

to like | I like to dance.
es: Me gusta bailar. / A mí me gusta bailar.
ko: 나는 춤추는 것을 좋아한다. / 나는 춤추는 것을 좋아해. / 나는 춤추는 걸 좋아해. / 난 춤추는 걸 좋아해.
ko: 나는 춤추는 게 좋아. / 저는 춤추는 것을 좋아해요. / 난 춤추는 게 좋아.

a book | The boy reads an interesting book.
es: El niño lee un libro interesante. / El chico lee un libro interesante. / El muchacho lee un libro interesante.
ko: 소년은 재미있는 책을 읽어요. / 소년은 재미있는 책을 읽는다. / 소년은 재미있는 책을 읽어.
ko: 그 소년은 재미있는 책을 읽는다. / 그 소년은 재미있는 책을 읽어.

not | I do not drink cold water.
es: No bebo agua fría. / Yo no bebo agua fría. / No tomo agua fría.
ko: 저는 차가운 물을 마시지 않아요. / 나는 차가운 물을 마시지 않아. / 나는 차가운 물을 마시지 않는다.
ko: 나는 찬 물을 마시지 않아. / 나는 차가운 물을 안 마셔. / 난 차가운 물을 마시지 않아.

a question | Where does the boy go?
es: ¿Adónde va el niño? / ¿A dónde va el niño? / ¿Adónde va el chico? / ¿A dónde va el chico? / ¿Dónde va el niño?
es: ¿Dónde va el chico?
ko: 소년은 어디에 가요? / 소년은 어디에 가? / 소년은 어디로 가? / 그 소년은 어디에 가? / 그 소년은 어디로 가?

a gift | The prince gave a ring to the princess.
es: El príncipe le dio un anillo a la princesa. / El príncipe dio un anillo a la princesa.
es: El príncipe le regaló un anillo a la princesa.
ko: 왕자는 공주에게 반지를 줬어요. / 왕자는 공주에게 반지를 줬어. / 왕자는 공주에게 반지를 주었다.
ko: 왕자는 공주에게 반지를 줬다.

a name twice | Tom gave Mary a book.
es: Tom le dio un libro a Mary. / Tom le dio a Mary un libro. / Tom dio un libro a Mary.
es: Tom le regaló un libro a Mary.
ko: 톰은 메리에게 책을 줬어. / 톰은 메리에게 책을 주었다. / 톰은 메리에게 책을 줬다. / 톰은 메리한테 책을 줬어.
ko: 톰이 메리에게 책을 줬어. / 톰은 메리에게 책 한 권을 줬어. / 톰이 메리에게 책을 주었다.
ko: 톰이 메리한테 책을 줬어.

where is | Where is the hospital?
es: ¿Dónde está el hospital? / ¿Dónde queda el hospital?
ko: 병원은 어디에 있어요? / 병원은 어디야? / 병원이 어디야? / 병원이 어디에 있어? / 병원은 어디에 있어?
ko: 병원이 어디에 있어요? / 병원은 어디 있어? / 병원이 어디 있어? / 병원은 어디에 있습니까?

a big house | My brother lives in a big house.
es: Mi hermano vive en una casa grande. / Mi hermano vive en una gran casa.
ko: 내 남동생은 큰 집에 살아. / 내 동생은 큰 집에 산다. / 내 남동생은 큰 집에서 산다. / 내 남동생은 큰 집에서 살아.
ko: 내 형은 큰 집에 산다. / 내 형은 큰 집에서 살아. / 우리 형은 큰 집에서 살아. / 내 남동생은 큰 집에 산다.

to be able | Can you play the piano?
es: ¿Puedes tocar el piano? / ¿Sabes tocar el piano? / ¿Puede tocar el piano? / ¿Sabe tocar el piano?
es: ¿Puede usted tocar el piano? / ¿Tocas el piano?
ko: 피아노 칠 수 있어? / 피아노를 칠 수 있어? / 너는 피아노를 칠 수 있어? / 피아노를 연주할 수 있어요?
ko: 너 피아노 칠 수 있어? / 피아노를 연주할 수 있어?

to have to | I have to go home.
es: Tengo que ir a casa. / Tengo que irme a casa. / Debo ir a casa. / Tengo que volver a casa.
es: Tengo que ir a mi casa. / Debo irme a casa.
ko: 나 집에 가야 해. / 나는 집에 가야 해. / 난 집에 가야 해. / 집에 가야 해. / 저는 집에 가야 해요.
ko: 나는 집에 가야 한다. / 집에 가야 돼. / 나 집에 가야 돼.

to understand | I don't understand.
es: No entiendo. / No lo entiendo. / No comprendo. / Yo no entiendo. / No lo comprendo.
ko: 이해가 안 돼. / 나는 이해할 수 없어. / 이해할 수 없어. / 나는 이해하지 못해. / 이해 못해. / 이해하지 못하겠어.
ko: 나는 이해하지 않아. / 이해가 안 가. / 이해가 안 돼요. / 난 이해가 안 돼.

to want | We want to learn Spanish.
es: Queremos aprender español. / Nosotros queremos aprender español.
ko: 우리는 스페인어를 배우고 싶어요. / 우리는 스페인어를 배우고 싶어. / 우린 스페인어를 배우고 싶어.
ko: 우리는 스페인어를 배우고 싶다.
""")
"""The first one that a model gets right is what the page opens with."""
