"""The words of the sentiment sentences: things that are judged, what may be said of them, and who says it.

A table is written as lines of words, "_" stands for a space, and "* -person" for all kinds but that. Read by
`models.training.sentences.sentiment`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

Number = Literal["one", "many", "mass"]
"""A thing that is counted, several of them, or a mass: "a film", "actors", "music"."""
How = Literal["mild", "plain", "graded", "strong"]
"""What may stand before an adjective: "very" and "not" (mild), "not" (plain), "very" (graded), neither (strong).

"Not" is left away where it leaves open what is meant: "not perfect" may be good, "not unpleasant" may be both.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noun:
    """Something that is judged. `kind` says which adjectives go with it, `act` what one does with it ("" for nothing
    that can be done again), `is_whole` whether "this" and "our" go with it, as they do not with a part of something."""

    word: str
    number: Number
    kind: str
    act: str
    is_whole: bool
    topic: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjective:
    """A word that judges; `sign` is 1 or -1, `kinds` are the kinds of nouns that it goes with."""

    word: str
    sign: int
    how: How
    kinds: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """A verb for what one does: "watch", "watching", and "seen" in "I have never seen a better film"."""

    do: str
    doing: str
    done: str


def _words(line: str) -> tuple[str, ...]:
    return tuple(word.replace("_", " ") for word in line.split())


_NOUNS = {
    "films": """
        one    story    watch   film movie cartoon documentary play musical comedy thriller series
        one    story    -       story plot ending beginning
        mass   story    -       dialogue
        mass   artist   -       acting
        many   artist   -       actors actresses
        one    artist   -       main_actor main_actress
        mass   music    -       music
        many   look     -       costumes pictures
        """,
    "books": """
        one    story    read    book novel poem fairy_tale comic biography short_story diary
        one    story    -       story plot ending beginning first_chapter last_chapter introduction
        many   story    -       characters dialogues
        mass   story    -       language
        many   look     -       pictures drawings
        one    look     -       cover
        """,
    "restaurant": """
        one    dish     order   soup pizza curry salad burger omelette stew steak dessert
        mass   dish     order   pasta rice chicken fish food meat
        many   dish     order   noodles sandwiches potatoes vegetables dumplings
        one    baked    order   cake apple_pie
        mass   baked    -       bread
        many   baked    order   pancakes cookies rolls
        mass   drink    order   coffee tea orange_juice lemonade
        one    drink    order   hot_chocolate milkshake
        mass   service  -       service
        one    worker   met     waiter waitress chef
        many   worker   -       cooks
        one    indoors  visit   restaurant café cafeteria
        """,
    "hotel": """
        one    indoors  book    hotel room flat holiday_home guest_house
        one    indoors  -       bathroom kitchen dining_room
        one    wear     -       bed mattress pillow sofa
        one    look     -       view
        one    dish     -       breakfast dinner
        mass   service  -       service staff
        one    worker   met     receptionist landlord
        one    outdoors -       beach garden pool
        """,
    "school": """
        one    lesson   go      lesson class course lecture workshop
        one    lesson   -       talk speech presentation project
        one    event    go      school_trip sports_day school_concert
        one    test     -       test exam exercise
        mass   test     -       homework
        many   test     -       questions
        one    worker   met     teacher headteacher librarian coach
        many   person   -       classmates
        one    indoors  -       classroom library gym
        one    dish     -       school_lunch
        one    story    read    textbook
        """,
    "travel": """
        one    event    go      trip tour excursion cruise
        one    event    -       journey holiday
        one    outdoors visit   city island village park lake market zoo
        one    indoors  visit   museum castle airport
        one    worker   met     guide driver
        one    vehicle  -       train bus ferry flight plane
        one    look     -       view
        mass   weather  -       weather
        mass   dish     -       food
        """,
    "going out": """
        one    event    go      concert party festival dance show exhibition match
        one    event    -       evening picnic
        one    music    hear    song melody album
        mass   music    -       music
        one    artist   -       band singer orchestra choir
        many   artist   -       dancers musicians
        many   person   -       guests
        one    baked    -       birthday_cake
        one    indoors  -       hall theatre cinema
        """,
    "things": """
        one    thing    buy     phone laptop camera computer bike car watch printer tablet lamp tent
        one    wear     buy     jacket coat dress backpack chair jumper
        many   wear     buy     shoes boots gloves trousers headphones
        one    thing    use     app website manual
        one    worker   met     shop_assistant mechanic
        one    indoors  visit   shop bookshop
        one    look     -       screen design
        mass   service  -       service
        """,
    "games": """
        one    game     play    game board_game card_game video_game puzzle quiz
        many   test     -       rules questions
        many   look     -       pictures graphics
        mass   music    -       music
        one    event    -       match tournament
        """,
    "home": """
        one    person   met     neighbour aunt uncle cousin roommate boss colleague
        many   person   -       neighbours relatives visitors
        one    worker   met     doctor dentist nurse hairdresser babysitter
        one    indoors  -       house flat kitchen living_room
        one    outdoors -       garden street playground
        one    dish     -       dinner lunch
        """,
    "weather": """
        mass   weather  -       weather
        one    weather  -       day morning afternoon summer winter spring autumn
        one    event    -       weekend holiday picnic
        one    outdoors -       beach park
        """,
}

