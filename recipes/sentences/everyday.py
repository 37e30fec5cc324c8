"""Sixty everyday sentences with a gap, written before headlight-bert was trained; sixty more, written afterwards; and
everyday English to learn from.

A sentence counts as answered if one of the five best guesses behind [MASK] is among the words that were accepted
beforehand. None of them stands in the text that is learned: `without_questions` sees to it.
"""

from __future__ import annotations

import csv
import hashlib
import lzma
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from models.values.answers import MASK
from recipes.sentences.classroom.lexicon import TABLES

GAP = "___"
HELD_OUT = 0.02
"""The fraction of everyday sentences that are never trained on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EverydayQuestion:
    """A sentence with one gap, and the words that may stand there."""

    sentence: str
    accepted: frozenset[str]

    @property
    def masked(self) -> str:
        """The sentence as a model is asked."""
        return self.sentence.replace(GAP, MASK)


def _questions(lines: str) -> tuple[EverydayQuestion, ...]:
    parts = (line.split("|") for line in lines.strip().splitlines())
    return tuple(
        EverydayQuestion(sentence=sentence.strip(), accepted=frozenset(accepted.split()))
        for sentence, accepted in parts
    )


QUESTIONS = _questions("""
My sister plays the ___ in the school orchestra. | violin piano flute cello clarinet trumpet drums viola harp guitar
He beats the drums while she plays the electric ___. | guitar bass piano organ violin keyboard
The singer took the ___ in her hand and began the first song. | microphone guitar mic piano violin flute harp
For breakfast I have bread with butter and ___. | jam honey cheese milk eggs sugar jelly cream coffee tea ham bacon
This soup is too salty, so we should add some ___. | water milk cream
We ordered a large ___ with extra cheese. | pizza burger sandwich salad
She drinks her coffee with milk and a lot of ___. | sugar cream honey
The cook cut the onions with a sharp ___. | knife blade
You need a hammer to drive a ___ into the wall. | nail spike peg
My father opened the wine with the wrong ___. | tool knife key opener
He dug a deep hole in the garden with a ___. | shovel spade stick fork tool
The carpenter measured the board and cut it with a ___. | saw knife blade axe
Take an umbrella with you this evening, it is going to ___. | rain storm snow pour
In January the whole lake is covered with ___. | ice snow
There are no clouds, and the ___ is shining. | sun moon sunshine light
After the thunderstorm we saw a beautiful ___ in the sky. | rainbow sunset star cloud
It is so cold outside that you should wear a warm ___. | coat jacket hat scarf sweater cap cloak dress
The program does not run because there is a ___ in the code. | bug mistake error problem flaw fault gap hole
She writes her software in a programming ___ called Python. | language
Click on the link, and you will see the web ___. | page site browser pages
Save the file before you turn off the ___. | computer machine laptop pc system server power phone screen
I have forgotten my ___, so I cannot log in to my account. | password email id name key
There is nothing good on ___ tonight, so let us read. | television tv radio air
Please change the ___, I want to watch the football match. | channel station channels program
Millions of people watched the last episode of the ___. | series show season drama program film movie story
The pupils wrote the answers in their ___. | books notes diaries journals papers notebook
The teacher wrote the new word on the ___ with chalk. | board wall slate
All the students passed the difficult ___ in mathematics. | exam test examination exams tests course class
Our history ___ gave us too much homework. | teacher class professor lesson course teachers classes
Seoul has been the capital of South ___ since 1948. | korea
In Korea many people eat rice with ___ every day. | meat fish vegetables beans chicken pork soup beef sauce eggs bread
She is learning Korean because she loves ___ dramas. | korean television tv japanese soap chinese historical
The fast train from Seoul to Busan takes less than three ___. | hours days
The dog saw a ___ in the park and ran after it. | cat ball bird rabbit fox car mouse squirrel dog deer man boy
A cow gives us ___, and a hen lays eggs. | milk meat
Two birds are building a ___ in our apple tree. | nest house home
We took the elevator to the top ___. | floor level story deck
The plane from London landed at the ___ two hours late. | airport terminal airfield gate
You have to show your ___ when you cross the border. | passport papers id visa documents identification card identity
We missed the last bus and had to take a ___ home. | taxi cab train bus car ride boat
He parked his ___ in front of the supermarket. | car truck bike bicycle van motorcycle vehicle jeep
The nurse gave me an aspirin because I had a ___. | fever cold headache flu pain
The dentist took a long look at my ___. | teeth tooth mouth jaw
She broke her ___ when she fell off her new bike. | leg arm ankle wrist nose neck foot knee hip shoulder hand finger
The goalkeeper dropped the ___, and we scored. | ball shot
Our team won the ___ by two goals to one. | match game final cup championship title tournament race
Before work my aunt swims in the ___ for half an hour. | pool sea lake river ocean water bay pond
He paid for the groceries with his credit ___. | card cards
I keep most of my money in the ___. | bank wallet safe box drawer purse vault house pocket
The baby has been crying for an hour, I think she is ___. | hungry tired sick cold thirsty sad afraid scared ill sleepy
My mother's brother is my favorite ___. | uncle
They got married in a little ___ by the sea. | church village town chapel house hotel cottage room city cabin garden
Turn off the ___ in your room before you go to sleep. | light lights tv television lamp radio computer heat music alarm
After dinner he washed the dishes in the ___. | sink kitchen basin water bathroom
The library is already closed, so I cannot return the ___. | book books novel
The phone rang for a long time, but nobody ___. | answered came replied responded called spoke moved
There are sixty minutes in an ___. | hour
In this desert the days are hot, but the nights are ___. | cold cool freezing chilly
The moon goes around the ___ about once a month. | earth planet world globe
Paris is by far the largest city in ___. | france europe
""")
"""Watched while the model was trained, and asked when its last mean of weights was chosen."""
UNWATCHED = _questions("""
He is learning to play the ___ because he likes rock music. | guitar drums bass piano drum
The pianist sat down at the ___ and played a waltz. | piano keyboard organ instrument
The choir sang while an old man played the ___. | organ piano violin guitar harp flute accordion fiddle
We sat by the fire, and my uncle sang an old ___. | song hymn ballad tune carol
She cut the loaf in two with a long ___. | knife blade
He put two eggs and some bacon in the frying ___. | pan
For dessert we had ice ___ with strawberries. | cream
I was so thirsty that I drank a whole bottle of ___. | water milk juice wine beer soda
Would you rather have a cup of ___ or of coffee? | tea cocoa chocolate milk
The apples are not ripe yet, they taste ___. | sour bad bitter terrible awful horrible
He climbed up the ___ to paint the ceiling. | ladder stairs steps
You can open this bottle with a ___. | opener knife key tool
She mended the torn shirt with a needle and ___. | thread
He locked the door and put the ___ in his pocket. | key keys
Put on your gloves, there is ___ on the ground. | snow ice frost
We should go inside, the sky is full of dark ___. | clouds
The wind blew so hard that a ___ fell on the road. | tree branch
It was so foggy that we could not ___ anything. | see
In summer it is much too ___ here in the afternoon. | hot warm
I have to restart my ___ because it has stopped working. | computer phone laptop pc machine car system engine
She typed the wrong ___ three times and could not get in. | password code number name key word pin
He sent me an ___ with two pictures. | email envelope album
I read the ___ about the accident in the newspaper. | article story news report
My battery is empty, may I use your ___? | phone telephone computer cell battery
My grandparents watch the ___ on television every evening. | news game show series
The actor played a young doctor in the ___. | film movie play series show drama theater
We went to the cinema and saw a new ___. | film movie picture one show
The pupils have a lot of ___ to do after school. | homework work things lessons
She got the best ___ in her class. | grade grades mark marks score results result
He borrowed three ___ from the library. | books
Write your name at the top of the ___. | page paper list sheet letter
She is studying medicine because she wants to be a ___. | doctor nurse surgeon physician
Korean children learn to read ___ at school. | korean books english chinese
After the war, North Korea and South ___ were two countries. | korea
In Seoul I took the ___ to the university. | subway bus train taxi metro
The farmer in our village keeps cows and ___. | pigs sheep chickens horses goats cattle dogs
The cat climbed up a ___ and could not get down. | tree ladder wall roof
Our dog ___ whenever somebody knocks at the door. | growls barked jumps runs
The fisherman came home with three big ___. | fish
The bees in our garden make a lot of ___. | honey noise
A spider was sitting in the middle of its ___. | web nest
The train was late, so we waited at the ___. | station platform hotel gate
He bought two ___ for the concert. | tickets seats
We flew to New York, and it took eight ___. | hours days
She crossed the river by the old ___. | bridge boat road ferry
The ship reached the ___ after three weeks at sea. | harbor harbour port shore coast island land
My tooth hurts, I have to go to the ___. | dentist doctor hospital
The doctor told him to stay in ___ for a week. | bed hospital
He washed his ___ and sat down to dinner. | hands face hair
She closed her ___ and was soon asleep. | eyes book mouth door
He kicked the ___ over the fence. | ball football
She won the gold ___ in the hundred meters. | medal cup prize
The referee ended the match with his ___. | whistle
How much does this ___ cost? I want to buy it. | one book car coat dress hat bag watch shirt jacket phone bike ring
He has lost his job and has no ___. | money job work home income house
My father's mother is my ___. | grandmother grandma
On her birthday he gave her a bunch of ___. | flowers roses
It is dark in here, please turn on the ___. | light lights lamp
From Monday to Sunday is one ___. | week
The largest city in Japan is ___. | tokyo
""")
"""Written when the weights were final, and before they were asked: nothing was chosen by these."""


def read_everyday(paths: Iterable[Path]) -> list[str]:
    """The different English sentences of tables of translations (`../shared/parallel`), English first, .xz."""
    found: dict[str, None] = {}
    for path in paths:
        with lzma.open(path, "rt", encoding="utf-8", newline="") as lines:
            for row in csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
                found.setdefault(row[0].strip())
    return [sentence for sentence in found if sentence]


def is_held_out(sentence: str, share: float = HELD_OUT) -> bool:
    """Whether an everyday sentence is in this share of them, never trained on: it depends on its words alone."""
    return _share(" ".join(_words(sentence))) < share


def without_questions(
    sentences: Iterable[str], questions: Sequence[EverydayQuestion] = (*QUESTIONS, *UNWATCHED)
) -> Iterator[str]:
    """All sentences but those that a question would be with one of its accepted words, however they are punctuated."""
    asked = {
        tuple(_words(question.sentence.replace(GAP, word))) for question in questions for word in question.accepted
    }
    return (sentence for sentence in sentences if tuple(_words(sentence)) not in asked)


def with_many_names(sentence: str) -> str:
    """The sentence with another name for Tom and for Mary, the same one throughout, chosen by its text.

    One everyday sentence in five is about Tom: a model that learns them as they are guesses that all people are.
    """
    for name, heroes in _HEROES.items():
        other = heroes[int(_share(f"{name} {sentence}") * len(heroes))]
        sentence = re.sub(rf"\b{name}\b", other, sentence)
    return sentence


def _words(sentence: str) -> list[str]:
    return re.findall(r"\w+", sentence.lower())


def _share(text: str) -> float:
    """A number from 0 to 1 that depends on the text alone."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest()) / 2**64


def _names(man: str) -> tuple[str, ...]:
    return tuple(str(row) for row in TABLES["name"] if row.man == man)


_HEROES = {"Tom": _names("man"), "Mary": _names("woman")}
