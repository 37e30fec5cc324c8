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
    hurry | 서두르 르
    worry | 걱정하
    relax | 긴장을 풀
    climb | 올라가
    jump | 뛰어오르 르
    knock | 노크하
    vote | 투표하
    argue | 다투
    practice | 연습하
    breathe | 숨을 쉬
    confess | 자백하
    nod | 고개를 끄덕이
    sweat | 땀을 흘리
    cough | 기침하
    pray | 기도하
    resign | 사임하
    behave | 예의 바르게 행동하
    appear | 나타나
    surrender | 항복하
    suffer | 고통받
    retire | 은퇴하
    graduate | 졸업하
    concentrate | 집중하
    cheat | 부정행위를 하
    panic | 당황하
    sneeze | 재채기하
    snore | 코를 골
    remain | 남
    wonder | 궁금해하
    gamble | 도박하
    bleed | 피를 흘리
    react | 반응하
    whisper | 속삭이
    ski | 스키를 타
    faint | 기절하
    yell | 소리를 지르 르
    daydream | 공상하
    joke | 농담하
    return home | 집으로 돌아가
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
    blame | 탓하 | 을 person
    throw | 던지 | 을 thing
    notice | 알아차리 | 을 person idea
    realize | 깨닫 ㄷ | 을 idea
    convince | 설득하 | 을 person
    persuade | 설득하 | 을 person
    accuse | 비난하 | 을 person
    admit | 인정하 | 을 idea
    discuss | 논의하 | 을 idea
    appreciate | 고맙게 생각하 | 을 idea
    support | 지지하 | 을 person idea
    attack | 공격하 | 을 person
    prepare | 준비하 | 을 food task
    continue | 계속하 | 을 task
    prevent | 막 | 을 idea
    suggest | 제안하 | 을 idea
    mention | 언급하 | 을 person idea
    recommend | 추천하 | 을 text food media place
    introduce | 소개하 | 을 person
    punish | 벌주 | 을 person
    scold | 꾸짖 | 을 person
    betray | 배신하 | 을 person
    repair | 수리하 | 을 thing vehicle
    fix | 고치 | 을 thing vehicle
    warn | 경고하 | 에게 person
    repeat | 반복하 | 을 question idea
    consider | 고려하 | 을 idea
    attend | 참석하 | 에 music
    arrest | 체포하 | 을 person
    beat | 이기 | 을 person
    drop | 떨어뜨리 | 을 thing
    push | 밀 | 을 door person
    pull | 당기 | 을 door thing
    lock | 잠그 | 을 door room
    count | 세 | 을 money
    pick up | 줍 ㅂ | 을 thing
    put down | 내려놓 | 을 thing
    throw away | 버리 | 을 thing text clothes
    return | 돌려주 | 을 text thing money
    rent | 빌리 | 을 vehicle room
    park | 주차하 | 을 vehicle
    translate | 번역하 | 을 text
    sign | 서명하 | 에 text
    copy | 베끼 | 을 text
    print | 인쇄하 | 을 text
    deliver | 배달하 | 을 text thing
    collect | 모으 | 을 thing text
    draw | 그리 | 을 animal flower
    taste | 맛보 | 을 food
    order | 주문하 | 을 food drink
    bake | 굽 ㅂ | 을 baked
    cut | 자르 르 | 을 food
    share | 나누 | 을 food idea
    smell | 냄새를 맡 | 을 food flower
    touch | 만지 | 을 thing animal
    hold | 잡 | 을 thing
    kick | 차 | 을 door person
    shoot | 쏘 | 을 person animal
    bite | 물 | 을 person
    hug | 껴안 | 을 person
    rescue | 구하 | 을 person animal
    insult | 모욕하 | 을 person
    threaten | 위협하 | 을 person
    interrupt | 방해하 | 을 person
    bother | 귀찮게 하 | 을 person
    annoy | 짜증나게 하 | 을 person
    surprise | 놀라게 하 | 을 person
    disappoint | 실망시키 | 을 person
    deceive | 속이 | 을 person
    fool | 속이 | 을 person
    admire | 존경하 | 을 person
    praise | 칭찬하 | 을 person
    envy | 부러워하 | 을 person
    despise | 경멸하 | 을 person
    recognize | 알아보 | 을 person
    encourage | 격려하 | 을 person
    comfort | 위로하 | 을 person
    contact | 연락하 | 에게 person
    greet | 인사하 | 에게 person
    obey | 따르 | 을 person idea
    treat | 대하 | 을 person
    disturb | 방해하 | 을 person
    hire | 고용하 | 을 person
    fire | 해고하 | 을 person
    examine | 조사하 | 을 thing question
    check | 확인하 | 을 idea text
    prove | 증명하 | 을 idea
    deny | 부정하 | 을 idea
    reject | 거절하 | 을 idea
    refuse | 거절하 | 을 idea
    ruin | 망치 | 을 idea task
    destroy | 파괴하 | 을 house thing
    burn | 태우 | 을 text house
    sew | 꿰매 | 을 clothes
    iron | 다림질하 | 을 clothes
    try on | 입어 보 | 을 clothes
    take off | 벗 | 을 clothes
    put on | 입 | 을 clothes
    plant | 심 | 을 flower
    water | 물을 주 | 에 flower
    pick | 고르 르 | 을 thing food
    cross | 건너 | 을 way
    climb | 오르 르 | 에 height
    search | 수색하 | 을 room
    reserve | 예약하 | 을 room
    guess | 맞히 | 을 idea
    expect | 기대하 | 을 idea
    invent | 발명하 | 을 thing
    discover | 발견하 | 을 idea
    describe | 묘사하 | 을 person idea
    memorize | 외우 | 을 idea text
    reveal | 밝히 | 을 idea
    keep | 지키 | 을 idea
    doubt | 의심하 | 을 person idea
    improve | 향상시키 | 을 language
    master | 익히 | 을 language
    earn | 벌 | 을 money
    owe | 빚지 | 을 money
    waste | 낭비하 | 을 money
    lack | 부족하 | 이 time
    add | 넣 | 을 food
    mix | 섞 | 을 food
    miss | 놓치 | 을 ridden
    get off | 내리 | 에서 ridden
    get on | 타 | 에 ridden
    talk about | 대해 이야기하 | 에 person idea
    complain about | 대해 불평하 | 에 idea
    worry about | 걱정하 | 을 person idea
    argue with | 다투 | 과 person
    fight with | 싸우 | 과 person
    dance with | 춤추 | 과 person
    live with | 살 | 과 person
    work with | 일하 | 과 person
    break up with | 헤어지 | 과 person
    divorce | 이혼하 | 과 person
    resemble | 닮 | 을 person
    take care of | 돌보 | 을 person animal
    get rid of | 없애 | 을 thing
    be fond of | 좋아하 | 을 animal food sport
    be jealous of | 질투하 | 을 person
    be aware of | 알고 있 | 을 idea
    be ashamed of | 부끄러워하 | 을 person idea
    look after | 돌보 | 을 person animal
    run away from | 도망치 | 에게서 person
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
    hurry up | 서두르 르
    calm down | 진정하
    lie down | 눕 ㅂ
    slow down | 속도를 줄이
    run away | 도망치
    work together | 함께 일하
    sing together | 함께 노래하
    eat together | 함께 먹
    go together | 함께 가
    play together | 함께 놀
    get dressed | 옷을 입
    get angry | 화를 내
    get lost | 길을 잃
    get hurt | 다치
    get drunk | 취하
    get divorced | 이혼하
    get fired | 해고되
    get arrested | 체포되
    get up early | 일찍 일어나
    come home late | 집에 늦게 오
    go to the hospital | 병원에 가
    go to church | 교회에 가
    go to the movies | 영화를 보러 가
    go to college | 대학에 다니
    go abroad | 해외로 가
    go camping | 캠핑하러 가
    go skiing | 스키를 타러 가
    go hiking | 등산하러 가
    go on a diet | 다이어트를 하
    go on a trip | 여행을 가
    go upstairs | 위층으로 올라가
    go downstairs | 아래층으로 내려가
    go first | 먼저 가
    stay up late | 늦게까지 깨어 있
    stay in bed | 침대에 누워 있
    keep a diary | 일기를 쓰
    keep a secret | 비밀을 지키
    keep one's promise | 약속을 지키
    keep quiet | 조용히 있
    tell a joke | 농담을 하
    tell a story | 이야기를 하
    tell me the truth | 나에게 진실을 말하
    ask for help | 도움을 청하
    ask a favor | 부탁을 하
    make a decision | 결정을 내리
    make a speech | 연설을 하
    make a plan | 계획을 세우
    make a phone call | 전화를 하
    make breakfast | 아침을 만들
    make dinner | 저녁을 만들
    make coffee | 커피를 끓이
    make money fast | 돈을 빨리 벌
    take a nap | 낮잠을 자
    take a trip | 여행을 하
    take a risk | 위험을 무릅쓰
    take a taxi | 택시를 타
    take the bus | 버스를 타
    take an exam | 시험을 보
    take notes | 필기를 하
    take a look | 보
    have a party | 파티를 하
    have fun | 재미있게 놀
    have a drink | 한잔하
    have a good time | 좋은 시간을 보내
    have an accident | 사고를 당하
    have a picnic | 소풍을 가
    catch the train | 기차를 타
    miss the bus | 버스를 놓치
    miss the train | 기차를 놓치
    break one's leg | 다리가 부러지
    break one's arm | 팔이 부러지
    break one's promise | 약속을 어기
    hold one's breath | 숨을 참
    hold hands | 손을 잡
    shake hands | 악수를 하
    raise one's hand | 손을 들
    close one's eyes | 눈을 감
    open one's eyes | 눈을 뜨
    open one's mouth | 입을 벌리
    change one's mind | 마음을 바꾸
    change clothes | 옷을 갈아입
    take off one's shoes | 신발을 벗
    put on one's shoes | 신발을 신
    wear glasses | 안경을 쓰
    wear a hat | 모자를 쓰
    wear a tie | 넥타이를 매
    drive a car | 차를 운전하
    drive fast | 빨리 운전하
    drive slowly | 천천히 운전하
    drive carefully | 조심해서 운전하
    speak loudly | 크게 말하
    speak quietly | 조용히 말하
    speak clearly | 분명하게 말하
    speak French well | 프랑스어를 잘하
    speak English fluently | 영어를 유창하게 하
    speak a foreign language | 외국어를 하
    listen carefully | 주의 깊게 듣 ㄷ
    think carefully | 신중하게 생각하
    work late | 늦게까지 일하
    work alone | 혼자 일하
    work overtime | 야근하
    work in a factory | 공장에서 일하
    work at a bank | 은행에서 일하
    live in a big city | 큰 도시에 살
    live near the sea | 바다 근처에 살
    live happily | 행복하게 살
    live together | 함께 살
    fall in love | 사랑에 빠지
    fall into the river | 강에 빠지
    fall down the stairs | 계단에서 넘어지
    commit a crime | 범죄를 저지르 르
    commit suicide | 자살하
    rob a bank | 은행을 털
    play the violin | 바이올린을 켜
    play the trumpet | 트럼펫을 불
    play video games | 비디오 게임을 하
    play in the snow | 눈 속에서 놀
    sing a song | 노래를 부르 르
    write a poem | 시를 쓰
    write a report | 보고서를 쓰
    write a book | 책을 쓰
    read the newspaper | 신문을 읽
    watch the news | 뉴스를 보
    watch a movie | 영화를 보
    surf the Internet | 인터넷을 하
    use the Internet | 인터넷을 사용하
    use a dictionary | 사전을 사용하
    study abroad | 유학하
    attend the meeting | 회의에 참석하
    join the army | 군대에 가
    join the club | 동아리에 가입하
    join us | 우리와 함께하
    obey the rules | 규칙을 지키
    break the rules | 규칙을 어기
    follow the rules | 규칙을 따르
    break the law | 법을 어기
    solve the problem | 문제를 해결하
    win the lottery | 복권에 당첨되
    win first prize | 일등상을 타
    win the race | 경주에서 이기
    lose one's job | 일자리를 잃
    lose one's temper | 화를 내
    lose hope | 희망을 잃
    lose the game | 경기에서 지
    gain weight | 살이 찌
    find a job | 일자리를 찾
    get a job | 일자리를 얻
    look for a job | 일자리를 찾
    quit one's job | 일을 그만두
    quit smoking | 담배를 끊
    stop smoking | 담배를 끊
    stop crying | 그만 울
    stop talking | 말을 멈추
    pay the bill | 계산하
    pay in cash | 현금으로 지불하
    pay by credit card | 신용카드로 지불하
    spend too much money | 돈을 너무 많이 쓰
    waste time | 시간을 낭비하
    kill time | 시간을 때우
    save time | 시간을 절약하
    feed the dog | 개에게 먹이를 주
    walk the dog | 개를 산책시키
    water the flowers | 꽃에 물을 주
    lock the door | 문을 잠그
    knock on the door | 문을 두드리
    set the table | 상을 차리
    cook dinner | 저녁을 요리하
    drink coffee | 커피를 마시
    drink too much | 너무 많이 마시
    eat too much | 너무 많이 먹
    eat breakfast together | 함께 아침을 먹
    skip breakfast | 아침을 거르 르
    cross the street | 길을 건너
    climb the mountain | 산에 오르 르
    climb the tree | 나무에 올라가
    sit next to me | 내 옆에 앉
    sit in the front | 앞에 앉
    sit on the bench | 벤치에 앉
    lie on the grass | 풀밭에 눕 ㅂ
    stand in line | 줄을 서
    wait in line | 줄을 서서 기다리
    wait outside | 밖에서 기다리
    wait a little longer | 조금 더 기다리
    call the police | 경찰을 부르 르
    call an ambulance | 구급차를 부르 르
    call a doctor | 의사를 부르 르
    see a doctor | 의사의 진찰을 받
    see a ghost | 유령을 보
    have a fever | 열이 나
    catch the flu | 독감에 걸리
    celebrate Christmas | 크리스마스를 기념하
    leave immediately | 즉시 떠나
    leave early | 일찍 떠나
    leave tomorrow | 내일 떠나
    leave the room | 방에서 나가
    pretend to sleep | 자는 척하
    pretend to be asleep | 자는 척하
    pretend to be sick | 아픈 척하
    feel lonely | 외로움을 느끼
    feel pain | 고통을 느끼
    hope for the best | 좋은 결과를 바라
    depend on one's parents | 부모님에게 의지하
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