_POSITIVE = """
    mild    good         * -person
    mild    nice         story artist music dish baked drink service worker person indoors outdoors event look wear game
    mild    pleasant     worker person indoors outdoors event weather music service
    mild    impressive   story artist music event look outdoors indoors
    strong  great        *
    strong  wonderful    *
    strong  fantastic    *
    strong  amazing      story artist music dish baked drink service worker person indoors outdoors event look weather
    strong  excellent    story artist music dish baked drink service worker indoors event lesson look thing wear game
    strong  brilliant    story artist music worker event lesson look game
    strong  perfect      story music dish baked drink service indoors event weather look thing wear game lesson
    strong  superb       story artist music dish baked service event look game
    strong  marvellous   story music dish baked person indoors outdoors event weather look
    strong  lovely       story music dish baked person indoors outdoors event weather look wear
    strong  outstanding  story artist music dish service worker event lesson
    strong  magnificent  music indoors outdoors look event
    mild    beautiful    music outdoors indoors weather look wear
    mild    interesting  story lesson event game look
    mild    exciting     story music event lesson game
    mild    funny        story artist person
    mild    moving       story music
    mild    touching     story
    mild    clever       story person worker game
    mild    original     story music game
    mild    entertaining story event lesson game artist
    mild    charming     story artist person indoors outdoors
    mild    inspiring    story lesson
    strong  gripping     story
    mild    memorable    story event
    mild    convincing   story artist
    mild    realistic    story
    mild    thrilling    story event game
    graded  witty        story
    graded  talented     artist
    mild    catchy       music
    mild    lively       music event lesson outdoors
    graded  soothing     music
    mild    tasty        dish baked drink
    mild    fresh        baked
    strong  delicious    dish baked drink
    graded  healthy      dish
    mild    soft         baked wear
    mild    refreshing   drink
    mild    friendly     service worker person
    mild    polite       service worker person
    mild    helpful      service worker person lesson
    mild    attentive    service worker
    mild    kind         worker person
    mild    patient      worker person
    mild    competent    worker
    mild    reliable     worker person thing vehicle service
    mild    cheerful     worker person
    mild    honest       worker person
    mild    generous     person
    mild    thoughtful   person
    graded  caring       person worker
    mild    fair         worker test
    mild    clean        indoors outdoors vehicle
    mild    cosy         indoors
    mild    comfortable  indoors wear vehicle
    mild    bright       indoors
    mild    welcoming    indoors
    graded  spacious     indoors
    mild    tidy         indoors
    mild    peaceful     outdoors indoors
    mild    enjoyable    story event lesson game
    mild    relaxing     event
    strong  unforgettable story event
    mild    useful       lesson thing test
    mild    clear        lesson test
    mild    instructive  lesson
    mild    sunny        weather
    strong  glorious     weather
    mild    practical    thing wear
    mild    robust       thing
    mild    handy        thing
    mild    elegant      wear look
    mild    pretty       wear look
    plain   punctual     vehicle
    plain   well_organised event
    """

