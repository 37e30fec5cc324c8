"""The verbs of the everyday sentences. A row: English | Korean stem and how it changes | the particle of the object and
the kinds of nouns that may be it; none for a verb without an object."""

from __future__ import annotations

VERBS = """
    go | 가
    come | 오
    sleep | 자
    work | 일하
    study | 공부하
    wait | 기다리
    cry | 울
    laugh | 웃
    smile | 미소 짓 ㅅ
    sing | 노래하
    dance | 춤추
    swim | 수영하
    run | 달리
    walk | 걷 ㄷ
    drive | 운전하
    cook | 요리하
    travel | 여행하
    smoke | 담배를 피우
    drink | 술을 마시
    lie | 거짓말하
    die | 죽
    leave | 떠나
    stay | 머무르 르
    rest | 쉬
    talk | 이야기하
    listen | 듣 ㄷ
    win | 이기
    lose | 지
    agree | 동의하
    try | 노력하
    fight | 싸우
    shout | 소리치
    scream | 비명을 지르 르
    stop | 멈추
    move | 움직이
    exercise | 운동하
    hesitate | 망설이
    complain | 불평하
    apologize | 사과하
    change | 변하
    fail | 실패하
    succeed | 성공하
    survive | 살아남
    escape | 도망치
    disappear | 사라지
    arrive | 도착하
    return | 돌아오
    fall | 넘어지
    sit | 앉
    stand | 서
    hide | 숨
    read | 읽 | 을 text
    write | 쓰 | 을 text
    eat | 먹 | 을 food
    drink | 마시 | 을 drink
    cook | 요리하 | 을 food
    buy | 사 | 을 food text thing clothes vehicle flower
    sell | 팔 | 을 thing vehicle clothes text house
    want | 원하 | 을 food drink thing time idea
    need | 필요하 | 이 person thing time idea vehicle
    like | 좋아하 | 을 person food drink animal subject sport season text place
    love | 사랑하 | 을 person animal
    hate | 싫어하 | 을 person food animal subject sport idea
    know | 알 | 을 person idea
    understand | 이해하 | 을 person idea language
    remember | 기억하 | 을 person idea
    forget | 잊어버리 | 을 idea thing
    believe | 믿 | 을 person idea
    trust | 믿 | 을 person
    help | 돕 ㅂ | 을 person
    see | 보 | 을 person animal media
    watch | 보 | 을 media
    meet | 만나 | 을 person
    visit | 방문하 | 을 person place
    call | 전화하 | 에게 person
    write to | 편지를 쓰 | 에게 person
    talk to | 말하 | 에게 person
    speak | 하 | 을 language
    learn | 배우 | 을 language subject
    study | 공부하 | 을 language subject
    teach | 가르치 | 을 language subject
    play | 치 | 을 instrument
    play | 하 | 을 sport
    drive | 운전하 | 을 vehicle
    open | 열 | 을 door
    close | 닫 | 을 door
    clean | 청소하 | 을 room
    wash | 씻 | 을 hands
    lose | 잃어버리 | 을 thing
    find | 찾 | 을 thing person idea
    look for | 찾 | 을 thing person
    use | 사용하 | 을 thing language
    break | 깨 | 을 door
    carry | 나르 르 | 을 thing
    hide | 숨기 | 을 thing
    bring | 가져오 | 을 thing food drink text
    take | 가져가 | 을 thing text
    steal | 훔치 | 을 thing vehicle
    wear | 입 | 을 clothes
    kiss | 키스하 | 에게 person
    marry | 결혼하 | 과 person
    kill | 죽이 | 을 person animal
    hit | 때리 | 을 person
    follow | 따라가 | 을 person
    invite | 초대하 | 을 person
    forgive | 용서하 | 을 person
    thank | 감사하 | 에게 person
    miss | 그리워하 | 을 person
    protect | 지키 | 을 person animal
    save | 구하 | 을 person
    wait for | 기다리 | 을 person
    look at | 보 | 을 person animal thing
    listen to | 듣 ㄷ | 을 music
    think about | 생각하 | 을 person idea
    agree with | 동의하 | 에게 person
    depend on | 의지하 | 에게 person
    respect | 존경하 | 을 person
    ignore | 무시하 | 을 person idea
    avoid | 피하 | 을 person idea
    join | 함께하 | 과 person
    hear | 듣 ㄷ | 을 idea music
    say | 말하 | 을 idea
    tell | 말하 | 을 idea
    explain | 설명하 | 을 idea
    answer | 대답하 | 에 question
    ask | 묻 ㄷ | 을 question
    solve | 풀 | 을 question
    pass | 합격하 | 에 exam
    accept | 받아들이 | 을 idea
    choose | 고르 르 | 을 thing clothes text
    finish | 끝내 | 을 task
    start | 시작하 | 을 task
    do | 하 | 을 task
    quit | 그만두 | 을 job_held
    change | 바꾸 | 을 idea
    send | 보내 | 을 text
    get | 받 | 을 text
    receive | 받 | 을 text
    make | 만들 | 을 food thing
    build | 짓 ㅅ | 을 house
    paint | 칠하 | 을 door house
    pay | 지불하 | 을 money
    borrow | 빌리 | 을 money text vehicle
    save | 모으 | 을 money
    spend | 쓰 | 을 money
    ride | 타 | 을 ridden
    take | 타 | 을 ridden
    catch | 잡 | 을 animal
    feed | 먹이를 주 | 에게 animal
    grow | 기르 르 | 을 flower
    enter | 들어가 | 에 room
    leave | 떠나 | 을 place
    be afraid of | 무서워하 | 을 animal person
    be interested in | 관심이 있 | 에 subject music sport
    be good at | 잘하 | 을 sport language
    be proud of | 자랑스러워하 | 을 person
    be worried about | 걱정하 | 을 person
    be waiting for | 기다리고 있 | 을 person ridden
    be looking for | 찾고 있 | 을 person thing
    be in love with | 사랑하고 있 | 을 person
    have a problem with | 문제가 있 | 과 person
"""
GIVING = """
    give | 주 | 을 text thing money flower clothes
    show | 보여주 | 을 text thing clothes
    send | 보내 | 을 text
    lend | 빌려주 | 을 money thing text vehicle
    teach | 가르치 | 을 language subject
    buy | 사주 | 을 text thing clothes flower
    tell | 말해주 | 을 idea
    bring | 가져다주 | 을 text thing drink
"""
"""Verbs of giving something to somebody."""

