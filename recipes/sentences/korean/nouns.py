"""The nouns of the everyday sentences by kind, each with its Korean; "-" before those that take no article."""

from __future__ import annotations

NOUNS = {
    "person": """
        -Tom 톰; -Mary 메리; -John 존; -Alice 앨리스; teacher 선생님; doctor 의사; boy 소년; girl 소녀; man 남자;
        woman 여자; child 아이; baby 아기; student 학생; friend 친구; lawyer 변호사; policeman 경찰관; actor 배우;
        singer 가수; old man 노인; guy 남자; stranger 낯선 사람; lady 숙녀; gentleman 신사; thief 도둑; neighbor 이웃;
        king 왕; guest 손님; enemy 적; president 대통령; captain 선장; mayor 시장; artist 예술가; prisoner 죄수;
        queen 여왕; tourist 관광객; customer 고객; foreigner 외국인; couple 부부; manager 매니저; secretary 비서;
        player 선수; leader 지도자; witness 목격자
    """,
    "relative": """
        father 아버지; mother 어머니; brother 형; sister 누나; son 아들; daughter 딸; wife 아내; husband 남편;
        uncle 삼촌; aunt 이모; grandfather 할아버지; grandmother 할머니; friend 친구; boss 상사; teacher 선생님;
        girlfriend 여자친구; boyfriend 남자친구; family 가족; cousin 사촌; best friend 가장 친한 친구; dad 아빠;
        mom 엄마; neighbor 이웃; twin brother 쌍둥이 형; roommate 룸메이트; classmate 반 친구; assistant 조수;
        secretary 비서
    """,
    "job": """
        teacher 선생님; doctor 의사; student 학생; lawyer 변호사; nurse 간호사; actor 배우; singer 가수;
        writer 작가; policeman 경찰관; cook 요리사; farmer 농부; scientist 과학자; musician 음악가; soldier 군인;
        driver 운전사; liar 거짓말쟁이; genius 천재; coward 겁쟁이; Canadian 캐나다인; Korean 한국인;
        American 미국인; beginner 초보자; vegetarian 채식주의자; hero 영웅; idiot 바보; professor 교수;
        engineer 기술자; painter 화가; dentist 치과 의사; baby 아기; child 아이; man 남자; girl 소녀; artist 예술가;
        captain 선장; president 대통령; expert 전문가; judge 판사; thief 도둑; author 작가; actress 여배우;
        gentleman 신사; fool 바보; stranger 낯선 사람; poet 시인; pilot 조종사; politician 정치인; spy 스파이;
        prisoner 죄수; priest 신부; tourist 관광객; foreigner 외국인; adult 어른; citizen 시민; employee 직원;
        worker 노동자; queen 여왕; king 왕; detective 형사; criminal 범죄자; interpreter 통역사; secretary 비서;
        librarian 사서; journalist 기자; carpenter 목수; barber 이발사; millionaire 백만장자; orphan 고아;
        ghost 유령; witness 목격자
    """,
    "animal": """
        cat 고양이; dog 개; bird 새; horse 말; fish 물고기; rabbit 토끼; mouse 쥐; cow 소; spider 거미; snake 뱀;
        deer 사슴; lion 사자; bear 곰; monkey 원숭이; pig 돼지; sheep 양; fox 여우; puppy 강아지; elephant 코끼리;
        insect 곤충; chicken 닭; tiger 호랑이; wolf 늑대; duck 오리; turtle 거북이
    """,
    "food": """
        -meat 고기; -fish 생선; -bread 빵; -rice 밥; apple 사과; egg 달걀; -cheese 치즈; -chocolate 초콜릿;
        cake 케이크; sandwich 샌드위치; -pizza 피자; -fruit 과일; banana 바나나; -soup 수프; cookie 쿠키;
        -breakfast 아침; -lunch 점심; -dinner 저녁; -sugar 설탕; -salt 소금; -chicken 닭고기; -cream 크림;
        -ice cream 아이스크림; -salad 샐러드; -dessert 디저트; orange 오렌지; pie 파이; -candy 사탕;
        -vegetables 채소; -supper 저녁; -jam 잼; -butter 버터; -honey 꿀; -popcorn 팝콘; -sushi 초밥; -grapes 포도;
        -potatoes 감자; tomato 토마토; -pepper 후추; -raw fish 회; -corn 옥수수; -spaghetti 스파게티; -beef 소고기;
        -nuts 견과류; pear 배; -steak 스테이크; -seafood 해산물; -snacks 간식
    """,
    "drink": "-water 물; -coffee 커피; -tea 차; -milk 우유; -beer 맥주; -wine 와인; -juice 주스",
    "text": """
        book 책; letter 편지; novel 소설; newspaper 신문; story 이야기; email 이메일; dictionary 사전;
        message 메시지; magazine 잡지; report 보고서; poem 시; article 기사; list 목록; document 문서;
        contract 계약서; postcard 엽서; book report 독후감; page 쪽; note 메모; diary 일기장; textbook 교과서;
        menu 메뉴
    """,
    "thing": """
        bag 가방; key 열쇠; umbrella 우산; pen 펜; pencil 연필; phone 전화; computer 컴퓨터; camera 카메라;
        watch 시계; box 상자; knife 칼; ticket 표; wallet 지갑; map 지도; guitar 기타; gift 선물; picture 사진;
        passport 여권; gun 총; suitcase 여행 가방; glass 유리잔; ball 공; machine 기계; button 단추; ring 반지;
        card 카드; bell 종; rope 밧줄; doll 인형; mirror 거울; towel 수건; bucket 양동이; vase 꽃병; envelope 봉투;
        ladder 사다리; photo 사진; sofa 소파; couch 소파; bench 벤치; shelf 선반; refrigerator 냉장고;
        alarm clock 알람 시계; bottle 병; cup 컵; plate 접시; spoon 숟가락; fork 포크; blanket 담요; pillow 베개;
        lamp 램프; candle 양초; coin 동전; toy 장난감; notebook 공책; laptop 노트북; hammer 망치; chair 의자;
        table 탁자; desk 책상; bed 침대; clock 시계; stone 돌; flag 깃발; weapon 무기; tool 도구; drum 북;
        package 소포; stamp 우표; credit card 신용카드; present 선물; flashlight 손전등; basket 바구니; sword 검;
        bomb 폭탄; cigarette 담배; piece of paper 종이 한 장; stick 막대기; bowl 그릇; pot 냄비; broom 빗자루;
        ticket 티켓; soap 비누; needle 바늘; -luggage 짐; -furniture 가구; video 영상; -scissors 가위; carpet 카펫;
        curtain 커튼; diamond 다이아몬드; helmet 헬멧; tent 텐트
    """,
    "clothes": """
        coat 코트; hat 모자; shirt 셔츠; dress 드레스; skirt 치마; sweater 스웨터; red dress 빨간 드레스;
        new coat 새 코트; jacket 재킷; suit 정장; tie 넥타이; uniform 제복; belt 벨트; scarf 스카프; -pants 바지;
        -jeans 청바지; -socks 양말; -shoes 신발; -boots 부츠; -gloves 장갑; -sunglasses 선글라스; -glasses 안경;
        -pajamas 잠옷; -clothes 옷; cap 모자; necklace 목걸이; swimsuit 수영복
    """,
    "vehicle": """
        car 차; bicycle 자전거; new car 새 차; truck 트럭; bus 버스; boat 배; bike 자전거; ship 배; plane 비행기;
        airplane 비행기; motorcycle 오토바이; sports car 스포츠카; helicopter 헬리콥터; van 승합차; yacht 요트
    """,
    "ridden": """
        bus 버스; train 기차; taxi 택시; -subway 지하철; horse 말; bicycle 자전거; cab 택시; ship 배; plane 비행기;
        elevator 엘리베이터; bike 자전거; airplane 비행기; boat 배; motorcycle 오토바이; ambulance 구급차;
        flight 비행기
    """,
    "language": """
        -French 프랑스어; -English 영어; -Korean 한국어; -Japanese 일본어; -Spanish 스페인어; -Chinese 중국어;
        -German 독일어; -Italian 이탈리아어; -Russian 러시아어; -Latin 라틴어; -Arabic 아랍어;
        -a foreign language 외국어; -foreign languages 외국어
    """,
    "subject": """
        -history 역사; -science 과학; -mathematics 수학; -music 음악; -art 미술; -biology 생물학; -chemistry 화학;
        -economics 경제학; -physics 물리학; -politics 정치; -geography 지리; -math 수학; -philosophy 철학; -law 법;
        -medicine 의학; -religion 종교; -literature 문학; -education 교육
    """,
    "sport": """
        -tennis 테니스; -soccer 축구; -baseball 야구; -golf 골프; -basketball 농구; -football 축구; -sports 스포츠;
        -volleyball 배구; -hockey 하키; -poker 포커; -chess 체스; -video games 비디오 게임
    """,
    "instrument": """
        -the piano 피아노; -the guitar 기타; -piano 피아노; -guitar 기타; -the violin 바이올린; -the drums 드럼;
        -the cello 첼로
    """,
    "music": """
        -music 음악; song 노래; -classical music 클래식 음악; radio 라디오; -jazz 재즈; -rock music 록 음악;
        concert 콘서트; -noise 소음; -pop music 팝 음악; lecture 강의; speech 연설
    """,
    "media": """
        -TV 텔레비전; movie 영화; -television 텔레비전; picture 그림; game 경기; film 영화; show 쇼; concert 콘서트;
        match 경기; race 경주; program 프로그램; play 연극; video 영상; -the news 뉴스; -the stars 별; -the moon 달;
        -birds 새; parade 행진; rainbow 무지개; -the sky 하늘; -the fireworks 불꽃놀이; -baseball games 야구 경기;
        cartoon 만화 영화
    """,
    "season": """
        -spring 봄; -summer 여름; -autumn 가을; -winter 겨울; -Christmas 크리스마스; -rain 비; -snow 눈;
        -storms 폭풍; -hot weather 더운 날씨; -cold weather 추운 날씨
    """,
    "money": """
        -money 돈; bill 계산서; -taxes 세금; -the rent 집세; -cash 현금; -the bill 계산서; -the price 값; fine 벌금;
        -a hundred dollars 100달러; -ten dollars 10달러; -thirty dollars 30달러; -a lot of money 많은 돈;
        -the debt 빚; -the tax 세금; -the salary 월급
    """,
    "idea": """
        -the truth 진실; -the answer 답; -the story 이야기; -the problem 문제; -the reason 이유; plan 계획;
        secret 비밀; idea 생각; -it 그것; -this 이것; -that 그것; -everything 모든 것; -something 뭔가; dream 꿈;
        mistake 실수; -advice 조언; rule 규칙; opinion 의견; fact 사실; situation 상황; result 결과; theory 이론;
        solution 해결책; explanation 설명; proposal 제안; offer 제안; decision 결정; opportunity 기회; meaning 의미;
        project 계획; experience 경험; rumor 소문; danger 위험; -information 정보; habit 습관; -the past 과거;
        -the future 미래; purpose 목적; price 가격; suggestion 제안; relationship 관계; difference 차이; risk 위험;
        request 부탁; reply 대답; law 법; custom 관습; name 이름; password 비밀번호; address 주소; event 사건;
        accident 사고; crime 범죄; behavior 행동; feeling 감정; example 예; word 말; -details 세부 사항;
        theory 이론; invitation 초대; apology 사과; excuse 변명; policy 정책; option 선택지; method 방법;
        schedule 일정; miracle 기적; system 제도; -the facts 사실; -the rules 규칙; -her name 그녀의 이름;
        -his name 그의 이름; -your opinion 네 의견
    """,
    "question": """
        question 질문; problem 문제; mystery 수수께끼; puzzle 퍼즐; case 사건; crime 범죄; math problem 수학 문제
    """,
    "exam": """
        exam 시험; test 시험; examination 시험; math test 수학 시험; driving test 운전면허 시험;
        final exam 기말고사; interview 면접
    """,
    "task": """
        -homework 숙제; work 일; job 일; -that 그것; -it 그것; -this 이것; project 프로젝트; report 보고서;
        -my work 내 일; -the chores 집안일; -everything 모든 것; experiment 실험; -something 뭔가
    """,
    "job_held": """
        job 일; -school 학교; -smoking 담배; -drinking 술; -the team 팀; -gambling 도박; -university 대학교
    """,
    "time": """
        -time 시간; -more time 시간; -help 도움; -sleep 잠; -money 돈; -love 사랑; -peace 평화; -some rest 휴식;
        -information 정보; -evidence 증거; -advice 조언; -permission 허락; -power 힘; -energy 에너지; -freedom 자유;
        -confidence 자신감; -courage 용기; -patience 인내심; -experience 경험; -luck 운; -fresh air 신선한 공기;
        -friends 친구들; -success 성공; -support 지지; -attention 관심; -another chance 또 한 번의 기회;
        -respect 존경; -privacy 사생활; -an explanation 설명; -proof 증거; -more information 더 많은 정보;
        -happiness 행복; -justice 정의; -talent 재능; -revenge 복수
    """,
    "door": """
        door 문; window 창문; box 상자; gate 대문; drawer 서랍; bag 가방; bottle 병; envelope 봉투; curtain 커튼;
        letter 편지; refrigerator 냉장고; store 가게
    """,
    "room": """
        room 방; kitchen 부엌; house 집; office 사무실; classroom 교실; bathroom 화장실; bedroom 침실; garage 차고;
        building 건물; apartment 아파트; kitchen 부엌; hall 복도; pool 수영장; cage 우리; castle 성; theater 극장;
        living room 거실; basement 지하실
    """,
    "house": """
        house 집; school 학교; bridge 다리; hotel 호텔; tower 탑; castle 성; wall 벽; fence 울타리; hospital 병원;
        road 도로; factory 공장; church 교회; palace 궁전; boat 배; building 건물; apartment 아파트; farm 농장
    """,
    "hands": """
        -one's hands 손; face 얼굴; car 차; dishes 접시; -one's hair 머리; -one's feet 발; -the window 창문;
        -the clothes 옷; plate 접시; -vegetables 채소; -the cups 컵; dog 개
    """,
    "way": "bridge 다리; street 길; river 강; road 길; border 국경; lake 호수; desert 사막",
    "height": "mountain 산; hill 언덕; tree 나무; ladder 사다리; wall 벽; tower 탑; roof 지붕; fence 울타리",
    "baked": "cake 케이크; -bread 빵; cookie 쿠키; pie 파이; pizza 피자; apple pie 사과파이",
    "flower": """
        flower 꽃; rose 장미; tree 나무; -vegetables 채소; -grass 풀; apple tree 사과나무; plant 식물; -flowers 꽃;
        -corn 옥수수; -rice 벼; -tomatoes 토마토
    """,
    "place": """
        -Boston 보스턴; -Australia 호주; -Korea 한국; -Japan 일본; -Seoul 서울; -London 런던; school 학교;
        hospital 병원; library 도서관; park 공원; station 역; museum 박물관; restaurant 식당; church 교회;
        city 도시; village 마을; beach 해변; -America 미국; hotel 호텔; town 도시; airport 공항; -Paris 파리;
        -Europe 유럽; -China 중국; -France 프랑스; -Germany 독일; -Italy 이탈리아; -Spain 스페인; -England 영국;
        -Canada 캐나다; -India 인도; -Mexico 멕시코; -Brazil 브라질; -New York 뉴욕; -Kyoto 교토; -Osaka 오사카;
        -Chicago 시카고; -Rome 로마; -Hawaii 하와이; -the United States 미국; shop 가게; store 가게;
        supermarket 슈퍼마켓; theater 극장; island 섬; market 시장; castle 성; factory 공장; university 대학교;
        college 대학교; mountain 산; bank 은행; post office 우체국; zoo 동물원; farm 농장; forest 숲; pool 수영장;
        hill 언덕; country 나라; sea 바다; lake 호수; bookstore 서점; gym 체육관; bakery 빵집; palace 궁전;
        embassy 대사관; -Egypt 이집트; -Switzerland 스위스; -Russia 러시아; -Tokyo 도쿄; -Berlin 베를린;
        -Greece 그리스; -Thailand 태국; -Washington 워싱턴; police station 경찰서; drugstore 약국; stadium 경기장;
        pond 연못; desert 사막; jail 감옥; prison 교도소
    """,
}
NUMERALS = {
    "two": "두",
    "three": "세",
    "four": "네",
    "five": "다섯",
    "six": "여섯",
    "seven": "일곱",
    "eight": "여덟",
    "nine": "아홉",
    "ten": "열",
    "eleven": "열한",
    "twelve": "열두",
    "twenty": "스무",
    "several": "여러",
}
COUNTERS = {
    "animal": "마리",
    "thing": "개",
    "text": "권",
    "vehicle": "대",
    "relative": "명",
    "food": "개",
    "flower": "송이",
}
"""The Korean word behind a number of things of a kind."""
