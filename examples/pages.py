"""The pages of pages.jsonl: what pages of the web have in common, written for this project.

A text is a list of paragraphs, a paragraph has a sentence a line. What was copied is a constant, so that it can be found.
"""

# An article that others quote and reprint.
LIGHT = """
The lighthouse on Skerry Point went dark on the first of October, for the first time in one hundred and forty years.
Nobody had switched it off; the lamp had simply come to the end of a contract that nobody had renewed.
For nine nights the ferries from Marrow Island steered by the church tower and by the memory of their captains.
The harbour board says that it learned of the expired contract from a fisherman, who had asked whether the light was on holiday.

Skerry Light was built in 1884 by the widow Tamsin Orr, who had lost two sons on the reef within a single winter.
She sold her brewery to pay for the tower and kept the lamp herself until she was eighty-one.
The stone was cut on the island and carried down to the point on sledges, because no cart could take the path.
Her account books, which the museum keeps, list the oil for every night and the name of every ship that thanked her.

The tower has been automatic since 1971, and the last keeper left behind a kettle, a cat and a row of lettuces.
Since then an engineer has come twice a year, cleaned the lens and written his name into the book by the door.
The names stop in the spring of last year, and the board admits that it never wondered why.
A new contract was signed on the tenth of October, at a price that the treasurer calls educational.

On the evening when the lamp was lit again, about two hundred people stood on the sea wall with thermos flasks.
There was no speech, but somebody had brought a trumpet, and somebody else knew when to stop it.
The captain of the first ferry blew his horn three times as he passed, which is what ships had done in the widow's day.
"""

# Four of its sentences, each with something changed, in the words of somebody else.
LIGHT_QUOTED = """
Skerry Light was built in 1884 by the widow Tamsin Orr, who had lost two sons on the reef within one winter.
She sold her brewery to pay for the tower and tended the lamp herself until she was eighty-one.
The stone was cut on the island and hauled down to the point on sledges, because no cart could take the path.
Her account books, which the museum still keeps, list the oil for every night and the name of every ship that thanked her.
"""

COLUMN_BEFORE = """
My grandmother distrusted anything that was paid for by subscription, and I am beginning to see her point.
A milkman can forget you, she used to say, but he cannot forget you politely, in writing, with ninety days of notice.
I thought of her last week, when I read about the island that lost its light because of a form.
What moved me was not the form but the history of the place, which the paper told in passing:
"""

COLUMN_AFTER = """
I have read those four sentences to everybody who came through my kitchen, and nobody asked what they had to do with the budget.
Then I rang our own town hall and asked who renews the contract for the pump below the allotments.
The young man was very kind and promised to find out whose desk that had been.
He has not called back, and it has rained since Tuesday.
I have therefore moved the potatoes to the attic, where my grandmother also kept them, and for the same reason.
If you have a pump, a lamp or a bridge near you, go and ask its name, and ask who it belongs to.
Somebody once sold a brewery so that you would not have to.
"""

# Four reports that a collection holds.
BEES = """
The beekeepers of Lower Ashby moved forty hives across the river on Sunday night, and lost only one of them.
The old meadow behind the school is to become a car park, and the council had given them until the end of the month.
Bees return to the place they know, so the hives had to go at least three miles or be shut in for days.
Volunteers closed the entrances with grass at dusk and carried the boxes to two milk lorries with their engines off.
The single loss happened on the ramp, when a strap slipped and a box of twenty thousand insects opened in the dark.
Nobody was badly stung, says Hetty Malone, who has kept bees for fifty years and drove the second lorry in slippers.
The swarm from the broken hive was found in the morning, hanging from the bell of the chapel.
It took the sexton, a sheet and a soup pot to bring it down, and the ten o'clock service began at eleven.
The new site is an orchard whose owner asks for no rent but wants the first jar of every summer.
Honey from the meadow will be sold once more at the autumn fair, with a label that shows the car park.
"""

