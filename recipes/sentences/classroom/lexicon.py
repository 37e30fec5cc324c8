"""The words of the classroom sentences: small tables of things that belong together. Read by `classroom.py`.

A table is written as lines of words, the first line naming its columns; "_" stands for a space. No table ties a person
to a job, a routine or a mood: names, men and women are drawn for them evenly.
"""

from __future__ import annotations

from collections.abc import Mapping

from recipes.sentences.classroom.lexicon_rows import (
    LexiconRow,
    cycle,
    numbers,
    one_column,
    people,
    sums,
    table_of_lines,
)

_MALE = (
    "Adam Ahmed Ali Andrew Ben Carlos Daniel David Edward Frank George Hans Henry Ivan Jack James Jin John Joseph Kofi "
    "Leo Lucas Mark Martin Max Michael Min Mohammed Noah Oliver Omar Paul Peter Ravi Robert Sam Simon Tom"
    " Victor William"
)
_FEMALE = (
    "Alice Amina Amy Anna Beth Clara Diana Elena Ellen Emma Eva Fatima Grace Hana Helen Irene Jane Julia Karen Kate "
    "Laura Leila Lily Lucy Maria Mary Mei Mina Nina Nora Olga Priya Rosa Ruth Sara Sofia Susan Vera Yuna Zoe"
)
_MEN = "man boy king father brother uncle grandfather prince husband actor gentleman son nephew waiter"
_WOMEN = "woman girl queen mother sister aunt grandmother princess wife actress lady daughter niece waitress"

