"""More schemas of "which noun": learned from, and never asked. Read by `which_noun.py`.

Each has three lines: the sentence and the clause, then the words and the nouns of the one side, and those of the other.
A sentence that is like one of those asked (`which_noun_schemas.py`) has none of the nouns that are held out there.
"""

from __future__ import annotations

from recipes.sentences.which_noun.schemas import Schema, nouns

_LINES = """
The {a} ran away from the {b} because {clause}. | {it} was {word}
    afraid scared frightened shy | mouse hen cat bird child goose girl
    dangerous angry fierce cruel hungry | dog wolf bear fox snake bull
The {a} feared the {b} because {clause}. | {it} was so {word}
    small weak timid young | child mouse kitten cat boy girl duck
    large strong wild dangerous loud | bull dog storm bear horse wolf
The {a} won the race against the {b} because {clause}. | {it} was very {word}
    fast quick strong | horse dog boy girl runner fox
    slow tired lame weak | cow donkey child man turtle goose
The {a} overtook the {b} because {clause}. | {it} was going {word}
    fast quickly rapidly | car bus train horse bicycle runner
    slowly slow | wagon cart tractor donkey cow
The {a} waited for the {b} because {clause}. | {it} was {word}
    early ready patient | train bus boy girl guide coach
    late slow missing | child man woman boat tourist parcel
The {a} cut the {b} easily because {clause}. | {it} was very {word}
    sharp strong | saw sword axe razor blade
    soft thin | bread cheese rope cloth string leaf
The {a} could not cut the {b} because {clause}. | {it} was too {word}
    blunt dull old | saw axe sword razor blade
    hard thick tough | bone branch rope meat ice
The {a} made a hole in the {b} because {clause}. | {it} was very {word}
    sharp heavy fast hard | ball hammer drill arrow spear
    thin soft weak old | wall roof paper boat bag
The {a} could not carry the {b} because {clause}. | {it} was too {word}
    weak small young tired | boy girl child mule dog woman
    heavy large big | sack bag log basket stone bench
The {a} pushed the {b} over because {clause}. | {it} was very {word}
    strong wild big | bull wind boy storm bear
    light weak small thin | chair fence tree lamp child
He emptied the {a} into the {b}, and then {clause}. | {it} was {word}
    empty | bottle jug can kettle pot basin
    full | cup glass bowl pan bath tub
The {a} dripped on the {b} until {clause}. | {it} was {word}
    empty dry | bottle can pipe roof
    wet full | floor carpet bowl coat
The {a} stood on the {b} because {clause}. | {it} was {word}
    short small curious | child boy girl cat
    strong solid steady | table box bench stone
The {a} did not eat the {b} because {clause}. | {it} was too {word}
    full ill proud tired | boy girl man woman bear cow goat
    hot dry rotten hard | soup bread meat fish apple cake
The {a} did not buy the {b} because {clause}. | {it} was too {word}
    poor mean careful | woman farmer student teacher soldier
    expensive ugly old dear | coat house ring book lamp horse
The {a} did not read the {b} because {clause}. | {it} was too {word}
    tired busy lazy young | boy girl teacher student king
    long boring difficult dull | book letter newspaper story poem
The {a} did not hear the {b} because {clause}. | {it} was too {word}
    deaf old busy | man woman dog guard teacher
    quiet distant far | bell clock train music song
The {a} did not notice the {b} because {clause}. | {it} was very {word}
    careless busy sleepy tired | man driver dog hunter boy
    small tiny dark | hole snake ship mouse step
The {a} slept on the {b} because {clause}. | {it} was very {word}
    tired sleepy ill | cat child baby man dog
    soft warm comfortable | bed sofa blanket pillow grass
The {a} could not enter the {b} because {clause}. | {it} was {word}
    fat late big drunk | elephant horse cow truck man
    closed locked narrow full | house room cave garage barn
The {a} does not go through the {b} because {clause}. | {it} is too {word}
    wide big thick large | sofa piano bed cow
    narrow small tight low | window gate tunnel hole
The {a} does not go into the {b} because {clause}. | {it} is too {word}
    fat thick large long | foot hand letter horse key
    narrow tight small short | shoe glove envelope stable lock
The {a} hides the {b} because {clause}. | {it} is so {word}
    big high tall wide large thick | wall tree house curtain hill
    small short low tiny little | cat flower dog bench bicycle
You can see the {a} above the {b} because {clause}. | {it} is very {word}
    high tall big | tree house church hill mast
    low short small | wall bush bench hut flower
The {a} stopped on the {b} because {clause}. | {it} was {word}
    broken tired slow late | car bus horse bicycle truck
    flooded icy muddy wet | road street bridge path field
The {a} slipped on the {b} because {clause}. | {it} was very {word}
    careless old drunk tired | man boy horse waiter child
    wet icy smooth | road street ice stair path
The {a} would not burn in the {b} because {clause}. | {it} was too {word}
    wet damp green | wood log branch paper
    cold small weak | stove oven fireplace fire
The {a} melted in the {b} because {clause}. | {it} was so {word}
    soft thin cold | butter ice snow candle chocolate
    hot warm | sun pan room oven
The {a} fed the {b} because {clause}. | {it} was very {word}
    kind rich generous | woman farmer man boy girl
    hungry thin weak | dog cat horse bird baby
The {a} helped the {b} because {clause}. | {it} was so {word}
    kind strong friendly | man girl soldier doctor farmer
    weak lost blind ill | woman child dog beggar horse
The {a} repaired the {b} because {clause}. | {it} was {word}
    skilful clever patient bored | man mechanic woman farmer boy
    broken old damaged | clock bicycle car roof fence
The {a} washed the {b} because {clause}. | {it} was {word}
    clean tidy careful bored | woman mother boy maid
    dirty muddy dusty | dog shirt floor child cup
The {a} threw the {b} away because {clause}. | {it} was {word}
    angry tidy bored | man girl mother king
    broken old useless empty | cup toy letter bottle shoe
The {a} broke under the {b} because {clause}. | {it} was too {word}
    thin weak soft old | branch shelf table bridge bench
    heavy big | snow bear stone man box
The {a} escaped from the {b} because {clause}. | {it} was {word}
    fast clever quick | mouse bird fish hen fox
    slow old careless tired | cat dog wolf hunter bear
The {a} frightened the {b} because {clause}. | {it} was so {word}
    loud wild large ugly | storm bull bear dog wolf
    young timid small nervous | child kitten bird girl lamb
The {a} taught the {b} because {clause}. | {it} was so {word}
    clever wise learned | teacher mother doctor king
    young stupid curious ignorant | boy girl student child
The {a} paid the {b} because {clause}. | {it} was {word}
    rich honest grateful | king farmer lady doctor
    poor hungry useful | servant beggar cook nurse
""".strip()