_NEGATIVE = """
    mild    bad          * -person
    mild    disappointing * -worker -person -test -wear -vehicle
    graded  unpleasant   worker person indoors outdoors event weather service
    strong  terrible     *
    strong  awful        *
    strong  horrible     *
    strong  dreadful     story artist music dish baked drink service worker person indoors event lesson weather
    graded  poor         story music dish drink service lesson test look thing game
    strong  disastrous   event
    strong  hopeless     lesson
    strong  appalling    service dish indoors event
    mild    ugly         music indoors outdoors look wear
    mild    boring       story artist music event lesson look game outdoors
    mild    dull         story music event lesson look game
    mild    silly        story game
    mild    stupid       story game
    mild    confusing    story lesson test game
    mild    predictable  story
    mild    tedious      story lesson event game
    plain   forgettable  story
    graded  unconvincing story artist
    mild    monotonous   story music
    mild    stiff        artist
    graded  wooden       artist
    mild    annoying     music person
    strong  unbearable   music person event
    mild    shrill       music
    mild    bland        dish baked
    plain   tasteless    dish baked drink
    mild    greasy       dish
    plain   overcooked   dish
    plain   undercooked  dish
    plain   burnt        baked
    mild    stale        baked
    mild    dry          baked
    mild    soggy        baked
    strong  disgusting   dish baked drink
    strong  inedible     dish baked
    mild    watery       drink
    strong  undrinkable  drink
    mild    slow         service vehicle
    mild    rude         service worker person
    graded  unfriendly   service worker person
    graded  impolite     service worker person
    mild    careless     service worker
    mild    lazy         worker person
    mild    impatient    worker person
    mild    arrogant     worker person
    mild    grumpy       worker person
    graded  unreliable   worker person thing vehicle service
    graded  unhelpful    service worker
    mild    unfair       worker test game
    mild    dishonest    worker person
    mild    mean         person
    mild    selfish      person
    mild    nasty        person
    strong  cruel        person
    mild    dirty        indoors outdoors vehicle
    mild    noisy        indoors outdoors vehicle
    mild    uncomfortable indoors wear vehicle
    mild    gloomy       indoors weather
    mild    shabby       indoors wear
    mild    messy        indoors
    strong  filthy       indoors
    mild    cramped      indoors
    mild    smelly       indoors
    mild    dangerous    outdoors
    mild    crowded      outdoors indoors
    plain   overcrowded  outdoors vehicle
    mild    chaotic      event lesson
    mild    stressful    event
    mild    exhausting   event
    strong  badly_organised event
    plain   useless      lesson thing test
    plain   pointless    lesson test
    graded  unclear      lesson test
    mild    rainy        weather
    mild    stormy       weather
    mild    foggy        weather
    mild    grey         weather
    strong  miserable    weather
    graded  impractical  thing wear
    mild    fragile      thing
    plain   faulty       thing
    plain   broken       thing
    mild    frustrating  game
    mild    scratchy     wear
    plain   late         vehicle
    """

