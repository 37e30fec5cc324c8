"""The words, one row each: English, Spanish, Korean. One word of a language stands for one word of another."""

from __future__ import annotations

from recipes.sentences.parallel.entries import (
    Noun,
    read_adjectives,
    read_nouns,
    read_times,
    read_verbs,
)

NOUNS = (
    *read_nouns(
        "person",
        "명",
        """
        boy      | niño m     | 소년
        girl     | niña f     | 소녀
        man      | hombre m   | 남자
        woman    | mujer f    | 여자
        king     | rey m      | 왕
        queen    | reina f    | 여왕
        prince   | príncipe m | 왕자
        princess | princesa f | 공주
        son      | hijo m     | 아들
        daughter | hija f     | 딸
        actress  | actriz f   | 여배우
        wizard   | mago m     | 마법사
        witch    | bruja f    | 마녀
        knight   | caballero m| 기사
        giant    | gigante m  | 거인
    """,
    ),
    *read_nouns(
        "name",
        "",
        """
        Daniel | Daniel m | 다니엘
        Clara  | Clara f  | 클라라
        Diego  | Diego m  | 디에고
        Carmen | Carmen f | 카르멘
        Lucas  | Lucas m  | 루카스
        Emma   | Emma f   | 엠마
        Minjun | Minjun m | 민준
        Yuna   | Yuna f   | 유나
    """,
    ),
    *read_nouns(
        "animal",
        "마리",
        """
        dog      | perro m    | 개
        cat      | gato m     | 고양이
        horse    | caballo m  | 말
        cow      | vaca f     | 소
        pig      | cerdo m    | 돼지
        goat     | cabra f    | 염소
        rabbit   | conejo m   | 토끼
        mouse    | ratón m    | 쥐
        bird     | pájaro m   | 새
        duck     | pato m     | 오리
        bear     | oso m      | 곰
        lion     | león m     | 사자
        tiger    | tigre m    | 호랑이
        monkey   | mono m     | 원숭이
        elephant | elefante m | 코끼리
        fox      | zorro m    | 여우
        wolf     | lobo m     | 늑대
        frog     | rana f     | 개구리
        turtle   | tortuga f  | 거북이
        snake    | serpiente f| 뱀
    """,
    ),
    *read_nouns(
        "fruit",
        "개",
        """
        apple      | manzana f  | 사과
        orange     | naranja f  | 오렌지
        banana     | plátano m  | 바나나
        strawberry | fresa f    | 딸기
        lemon      | limón m    | 레몬
        peach      | melocotón m| 복숭아
        tomato     | tomate m   | 토마토
        carrot     | zanahoria f| 당근
        potato     | patata f   | 감자
        onion      | cebolla f  | 양파
        egg        | huevo m    | 달걀
        cookie     | galleta f  | 쿠키
    """,
    ),
    *read_nouns(
        "dish",
        "",
        """
        bread     | pan m      | 빵
        rice      | arroz m    | 밥
        meat      | carne f    | 고기
        soup      | sopa f     | 수프
        cheese    | queso m    | 치즈
        fish      | pescado m  | 생선
        chocolate | chocolate m| 초콜릿
        salad     | ensalada f | 샐러드
    """,
    ),
    *read_nouns(
        "drink",
        "",
        """
        water | agua f     | 물
        milk  | leche f    | 우유
        juice | zumo m     | 주스
        tea   | té m       | 차
        coffee| café m     | 커피
        wine  | vino m     | 포도주
        beer  | cerveza f  | 맥주
    """,
    ),
    *read_nouns(
        "text",
        "권",
        """
        book      | libro m      | 책
        novel     | novela f     | 소설
        magazine  | revista f    | 잡지
        dictionary| diccionario m| 사전
        letter    | carta f      | 편지 | 통
        poem      | poema m      | 시   | 편
    """,
    ),
    *read_nouns(
        "instrument",
        "대",
        """
        guitar | guitarra f | 기타
        piano  | piano m    | 피아노
        violin | violín m   | 바이올린
        flute  | flauta f   | 플루트 | 개
        drum   | tambor m   | 북 | 개
        trumpet| trompeta f | 트럼펫 | 개
    """,
    ),
    *read_nouns(
        "clothes",
        "벌",
        """
        skirt   | falda f     | 치마
        coat    | abrigo m    | 외투
        shirt   | camisa f    | 셔츠
        sweater | suéter m    | 스웨터
        dress   | vestido m   | 드레스
        hat     | sombrero m  | 모자 | 개
        scarf   | bufanda f   | 목도리 | 개
        tie     | corbata f   | 넥타이 | 개
    """,
    ),
    *read_nouns(
        "thing",
        "개",
        """
        bag      | bolsa f      | 가방
        box      | caja f       | 상자
        ball     | pelota f     | 공
        toy      | juguete m    | 장난감
        key      | llave f      | 열쇠
        ring     | anillo m     | 반지
        umbrella | paraguas m   | 우산
        gift     | regalo m     | 선물
        mirror   | espejo m     | 거울
        lamp     | lámpara f    | 램프
        candle   | vela f       | 양초
        pencil   | lápiz m      | 연필
        pen      | bolígrafo m  | 볼펜
        knife    | cuchillo m   | 칼
        spoon    | cuchara f    | 숟가락
        clock    | reloj m      | 시계
        blanket  | manta f      | 담요
    """,
    ),
    *read_nouns(
        "glass",
        "개",
        """
        cup    | taza f     | 컵
        plate  | plato m    | 접시
        bottle | botella f  | 병
        vase   | jarrón m   | 꽃병
    """,
    ),
    *read_nouns(
        "furniture",
        "개",
        """
        table | mesa f     | 탁자
        chair | silla f    | 의자
        bed   | cama f     | 침대
        desk  | escritorio m | 책상
    """,
    ),
    *read_nouns(
        "opening",
        "개",
        """
        door   | puerta f  | 문
        window | ventana f | 창문
    """,
    ),
    *read_nouns(
        "plant",
        "그루",
        """
        tree   | árbol m | 나무
        flower | flor f  | 꽃 | 송이
        rose   | rosa f  | 장미 | 송이
        pine   | pino m  | 소나무
    """,
    ),
    *read_nouns(
        "vehicle",
        "대",
        """
        bus     | autobús m   | 버스
        train   | tren m      | 기차
        car     | coche m     | 자동차
        taxi    | taxi m      | 택시
        truck   | camión m    | 트럭
    """,
    ),
    *read_nouns(
        "carrier",
        "대",
        """
        bicycle  | bicicleta f | 자전거
        airplane | avión m     | 비행기
    """,
    ),
    *read_nouns(
        "building",
        "",
        """
        house     | casa f       | 집
        school    | escuela f    | 학교
        library   | biblioteca f | 도서관
        hospital  | hospital m   | 병원
        museum    | museo m      | 박물관
        restaurant| restaurante m| 식당
        store     | tienda f     | 가게
        hotel     | hotel m      | 호텔
        church    | iglesia f    | 교회
        bakery    | panadería f  | 빵집
        theater   | teatro m     | 극장
        castle    | castillo m   | 성
        airport   | aeropuerto m | 공항
    """,
    ),
    *read_nouns(
        "room",
        "",
        """
        kitchen   | cocina f   | 부엌
        room      | habitación f | 방
        bathroom  | baño m     | 화장실
        office    | oficina f  | 사무실
        classroom | aula f     | 교실
    """,
    ),
    *read_nouns(
        "outside",
        "",
        """
        park     | parque m  | 공원
        garden   | jardín m  | 정원
        street   | calle f   | 거리
        forest   | bosque m  | 숲
        market   | mercado m | 시장
        village  | pueblo m  | 마을
        city     | ciudad f  | 도시
        square   | plaza f   | 광장
    """,
    ),
    *read_nouns(
        "subject",
        "",
        """
        English    | inglés m     | 영어
        Spanish    | español m    | 스페인어
        Korean     | coreano m    | 한국어
        Chinese    | chino m      | 중국어
        French     | francés m    | 프랑스어
        history    | historia f   | 역사
        music      | música f     | 음악
        chemistry  | química f    | 화학
        biology    | biología f   | 생물학
        philosophy | filosofía f  | 철학
    """,
    ),
    *read_nouns(
        "tune",
        "",
        """
        song   | canción f | 노래
    """,
    ),
)