TRAM = """
Line 6 will run to the hospital from the second week of March, two years later than the posters once promised.
The last four hundred metres of track were laid at night, because the street is too narrow for cranes and ambulances together.
Engineers found three cellars under the roadway that were on no map, one of them full of bottled plums.
The bottles were offered to the neighbours, and the plums are said to be excellent.
A ride from the central station will take nineteen minutes, eleven fewer than by bus.
The transport office expects six thousand passengers a day, most of them visitors and nurses.
Drivers have been trained to ring the bell only once near the wards, and softly.
The bus that served the hill since 1958 will be withdrawn in summer, when it is known whether the tram manages the ice.
Its driver, Radek Sobol, has applied to the tram depot and passed the test on his second attempt.
He says that rails are restful, because there is one thing less to decide.
"""

CHESS = """
A girl of eleven won the county chess championship on Saturday without losing a game, and then asked where the toilets were.
Odile Brand had not left her chair for five hours, because she believed that it was against the rules.
In the last round she gave up a rook for a pawn, and the hall, which holds three hundred, went quiet.
Her opponent, a dentist who had won the title four times, thought for forty minutes and then laughed.
The sacrifice could not be accepted, he explained later, and it could not be declined either.
Odile learned the moves from the lid of a biscuit tin on which two kings play in a garden.
The position on the lid is impossible, as she pointed out to her aunt when she was six.
She will represent the county at the national tournament in May, if the school lets her off geography.
The prize is a wooden clock and a book by a grandmaster, who has written his telephone number into it.
Her aunt has put the biscuit tin behind glass.
"""

FLOODGATE = """
The new floodgate at Corran passed its first test on Thursday, when a spring tide came in under a strong westerly.
The water stood one metre and ninety above the mark of an ordinary tide and eleven centimetres below the edge of the steel.
The gate weighs as much as six hundred cows, according to the brochure that was handed out to schools.
It is closed by filling its hollow wings with water, so that it sinks across the mouth of the channel by its own weight.
Two of the nine pumps did not start, and the keepers opened the valves by hand with a wheel from the old lock.
That wheel had been kept for a museum, and it will now be kept in the control room.
Residents of Quay Street, who were flooded three times in ten years, watched from their windows with the lights on.
One of them had laid out sandbags all the same, out of respect, as he said.
The engineers want to see one more winter before they call the structure finished.
Until then the sirens will be tried on the first Monday of every month at noon.
"""

# A story that one site has on one page and another on three.
STORY = [
    """
When the clockmaker Anselm Vogt came to Brennick he was carrying a case that he would not put on the cart.
The carter, who was paid by weight, took this as an insult and let the stranger walk behind him for eleven miles.
It was raining, and Anselm held the case under his coat like a child.
At the inn he asked for a room with a south wall and no mice, and he paid for a month with a gold coin that nobody knew.
The innkeeper bit it, weighed it, and gave it to her brother, who had been a sailor and knew no more than she did.
In the night she heard ticking through the floor, first one voice, then many, then a silence that was worse.
In the morning Anselm asked her who wound the clock in the church tower.
Nobody winds it, said the innkeeper, because it has not gone since the miller's daughter drowned.
Anselm nodded as if she had told him the price of eggs, took his case and walked up the hill to the church.
The priest of Brennick was deaf and glad of company, and he let the clockmaker climb the tower.
""",
    """
Anselm stayed up in the tower for three days, and the innkeeper sent her boy with bread and the priest sent wine.
The boy reported that the clockmaker had taken the great clock apart and laid it out on the floor like the bones of a fish.
He also reported that there was a second clock in the case, a small one, with the same bones.
On the third evening Anselm came down to the inn, asked for hot water, and said that a wheel was missing.
It was the size of a plate, it had sixty teeth, and without it the clock of Brennick would never go.
The innkeeper looked at her brother, and her brother looked at the fire.
At last he told the clockmaker that the miller had climbed the tower on the night after the funeral.
The miller had come down with something heavy under his coat, and from that night on the hands stood at twenty past four.
Anselm asked where the miller lived now, and the sailor pointed with his pipe to the dark end of the valley.
He took the small clock out of the case, put it on the table in front of the innkeeper, and asked her to keep it wound until he was back.
""",
    """
The mill stood in the dark with its wheel in the air, because the miller had turned the brook away from it years ago.
The old man opened before Anselm could knock, saw the grease on the clockmaker's hands, and knew why he had come.
I cannot give it back, said the miller, for as long as the clock stands it is still twenty past four, and she has not yet gone down to the water.
Anselm sat down on the step beside him, and for a long time there was only the brook, going the wrong way.
Then the clockmaker said that he had once stopped a clock himself, a small one, and carried it through four countries under his coat.
What time does it show, asked the miller, and Anselm told him, and the two men said nothing more until it grew light.
In the morning the innkeeper was winding the little clock when the bell of Brennick struck, for the first time in nineteen years.
The priest, who was deaf, felt it in the floor of the church and went down on his knees.
The boy ran up the tower and found the miller there, his hand on a wheel of sixty teeth, counting them as they passed.
Anselm Vogt had gone, and he had left the innkeeper the small clock and the empty case, and he was not carrying anything at all.
""",
]

