"""The tables of the sentiment sentences, as lines of words. Read by `sentiment_words.py`, which says how."""

from __future__ import annotations

NOUNS = {
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

POSITIVE = """
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

NEGATIVE = """
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

OF_KIND_LINES = {
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

ACT_LINES = """
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