def nouns_of(*kinds: str) -> tuple[Noun, ...]:
    """The nouns of some kinds, in the order of the tables."""
    return tuple(noun for noun in NOUNS if noun.kind in kinds)


ADJECTIVES = read_adjectives("""
    big         | grande       | ser   | 크       | animal OBJECTS vehicle building room plant fruit opening
    small       | pequeño      | ser   | 작       | animal OBJECTS vehicle building room plant fruit opening
    beautiful   | hermoso      | ser   | 아름답 ㅂ | plant building
    pretty      | bonito       | ser   | 예쁘     | clothes plant
    red         | rojo         | ser   | 빨갛 ㅎ  | thing clothes vehicle opening plant
    blue        | azul         | ser   | 파랗 ㅎ  | thing clothes vehicle opening
    yellow      | amarillo     | ser   | 노랗 ㅎ  | clothes vehicle opening
    black       | negro        | ser   | 까맣 ㅎ  | animal clothes
    white       | blanco       | ser   | 하얗 ㅎ  | animal clothes furniture opening
    expensive   | caro         | ser   | 비싸     | OBJECTS vehicle fruit drink instrument
    cheap       | barato       | ser   | 싸       | OBJECTS vehicle fruit drink instrument
    heavy       | pesado       | ser   | 무겁 ㅂ  | furniture instrument
    light       | ligero       | ser   | 가볍 ㅂ  | furniture instrument
    clean       | limpio       | estar | 깨끗하   | glass clothes room opening
    dirty       | sucio        | estar | 더럽 ㅂ  | glass clothes room opening
    hot         | caliente     | estar | 뜨겁 ㅂ  | drink
    cold        | frío         | estar | 차갑 ㅂ  | drink
    sweet       | dulce        | ser   | 달       | fruit
    delicious   | delicioso    | estar | 맛있     | dish fruit
    fresh       | fresco       | estar | 신선하   | fruit
    interesting | interesante  | ser   | 재미있   | text
    boring      | aburrido     | ser   | 지루하   | text
    difficult   | difícil      | ser   | 어렵 ㅂ  | text
    easy        | fácil        | ser   | 쉽 ㅂ    | text
    useful      | útil         | ser   | 유용하   | thing
    strong      | fuerte       | ser   | 강하     | LIVING
    intelligent | inteligente  | ser   | 똑똑하   | LIVING
    kind        | amable       | ser   | 친절하   | PEOPLE
    happy       | feliz        | estar | 행복하   | PEOPLE
    sad         | triste       | estar | 슬프     | PEOPLE
    tired       | cansado      | estar | 피곤하   | PEOPLE
    busy        | ocupado      | estar | 바쁘     | PEOPLE
    sick        | enfermo      | estar | 아프     | LIVING
    brave       | valiente     | ser   | 용감하   | PEOPLE
    famous      | famoso       | ser   | 유명하   | PEOPLE building
    tall        | alto         | ser   | 키가 크  | PEOPLE
    rich        | rico         | ser   | 부유하   | PEOPLE
    poor        | pobre        | ser   | 가난하   | PEOPLE
    honest      | honesto      | ser   | 정직하   | PEOPLE
    wise        | sabio        | ser   | 지혜롭 ㅂ | PEOPLE
    lazy        | perezoso     | ser   | 게으르 르 | LIVING
    hardworking | trabajador   | ser   | 부지런하 | PEOPLE
    quiet       | tranquilo    | ser   | 조용하   | room building
    noisy       | ruidoso      | ser   | 시끄럽 ㅂ | vehicle
    fast        | rápido       | ser   | 빠르 르  | animal vehicle
    slow        | lento        | ser   | 느리     | animal vehicle
    dangerous   | peligroso    | ser   | 위험하   | animal
    cute        | lindo        | ser   | 귀엽 ㅂ  | animal
    dark        | oscuro       | estar | 어둡 ㅂ  | room
""")