# The frame of a site: on each of its pages, and so more than once a document.
NAVIGATION = """
Home, News, Harbour, Weather, Letters, Notices: choose a section of the Corran Courier from the list above.
"""

FOOTER = """
All articles on this site are the property of the Corran Courier and may be copied for private use only.
The Courier is printed every weekday on Rope Street and can be collected from the red box after six in the morning.
Please write to the editor about mistakes, and to the printer about smudges; both of them read every letter.
"""

# Pages of that site that have nothing else in common.
COURIER = {
    "Swifts return to the fire station": """
The swifts came back to the fire station on the fourth of May, one day earlier than last year.
They nest under the eaves of the hose tower, in a row of boxes that the night shift built out of pallets.
A camera in the third box shows two eggs, a great deal of dust and, once, the face of the station officer.
When the alarm goes the birds do not leave, although the men and women below them do.
Ornithologists from the university believe that the siren keeps the hawks away.
The crew has put up a list of names, and everyone who joins the brigade may choose one.
Last summer a young bird fell onto the engine and rode to a burning barn and back.
It was returned to its box with a ladder of thirty metres, which had to be checked anyway.
The swifts will leave at the end of July, as always without saying goodbye.
""",
    "Bakery to close after ninety years": """
The bakery on Tanner's Row will sell its last loaf on the eve of the summer fair.
Wilf and Dora Penn have baked there since their wedding and would like to sleep until seven for once.
Their oven was built by his grandfather, who tested it with a goose before he trusted it with bread.
Four people have asked for the recipe of the dark rye, and all of them were given it.
The secret, says Dora Penn, is that there is none, but that one must get up.
A firm from the city wanted to buy the name and was told that it was already on the door.
The rooms are to become a workshop for bicycles, and the oven will stay because nobody can lift it.
On the last day every customer may carve initials into the counter.
""",
    "Council argues about a bench": """
The council spent two hours on Wednesday on the question of who may sit on the bench beside the war memorial.
It was given to the town by a family that wished to remain unnamed and then had a plate screwed onto it.
The plate says that the bench is for quiet thought, and the bus stop is eleven steps away.
Councillor Frye counted the steps himself and presented a drawing.
Schoolchildren had been eating chips there, which one side called disrespect and the other called lunch.
A proposal to move the bench was rejected because the ground elsewhere is too soft.
A proposal to move the bus stop was rejected because the drivers were not consulted.
In the end a second bench was approved, for people who are not thinking.
""",
    "Diver finds anchor in the marina": """
A diver who was looking for a wedding ring in the marina has found an anchor from the seventeenth century.
It lay under four metres of mud, between a supermarket trolley and a sink.
The iron is so soft that one could write on it with a fingernail, and the museum asks people not to.
It must lie in fresh water for two years before it can be shown to anyone.
The tank for it has been lent by the fish market, which had bought one too large.
Historians think of the merchantman Good Intent, which left the harbour in 1688 without paying her dues.
The harbour master has calculated the interest and sent the bill to the museum as a joke.
The ring was found as well, on the hand of the man who had reported it missing.
""",
    "Night market gets its own moon": """
The night market on the quay has a moon of its own since Friday, nine metres wide and filled with helium.
It was sewn by the sailmakers of the yard next door, who had no orders in February.
Inside there is a lamp that brightens and fades within a month, as the real one does.
Stallholders had complained that customers could not tell limes from lemons after sunset.
Two gulls attacked the moon on its first evening and have since lost interest.
The astronomers of the hill observatory were asked for permission and requested that it be lowered at midnight.
It is tied to a bollard with a knot that three people must undo together.
Children may write a wish on the rope, and the rope is already full.
On stormy evenings the moon stays in its shed and the lemons are sold as a mystery.
""",
    "School orchestra loses its double bass": """
The double bass of the grammar school vanished on Monday between the stage and the bus.
It is two metres tall, has a repaired neck and answers, according to its player, to the name of Bertha.
The police were told to look for something that four people had carried past a camera without being seen.
The camera, it turned out, had been filming the same pigeon since Easter.
On Tuesday the orchestra played without its lowest voice, and the conductor hummed where he could.
An old woman in the third row said afterwards that she had never heard so much of the violas.
Bertha was discovered on Thursday in the boiler room, where the caretaker had taken her for a wardrobe.
She had been dusted and contained two coats.
""",
}

