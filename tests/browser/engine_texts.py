"""Texts in ten languages, with emoji and whatever else people and attackers type: the same ones every time."""

from __future__ import annotations

import random
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path

import torch
import transformers as hf
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

LANGUAGES = {
    "English": "the animal didn't cross street because it's too tired re-read O'Neill 3.5% naïve café-bar A.I.",
    "Korean": "학교에서는 친구와 함께 영화를 보았는데 정말 재미있었다 ㅋㅋㅋ 값이 뷁 그러니까 1,200원 서울특별시",
    "German": "Straße überquerte müde Tiere weil größer Donaudampfschifffahrt „Ja“ Ärger öffnen GROẞ ",
    "French": "l'élève où ça œuvre déjà-vu aujourd’hui naïveté «bonjour» garçon Noël hôtel pêche châtaigne",
    "Vietnamese": "những người Việt Nam đường phố không được mệt quá tiếng ngữ rằng ưới",
    "Greek": "το ζώο δεν διέσχισε τον δρόμο επειδή ήταν ΟΔΟΣ Σίσυφος άνθρωπος ᾧ",
    "Russian": "животное не перешло улицу потому что оно слишком устало ёлка йод Щёки ОБЪЯВЛЕНИЕ",
    "Arabic": "الحيوان لم يعبر الشارع لأنه كان متعبًا جدًّا، مُحَمَّد ١٢٣؟ کتاب",
    "Hindi": "जानवर सड़क पार नहीं किया क्योंकि वह बहुत थका हुआ था। क़िला ज़्यादा",
    "Chinese": "动物没有过马路，因为它太累了。 北京大学 ５００元 「你好」 㐀 𠀀𪚥",
    "Japanese": "動物は疲れていたので道を渡らなかった。 ガギグ ｶﾞｷﾞ がぎぐ ー・ 東京タワー",
    "Thai": "สัตว์ไม่ได้ข้ามถนนเพราะมันเหนื่อยเกินไป น้ำ ภาษาไทย",
}
EMOJI = ("😀", "👩‍👩‍👧", "👍🏽", "🇰🇷", "❤️", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🥹", "™", "☃")
HOSTILE = (
    "[MASK]",
    "[CLS]",
    "[SEP]",
    "[UNK]",
    "[PAD]",
    "[mask]",
    "[MASK][MASK]",
    "x[MASK]y",
    "##ing",
    "</script>",
    "<img src=x>",
    "&amp;",
    "a\x00b",
    "\ufffd",
    "\u202eevil\u202c",
    "zero\u200bwidth",
    "soft\u00adhyphen",
    "tab\there",
    "line\nbreak",
    "re\rturn",
    "\u2028",
    "\xa0",
    "\u3000",
    "\u0085",
    "e\u0301",
    "e\u0323\u0301",
    "\u0301\u0323a",
    "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘!͖̬̰̙̗̿̋ͥͥ̂ͣ̐́́͜͞",
    "한",
    "ㅎㅏㄴ",
    "각",
    "İstanbul",
    "ﬁ",
    "Ǆ",
    "ŉ",
    "½²",
    "a" * 101,
    "ab" * 50,
    "🥨" * 101,
    "$5.99/kg",
    "e=mc^2",
    "__init__",
    "C++",
    "user@example.org",
    "http://a.b/c?d=e&f",
    "“quoted”",
    "‘it’s’",
    "…",
    "—",
    "〜",
)
N_TEXTS = 5_000


@cache
def assigned() -> list[str]:
    """Return every character that Unicode has."""
    return [char for char in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(char) not in {"Cs", "Cn"}]


def texts() -> Iterator[str]:
    """Yield all texts: words of a language or of several, some in capitals, with emoji, traps and rare characters."""
    chance = random.Random(45)
    lists = [words.split() for words in LANGUAGES.values()]
    for number in range(N_TEXTS):
        words = lists[number % len(lists)]
        parts = [chance.choice(words) for _ in range(chance.randint(1, 9))]
        if number % 3 == 0:
            parts.insert(chance.randrange(len(parts) + 1), chance.choice(HOSTILE))
        if number % 4 == 0:
            parts.insert(chance.randrange(len(parts) + 1), chance.choice(EMOJI))
        if number % 5 == 0:
            parts.append("".join(chance.choice(assigned()) for _ in range(3)))
        if number % 7 == 0:
            parts += [chance.choice(chance.choice(lists)).upper()]
        yield chance.choice((" ", " ", "", ", ", "-", "\n")).join(parts)


def byte_level(written: Sequence[str], *, has_digits_apart: bool = False) -> Tokenizer:
    """Return a tokenizer as GPT-2 has it, trained on texts; or as SmolLM has it, with every digit by itself."""
    tokenizer = Tokenizer(models.BPE())
    parting = pre_tokenizers.ByteLevel(add_prefix_space=False)
    digits = pre_tokenizers.Digits(individual_digits=True)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([digits, parting]) if has_digits_apart else parting
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=True)
    trainer = trainers.BpeTrainer(
        vocab_size=1500,
        special_tokens=["<|endoftext|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(written, trainer)
    return tokenizer


def save_gpt2_in_bytes(folder: Path) -> None:
    """Save a small GPT-2 with random weights as transformers does it, with a tokenizer of bytes."""
    tokenizer = hf.PreTrainedTokenizerFast(tokenizer_object=byte_level(list(islice(texts(), 500))))
    tokenizer.save_pretrained(folder)
    end = {"bos_token_id": 0, "eos_token_id": 0}
    sizes = {"n_embd": 48, "n_layer": 3, "n_head": 4, "n_positions": 128}
    torch.manual_seed(0)
    hf.GPT2LMHeadModel(hf.GPT2Config(vocab_size=1500, initializer_range=0.2, **sizes, **end)).save_pretrained(folder)
