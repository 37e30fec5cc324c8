"""Everyday sentences written by hand, in both languages, with words that the rules and the collected pairs show too
seldom: those that are most frequent in everyday English, taken in the order of their frequency."""

from __future__ import annotations

_TABLE = """
    We all sang together. | 우리는 모두 함께 노래했어.
    Let's have lunch together. | 같이 점심 먹자.
    Tom and Mary came together. | 톰과 메리는 같이 왔어.
    When did it happen? | 그 일은 언제 일어났어?
    Something terrible will happen. | 끔찍한 일이 일어날 거야.
    Nothing happened to Tom. | 톰에게 아무 일도 일어나지 않았어.
    I don't know what will happen. | 무슨 일이 일어날지 모르겠어.
    These things happen every day. | 이런 일은 매일 일어난다.
    My father is against our plan. | 아버지는 우리 계획에 반대하신다.
    I'm against the war. | 나는 그 전쟁에 반대해.
    Tom leaned against the wall. | 톰은 벽에 기댔다.
    She became a famous singer. | 그녀는 유명한 가수가 되었다.
    He became very rich. | 그는 아주 부자가 되었다.
    Tom became a teacher. | 톰은 선생님이 됐어.
    I want to become a doctor. | 나는 의사가 되고 싶어.
    It's becoming colder. | 점점 추워지고 있어.
    How did the story end? | 그 이야기는 어떻게 끝났어?
    This is the end of the movie. | 이것이 영화의 끝이다.
    The meeting ended at noon. | 회의는 정오에 끝났다.
    School ends at three. | 학교는 세 시에 끝난다.
    I'd rather stay home. | 나는 차라리 집에 있겠어.
    I would rather go alone. | 나는 차라리 혼자 가고 싶어.
    It's rather cold today. | 오늘은 꽤 춥네.
    It costs thirty dollars. | 그것은 30달러야.
    This book cost me ten dollars. | 이 책은 10달러였다.
    I have only five dollars. | 나는 5달러밖에 없어.
    He owes me fifty dollars. | 그는 나에게 50달러를 빚졌다.
    How much does it cost? | 비용이 얼마나 들어?
    It didn't cost anything. | 돈이 전혀 들지 않았어.
    This is part of my job. | 이건 내 일의 일부야.
    I want to be part of the team. | 나는 팀의 일원이 되고 싶어.
    Wait here for a moment. | 여기서 잠시 기다려.
    He is busy at the moment. | 그는 지금 바쁘다.
    Don't talk about others. | 다른 사람들에 대해 이야기하지 마.
    He is always kind to others. | 그는 항상 다른 사람들에게 친절하다.
    Some people like cats, and others like dogs. | 어떤 사람들은 고양이를 좋아하고, 다른 사람들은 개를 좋아한다.
    I get up at six o'clock. | 나는 여섯 시에 일어나.
    It's already ten o'clock. | 벌써 열 시야.
    Come back by nine o'clock. | 아홉 시까지 돌아와.
    The train leaves at seven. | 기차는 일곱 시에 떠난다.
    The shop opens at nine. | 그 가게는 아홉 시에 연다.
    She bought some new clothes. | 그녀는 새 옷을 좀 샀다.
    My clothes are wet. | 내 옷이 젖었어.
    He advised me to stop smoking. | 그는 나에게 담배를 끊으라고 조언했다.
    I advised Tom to go home. | 나는 톰에게 집에 가라고 조언했어.
    The doctor advised him to rest. | 의사는 그에게 쉬라고 조언했다.
    Maybe you're right. | 아마 네가 맞을 거야.
    Maybe Tom knows the answer. | 아마 톰은 답을 알 거야.
    Maybe it's true. | 어쩌면 사실일지도 몰라.
    Perhaps he will come. | 아마 그는 올 것이다.
    The plane is late. | 비행기가 늦네.
    The plane has already left. | 비행기는 이미 떠났어.
    At least you tried. | 적어도 너는 노력했잖아.
    You need at least an hour. | 적어도 한 시간은 필요해.
    I have a pain in my leg. | 다리가 아파.
    I can't stand the pain. | 통증을 참을 수 없어.
    She looked at herself in the mirror. | 그녀는 거울로 자신을 보았다.
    Mary blames herself. | 메리는 자신을 탓해.
    Tom killed himself. | 톰은 자살했어.
    He is talking to himself. | 그는 혼잣말을 하고 있다.
    I did it by myself. | 나는 그걸 혼자서 했어.
    Take care of yourself. | 몸조심해.
    Did you hurt yourself? | 다쳤어?
    We enjoyed ourselves. | 우리는 즐거운 시간을 보냈어.
    They hid themselves. | 그들은 몸을 숨겼다.
    Our team won. | 우리 팀이 이겼어.
    Which team will win? | 어느 팀이 이길까?
    I've known Tom for years. | 나는 톰을 몇 년 동안 알고 지냈어.
    He is known to everyone. | 그는 모두에게 알려져 있다.
    You don't have to worry. | 걱정할 필요 없어.
    There's nothing to worry about. | 걱정할 것 없어.
    Tom worries too much. | 톰은 걱정을 너무 많이 해.
    I need some fresh air. | 신선한 공기가 필요해.
    The air is dirty here. | 여기는 공기가 더럽다.
    Give me a glass of water. | 물 한 잔 줘.
    He drank a glass of milk. | 그는 우유 한 잔을 마셨다.
    We have a lot of problems. | 우리는 문제가 많아.
    Everyone has problems. | 누구나 문제가 있다.
    Half of them are students. | 그들 중 절반은 학생이다.
    He ate half of the apple. | 그는 사과의 반을 먹었다.
    I waited for half an hour. | 나는 30분 동안 기다렸어.
    Health is more important than money. | 건강은 돈보다 중요하다.
    I'm worried about your health. | 네 건강이 걱정돼.
    I like watching movies. | 나는 영화 보는 걸 좋아해.
    Let's go to the concert. | 콘서트에 가자.
    How was the concert? | 콘서트는 어땠어?
    She has a warm heart. | 그녀는 마음이 따뜻하다.
    You broke my heart. | 너는 내 마음을 아프게 했어.
    He has a weak heart. | 그는 심장이 약하다.
    You're lucky. | 넌 운이 좋아.
    I was just lucky. | 난 그냥 운이 좋았어.
    Don't blame me. | 날 탓하지 마.
    Nobody is to blame. | 아무도 탓할 수 없어.
    He'll be back soon. | 그는 곧 돌아올 것이다.
    He'll come tomorrow. | 그는 내일 올 것이다.
    She'll be here soon. | 그녀는 곧 여기에 올 것이다.
    They'll help us. | 그들이 우리를 도와줄 거야.
    It'll be fun. | 재미있을 거야.
    The situation is serious. | 상황이 심각하다.
    I understand the situation. | 상황은 이해했어.
    Whose side are you on? | 너는 누구 편이야?
    I'm on your side. | 나는 네 편이야.
    The traffic is heavy today. | 오늘은 교통이 혼잡하다.
    There was a traffic accident. | 교통사고가 있었어.
    Good evening. | 좋은 저녁이에요.
    I'm free this evening. | 오늘 저녁은 한가해.
    Is he still alive? | 그는 아직 살아 있어?
    Tom is alive. | 톰은 살아 있어.
    You are in danger. | 너는 위험에 처해 있어.
    He lives in the United States. | 그는 미국에 살고 있다.
    Is this seat taken? | 이 자리에 누가 있나요?
    Please take a seat. | 앉으세요.
    He gave her his seat. | 그는 그녀에게 자리를 양보했다.
    I've been there twice. | 나는 거기에 두 번 가 봤어.
    We must obey the rules. | 우리는 규칙을 지켜야 한다.
    These are the rules. | 이것이 규칙이야.
    The ship is sinking. | 배가 가라앉고 있어.
    I can't accept your offer. | 당신의 제안을 받아들일 수 없어요.
    I can't figure it out. | 이해가 안 돼.
    This is my second visit to Korea. | 이번이 두 번째 한국 방문이야.
    He is the second son. | 그는 둘째 아들이다.
    Wait a second. | 잠깐만 기다려.
    Take an umbrella in case it rains. | 비가 올지도 모르니까 우산을 가져가.
    In that case, I'll go. | 그렇다면 내가 갈게.
    Though he is poor, he is happy. | 그는 가난하지만 행복하다.
    Even though it was cold, we went out. | 추웠지만 우리는 나갔어.
    Although it was raining, Tom went out. | 비가 오고 있었지만 톰은 나갔어.
    Things are getting worse. | 상황이 점점 나빠지고 있어.
    It could be worse. | 더 나쁠 수도 있어.
    I can hardly hear you. | 네 말이 거의 안 들려.
    He hardly eats anything. | 그는 거의 아무것도 먹지 않는다.
    What is your opinion? | 네 의견은 뭐야?
    I don't doubt it. | 나는 그것을 의심하지 않아.
    I doubt that Tom will come. | 톰이 올지 의심스러워.
    He is a college student. | 그는 대학생이다.
    She works at a shop. | 그녀는 가게에서 일한다.
    My arm hurts. | 팔이 아파.
    It's not a big deal. | 별일 아니야.
    He swam across the river. | 그는 강을 헤엄쳐 건넜다.
    The bank is across the street. | 은행은 길 건너편에 있다.
    Listen to me carefully. | 내 말을 잘 들어.
    I have a surprise for you. | 너에게 깜짝 선물이 있어.
    What a surprise! | 깜짝이야!
    To my surprise, he came. | 놀랍게도 그가 왔다.
    I'll pick you up at six. | 여섯 시에 데리러 갈게.
    Pick one. | 하나 골라.
    My bag was stolen. | 가방을 도둑맞았어.
    Someone has stolen my wallet. | 누가 내 지갑을 훔쳐 갔어.
    Who is that guy? | 저 남자는 누구야?
    You guys are crazy. | 너희들은 미쳤어.
    Do you have any plans for today? | 오늘 계획 있어?
    What are your plans? | 네 계획은 뭐야?
    The bus leaves in ten minutes. | 버스는 10분 후에 떠난다.
    The leaves are falling. | 나뭇잎이 떨어지고 있어.
    There are a hundred people here. | 여기에 백 명이 있다.
    How does this machine work? | 이 기계는 어떻게 작동해?
    The sky is blue. | 하늘은 파랗다.
    Look at the sky. | 하늘을 봐.
    I want a piece of cake. | 케이크 한 조각 먹고 싶어.
    It's all your fault. | 전부 네 잘못이야.
    It wasn't my fault. | 내 잘못이 아니었어.
    The box is empty. | 상자는 비어 있다.
    Tom is ill in bed. | 톰은 아파서 누워 있어.
    Are you on the list? | 너는 명단에 있어?
    That's correct. | 맞아.
    Your answer is correct. | 네 답은 맞아.
    I stayed there for two weeks. | 나는 거기에서 2주 동안 머물렀어.
    I've been sick for three weeks. | 나는 3주 동안 아팠어.
    You can count on me. | 나를 믿어도 돼.
    He can count to ten. | 그는 열까지 셀 수 있다.
    Do whatever you like. | 하고 싶은 대로 해.
    I'll do whatever you say. | 네가 말하는 대로 할게.
    None of us knows. | 우리 중 아무도 몰라.
    None of them came. | 그들 중 아무도 오지 않았다.
    It's none of your business. | 네가 상관할 일이 아니야.
    We're planning a party. | 우리는 파티를 계획하고 있어.
    What are you planning to do? | 뭘 할 계획이야?
    I came here on foot. | 나는 걸어서 여기에 왔어.
    I have no fear of death. | 나는 죽음이 두렵지 않아.
    They are brothers. | 그들은 형제야.
    I have two brothers. | 나는 형이 두 명 있어.
    He has three sisters. | 그는 누나가 세 명 있다.
    Something is in my eye. | 눈에 뭔가 들어갔어.
    She has blue eyes. | 그녀는 눈이 파랗다.
    I need a couple of days. | 며칠 필요해.
    I owe you one. | 너에게 신세를 졌어.
    The storm is coming. | 폭풍이 오고 있다.
    The door is locked. | 문이 잠겨 있어.
    He is the worst. | 그는 최악이다.
    It was the worst day of my life. | 내 인생에서 최악의 날이었어.
    Neither of us can swim. | 우리 둘 다 수영을 못 해.
    Me neither. | 나도 아니야.
    The party will be held tomorrow. | 파티는 내일 열릴 것이다.
    He held my hand. | 그는 내 손을 잡았다.
    Wait till I come back. | 내가 돌아올 때까지 기다려.
    I'm aware of that. | 그건 알고 있어.
    Open your mouth. | 입을 벌려.
    Keep your mouth shut. | 입 다물고 있어.
    Pass me the salt, please. | 소금 좀 건네주세요.
    Come here immediately. | 당장 이리 와.
    I enjoyed the party. | 파티는 즐거웠어.
    Did you enjoy the movie? | 영화는 재미있었어?
    She threw the ball to me. | 그녀는 나에게 공을 던졌다.
    I know him by sight. | 그의 얼굴은 알아.
    There was a large crowd in the park. | 공원에 많은 사람들이 있었다.
    Birds are singing. | 새들이 노래하고 있다.
    Can you do me a favor? | 부탁 하나 들어줄래?
    I have a favor to ask you. | 부탁이 하나 있어.
    We reached the top of the mountain. | 우리는 산 정상에 도착했다.
    Snow covered the street. | 눈이 길을 덮었다.
    Who is in charge here? | 여기 책임자가 누구야?
    Are you satisfied now? | 이제 만족해?
    She was in tears. | 그녀는 울고 있었다.
    He ought to apologize. | 그는 사과해야 한다.
    You ought to see a doctor. | 너는 병원에 가 봐야 해.
    It was a murder. | 그건 살인이었어.
    Shall we go? | 갈까?
    Shall I open the window? | 창문을 열까요?
    What shall we do? | 우리 뭐 할까?
    We swam in the sea. | 우리는 바다에서 수영했다.
    Start from the beginning. | 처음부터 시작해.
    I noticed that he was sad. | 나는 그가 슬퍼한다는 것을 알아차렸다.
    Nobody noticed. | 아무도 눈치채지 못했어.
    You should study harder. | 너는 더 열심히 공부해야 해.
    Tom is dressed in black. | 톰은 검은 옷을 입고 있어.
    The phone rang. | 전화가 울렸다.
    The bell is ringing. | 종이 울리고 있다.
    Nobody believes me. | 아무도 날 안 믿어.
    Tom believes in ghosts. | 톰은 귀신을 믿어.
    Do you believe in God? | 신을 믿어?
    He is my father's friend. | 그는 아버지의 친구다.
    Go ahead. | 먼저 가.
    It rains a lot in June. | 6월에는 비가 많이 온다.
    I can't find it anywhere. | 어디에서도 찾을 수 없어.
    I realized that I was wrong. | 나는 내가 틀렸다는 것을 깨달았어.
    Tom didn't realize that. | 톰은 그걸 깨닫지 못했어.
    Tom was arrested yesterday. | 톰은 어제 체포됐어.
    It keeps raining. | 비가 계속 온다.
    Tom keeps crying. | 톰은 계속 울고 있어.
    Keep walking. | 계속 걸어.
    He lost control of the car. | 그는 차를 제어하지 못했다.
    Tom talks too much. | 톰은 말이 너무 많아.
    Bear with me. | 조금만 참아 줘.
    She was absent from school. | 그녀는 학교에 결석했다.
    He pretended not to hear me. | 그는 내 말을 못 들은 척했다.
    Don't take it seriously. | 심각하게 받아들이지 마.
    What caused the accident? | 무엇 때문에 사고가 났어?
    Give me a ring tonight. | 오늘 밤에 전화해 줘.
    Good luck with your exam. | 시험 잘 봐.
    My cat is missing. | 내 고양이가 없어졌어.
    She cut her finger. | 그녀는 손가락을 베었다.
    My legs hurt. | 다리가 아파.
    When is the wedding? | 결혼식은 언제야?
    We were invited to the wedding. | 우리는 결혼식에 초대받았다.
    What type of music do you like? | 어떤 종류의 음악을 좋아해?
    Use this instead. | 대신 이걸 써.
    I drank tea instead of coffee. | 나는 커피 대신 차를 마셨어.
    He always wears a hat. | 그는 항상 모자를 쓰고 있다.
    Open the windows. | 창문을 열어.
    I'm convinced that he's innocent. | 나는 그가 결백하다고 확신해.
    Push this button. | 이 버튼을 눌러.
    He was accused of stealing money. | 그는 돈을 훔친 혐의로 고발되었다.
    He got up earlier than usual. | 그는 평소보다 일찍 일어났다.
    He has no good ideas. | 그는 좋은 생각이 없다.
    How does it feel? | 기분이 어때?
    It feels good. | 기분이 좋아.
    I'll love you forever. | 영원히 너를 사랑할 거야.
    What's the date today? | 오늘 며칠이야?
    She has a date tonight. | 그녀는 오늘 밤 데이트가 있다.
    Go straight. | 곧장 가.
    I haven't seen Tom recently. | 최근에 톰을 못 봤어.
    She has lots of friends. | 그녀는 친구가 많다.
    I bought a pair of shoes. | 나는 신발 한 켤레를 샀어.
    He raised his hand. | 그는 손을 들었다.
    She raised three children. | 그녀는 아이 셋을 키웠다.
    I have a high fever. | 열이 높아.
    What's today's date? | 오늘 날짜가 뭐야?
    She is sitting among the children. | 그녀는 아이들 사이에 앉아 있다.
    He woke up in the middle of the night. | 그는 한밤중에 깼다.
    Unfortunately, I can't go. | 안타깝게도 나는 못 가.
    I nearly died. | 나는 거의 죽을 뻔했어.
    He won first prize. | 그는 일등상을 탔다.
    The glass is filled with water. | 유리잔이 물로 가득 차 있다.
    According to Tom, Mary is sick. | 톰에 따르면 메리는 아파.
    This shirt doesn't fit me. | 이 셔츠는 나한테 안 맞아.
    She is fond of animals. | 그녀는 동물을 좋아한다.
    There's no solution. | 해결책이 없어.
    The sooner, the better. | 빠를수록 좋아.
    I must admit that I was wrong. | 내가 틀렸다는 것을 인정해야겠어.
    The wind is strong today. | 오늘은 바람이 세다.
    Prices are going up. | 물가가 오르고 있다.
    Don't bother me. | 귀찮게 하지 마.
    That's not what I meant. | 그런 뜻이 아니었어.
    What does this word mean? | 이 단어는 무슨 뜻이야?
    He managed to escape. | 그는 겨우 도망쳤다.
    Come whenever you want. | 오고 싶을 때 언제든지 와.
    I've been to many countries. | 나는 많은 나라에 가 봤어.
    Are you expecting someone? | 누구 기다리고 있어?
    She is expecting a baby. | 그녀는 아이를 임신하고 있다.
    I don't have any cash. | 현금이 없어.
    I appreciate your help. | 도와줘서 고마워.
    What size is this? | 이건 사이즈가 뭐예요?
    Who's calling? | 누구세요?
    Whoever comes will be welcome. | 누가 오든 환영할 거야.
    It rained all day. | 하루 종일 비가 왔다.
    He hung up the phone. | 그는 전화를 끊었다.
    Take a deep breath. | 심호흡해.
    Turn off the lights. | 불을 꺼.
    The light is on. | 불이 켜져 있어.
    I'm willing to help. | 나는 기꺼이 도울게.
    Hang in there. | 힘내.
    What is the purpose of your visit? | 방문 목적이 무엇입니까?
    Don't talk to strangers. | 낯선 사람과 이야기하지 마.
    It has become a habit. | 습관이 되었어.
    I'm used to it. | 나는 익숙해.
    I'm not used to spicy food. | 나는 매운 음식에 익숙하지 않아.
    Are you joking? | 농담하는 거야?
    I was just joking. | 그냥 농담이었어.
    You must be kidding! | 농담이겠지!
    What a pity! | 정말 안됐다!
    Father won't allow me to go. | 아버지는 내가 가는 것을 허락하지 않을 것이다.
    Smoking is not allowed here. | 여기서는 담배를 피우면 안 됩니다.
    My feet hurt. | 발이 아파.
    This belongs to me. | 이건 내 거야.
    This book belongs to Tom. | 이 책은 톰의 것이다.
    He has a good memory. | 그는 기억력이 좋다.
    There was an earthquake last night. | 어젯밤에 지진이 있었어.
    Put it in your pocket. | 그거 주머니에 넣어.
    My neck hurts. | 목이 아파.
    Don't touch my stuff. | 내 물건 만지지 마.
    It tastes good. | 맛있어.
    It tastes like chicken. | 닭고기 맛이 나.
    This smells good. | 좋은 냄새가 나.
    I can see the stars. | 별이 보여.
    You're absolutely right. | 네 말이 전적으로 맞아.
    I have an appointment at three. | 세 시에 약속이 있어.
    The meeting lasted two hours. | 회의는 두 시간 동안 계속됐다.
    Here's your key. | 여기 네 열쇠야.
    I bet Tom will win. | 틀림없이 톰이 이길 거야.
    What's your hobby? | 취미가 뭐야?
    It doesn't matter to me. | 나에게는 상관없어.
    What's the matter? | 무슨 일이야?
    He was forced to resign. | 그는 사임해야만 했다.
    We're stuck. | 우리는 갇혔어.
    Unless it rains, I'll go. | 비가 오지 않으면 갈게.
    He gives me everything. | 그는 나에게 모든 것을 준다.
    I'm on a diet. | 나는 다이어트 중이야.
    Let's do it anyway. | 어쨌든 하자.
    Thanks anyway. | 어쨌든 고마워.
    Let's continue. | 계속하자.
    He remained silent. | 그는 침묵을 지켰다.
    I'm not in the mood. | 그럴 기분이 아니야.
    He suggested that we leave. | 그는 우리가 떠나야 한다고 제안했다.
    The rain prevented us from going out. | 비 때문에 우리는 나갈 수 없었다.
    That reminds me of my childhood. | 그것은 내 어린 시절을 생각나게 해.
    We have plenty of time. | 시간은 충분해.
    What is the meaning of this? | 이게 무슨 뜻이야?
    Don't mention it. | 천만에.
    It's on sale. | 할인 중이야.
    He was unable to come. | 그는 올 수 없었다.
    I assume you're hungry. | 배고프겠지.
    Everything depends on you. | 모든 것은 너에게 달려 있어.
    I can't afford a car. | 나는 차를 살 여유가 없어.
    He walks his dog every morning. | 그는 매일 아침 개를 산책시킨다.
    Perfectly normal. | 아주 정상이야.
    You deserve it. | 너는 그럴 자격이 있어.
    I didn't recognize you. | 너를 못 알아봤어.
    I suppose so. | 그런 것 같아.
    Suppose it rains. | 비가 온다고 생각해 봐.
    There's no possibility of that. | 그럴 가능성은 없어.
    She'd like to go. | 그녀는 가고 싶어한다.
    You'd better hurry. | 서두르는 게 좋겠어.
    You'd better go now. | 너는 지금 가는 게 좋겠어.
    I'd better not go. | 나는 안 가는 게 좋겠어.
    We'd like to help. | 우리가 돕고 싶어.
    You must've been tired. | 피곤했겠네.
    Tom must've known. | 톰은 알고 있었을 거야.
    I should've told you. | 너한테 말했어야 했어.
    You should've come. | 너는 왔어야 했어.
    I would've helped you. | 내가 너를 도와줬을 거야.
    Tom might've lied. | 톰이 거짓말했을지도 몰라.
    Tom may be sick. | 톰은 아플지도 몰라.
    It might rain tomorrow. | 내일 비가 올지도 몰라.
    You may be right. | 네 말이 맞을지도 몰라.
    I used to live here. | 나는 예전에 여기에 살았어.
    Tom used to smoke. | 톰은 예전에 담배를 피웠어.
    I'm about to leave. | 나는 막 떠나려고 해.
    I had my hair cut. | 나는 머리를 잘랐어.
    Who let you in? | 누가 들여보내 줬어?
    Let me help you. | 내가 도와줄게.
    Let me go. | 보내 줘.
    Let me think. | 생각 좀 해 볼게.
    It made me cry. | 그것은 나를 울게 했어.
    What makes you think so? | 왜 그렇게 생각해?
    It takes two hours. | 두 시간 걸려.
    How long does it take? | 얼마나 걸려?
    How far is it? | 얼마나 멀어?
    How many books do you have? | 책을 몇 권 가지고 있어?
    How many people came? | 몇 명이 왔어?
    How much money do you have? | 돈이 얼마나 있어?
    How often do you come here? | 여기에 얼마나 자주 와?
    How tall is Tom? | 톰은 키가 얼마나 돼?
    What color is it? | 무슨 색이야?
    What kind of book is this? | 이건 어떤 책이야?
    Which one do you like? | 어느 게 좋아?
    Whose book is this? | 이건 누구 책이야?
    Is it far from here? | 여기서 멀어?
    There is nothing to do. | 할 일이 없어.
    I have something to tell you. | 너한테 할 말이 있어.
    I want something to drink. | 뭔가 마실 것을 원해.
    She has nothing to wear. | 그녀는 입을 것이 없다.
    He is too young to drive. | 그는 운전하기에는 너무 어리다.
    It's too hot to sleep. | 너무 더워서 잘 수 없어.
    He's old enough to drink. | 그는 술을 마실 수 있는 나이다.
    I was so tired that I fell asleep. | 나는 너무 피곤해서 잠들었어.
    The more you eat, the fatter you get. | 많이 먹을수록 살이 찐다.
    Not only Tom but also Mary came. | 톰뿐만 아니라 메리도 왔어.
    Both Tom and Mary are tired. | 톰과 메리 둘 다 피곤해.
    Either you or I must go. | 너나 나 둘 중 하나는 가야 해.
    As soon as he saw me, he ran away. | 그는 나를 보자마자 도망쳤다.
    I'll call you as soon as I arrive. | 도착하자마자 전화할게.
    I haven't eaten since yesterday. | 나는 어제부터 아무것도 안 먹었어.
    I've lived here since 2010. | 나는 2010년부터 여기에 살고 있어.
    He spoke slowly so that we could understand. | 그는 우리가 이해할 수 있도록 천천히 말했다.
    Don't speak with your mouth full. | 입에 음식을 넣고 말하지 마.
    That's the boy who helped me. | 저 아이가 나를 도와준 소년이야.
    This is the book I bought yesterday. | 이것은 내가 어제 산 책이다.
    The man standing there is my uncle. | 저기 서 있는 남자는 내 삼촌이야.
    I know a girl who speaks Korean. | 나는 한국어를 하는 소녀를 알아.
    The house was built in 1990. | 그 집은 1990년에 지어졌다.
    English is spoken here. | 여기서는 영어를 쓴다.
    The window was broken by Tom. | 창문은 톰이 깼어.
    He was bitten by a dog. | 그는 개에게 물렸다.
    He was hit by a car. | 그는 차에 치였다.
    She was born in Seoul. | 그녀는 서울에서 태어났다.
    I was born in 1995. | 나는 1995년에 태어났어.
    My house is near the station. | 우리 집은 역 근처에 있어.
    Seoul is the capital of Korea. | 서울은 한국의 수도이다.
    Tom is the tallest boy in the class. | 톰은 반에서 키가 가장 큰 소년이다.
    This is the best book I've ever read. | 이것은 내가 읽은 것 중에서 가장 좋은 책이야.
    She is one of my best friends. | 그녀는 내 가장 친한 친구 중 한 명이다.
    Nothing is more important than love. | 사랑보다 더 중요한 것은 없다.
"""


def written_pairs() -> list[tuple[str, str]]:
    """(English, Korean) in the order of the table."""
    rows = (line.split("|") for line in _TABLE.strip().splitlines())
    return [(english.strip(), korean.strip()) for english, korean in rows]
