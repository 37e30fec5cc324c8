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
        awesome 멋지; unhappy 불행하; afraid 무섭 ㅂ; alone 외롭 ㅂ; innocent 순진하; guilty 죄가 있; fast 빠르 르;
        lucky 운이 좋; ill 아프; bored 심심하; pleased 기쁘; upset 속상하; silent 조용하; embarrassed 부끄럽 ㅂ;
        naive 순진하; evil 사악하; grateful 감사하; foolish 어리석; suspicious 수상하; tough 강하; thin 마르 르;
        anxious 불안하; nice 친절하; pleasant 상냥하; impatient 참을성이 없; capable 유능하; talented 재능이 있;
        ashamed 부끄럽 ㅂ; strict 엄격하; restless 불안하; skinny 마르 르; silly 어리석; mature 성숙하; modest 겸손하;
        loyal 충성스럽 ㅂ; depressed 우울하; dumb 멍청하; responsible 책임이 있; worried 걱정스럽 ㅂ; sure 확실하;
        comfortable 편하; glad 기쁘; sorry 미안하; powerful 강하; wealthy 부유하; independent 독립심이 강하;
        odd 이상하; perfect 완벽하; scary 무섭 ㅂ; ill-mannered 무례하; fair 공정하; charming 매력이 있;
        talkative 말이 많; desperate 절박하; impolite 무례하; violent 난폭하; worthless 쓸모없; experienced 경험이 많;
        respectable 훌륭하; fortunate 운이 좋; homeless 집이 없; lovely 사랑스럽 ㅂ; broke 돈이 없; full 배부르 르;
        dizzy 어지럽 ㅂ; cautious 조심스럽 ㅂ; reliable 믿음직하; stingy 인색하; greedy 욕심이 많; nosy 참견이 심하;
        cheerful 명랑하; gentle 온화하; decent 점잖; hopeless 가망이 없; busy today 오늘 바쁘; hungry now 지금 배고프
    """,
    "state": """
        married 결혼하; angry 화나; mad 화나; dead 죽; drunk 취하; late 늦; injured 다치; handsome 잘생기;
        ugly 못생기; wrong 틀리; surprised 놀라; crazy 미치; disappointed 실망하; exhausted 지치; retired 은퇴하;
        excited 흥분하; ready 준비되; lost 길을 잃; confused 당황하; satisfied 만족하; divorced 이혼하;
        shocked 충격을 받; convinced 확신하; frightened 겁먹; impressed 감동받; arrested 체포되; fired 해고되;
        trapped 갇히; hired 고용되; wounded 부상당하; saved 구조되; punished 벌을 받; scared 겁먹;
        drunk again 또 취하; murdered 살해당하; annoyed 짜증나; killed 죽; elected 당선되; deceived 속;
        wrong again 또 틀리; bald 머리가 벗겨지; amazed 놀라; prepared 준비되; relaxed 긴장이 풀리; invited 초대받;
        fainted 기절하; robbed 강도를 당하; absent 결석하; hurt 다치; mistaken 착각하; relieved 안심하; wet 젖;
        deserted 버림받; kidnapped 납치되; embarrassed 당황하; pregnant 임신하
    """,
    "copula": """
        single 독신; intelligent 지적; fantastic 환상적; right-handed 오른손잡이; left-handed 왼손잡이;
        selfish 이기적; romantic 낭만적; optimistic 낙관적; pessimistic 비관적; creative 창의적; realistic 현실적;
        aggressive 공격적; rational 이성적; patriotic 애국적; alone 혼자; deaf 청각 장애인; optimistic 낙천적;
        successful 성공적; attractive 매력적; normal 정상; emotional 감정적; sarcastic 냉소적; passive 소극적;
        professional 전문적; ideal 이상적
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
        serious 심각하; fresh 신선하; soft 부드럽 ㅂ; bright 밝; certain 확실하; empty 텅 비어 있; correct 맞;
        wet 축축하; loud 시끄럽 ㅂ; low 낮; excellent 훌륭하; urgent 급하; comfortable 편하; natural 자연스럽 ㅂ;
        huge 거대하; awful 끔찍하; sharp 날카롭 ㅂ; thick 두껍 ㅂ; thin 얇; sour 시; bitter 쓰; salty 짜; wide 넓;
        narrow 좁; smooth 부드럽 ㅂ; rough 거칠; tough 힘들; unusual 특이하; suitable 적당하; remarkable 놀랍 ㅂ;
        familiar 익숙하; obvious 분명하; complete 완전하; private 은밀하; modern 새롭 ㅂ; pleasant 즐겁 ㅂ;
        dry 건조하; scary 무섭 ㅂ; sweet 달콤하; awkward 어색하; convenient 편리하; enormous 거대하; tiny 아주 작;
        harmful 해롭 ㅂ; accurate 정확하; complex 복잡하; valuable 귀중하; precious 소중하; close 가깝 ㅂ; far 멀;
        silly 어리석; cool 멋지; lovely 아름답 ㅂ; fun 재미있; enough 충분하; mysterious 신비롭 ㅂ; harsh 가혹하;
        careless 부주의하; spicy 맵 ㅂ; flat 평평하; steep 가파르 르; shallow 얕; hopeless 가망이 없;
        disgusting 역겹 ㅂ; embarrassing 창피하; annoying 짜증스럽 ㅂ; tiring 피곤하; surprising 놀랍 ㅂ;
        suspicious 수상하; rude 무례하; smart 똑똑하; pure 순수하; equal 평등하; horrible 끔찍하; hot 뜨겁 ㅂ;
        cold 차갑 ㅂ
    """,
    "copula": """
        true 사실; false 거짓; free 무료; green 초록색; a lie 거짓말; a mistake 실수; a secret 비밀;
        nonsense 헛소리; unlikely 무리; wrong 잘못; illegal 불법; brown 갈색; gray 회색; purple 보라색; pink 분홍색;
        normal 정상; typical 전형적; practical 실용적; the same 똑같은 것; fate 운명; a joke 농담; a trap 함정;
        a miracle 기적; a fact 사실; a pity 유감; a problem 문제; a rumor 소문; a dream 꿈; an accident 사고;
        an emergency 비상사태; an excuse 변명; an order 명령; a coincidence 우연; my fault 내 잘못;
        your fault 네 잘못; a good idea 좋은 생각; my favorite 내가 가장 좋아하는 것; fake 가짜; an exception 예외;
        effective 효과적; ideal 이상적; a waste of time 시간 낭비; fascinating 매혹적
    """,
    "state": """
        broken 고장 나; old 오래되; finished 끝나; locked 잠기; covered with snow 눈으로 덮이; closed 닫히;
        stolen 도둑맞; frozen 얼; lost 없어지; destroyed 파괴되; ruined 망가지; worn out 닳; gone 사라지;
        canceled 취소되; solved 해결되; ready 준비되; over 끝나; sold out 매진되; missing 없어지; burned 타;
        delayed 늦어지; wrecked 망가지; postponed 연기되; empty 비; dried 마르 르
    """,
}
TASTY = {"adjective": "delicious 맛있; hot 뜨겁 ㅂ; cold 차갑 ㅂ; sweet 달; good 맛있; fresh 신선하; bad 맛없"}
WEATHER = """
    It's cold | 춥 ㅂ; It's hot | 덥 ㅂ; It's warm | 따뜻하; It's cool | 시원하; It's dark | 어둡 ㅂ;
    It's windy | 바람이 많이 불; It's raining | 비가 오; It's snowing | 눈이 오; It's quiet | 조용하;
    It's late | 늦; It's sunny | 맑; It's cloudy | 흐리