TABLES: Mapping[str, tuple[LexiconRow, ...]] = {
    "name": people(_MALE, _FEMALE),
    "person": people(_MEN, _WOMEN),
    "number": numbers(),
    "sum": sums(),
    "day": cycle("Monday Tuesday Wednesday Thursday Friday Saturday Sunday", "day"),
    "month": cycle("January February March April May June July August September October November December", "month"),
    "letter": cycle("a b c d e f g h i j k l m n o p q r s t u v w x y z", "letter"),
    "colour": one_column("red blue green yellow black white brown grey pink purple orange"),
    "size": one_column("big small long short heavy light old new"),
    "time": one_column("today yesterday tomorrow tonight later soon"),
    "mood": one_column("happy sad angry tired afraid proud hungry thirsty bored calm"),
    "object": one_column(
        "ball book bag box cup hat key lamp pen bottle chair coat clock knife letter map phone picture plate ring "
        "shirt spoon stone ticket watch basket blanket button candle coin doll kite mirror needle pencil purse"
    ),
    "room": one_column(
        "kitchen garden bedroom bathroom office hall library museum park school market station hospital church theatre "
        "shop hotel village"
    ),
    "job": table_of_lines("""
        job place does made with
        carpenter workshop builds tables hammers
        teacher school teaches children books
        doctor hospital treats patients medicine
        nurse hospital nurses patients bandages
        farmer farm grows wheat tractors
        baker bakery bakes bread ovens
        cook kitchen cooks meals pots
        waiter restaurant serves guests plates
        barber shop cuts hair scissors
        mechanic garage repairs cars tools
        pilot airport flies planes maps
        sailor harbour sails ships ropes
        driver road drives buses maps
        painter studio paints pictures brushes
        writer office writes novels pens
        singer theatre sings songs microphones
        dancer theatre dances ballets shoes
        actor theatre plays roles masks
        judge court judges crimes laws
        lawyer court defends clients laws
        soldier camp guards borders guns
        fisherman boat catches fish nets
        gardener garden plants flowers spades
        butcher shop sells meat knives
        tailor shop sews suits needles
        librarian library lends books catalogues
        scientist laboratory studies nature microscopes
        engineer factory designs machines computers
        programmer office writes software computers
        miner mine digs coal lamps
        priest church leads prayers candles
        clerk bank counts money papers
        builder site builds houses bricks
        shepherd meadow herds sheep dogs
        dentist clinic treats teeth mirrors
        astronomer observatory studies stars telescopes
        photographer studio takes photographs cameras
        musician hall plays music instruments
        postman street delivers letters bags
        firefighter station fights fires hoses
        """),
    "country": table_of_lines("""
        country capital continent language people
        France Paris Europe French French
        Germany Berlin Europe German Germans
        Italy Rome Europe Italian Italians
        Spain Madrid Europe Spanish Spaniards
        Portugal Lisbon Europe Portuguese Portuguese
        England London Europe English English
        Ireland Dublin Europe English Irish
        Greece Athens Europe Greek Greeks
        Poland Warsaw Europe Polish Poles
        Russia Moscow Europe Russian Russians
        Sweden Stockholm Europe Swedish Swedes
        Norway Oslo Europe Norwegian Norwegians
        Finland Helsinki Europe Finnish Finns
        Denmark Copenhagen Europe Danish Danes
        Austria Vienna Europe German Austrians
        Hungary Budapest Europe Hungarian Hungarians
        Turkey Ankara Asia Turkish Turks
        Korea Seoul Asia Korean Koreans
        Japan Tokyo Asia Japanese Japanese
        China Beijing Asia Chinese Chinese
        India Delhi Asia Hindi Indians
        Vietnam Hanoi Asia Vietnamese Vietnamese
        Thailand Bangkok Asia Thai Thais
        Iran Tehran Asia Persian Iranians
        Iraq Baghdad Asia Arabic Iraqis
        Egypt Cairo Africa Arabic Egyptians
        Kenya Nairobi Africa Swahili Kenyans
        Ghana Accra Africa English Ghanaians
        Morocco Rabat Africa Arabic Moroccans
        Mexico Mexico_City America Spanish Mexicans
        Cuba Havana America Spanish Cubans
        Peru Lima America Spanish Peruvians
        Chile Santiago America Spanish Chileans
        Canada Ottawa America English Canadians
        """),
    "animal": table_of_lines("""
        animal many calls call home food young moves
        dog dogs barks bark kennel meat puppy runs
        cat cats meows meow basket fish kitten climbs
        cow cows moos moo barn grass calf walks
        horse horses neighs neigh stable hay foal gallops
        sheep sheep bleats bleat meadow grass lamb walks
        pig pigs grunts grunt pen corn piglet digs
        duck ducks quacks quack pond bread duckling swims
        hen hens clucks cluck henhouse seeds chick pecks
        lion lions roars roar den meat cub hunts
        bear bears growls growl cave honey cub climbs
        wolf wolves howls howl forest meat pup hunts
        frog frogs croaks croak pond flies tadpole jumps
        owl owls hoots hoot tree mice owlet flies
        bee bees buzzes buzz hive nectar larva flies
        bird birds sings sing nest worms chick flies
        mouse mice squeaks squeak hole cheese pup hides
        snake snakes hisses hiss hole mice snakelet crawls
        goat goats bleats bleat hill leaves kid climbs
        """),
    "walker": one_column("animal dog cat horse cow fox wolf bear boy girl child man woman soldier traveller old_man"),
    "barrier": one_column("street road river bridge field stream square desert"),
    "weak": one_column("tired weak old afraid sleepy hungry ill slow"),
    "vast": one_column("wide busy dangerous deep long crowded muddy dark"),
    "item": one_column("trophy ball book picture piano statue table doll lamp cake hat coat"),
    "container": one_column("suitcase box bag drawer cupboard basket car chest room oven"),
    "opposite": table_of_lines("""
        word other
        big small
        long short
        hot cold
        old young
        rich poor
        happy sad
        fast slow
        strong weak
        light dark
        good bad
        early late
        hard soft
        high low
        wet dry
        clean dirty
        full empty
        loud quiet
        thick thin
        wide narrow
        heavy light
        easy difficult
        open closed
        right wrong
        near far
        brave afraid
        sweet bitter
        cheap expensive
        deep shallow
        true false
        kind cruel
        """),
    "degree": table_of_lines("""
        base more most
        big bigger biggest
        small smaller smallest
        long longer longest
        short shorter shortest
        tall taller tallest
        old older oldest
        young younger youngest
        fast faster fastest
        slow slower slowest
        strong stronger strongest
        good better best
        bad worse worst
        cold colder coldest
        warm warmer warmest
        rich richer richest
        poor poorer poorest
        heavy heavier heaviest
        happy happier happiest
        """),
    "verb": table_of_lines("""
        base adds past done ing what
        go goes went gone going to_school
        eat eats ate eaten eating an_apple
        drink drinks drank drunk drinking milk
        write writes wrote written writing a_letter
        read reads read read reading a_book
        see sees saw seen seeing a_bird
        take takes took taken taking the_bus
        give gives gave given giving a_present
        buy buys bought bought buying bread
        bring brings brought brought bringing flowers
        sing sings sang sung singing a_song
        swim swims swam swum swimming in_the_lake
        run runs ran run running in_the_park
        sleep sleeps slept slept sleeping in_a_tent
        speak speaks spoke spoken speaking to_the_teacher
        drive drives drove driven driving to_work
        break breaks broke broken breaking a_cup
        find finds found found finding a_coin
        lose loses lost lost losing the_key
        make makes made made making a_cake
        play plays played played playing the_piano
        walk walks walked walked walking to_the_station
        wash washes washed washed washing the_dishes
        open opens opened opened opening the_window
        close closes closed closed closing the_door
        watch watches watched watched watching a_film
        visit visits visited visited visiting a_friend
        paint paints painted painted painting a_picture
        cook cooks cooked cooked cooking dinner
        help helps helped helped helping a_neighbour
        """),
    "noun": table_of_lines("""
        one many
        key keys
        book books
        dog dogs
        door doors
        window windows
        child children
        teacher teachers
        picture pictures
        flower flowers
        house houses
        boat boats
        apple apples
        tree trees
        cup cups
        box boxes
        man men
        woman women
        student students
        table tables
        chair chairs
        letter letters
        star stars
        mouse mice
        knife knives
        leaf leaves
        baby babies
        city cities
        friend friends
        """),
    "near": one_column("near behind beside under above with from between_me_and next_to in_front_of"),
    "state": one_column("old new clean beautiful red here missing broken small ready white lost"),
    "thing": table_of_lines("""
        thing colour
        grass green
        snow white
        coal black
        blood red
        milk white
        gold yellow
        chocolate brown
        the_sky blue
        fire red
        ink black
        salt white
        a_leaf green
        a_strawberry red
        a_lemon yellow
        a_banana yellow
        a_tomato red
        a_carrot orange
        the_night black
        a_cucumber green
        the_sea blue
        """),
    "kind": table_of_lines("""
        kind one two three
        animals dogs cats horses
        fruits apples pears bananas
        vegetables carrots potatoes onions
        colours red blue green
        flowers roses tulips lilies
        trees oaks pines birches
        birds eagles swallows crows
        fish trout salmon herring
        insects ants bees flies
        metals iron gold silver
        tools hammers saws axes
        clothes shirts trousers coats
        vehicles cars buses trains
        drinks water tea milk
        languages English Korean Spanish
        countries France Korea Spain
        cities Paris Seoul Madrid
        games chess cards football
        rivers Rhine Nile Amazon
        planets Mars Venus Saturn
        instruments violins pianos drums
        months March June August
        days Monday Friday Sunday
        meals breakfast lunch dinner
        """),
    "use": table_of_lines("""
        action tool
        cut_paper scissors
        cut_bread knife
        write_a_letter pen
        open_a_door key
        drive_a_nail hammer
        eat_soup spoon
        dig_a_hole spade
        sweep_the_floor broom
        light_a_candle match
        boil_water kettle
        comb_your_hair comb
        saw_wood saw
        tie_a_parcel string
        take_a_photograph camera
        measure_time clock
        see_far telescope
        catch_fish net
        sew_a_shirt needle
        wash_your_hands soap
        brush_your_teeth toothbrush
        """),
    "shop": table_of_lines("""
        place ware
        bakery bread
        butcher meat
        bookshop books
        pharmacy medicine
        market vegetables
        station tickets
        florist flowers
        jeweller rings
        dairy milk
        post_office stamps
        toyshop dolls
        stationer pencils
        kiosk newspapers
        tailor suits
        """),
    "material": table_of_lines("""
        thing material
        window glass
        table wood
        knife steel
        shirt cotton
        shoe leather
        coin metal
        house stone
        book paper
        candle wax
        sweater wool
        tyre rubber
        cup clay
        ring gold
        wall brick
        rope hemp
        tent cloth
        """),
    "sense": table_of_lines("""
        verb part
        see eyes
        hear ears
        smell nose
        taste tongue
        think head
        walk legs
        write hand
        bite teeth
        breathe lungs
        kick feet
        """),
    "relative": table_of_lines("""
        path relative
        mother's_mother grandmother
        father's_father grandfather
        mother's_brother uncle
        father's_sister aunt
        brother's_son nephew
        sister's_daughter niece
        uncle's_son cousin
        mother's_husband father
        father's_wife mother
        parents'_son brother
        parents'_daughter sister
        """),
    "season": table_of_lines("""
        season weather wear after
        winter cold coat spring
        spring mild jacket summer
        summer hot hat autumn
        autumn rainy raincoat winter
        """),
    "weather": table_of_lines("""
        weather take
        raining umbrella
        snowing coat
        hot hat
        cold scarf
        sunny hat
        windy jacket
        freezing gloves
        dark lamp
        """),
    "subject": table_of_lines("""
        subject about
        mathematics numbers
        geography countries
        history kings
        biology animals
        music songs
        astronomy stars
        chemistry acids
        literature poems
        art paintings
        physics forces
        grammar sentences
        geometry triangles
        """),
    "meal": table_of_lines("""
        time meal
        morning breakfast
        noon lunch
        evening dinner
        """),
    "vehicle": table_of_lines("""
        vehicle moves where
        ship sails sea
        train runs rails
        plane flies sky
        car drives road
        boat floats river
        submarine dives sea
        bicycle rolls road
        balloon rises sky
        """),
    "event": table_of_lines("""
        event mood
        won_the_race happy
        lost_a_friend sad
        saw_a_ghost afraid
        worked_all_night tired
        ate_nothing_all_day hungry
        passed_the_test proud
        broke_a_leg sad
        got_a_present happy
        waited_for_three_hours bored
        heard_a_strange_noise afraid
        ran_ten_miles tired
        drank_nothing_all_day thirsty
        was_cheated angry
        found_a_treasure happy
        """),
    "ladder": one_column(
        "ant bee mouse bird cat dog sheep goat pig child lion cow horse bear car elephant whale house church mountain"
    ),
    "answer": table_of_lines("""
        question answer
        How_are_you? I_am_fine,_thank_you.
        Where_do_you_live? I_live_in_a_small_house.
        How_old_are_you? I_am_ten_years_old.
        What_time_is_it? It_is_three_o'clock.
        Who_is_at_the_door? It_is_the_postman.
        Where_is_my_hat? It_is_on_the_table.
        Why_are_you_late? I_missed_the_bus.
        What_is_for_dinner? We_have_soup_and_bread.
        When_does_the_train_leave? It_leaves_at_noon.
        Can_you_help_me? Of_course_I_can_help_you.
        Do_you_like_music? Yes,_I_like_it_very_much.
        Is_it_raining? No,_the_sun_is_shining.
        What_is_your_favourite_colour? My_favourite_colour_is_blue.
        How_much_is_the_bread? It_costs_two_dollars.
        Where_are_the_children? They_are_playing_in_the_garden.
        May_I_come_in? Yes,_please_come_in.
        Are_you_hungry? Yes,_I_have_not_eaten_today.
        What_are_you_reading? I_am_reading_a_long_novel.
        Who_broke_the_window? The_boys_broke_it_with_a_ball.
        How_was_your_holiday? It_was_very_nice,_thank_you.
        """),
}
"""The tables by the name of their slots."""
