"""English with typing errors and foreign names is English; other languages and keys struck at random are not."""

from __future__ import annotations

import pytest

from models.values.text.english import is_english
from tests.loaded import load

ENGLISH = """
I thougth that my freind was rihgt about the wether.
i dont no waht your talkign abotu
Teh cat sta on the amt and slpet.
Definately a grate moive, I recomend it.
Plz come to my hose tomorow, we wil eat piza.
Can you sned me the adress of your ofice?
He accidently recieved a letter from the goverment.
Siobhan and Krzysztof flew from Reykjavik to Ljubljana.
Jisoo met Hyunwoo at the Gyeongbokgung palace in Seoul.
Min-jun lives in Busan with Ji-woo.
My name is Yevgenia and I live in Zhytomyr.
Mbappe passed the ball to Lewandowski.
Novak Djokovic beat Carlos Alcaraz in Roland Garros.
Angela Merkel met Emmanuel Macron in Berlin.
I work at Headlight and use Streamlit and PyTorch.
The tokenizer splits unfamiliar words into subwords.
Photosynthesis converts carbon dioxide into glucose.
The mitochondria is the powerhouse of the cell.
Antidisestablishmentarianism is a long word.
lol that was hilarious omg
gonna grab some boba wanna come
My grandma's kimchi jjigae is the best.
We ate bulgogi, tteokbokki and bibimbap.
The quick brown fox jumps over the lazy dog.
Pikachu fought Charizard and Squirtle.
Harry, Hermione and Ron went to Hogwarts.
My PlayStation and iPhone need charging.
The hippopotamus yawned lazily.
Unfortunately the veterinarian misdiagnosed our chihuahua.
Blockchain cryptocurrencies plummeted.
John gave Mary a bouquet of chrysanthemums.
She whispered, sobbed, and giggled.
Aardvarks burrow underground.
Skateboarding teenagers vandalized benches.
The nurse said that she was tired.
Twas brillig, and the slithy toves did gyre and gimble in the wabe.
The chihuahua gobbled spaghetti.
My brothr hass boght a nwe car yestrday.
Can u plz giv me teh book bak?
Arnold Schwarzenegger visited Innsbruck in Austria.
I had a croissant and a cappuccino for breakfast.
Kubernetes restarts crashed containers automatically.
Yesterday Thandiwe and Sipho drove to Bloemfontein.
idk tbh i was kinda sleepy
We hiked up Hallasan on Jeju with Seo-yeon.
The stegosaurus munched ferns beside a brontosaurus.
""".strip().splitlines()
"""Errors, names, terms, slang and long words."""
OTHERS = """
Der Hund bellte laut, weil er Angst hatte.
Ich gehe heute mit meinen Freunden ins Kino.
Das Tier überquerte die Straße nicht, weil es zu müde war.
Meine Schwester spielt jeden Tag Klavier.
Wo ist der nächste Bahnhof?
Gestern habe ich einen Kuchen gebacken.
Wir haben das Haus nicht gekauft, weil es zu teuer war.
Die Katze schläft auf dem Sofa.
Guten Morgen, wie geht es dir?
Er hat seinen Schlüssel verloren.
Der alte Mann ging in den Laden.
Es regnet, nimm deinen Schirm mit.
Der Hund bellt laut.
Ein Hund bellte, und die Katze lief weg.
Le chien aboie parce qu'il a peur.
Je vais au cinéma avec mes amis ce soir.
La petite fille mange une pomme rouge.
Où est la gare la plus proche ?
Il pleut, prends ton parapluie.
Ma soeur joue du piano tous les jours.
El perro ladra porque tiene miedo.
Ayer compré un libro para mi hermana.
La niña tiene una falda roja.
¿Dónde está la estación de tren?
No me gusta la sopa fría.
Il cane abbaia perché ha paura.
Oggi vado al mare con i miei amici.
De hond blafte omdat hij bang was.
Ik ga vandaag met mijn vrienden naar de bioscoop.
Köpek korktuğu için havladı.
Bugün arkadaşlarımla sinemaya gidiyorum.
Pies szczekał, bo się bał.
naneun eoje chinguwa hamkke yeonghwareul boattda
asdf qwer zxcv
lkjh poiu mnbv qwertz asdfgh
xkcd vfr bgt nhy
flurb gronk snizzle wub
hjkl hjkl hjkl
blarf zorp quindle fnargle
Mein Bruder hat einen neuen Wagen gekauft.
Am Sonntag fahren wir zu meiner Oma.
Kannst du mir bitte das Buch geben?
Heute ist das Wetter sehr schön.
J'ai perdu mes clés dans le train.
Nous mangeons du pain avec du fromage.
Mi hermano vive en Madrid con su esposa.
Mañana voy a la playa con mis amigos.
La mia macchina è rotta.
Het regent vandaag de hele dag.
Jag heter Anna och bor i Stockholm.
Eu gosto muito de café com leite.
wkjd pqow xnvb tyru
""".strip().splitlines()
"""Ten languages, and no language; the last thirteen were not there while the limits were chosen."""
LEAST_FOUND = 0.95


def reads_as_english(text: str) -> bool:
    return is_english(load("headlight-bert", device="cpu").record(text).tokens)


@pytest.mark.parametrize("text", ENGLISH)
def test_errors_and_names_are_english(text: str) -> None:
    assert reads_as_english(text)


def test_other_languages_are_not() -> None:
    found = [not reads_as_english(text) for text in OTHERS]
    assert sum(found) >= LEAST_FOUND * len(OTHERS), [
        text for text, other in zip(OTHERS, found, strict=True) if not other
    ]


@pytest.mark.parametrize("text", ["asdf", "Pizza", "Hola amigo", "123 456 789", "?!", "Go."])
def test_of_fewer_than_three_words_nothing_is_said(text: str) -> None:
    assert reads_as_english(text)