"""
COMPARED = {
    "people": """
        taller 키가 크; shorter 키가 작; older 나이가 많; younger 어리; faster 빠르 르; stronger 강하;
        smarter 똑똑하; richer 부유하; more beautiful 아름답 ㅂ; busier 바쁘; happier 행복하; more famous 유명하;
        more careful 조심스럽 ㅂ; kinder 친절하; better 낫 ㅅ; thinner 마르 르; tougher 강하; luckier 운이 좋;
        worse 나쁘; wiser 현명하; more patient 참을성이 많; more honest 정직하; more popular 인기가 많;
        closer 가깝 ㅂ
    """,
    "things": """
        bigger 크; smaller 작; better 낫 ㅅ; more expensive 비싸; cheaper 싸; more beautiful 아름답 ㅂ;
        more interesting 재미있; more important 중요하; easier 쉽 ㅂ; more difficult 어렵 ㅂ; heavier 무겁 ㅂ;
        longer 길; faster 빠르 르; larger 크; higher 높; harder 어렵 ㅂ; worse 나쁘; louder 시끄럽 ㅂ; warmer 따뜻하;
        more dangerous 위험하; more useful 유용하; more comfortable 편하; safer 안전하; newer 새롭 ㅂ; thicker 두껍 ㅂ
    """,
}
DEGREES = {
    "": "",
    "very": "매우",
    "really": "정말",
    "too": "너무",
    "so": "정말",
    "quite": "꽤",
    "pretty": "꽤",
    "a little": "조금",
    "extremely": "매우",
    "always": "항상",
    "often": "자주",
    "still": "아직도",
    "also": "또한",
    "usually": "보통",
    "just": "그냥",
}
BEFORE_NOUNS = (
    "big small large long short new good bad great important interesting boring expensive cheap heavy light dangerous "
    "clean dirty strange useful red black white blue yellow special different beautiful pretty cute simple funny"
)
"""Those of NEUTRAL that stand before a noun."""