_KINDS = {
    "story": """
        much: long short slow sad violent complicated
        fit: exciting funny interesting
        quality: humour charm suspense imagination life
        flaw: mistakes dull_moments boring_passages
        spoiler: the_strange_ending the_violence the_repetitions the_last_part
        saver: the_jokes the_surprising_ending the_main_character the_humour
        """,
    "artist": """
        much: loud nervous serious quiet
        fit: natural convincing
        quality: talent charm energy experience
        """,
    "music": """
        much: loud slow sad quiet fast
        fit: lively
        quality: energy rhythm life feeling
        flaw: wrong_notes
        spoiler: the_loud_drums the_noise the_repetitions
        saver: the_singer the_violins the_piano
        """,
    "dish": """
        much: salty spicy cold dry expensive small
        fit: warm hot
        quality: taste flavour
        flaw: bones lumps
        spoiler: the_garlic the_onions the_pepper
        saver: the_sauce the_herbs the_cheese the_lemon
        """,
    "baked": """
        much: sweet hard small expensive
        fit: fresh soft sweet
        quality: taste flavour
        flaw: lumps
        spoiler: the_raisins the_icing
        saver: the_cream the_chocolate the_butter the_honey
        """,
    "drink": """
        much: bitter sweet hot weak strong expensive
        fit: hot strong
        quality: taste flavour
        spoiler: the_sugar the_ice
        saver: the_milk the_honey the_lemon
        """,
    "service": """
        much: slow expensive
        fit: fast friendly
        """,
    "worker": """
        much: strict slow serious nervous busy
        fit: patient careful quick
        quality: patience experience humour time
        """,
    "person": """
        much: loud serious curious talkative
        fit: patient careful
        quality: patience humour respect
        """,
    "indoors": """
        much: small cold hot dark expensive noisy
        fit: big clean warm quiet bright
        quality: charm style comfort
        flaw: insects stains spiders cracks
        spoiler: the_noise the_smell the_insects the_traffic
        saver: the_big_windows the_view the_flowers
        """,
    "outdoors": """
        much: crowded noisy windy expensive small
        fit: clean big quiet safe
        quality: charm life
        flaw: mosquitoes wasps cars
        spoiler: the_traffic the_rubbish the_noise the_tourists
        saver: the_trees the_view the_sea the_flowers
        """,
    "event": """
        much: long short loud expensive tiring
        fit: long exciting
        quality: energy life variety
        flaw: problems dull_moments delays
        spoiler: the_rain the_long_queue the_noise the_speeches
        saver: the_music our_friends the_jokes the_food
        """,
    "lesson": """
        much: long difficult easy fast slow complicated
        fit: clear easy
        quality: energy life humour variety
        flaw: mistakes dull_moments
        spoiler: the_noise the_difficult_words the_interruptions
        saver: the_experiments the_jokes the_pictures
        """,
    "test": """
        much: long difficult easy complicated
        fit: easy clear
        flaw: mistakes
        spoiler: the_difficult_words the_noise
        saver: the_examples the_pictures the_hints
        """,
    "weather": """
        much: hot cold wet windy
        fit: warm dry
        spoiler: the_wind the_rain the_fog
        saver: the_sunshine the_snow the_sea_breeze
        """,
    "thing": """
        much: heavy expensive slow small big loud complicated
        fit: light fast big
        quality: power style
        flaw: faults weak_points
        spoiler: the_noise the_advertisements the_high_price
        saver: the_update the_battery the_clear_instructions
        """,
    "wear": """
        much: tight small big heavy expensive hard
        fit: warm soft light
        quality: style comfort
        flaw: holes weak_points
        spoiler: the_holes the_colour the_high_price
        saver: the_colour the_soft_wool
        """,
    "look": """
        much: dark small
        fit: big bright
        quality: style charm life
        flaw: mistakes
        """,
    "game": """
        much: long short difficult easy complicated expensive
        fit: exciting easy
        quality: humour suspense variety
        flaw: mistakes dull_moments
        spoiler: the_advertisements the_waiting the_repetitions
        saver: the_music the_pictures our_friends
        """,
    "vehicle": """
        much: slow noisy expensive hot
        fit: fast clean quiet
        quality: comfort style
        flaw: problems delays
        spoiler: the_noise the_delay the_smell
        saver: the_view the_big_windows
        """,
}

_ACTS = """
    watch watch watching seen
    read read reading read
    order order ordering had
    visit visit visiting seen
    book book booking seen
    go go_to going_to been_to
    hear listen_to listening_to heard
    buy buy buying had
    use use using used
    play play playing played
    met - - met
    """

_WHOLE = frozenset({"event", "lesson", "person", "vehicle", "weather", "worker"})
"""Kinds of nouns of which all take "this", also those that nobody does again."""
ENJOYED = frozenset({"story", "music", "event", "lesson", "game", "dish", "baked", "drink", "weather", "look"})
"""Kinds of nouns that people enjoy; the others they like."""
OURS = {"worker": "our", "person": "my", "event": "our", "lesson": "our", "vehicle": "our"}
"""What stands instead of "the" before a whole of some kinds."""
GLAD = _words("happy glad pleased satisfied proud relaxed cheerful content")
"""Moods that "not" turns into bad ones; DELIGHTED are moods that it does not."""
DELIGHTED = _words("delighted thrilled overjoyed")
SAD = _words("sad angry upset disappointed bored worried lonely annoyed frustrated afraid")
UNHAPPY = _words("unhappy miserable furious")
PLEASED, DISPLEASED = _words("happy pleased satisfied"), _words("unhappy dissatisfied disappointed")
"""Those that somebody is "with" something."""