# Two pages in Chinese that share a paragraph, with small edits.
WELL = """
村口的那口老井是清代光绪年间挖的，井壁全用青石一块一块地砌成，至今没有一块松动。
井水冬暖夏凉，从前全村一百多户人家都靠它过日子，每天天不亮就有人来排队打水。
井台上留着三十多道深深的绳痕，最深的一道能放进一个成年人的手指。
老人们说，大旱那一年，方圆十里的塘都见了底，只有这口井还能打上水来。
"""

WELL_EDITED = """
村口的那口老井是清代光绪年间挖的，井壁全用青石一块块砌成，到今天没有一块松动。
井水冬暖夏凉，过去全村一百多户人家都靠它过日子，每天天不亮就有人来排队打水。
井台上留着三十多道深深的绳痕，最深的一道可以放进一个成年人的手指。
老人们说，大旱那年，方圆十里的池塘都见了底，只有这口井还能打上水来。
"""

VILLAGE_BEFORE = """
石浦村藏在两座山的中间，从县城坐车要走一个半小时的盘山路。
村里的房子大多是黄泥墙、黑瓦顶，门前晒着笋干和红薯片。
我们去的时候正好赶上立夏，家家户户都在煮乌米饭。
带路的林婶六十八岁，走起山路来我们几个年轻人都追不上。
"""

VILLAGE_AFTER = """
离井不远有一座戏台，台柱上的对联已经看不清了，但檐下的燕子每年都回来。
傍晚的时候孩子们在戏台上写作业，写完就在上面翻跟头。
村里现在通了自来水，可是泡茶的水还是要到外面去挑。
林婶临走时塞给我们一瓶腌菜，说城里买不到这个味道。
回去的路上谁也没有说话，都在看窗外的云。
"""

SURVEY_BEFORE = """
今年三月，市文物部门对全市二十四个乡镇的古代水利设施进行了第三次普查。
普查队一共登记了古井五十七口、古堰十二座、石渠九条，其中新发现的有十一处。
队员们带着测距仪和拓纸，每到一处先清淤，再测量，最后拍照存档。
石浦村的普查结果最让专家感到意外。
"""

SURVEY_AFTER = """
专家认为，这样完整的井台在本省十分少见，建议列入第五批保护名单。
目前保护方案已经通过初审，主要内容是修补排水沟和设置围栏。
资金由市里和镇里各出一半，预计年底以前可以完工。
普查队下一站将前往北部的三个乡镇，重点是一条失传已久的石渠。
市民如果知道类似的线索，可以拨打文物热线反映。
"""

