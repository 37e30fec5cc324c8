"""What people and things are, "English Korean" with how the stem changes; the kind of predicate heads each table.

"state" is a verb whose past says what is now: 결혼했어, is married.
"""

from __future__ import annotations

PERSONAL = {
    "adjective": """
        happy 행복하; sad 슬프; tired 피곤하; busy 바쁘; sick 아프; hungry 배고프; thirsty 목마르 르; lonely 외롭 ㅂ;
        nervous 불안하; kind 친절하; honest 정직하; rich 부유하; poor 가난하; strong 강하; weak 약하; tall 키가 크;
        short 키가 작; fat 뚱뚱하; young 젊; old 나이가 많; smart 똑똑하; stupid 어리석; clever 영리하; brave 용감하;
        lazy 게으르 르; shy 수줍음이 많; polite 예의 바르 르; rude 무례하; careful 조심스럽 ㅂ; famous 유명하;
        popular 인기가 많; beautiful 아름답 ㅂ; pretty 예쁘; cute 귀엽 ㅂ; healthy 건강하; wise 현명하; cruel 잔인하;
        friendly 다정하; active 활발하; generous 관대하; humble 겸손하; calm 침착하; strange 이상하; weird 이상하;
        funny 재미있; serious 진지하; proud 자랑스럽 ㅂ; jealous 질투가 많; OK 괜찮; fine 괜찮; sensitive 예민하;
        patient 참을성이 많; curious 호기심이 많; ambitious 야심이 많; safe 안전하; dangerous 위험하; great 훌륭하;
        awesome 멋지; unhappy 불행하; afraid 무섭 ㅂ; alone 외롭 ㅂ; innocent 순진하; guilty 죄가 있; fast 빠르 르
    """,
    "state": """
        married 결혼하; angry 화나; mad 화나; dead 죽; drunk 취하; late 늦; injured 다치; handsome 잘생기;
        ugly 못생기; wrong 틀리; surprised 놀라; crazy 미치; disappointed 실망하; exhausted 지치; retired 은퇴하;
        excited 흥분하; ready 준비되; lost 길을 잃
    """,
    "copula": """
        single 독신; intelligent 지적; fantastic 환상적; right-handed 오른손잡이; left-handed 왼손잡이;
        selfish 이기적; romantic 낭만적; optimistic 낙관적; pessimistic 비관적; creative 창의적; realistic 현실적;
        aggressive 공격적; rational 이성적; patriotic 애국적; alone 혼자
    """,
    "verb": "sleepy 졸리",
}
NEUTRAL = {
    "adjective": """
        big 크; small 작; large 크; long 길; short 짧; new 새롭 ㅂ; good 좋; bad 나쁘; great 훌륭하; nice 좋;
        easy 쉽 ㅂ; difficult 어렵 ㅂ; hard 어렵 ㅂ; important 중요하; interesting 재미있; boring 지루하;
        expensive 비싸; cheap 싸; heavy 무겁 ㅂ; light 가볍 ㅂ; warm 따뜻하; dangerous 위험하; safe 안전하;
        clean 깨끗하; dirty 더럽 ㅂ; dark 어둡 ㅂ; quiet 조용하; noisy 시끄럽 ㅂ; strange 이상하; weird 이상하;
        possible 가능하; impossible 불가능하; necessary 필요하; useful 유용하; useless 쓸모없; red 빨갛 ㅎ;
        black 까맣 ㅎ; white 하얗 ㅎ; blue 파랗 ㅎ; yellow 노랗 ㅎ; simple 간단하; complicated 복잡하; perfect 완벽하;
        terrible 끔찍하; wonderful 멋지; amazing 놀랍 ㅂ; special 특별하; different 다르 르; similar 비슷하;
        fast 빠르 르; slow 느리; fair 공평하; unfair 불공평하; funny 웃기; ridiculous 터무니없; common 흔하;
        rare 드물; deep 깊; high 높; beautiful 아름답 ㅂ; pretty 예쁘; sad 슬프; cute 귀엽 ㅂ; clear 분명하;
        serious 심각하; fresh 신선하; soft 부드럽 ㅂ; bright 밝; certain 확실하
    """,
    "copula": """
        true 사실; false 거짓; free 무료; green 초록색; a lie 거짓말; a mistake 실수; a secret 비밀; nonsense 헛소리;
        unlikely 무리
    """,
    "state": "broken 고장 나; old 오래되; finished 끝나",
}
TASTY = {"adjective": "delicious 맛있; hot 뜨겁 ㅂ; cold 차갑 ㅂ; sweet 달; good 맛있; fresh 신선하; bad 맛없"}
WEATHER = """
    It's cold | 춥 ㅂ; It's hot | 덥 ㅂ; It's warm | 따뜻하; It's cool | 시원하; It's dark | 어둡 ㅂ;
    It's windy | 바람이 많이 불; It's raining | 비가 오; It's snowing | 눈이 오; It's quiet | 조용하; It's late | 늦;
    It's sunny | 맑; It's cloudy | 흐리
"""
COMPARED = {
    "people": """
        taller 키가 크; shorter 키가 작; older 나이가 많; younger 어리; faster 빠르 르; stronger 강하; smarter 똑똑하;
        richer 부유하; more beautiful 아름답 ㅂ; busier 바쁘; happier 행복하; more famous 유명하;
        more careful 조심스럽 ㅂ; kinder 친절하; better 낫 ㅅ
    """,
    "things": """
        bigger 크; smaller 작; better 낫 ㅅ; more expensive 비싸; cheaper 싸; more beautiful 아름답 ㅂ;
        more interesting 재미있; more important 중요하; easier 쉽 ㅂ; more difficult 어렵 ㅂ; heavier 무겁 ㅂ;
        longer 길; faster 빠르 르
    """,
}
DEGREES = {
    "": "", "very": "매우", "really": "정말", "too": "너무", "so": "정말", "quite": "꽤", "pretty": "꽤",
    "a little": "조금", "extremely": "매우", "always": "항상", "often": "자주", "still": "아직도", "also": "또한",
    "usually": "보통", "just": "그냥",
}  # fmt: skip
BEFORE_NOUNS = (
    "big small large long short new good bad great important interesting boring expensive cheap heavy light dangerous "
    "clean dirty strange useful red black white blue yellow special different beautiful pretty cute simple funny"
)
"""Those of NEUTRAL that stand before a noun."""
