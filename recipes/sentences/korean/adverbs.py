"""When, where, how and with whom: "English | Korean", for which tenses, and what stands before which word."""

from __future__ import annotations

TIMES = {
    "past": """
        yesterday 어제; last night 어젯밤에; last week 지난주에; last year 작년에; last month 지난달에;
        three days ago 3일 전에; a long time ago 오래 전에; last summer 지난 여름에; this morning 오늘 아침에;
        two years ago 2년 전에; again 다시; an hour ago 한 시간 전에; on Monday 월요일에; in October 10월에;
        on Sunday 일요일에; earlier 아까; recently 최근에; yesterday evening 어제 저녁에; twice 두 번;
        on Saturday 토요일에; on Friday 금요일에; at noon 정오에; last Saturday 지난 토요일에; at midnight 자정에;
        in the end 결국; once 한 번; at that moment 그 순간에; by accident 우연히; on purpose 일부러;
        for three hours 세 시간 동안; together 함께; after school 방과 후에; after dinner 저녁 식사 후에;
        before lunch 점심 전에; in May 5월에; badly 심하게; without permission 허락 없이; immediately 즉시;
        three times 세 번; two weeks ago 2주 전에; at first 처음에; a few days ago 며칠 전에;
        a moment ago 방금 전에; in 2013 2013년에; for a while 잠시 동안; all day 하루 종일; the other day 지난번에;
        the day before yesterday 그저께
    """,
    "future": """
        tomorrow 내일; next week 다음 주에; next year 내년에; next month 다음 달에; soon 곧; tonight 오늘 밤에;
        later 나중에; this afternoon 오늘 오후에; on Monday 월요일에; today 오늘; again 다시;
        tomorrow morning 내일 아침에; next Monday 다음 주 월요일에; this evening 오늘 저녁에; on Saturday 토요일에;
        on Friday 금요일에; someday 언젠가; at noon 정오에; next Friday 다음 주 금요일에; this weekend 이번 주말에;
        right away 바로; together 함께; forever 영원히; before dark 어두워지기 전에; in an hour 한 시간 후에;
        in a week 일주일 후에; in three days 3일 후에; immediately 즉시; sooner or later 조만간;
        this Saturday 이번 토요일에; the day after tomorrow 모레; next time 다음에; tomorrow night 내일 밤에;
        tomorrow afternoon 내일 오후에; at seven o'clock 7시에; at eight o'clock 8시에; at two thirty 2시 30분에;
        in October 10월에
    """,
    "present": """
        every day 매일; every morning 매일 아침; every week 매주; every night 매일 밤; every year 매년; a lot 많이;
        on Sunday 일요일에; in the morning 아침에; at night 밤에; alone 혼자; now 지금; these days 요즘;
        every summer 여름마다; once a week 일주일에 한 번; twice a week 일주일에 두 번; on Saturdays 토요일마다;
        together 함께; on Sundays 일요일마다; in the evening 저녁에; in the afternoon 오후에;
        every Sunday 일요일마다; carefully 조심스럽게; after school 방과 후에; after work 퇴근 후에;
        too much 너무 많이; on weekends 주말에; almost every day 거의 매일; three times a week 일주일에 세 번;
        before breakfast 아침 식사 전에; very well 아주 잘
    """,
    "lasting": "now 지금; right now 지금; alone 혼자; today 오늘; again 다시",
}
BEFORE_VERB = """
    always 항상; often 자주; usually 보통; sometimes 가끔; really 정말로; still 아직도; already 이미; also 또한;
    just 방금; finally 마침내; probably 아마; certainly 틀림없이; quickly 빨리; suddenly 갑자기; almost 거의;
    rarely 드물게; recently 최근에; secretly 몰래; maybe 아마; immediately 즉시; nearly 거의; obviously 분명히;
    eventually 결국; seriously 진지하게; quietly 조용히; actually 사실; apparently 보아하니; normally 보통;
    generally 일반적으로; frequently 자주; carefully 조심스럽게; occasionally 가끔; clearly 분명히;
    definitely 확실히; accidentally 실수로; completely 완전히; gradually 점점; simply 그냥
"""
COMPANY = """
    with Tom 톰과 함께; with me 나와 함께; with you 너와 함께; with my friends 친구들과 함께; with Mary 메리와 함께;
    with him 그와 함께; with us 우리와 함께; with his family 가족과 함께; with his wife 아내와 함께;
    with her children 아이들과 함께; with them 그들과 함께; with her 그녀와 함께; with his parents 부모님과 함께;
    without Tom 톰 없이; without me 나 없이; without you 너 없이; with my dog 내 개와 함께;
    with everyone 모두와 함께; with John 존과 함께; for Tom 톰을 위해; for me 나를 위해; for you 너를 위해
"""
WHERE = """
    at home 집; at school 학교; in the park 공원; in Boston 보스턴; in Australia 호주; in the garden 정원;
    in the kitchen 부엌; in Korea 한국; in Japan 일본; at the library 도서관; in his room 방; in the hospital 병원;
    at the station 역; on the street 거리; here 여기; there 거기; outside 밖; in America 미국; in the river 강;
    on the beach 해변; in Seoul 서울; in this city 이 도시; at the airport 공항; at the hotel 호텔; in town 시내;
    in Paris 파리; in China 중국; at the bank 은행; in Canada 캐나다; in Europe 유럽; in France 프랑스;
    in Germany 독일; in the sea 바다; in the pool 수영장; on the stage 무대; at the supermarket 슈퍼마켓;
    in the forest 숲; in the mountains 산; on the island 섬; in the bedroom 침실; at the beach 해변;
    in the garage 차고; on the bus 버스; on the train 기차; at a party 파티; at work 직장; in the countryside 시골;
    in the rain 빗속; in New York 뉴욕; in Kyoto 교토; in London 런던; in Italy 이탈리아; at the university 대학교;
    in the classroom 교실; in the library 도서관; in the dark 어둠 속; on the farm 농장; in the village 마을;
    at the corner 모퉁이; on the sofa 소파; in front of the house 집 앞; behind the house 집 뒤; in the yard 마당;
    at the theater 극장; in the United States 미국
"""
PLACED = """
    in the box 상자 안; on the table 탁자 위; on the desk 책상 위; in the garden 정원; in the kitchen 부엌;
    in the room 방; in the park 공원; under the bed 침대 밑; here 여기; there 거기; in the car 차 안; at home 집;
    in the bag 가방 안; on the chair 의자 위; in Boston 보스턴; in the hospital 병원; at school 학교; outside 밖;
    in the library 도서관; upstairs 위층; downstairs 아래층; on the wall 벽; in the sky 하늘; on the shelf 선반 위;
    in the drawer 서랍 안; behind the door 문 뒤; in front of the station 역 앞; at the airport 공항;
    at the hotel 호텔; on the roof 지붕 위; on the sofa 소파 위; in the refrigerator 냉장고 안; on the bus 버스 안;
    at work 직장; in the pool 수영장 안; on the floor 바닥; in town 시내; on the island 섬; in the bedroom 침실;
    in my pocket 내 주머니 안; next to the window 창문 옆; in prison 감옥; in jail 감옥; under the table 탁자 밑;
    under the tree 나무 밑; in the glass 유리잔 안; in the basket 바구니 안; near the station 역 근처;
    around the corner 모퉁이 근처; in the bathroom 화장실; in Paris 파리; in danger 위험 속; on the ground 땅 위;
    in the water 물속; beside me 내 옆; across the street 길 건너편; in the middle of the room 방 한가운데;
    in the closet 옷장 안; in the backyard 뒷마당; in the garage 차고; on the train 기차 안; in the ocean 바다;
    inside 안
"""
SAID_WHOLE = """
    Hello. | 안녕하세요.
    Good morning. | 좋은 아침이야.
    Good night. | 잘 자.
    Goodbye. | 안녕히 가세요.
    Thank you. | 고마워.
    Thanks. | 고마워.
    Thank you very much. | 정말 고마워.
    Thank you for your help. | 도와줘서 고마워.
    I'm sorry. | 미안해.
    I'm really sorry. | 정말 미안해.
    Excuse me. | 실례합니다.
    You're welcome. | 천만에.
    Yes. | 응.
    No. | 아니.
    I love you. | 사랑해.
    I love you so much. | 정말 사랑해.
    I miss you. | 보고 싶어.
    Help me. | 도와줘.
    Please help me. | 도와주세요.
    Wait a minute. | 잠깐만 기다려.
    Just a moment. | 잠깐만.
    Be quiet. | 조용히 해.
    Be careful. | 조심해.
    Hurry up. | 서둘러.
    Come on. | 어서.
    Let's go. | 가자.
    Let's go home. | 집에 가자.
    I see. | 알겠어.
    I know. | 알아.
    I don't know. | 모르겠어.
    I don't understand. | 이해가 안 돼.
    I understand. | 이해했어.
    I think so. | 그런 것 같아.
    I don't think so. | 그렇게 생각하지 않아.
    I agree. | 동의해.
    Of course. | 물론이지.
    Congratulations! | 축하해!
    Happy birthday! | 생일 축하해!
    Merry Christmas! | 메리 크리스마스!
    Good luck. | 행운을 빌어.
    Cheers! | 건배!
    What? | 뭐?
    Why? | 왜?
    Who? | 누구?
    Really? | 정말?
    How are you? | 잘 지내?
    What's your name? | 이름이 뭐야?
    My name is Tom. | 내 이름은 톰이야.
    Where are you? | 너 어디야?
    Where are you from? | 어디에서 왔어?
    I'm from Boston. | 나는 보스턴에서 왔어.
    How old are you? | 몇 살이야?
    What time is it? | 지금 몇 시야?
    What is this? | 이게 뭐야?
    What's that? | 저게 뭐야?
    What are you doing? | 뭐 하고 있어?
    What do you want? | 뭘 원해?
    What happened? | 무슨 일이야?
    What's wrong? | 무슨 일이야?
    Who are you? | 넌 누구야?
    Who is that? | 저 사람은 누구야?
    How much is it? | 얼마야?
    How much is this? | 이거 얼마예요?
    I'm hungry. | 배고파.
    I'm thirsty. | 목말라.
    I'm cold. | 추워.
    I'm tired. | 피곤해.
    I'm busy. | 바빠.
    I'm fine. | 난 괜찮아.
    I'm here. | 나 여기 있어.
    I'm back. | 나 왔어.
    I'm coming. | 지금 가.
    I'm OK. | 난 괜찮아.
    I'm full. | 배불러.
    I'm scared. | 무서워.
    I'm lost. | 길을 잃었어.
    It hurts. | 아파.
    It's nothing. | 아무것도 아니야.
    It's mine. | 내 거야.
    It's yours. | 네 거야.
    It doesn't matter. | 상관없어.
    That's right. | 맞아.
    That's enough. | 그만해.
    That's all. | 그게 다야.
    Never mind. | 신경 쓰지 마.
    No problem. | 문제없어.
    Don't worry. | 걱정하지 마.
    Don't move. | 움직이지 마.
    Don't cry. | 울지 마.
    Don't forget. | 잊지 마.
    Shut up. | 닥쳐.
    Go away. | 저리 가.
    Get out. | 나가.
    Come in. | 들어와.
    Sit down. | 앉아.
    Stand up. | 일어서.
    Look. | 봐.
    Listen. | 들어 봐.
    Stop. | 멈춰.
    Run. | 뛰어.
    Try it. | 해 봐.
    Take this. | 이거 가져가.
    Tell me. | 말해 줘.
    Show me. | 보여 줘.
    Follow me. | 따라와.
    Trust me. | 날 믿어.
    Forgive me. | 용서해 줘.
    Call me. | 전화해.
    Call the police. | 경찰을 불러.
    Wake up. | 일어나.
    Keep quiet. | 조용히 해.
    See you tomorrow. | 내일 보자.
    See you later. | 나중에 보자.
    See you. | 또 봐.
    Take care. | 잘 지내.
    Water, please. | 물 주세요.
    Coffee, please. | 커피 주세요.
"""