# A story in Chinese on one page and on two.
TALE = [
    """
从前有个叫阿满的船工，他的船是全江最旧的一条，却从来没有沉过。
别人问他有什么诀窍，阿满总是摇摇头，说是船自己认得路。
有一年秋天，江上起了大雾，七天七夜没有散，渡口上挤满了等船的人。
第八天早上，一个穿蓝布衣裳的姑娘来找阿满，说她必须在天黑以前过江。
阿满看了看雾，又看了看姑娘手里的药包，什么也没问，就解开了缆绳。
船到江心，雾浓得连船头都看不见，姑娘听见水下有人在敲船板，一下一下，不紧不慢。
阿满让姑娘不要害怕，说那是老船工在给他指路，敲左边就往左，敲右边就往右。
""",
    """
姑娘问阿满那个老船工是谁，阿满过了很久才回答，说那是他的父亲，二十年前沉在这段江里。
从那以后，只要江上起雾，水下就会有人敲船板，阿满的船也就从来没有走错过路。
天快黑的时候，船靠了岸，姑娘跳下船，回头要付船钱，阿满却摆了摆手。
他只请姑娘在岸上点一盏灯，因为父亲送完了人，也要找得到回去的路。
姑娘把药送到以后，真的在渡口挂起了一盏灯，每到起雾的晚上就把它点亮。
后来阿满老了，船也烂了，江上的人却说，雾里的敲击声变成了两个人的，一左一右。
那盏灯一直亮到今天，姑娘的孙女还在给它添油。
""",
]


def paragraphs(text):
    return [paragraph.splitlines() for paragraph in text.strip().split("\n\n")]


def joined(*texts, lang="en"):
    space = " " if lang == "en" else ""
    return "\n\n".join(space.join(lines) for text in texts for lines in paragraphs(text))


def reprint():
    """The article as another paper had it: other words here and there, a sentence less, one more at the end."""
    text = LIGHT
    for old, new in [
        ("for the first time in one hundred and forty years", "for the first time in 140 years"),
        ("Nobody had switched it off; the lamp", "Nobody had turned it off: the lamp"),
        ("The harbour board says", "The board of the harbour says"),
        ("about two hundred people", "some two hundred people"),
        ("Since then an engineer has come twice a year, cleaned the lens and written his name into the book by the door.\n", ""),
    ]:
        assert old in text, old
        text = text.replace(old, new)
    return text + "This report first appeared in the Marrow Island Messenger.\n"


def courier(text):
    return joined(NAVIGATION, text, FOOTER)


def written():
    """All pages written here: (id, title, language, text)."""
    news = [("Hives cross the river", BEES), ("Line 6 reaches the hospital", TRAM), ("Eleven, and champion", CHESS)]
    news += [("Floodgate passes its test", FLOODGATE)]
    yield "light", "Nine nights without a light", "en", joined(LIGHT)
    yield "light-reprint", "Lighthouse was dark for nine nights", "en", joined(reprint())
    yield "column", "Ask whose pump it is", "en", joined(COLUMN_BEFORE, LIGHT_QUOTED, COLUMN_AFTER)
    for number, (title, text) in enumerate(news, 1):
        yield f"news-{number}", title, "en", joined(text)
    digest = [f"{title}\n\n{joined(text)}" for title, text in (news[2], news[0], news[3], news[1])]
    yield "digest", "The week in four stories", "en", "\n\n".join(digest)
    yield "story", "The clock of Brennick", "en", joined(*STORY)
    for number, text in enumerate(STORY, 1):
        yield f"story-{number}", f"The clock of Brennick, page {number}", "en", joined(text)
    yield "village", "石浦村一日", "zh", joined(VILLAGE_BEFORE, WELL, VILLAGE_AFTER, lang="zh")
    yield "survey", "古代水利设施普查结束", "zh", joined(SURVEY_BEFORE, WELL_EDITED, SURVEY_AFTER, lang="zh")
    yield "tale", "雾里的船工", "zh", joined(*TALE, lang="zh")
    for number, text in enumerate(TALE, 1):
        yield f"tale-{number}", f"雾里的船工（{number}）", "zh", joined(text, lang="zh")
    for number, (title, text) in enumerate(COURIER.items(), 1):
        yield f"courier-{number}", title, "en", courier(text)