def _schema(told: str, one: str, other: str) -> Schema:
    sentence, clause = _parts(told)
    return Schema(sentence=sentence, clause=clause, a=nouns(*_parts(one), ""), b=nouns(*_parts(other), ""))


def _parts(line: str) -> tuple[str, str]:
    first, second = line.split("|")
    return first.strip(), second.strip()


_SPLIT = _LINES.splitlines()
LEARNED: tuple[Schema, ...] = tuple(map(_schema, _SPLIT[0::3], _SPLIT[1::3], _SPLIT[2::3]))

_MORE = """
ant ape badger beetle bee buffalo bug butterfly calf camel crab cricket crow dolphin dragon falcon hawk insect kitty
lamb lizard mole moth otter ox panther parrot pigeon puppy salmon seal spider squirrel stag swan turkey turtle wasp
whale worm yak zebra actor artist baker barber boss butcher captain chef clerk coach cook dancer detective doctor
driver engineer fisherman guard guest hunter judge knight lady lawyer mayor merchant miner monk nun nurse officer
painter pilot pirate poet pope priest prince princess prisoner professor queen sailor servant sheriff singer slave spy
tailor thief uncle victim visitor waiter warrior widow witch wizard worker writer airport alley apartment attic bakery
balcony ballroom bank barn basement bay beach cabin cafe camp castle cave cemetery chapel church city clinic coast
cottage court dam ditch dock dungeon factory farm fort fountain garage garden gate hall harbor hill hospital hotel
house hut inn island jail jungle kitchen laboratory lake lane library lobby market meadow mill mine mountain museum
ocean office palace park path pond port prison ranch reef restaurant school shop shore station store studio swamp
temple theater tower town track trail tunnel village yard zoo anchor apron arm armor axle bandage banner beam bed bell
belt blanket board bolt bracelet broom bucket button cabinet cable cage camera candle cannon canvas card cart chain
cheek cigar coin collar comb compass couch cradle crown curtain cushion dagger dice dish door dress engine envelope
feather file flag flute fork frame gear glove gown gun hook iron jacket jar jewel kite knife knot ladder lantern
laptop lens lid lock magnet map mask match mattress medal microphone mop motor mug nail necklace needle net notebook
oven paint pan parachute pen pencil phone pin pistol pole pot purse radio rail ribbon rifle ring robe rod roof rug
ruler saddle sail scarf shelf shell shield shirt skirt sled sleeve sofa spoon spring stick stool stove strap sweater
switch tag tank tape telescope tent thread tie tile tire tool tooth torch towel toy tray tube umbrella uniform violin
wallet wheel whip wig wire bean beer berry biscuit butter candy cherry chicken chocolate coffee cookie corn cream egg
flour grain grape honey jam juice lemon lunch melon milk mushroom nut oil onion orange pasta peach pepper potato
pudding rice salad salt sandwich sauce sausage steak sugar syrup tea toast tomato wheat wine
"""
MORE_NOUNS = tuple(_MORE.split())
"""Nouns that any schema may be learned with, whether it makes sense or not; those that are held out are left out."""
