"""The nouns of the everyday sentences by kind, each with its Korean; "-" before those that take no article."""

from __future__ import annotations

NOUNS = {
    "person": """
        -Tom 톰; -Mary 메리; -John 존; -Alice 앨리스; teacher 선생님; doctor 의사; boy 소년; girl 소녀; man 남자;
        woman 여자; child 아이; baby 아기; student 학생; friend 친구; lawyer 변호사; policeman 경찰관; actor 배우;
        singer 가수; old man 노인
    """,
    "relative": """
        father 아버지; mother 어머니; brother 형; sister 누나; son 아들; daughter 딸; wife 아내; husband 남편;
        uncle 삼촌; aunt 이모; grandfather 할아버지; grandmother 할머니; friend 친구; boss 상사; teacher 선생님;
        girlfriend 여자친구; boyfriend 남자친구; family 가족; cousin 사촌; best friend 가장 친한 친구
    """,
    "job": """
        teacher 선생님; doctor 의사; student 학생; lawyer 변호사; nurse 간호사; actor 배우; singer 가수; writer 작가;
        policeman 경찰관; cook 요리사; farmer 농부; scientist 과학자; musician 음악가; soldier 군인; driver 운전사;
        liar 거짓말쟁이; genius 천재; coward 겁쟁이; Canadian 캐나다인; Korean 한국인; American 미국인;
        beginner 초보자; vegetarian 채식주의자; hero 영웅; idiot 바보; professor 교수; engineer 기술자; painter 화가;
        dentist 치과 의사; baby 아기; child 아이; man 남자; girl 소녀
    """,
    "animal": """
        cat 고양이; dog 개; bird 새; horse 말; fish 물고기; rabbit 토끼; mouse 쥐; cow 소; spider 거미; snake 뱀
    """,
    "food": """
        -meat 고기; -fish 생선; -bread 빵; -rice 밥; apple 사과; egg 달걀; -cheese 치즈; -chocolate 초콜릿;
        cake 케이크; sandwich 샌드위치; -pizza 피자; -fruit 과일; banana 바나나; -soup 수프; cookie 쿠키;
        -breakfast 아침; -lunch 점심; -dinner 저녁
    """,
    "drink": "-water 물; -coffee 커피; -tea 차; -milk 우유; -beer 맥주; -wine 와인; -juice 주스",
    "text": """
        book 책; letter 편지; novel 소설; newspaper 신문; story 이야기; email 이메일; dictionary 사전; message 메시지
    """,
    "thing": """
        bag 가방; key 열쇠; umbrella 우산; pen 펜; pencil 연필; phone 전화; computer 컴퓨터; camera 카메라;
        watch 시계; box 상자; knife 칼; ticket 표; wallet 지갑; map 지도; guitar 기타; gift 선물; picture 사진;
        passport 여권; gun 총; suitcase 여행 가방
    """,
    "clothes": """
        coat 코트; hat 모자; shirt 셔츠; dress 드레스; skirt 치마; sweater 스웨터; red dress 빨간 드레스;
        new coat 새 코트
    """,
    "vehicle": "car 차; bicycle 자전거; new car 새 차; truck 트럭; bus 버스; boat 배",
    "ridden": "bus 버스; train 기차; taxi 택시; -subway 지하철; horse 말; bicycle 자전거",
    "language": """
        -French 프랑스어; -English 영어; -Korean 한국어; -Japanese 일본어; -Spanish 스페인어; -Chinese 중국어;
        -German 독일어
    """,
    "subject": """
        -history 역사; -science 과학; -mathematics 수학; -music 음악; -art 미술; -biology 생물학; -chemistry 화학
    """,
    "sport": "-tennis 테니스; -soccer 축구; -baseball 야구; -golf 골프; -basketball 농구; -football 축구",
    "instrument": "-the piano 피아노; -the guitar 기타; -piano 피아노; -guitar 기타",
    "music": "-music 음악; song 노래; -classical music 클래식 음악; radio 라디오",
    "media": "-TV 텔레비전; movie 영화; -television 텔레비전; picture 그림; game 경기",
    "season": "-spring 봄; -summer 여름; -autumn 가을; -winter 겨울; -Christmas 크리스마스",
    "money": "-money 돈; bill 계산서",
    "idea": """
        -the truth 진실; -the answer 답; -the story 이야기; -the problem 문제; -the reason 이유; plan 계획;
        secret 비밀; idea 생각; -it 그것; -this 이것; -that 그것; -everything 모든 것; -something 뭔가; dream 꿈;
        mistake 실수; -advice 조언; rule 규칙
    """,
    "question": "question 질문; problem 문제",
    "exam": "exam 시험; test 시험",
    "task": "-homework 숙제; work 일; job 일; -that 그것; -it 그것; -this 이것",
    "job_held": "job 일; -school 학교; -smoking 담배",
    "time": "-time 시간; -more time 시간; -help 도움; -sleep 잠; -money 돈; -love 사랑; -peace 평화; -some rest 휴식",
    "door": "door 문; window 창문; box 상자",
    "room": "room 방; kitchen 부엌; house 집; office 사무실; classroom 교실; bathroom 화장실",
    "house": "house 집; school 학교; bridge 다리",
    "hands": "-one's hands 손; face 얼굴; car 차; dishes 접시",
    "flower": "flower 꽃; rose 장미; tree 나무",
    "place": """
        -Boston 보스턴; -Australia 호주; -Korea 한국; -Japan 일본; -Seoul 서울; -London 런던; school 학교;
        hospital 병원; library 도서관; park 공원; station 역; museum 박물관; restaurant 식당; church 교회; city 도시;
        village 마을; beach 해변; -America 미국
    """,
}
NUMERALS = {"two": "두", "three": "세", "four": "네", "five": "다섯", "ten": "열"}
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