SOMEBODY = (
    *(
        "I",
        "he",
        "she",
        "we",
        "they",
        "my sister",
        "my brother",
        "my mother",
        "my father",
        "my parents",
        "my grandmother",
    ),
    *("my grandfather", "my friends", "my best friend", "our class", "the children", "the boys", "the girls"),
    *("the students", "the guests", "the whole family", "most people"),
    *("Anna", "Ben", "Clara", "Daniel", "Emma", "Leo", "Lily", "Mina", "Noah", "Omar", "Sofia", "Tom", "Yuna"),
)
PLURAL = frozenset(
    {"we", "they", "my parents", "my friends", "the children", "the boys", "the girls", "the students", "the guests"}
    | {"most people"}
)
"""Those of SOMEBODY that take "were"."""
OTHERS = tuple(name for name in SOMEBODY if name in PLURAL and name != "we")
"""Several people, the speaker not among them."""
PRONOUNS = frozenset({"I", "he", "she", "we", "they"})
NEUTRAL = (
    *(
        "I was there with {who}",
        "we went there on Sunday",
        "{who} came with us",
        "it was in March",
        "it was in October",
    ),
    *("we talked about it at school", "{who} asked me about it", "this happened last week", "{who} told me about it"),
    *("I want to tell you about it", "it took two hours", "we arrived at six o'clock", "there were ten of us"),
    *("{who} paid for it", "I am writing this on the train", "{who} gave me the address", "I thought about it today"),
    *("we saw {who} there", "{who} was there, too", "it was our second time there", "I had some time on Friday"),
)
"""Sentences beside the one that judges, which say nothing good or bad; {who} is one of SOMEBODY, but no pronoun."""
TIMES = ("yesterday", "last week", "last year", "on Sunday", "on Monday", "last night", "this time", "this year")
ASIDES = ("to be honest", "all in all", "honestly", "overall", "once again", "in short")
OPINIONS = (*ASIDES, "in my opinion", "for me")
"""What stands before a clause; ASIDES also before one that begins with "I"."""
REPORTS = (
    *("I think that", "I must say that", "we all agreed that", "I am sure that", "my sister said that"),
    *("my friends say that", "Tom told me that", "Anna wrote that", "you could say that", "it is true that"),
)


def _nouns() -> dict[str, tuple[Noun, ...]]:
    return {
        topic: tuple(
            Noun(
                word=word,
                number=next(name for name in get_args(Number) if name == number),
                kind=kind,
                act="" if act == "-" else act,
                is_whole=act != "-" or kind in _WHOLE,
                topic=topic,
            )
            for number, kind, act, *words in map(str.split, lines.strip().splitlines())
            for word in _words(" ".join(words))
        )
        for topic, lines in _NOUNS.items()
    }


def _adjectives(lines: str, sign: int) -> tuple[Adjective, ...]:
    return tuple(
        Adjective(
            word=word.replace("_", " "),
            sign=sign,
            how=next(name for name in get_args(How) if name == how),
            kinds=frozenset(_KINDS) - {kind.removeprefix("-") for kind in kinds}
            if kinds[0] == "*"
            else frozenset(kinds),
        )
        for how, word, *kinds in map(str.split, lines.strip().splitlines())
    )


def _named(kinds: Sequence[str]) -> frozenset[str]:
    if kinds[0] != "*":
        return frozenset(kinds)
    return frozenset(_KINDS) - {kind.removeprefix("-") for kind in kinds}


def _of_kinds() -> dict[str, dict[str, tuple[str, ...]]]:
    tables: dict[str, dict[str, tuple[str, ...]]] = {}
    for kind, lines in _KINDS.items():
        for line in lines.strip().splitlines():
            name, said = line.split(":")
            tables.setdefault(name.strip(), {})[kind] = _words(said)
    return tables


def _acts() -> dict[str, Act]:
    rows = (_words(line) for line in _ACTS.strip().splitlines())
    return {name: Act(do=do.strip("-"), doing=doing.strip("-"), done=done) for name, do, doing, done in rows}


TOPICS: Mapping[str, tuple[Noun, ...]] = _nouns()
"""What a sentence may be about -> the nouns of it."""
ADJECTIVES: tuple[Adjective, ...] = (*_adjectives(_POSITIVE, 1), *_adjectives(_NEGATIVE, -1))
KINDS = tuple(_KINDS)
OF_KINDS: Mapping[str, Mapping[str, tuple[str, ...]]] = _of_kinds()
"""What else is said of nouns of a kind: what stands after "too" (much) and before "enough" (fit), what there is much or
nothing of (quality, flaw), what spoils it and what saves it."""
ACTS: Mapping[str, Act] = _acts()