PHRASES = """
    go home | 집에 가
    come home | 집에 오
    come back | 돌아오
    come in | 들어오
    go out | 나가
    go away | 가 버리
    go there | 거기에 가
    come here | 여기에 오
    go to school | 학교에 가
    go to bed | 자러 가
    go shopping | 쇼핑하러 가
    go swimming | 수영하러 가
    go fishing | 낚시하러 가
    get up | 일어나
    wake up | 일어나
    sit down | 앉
    stand up | 일어서
    give up | 포기하
    grow up | 자라
    stay home | 집에 있
    stay here | 여기에 있
    eat breakfast | 아침을 먹
    have breakfast | 아침을 먹
    eat lunch | 점심을 먹
    eat dinner | 저녁을 먹
    eat out | 외식하
    take a bath | 목욕하
    take a shower | 샤워하
    take a walk | 산책하
    take a break | 쉬
    take a picture | 사진을 찍
    take medicine | 약을 먹
    do that | 그것을 하
    do it | 그것을 하
    do this | 이것을 하
    do something | 뭔가를 하
    do one's best | 최선을 다하
    help Tom do that | 톰이 그것을 하는 것을 돕 ㅂ
    win the game | 경기에서 이기
    tell the truth | 진실을 말하
    tell lies | 거짓말을 하
    make a mistake | 실수하
    make noise | 소리를 내
    make friends | 친구를 사귀
    speak slowly | 천천히 말하
    talk about it | 그것에 대해 이야기하
    think about it | 그것에 대해 생각하
    laugh at me | 나를 비웃
    look at me | 나를 보
    listen to me | 내 말을 듣 ㄷ
    wait for me | 나를 기다리
    come with me | 나와 함께 가
    go with Tom | 톰과 함께 가
    live alone | 혼자 살
    live here | 여기에 살
    work hard | 열심히 일하
    study hard | 열심히 공부하
    sleep well | 잘 자
    play outside | 밖에서 놀
    play chess | 체스를 두
    play cards | 카드놀이를 하
    ride a bicycle | 자전거를 타
    catch a cold | 감기에 걸리
    lose weight | 살을 빼
    get married | 결혼하
    fall asleep | 잠들
    change the subject | 주제를 바꾸
    answer the phone | 전화를 받
    turn on the light | 불을 켜
    turn off the light | 불을 끄
    turn off the TV | TV를 끄
    wash the dishes | 설거지하
    do the laundry | 빨래하
    clean the room | 방을 청소하
    brush one's teeth | 이를 닦
    save money | 돈을 모으
    make money | 돈을 벌
    pay attention | 집중하
    be quiet | 조용히 하
    be careful | 조심하
"""
"""Verbs with words that belong to them."""