_VERBS = """
    read      | read     | leer      | 읽       | PEOPLE | text               | in |
    write     | wrote    | escribir  | 쓰       | PEOPLE | text               | in | pencil pen
    eat       | ate      | comer     | 먹       | PEOPLE | fruit dish         | in | spoon
    drink     | drank    | beber     | 마시     | PEOPLE | drink              | in |
    buy       | bought   | comprar   | 사       | PEOPLE | fruit dish text OBJECTS instrument | in |
    sell      | sold     | vender    | 팔       | PEOPLE | fruit dish text OBJECTS instrument | in |
    cook      | cooked   | cocinar   | 요리하   | PEOPLE | dish               | in |
    see       | saw      | ver       | 보       | LIVING | LIVING vehicle plant thing | in |
    look for  | looked for | buscar  | 찾       | PEOPLE | LIVING thing text  | in |
    find      | found    | encontrar | 발견하   | PEOPLE | animal thing text  | in |
    open      | opened   | abrir     | 열       | PEOPLE | opening            |    | key
    close     | closed   | cerrar    | 닫       | PEOPLE | opening            |    |
    wash      | washed   | lavar     | 씻       | PEOPLE | glass              | in |
    clean     | cleaned  | limpiar   | 청소하   | PEOPLE | room               |    |
    draw      | drew     | dibujar   | 그리     | PEOPLE | animal plant building | in | pencil pen
    make      | made     | hacer     | 만들     | PEOPLE | furniture clothes  | in |
    break     | broke    | romper    | 깨       | PEOPLE | glass              | in |
    push      | pushed   | empujar   | 밀       | PEOPLE | furniture opening  |    |
    help      | helped   | ayudar    | 돕 ㅂ    | PEOPLE | PEOPLE             | in |
    love      | loved    | amar      | 사랑하   | PEOPLE | PEOPLE             |    |
    call      | called   | llamar    | 부르 르  | PEOPLE | PEOPLE             | in |
    visit     | visited  | visitar   | 방문하   | PEOPLE | building           |    |
    wait for  | waited for | esperar | 기다리   | PEOPLE | PEOPLE             | in |
    listen to | listened to | escuchar | 듣 ㄷ  | PEOPLE | tune               | in |
    sing      | sang     | cantar    | 부르 르  | PEOPLE | tune               | in |
    play      | played   | tocar     | 연주하   | PEOPLE | instrument         | in |
    learn     | learned  | aprender  | 배우     | PEOPLE | subject            | in |
    study     | studied  | estudiar  | 공부하   | PEOPLE | subject            | in |
    teach     | taught   | enseñar   | 가르치   | PEOPLE | subject            | in |
    drive     | drove    | conducir  | 운전하   | PEOPLE | vehicle            |    |
    choose    | chose    | elegir    | 고르 르  | PEOPLE | text clothes fruit | in |
    lose      | lost     | perder    | 잃어버리 | PEOPLE | thing              | in |
    use       | used     | usar      | 사용하   | PEOPLE | thing              |    |
    cut       | cut      | cortar    | 자르 르  | PEOPLE | fruit              | in | knife
    hide      | hid      | esconder  | 숨기     | PEOPLE | thing text         | in |
    build     | built    | construir | 짓 ㅅ    | PEOPLE | building           | in |
    plant     | planted  | plantar   | 심       | PEOPLE | plant              | in |
    paint     | painted  | pintar    | 칠하     | PEOPLE | furniture opening  |    |
    sleep     | slept    | dormir    | 자       | LIVING |                    | in |
    play      | played   | jugar     | 놀       | LIVING |                    | in |
    work      | worked   | trabajar  | 일하     | PEOPLE |                    | in |
    dance     | danced   | bailar    | 춤추     | PEOPLE |                    | in |
    run       | ran      | correr    | 달리     | LIVING |                    | in |
    walk      | walked   | caminar   | 걷 ㄷ    | LIVING |                    | in |
    rest      | rested   | descansar | 쉬       | LIVING |                    | in |
    cry       | cried    | llorar    | 울       | PEOPLE |                    | in |
    travel    | traveled | viajar    | 여행하   | PEOPLE |                    |    | vehicle
    go        | went     | ir        | 가       | LIVING |                    | to | vehicle
    come      | came     | venir     | 오       | LIVING |                    | to | vehicle
    return    | returned | volver    | 돌아가   | LIVING |                    | to | vehicle
    give      | gave     | dar       | 주       | PEOPLE | fruit thing text    |    |
    show      | showed   | mostrar   | 보여주   | PEOPLE | thing text clothes |    |
    send      | sent     | enviar    | 보내     | PEOPLE | text thing         |    |
    like      | liked    | gustar    | 좋아하   | PEOPLE | animal fruit dish drink subject | |
    have      | had      | tener     | 있       | PEOPLE | animal thing text instrument clothes vehicle | |
    be        | was      | estar     | 있       | LIVING thing glass |       | at |
"""


VERBS = read_verbs(_VERBS)


TIMES = read_times("""
    yesterday      | ayer             | 어제       | past
    last night     | anoche           | 어젯밤에   | past
    last week      | la semana pasada | 지난주에   | past
    last year      | el año pasado    | 작년에     | past
    tomorrow       | mañana           | 내일       | future
    next week      | la próxima semana| 다음 주에  | future
    next year      | el próximo año   | 내년에     | future
    now            | ahora            | 지금       | progressive
    every day      | todos los días   | 매일       | present
    every morning  | todas las mañanas| 매일 아침  | present
    every week     | todas las semanas| 매주       | present
    every year     | todos los años   | 매년       | present
    today          | hoy              | 오늘       | past future
    on Monday      | el lunes         | 월요일에   | past future
    on Tuesday     | el martes        | 화요일에   | past future
    on Wednesday   | el miércoles     | 수요일에   | past future
    on Thursday    | el jueves        | 목요일에   | past future
    on Friday      | el viernes       | 금요일에   | past future
    on Saturday    | el sábado        | 토요일에   | past future
    on Sunday      | el domingo       | 일요일에   | past future
    in spring      | en primavera     | 봄에       | past future
    in summer      | en verano        | 여름에     | past future
    in autumn      | en otoño         | 가을에     | past future
    in winter      | en invierno      | 겨울에     | past future
""")
