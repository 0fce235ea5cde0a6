"""The pages of encyclopedia.xml: an invented country whose articles copied sentences from each other.

What was copied is a constant, so that it can be found; what drifted since then is written out where it stands. No sentence
comes from a real encyclopedia.
"""

import hashlib

BOOKS = {
    "mills": "{{cite book |last=Holt |first=Agnes |title=The Mills of Orrin County |publisher=Larkfield Press |year=1962 |pages=%s}}",
    "flora": "{{cite book |last=Marlow |first=Edith |title=A Flora of the Wend Valley |publisher=Larkfield Press |year=1931 |pages=%s}}",
    "rails": "{{cite book |last=Winters |first=Clara |title=Narrow Gauge in the Hills |location=Marlstone |publisher=Signal & Sons |year=1974 |pages=%s}}",
    "birds": "{{cite journal |last1=Rao |first1=Dinesh |last2=Lind |first2=Greta |title=Breeding birds of the Orrin marshes |journal=Valdmark Ornithologist |volume=11 |issue=1 |pages=%s}}",
    "census": '{{cite web |url=https://statistics.example/census?year=2011&table=%s |title=Census 2011: places with fewer than 5,000 inhabitants |publisher=Statistical Office of Valdmark |access-date=14 March 2019}}',
    "gazette": '{{cite news |title=%s |work=Marlstone Gazette |url=https://gazette.example/archive}}',
}


def ref(book, where, name=None):
    opening = f'<ref name="{name}">' if name else "<ref>"
    return f"{opening}{BOOKS[book] % where}</ref>"


# Sentences that stand in several articles as they are.
FLOOD = (
    "In February 1784 ice dammed the [[River Wend]] below [[Holloway Cross]], and the flood that followed carried away "
    "eleven houses and the only bridge."
)
ABBEY = (
    "[[Wendle Abbey]] owned most of the land between the two rivers until 1541, when its estates were divided among "
    "the tenants."
)
CLOTH = (
    "By 1820 the valley had fourteen fulling mills, and its grey cloth was sold as far away as [[Greyhaven]] and the "
    "coast."
)
MARSH = (
    "The marshes were drained in three stages between 1871 and 1906, which left less than a tenth of the original reed "
    "beds."
)
DIALECT = (
    "The dialect of the upper valley keeps a number of words that are found nowhere else in Valdmark, most of them for "
    "kinds of rain."
)
SCHOOL = (
    "The school closed in 1978, and since then children have travelled by bus to [[Kettlebridge]]."
)

# What the articles on the railway share: the first and the second have the building in common, the second and the third
# the decline.
RAILWAY_BUILT = """The line was surveyed in the summer of 1883 by the engineer [[Hugo Barnes (engineer)|Hugo Barnes]], who walked the whole of the valley with two assistants and a mule.{survey} Work began at [[Kettlebridge]] in April 1885, and the first train of slate left the quarries at [[Oxcombe]] on 3 October 1887. The gauge of 750 millimetres was chosen because rails and two locomotives could be bought cheaply from a bankrupt sugar factory. Between Netherby and Oxcombe the line climbs 212 metres in nine kilometres, and trains had to be divided in wet weather. The viaduct at Netherby, with its seven arches of local sandstone, took longer to build than the rest of the line together. Passengers were carried from 1889, at first on benches in an open wagon."""
RAILWAY_CLOSED = """Slate traffic fell by half after the quarry fire of 1931 and never recovered.{fire} A bus service from [[Marlstone]] took most of the remaining passengers within two years. The last passenger train ran on 28 September 1952 with nine coaches, more than the line had ever used in service. Freight trains continued as far as Netherby until the winter of 1957, when a landslide buried two hundred metres of track. The rails were lifted in 1961 and sold to a mine in the north. Volunteers have rebuilt three kilometres of the line since 1988, and trains run on Sundays from May to September."""

VILLAGES = [
    # name, county, bank, river, distance, direction, town, population, mentioned, saint, rebuilt, further paragraphs
    ("Aldermoor", "Orrin", "left", "Wend", 6, "north", "Kettlebridge", 412, 1214, "Anne", 1762,
     [CLOTH + ref("mills", "31–33") + " The last mill, on the eastern edge of the village, is a museum with a working water wheel.",
      DIALECT]),
    ("Brackwell", "Orrin", "right", "Wend", 9, "north", "Kettlebridge", 287, 1231, "Martin", 1768,
     ["The local limestone is nearly white, and houses built of it can be seen from the opposite hills on a clear day. " + SCHOOL,
      "A market was held on the first Monday of each month until 1914."]),
    ("Dunmarsh", "Selwick", "left", "Esker", 14, "east", "Marlstone", 655, 1302, "Anne", 1811,
     [MARSH + ref("birds", "73–80") + " A boardwalk of two kilometres leads through what is left of them.",
      "Eel fishing was the main source of income until the middle of the nineteenth century."]),
    ("Elverton", "Orrin", "right", "Yarrel", 4, "west", "Marlstone", 1208, 1188, "Giles", 1762,
     [ABBEY + " The tithe barn of the abbey, forty metres long, still stands behind the church.",
      "Elverton has a primary school, two shops and a brass band that was founded in 1893."]),
    ("Fennick", "Selwick", "left", "Esker", 17, "east", "Marlstone", 198, 1302, "Brigid", 1811,
     ["The marshes were drained in three stages between 1871 and 1911, which left less than a fifth of the original reed beds." + ref("birds", "245–253"),
      "Reeds are still cut here every winter for the thatched roofs of the district."]),
    ("Holloway Cross", "Orrin", "left", "Wend", 2, "south", "Kettlebridge", 530, 1250, "Martin", 1790,
     [FLOOD + ref("mills", "12") + " A line on the wall of the inn shows how high the water stood.",
      CLOTH]),
    ("Larkfield", "Orrin", "right", "Yarrel", 11, "west", "Marlstone", 944, 1199, "Giles", 1801,
     ["Wendle Abbey owned nearly all the land between the two rivers until 1541, when its estates were split up among the tenants.",
      "The printing works of the Larkfield Press, founded in 1904, were the largest employer of the village for sixty years."]),
    ("Netherby", "Orrin", "left", "Wend", 13, "north", "Kettlebridge", 371, 1231, "Brigid", 1768,
     ["The viaduct at Netherby, with its seven arches of local sandstone, took longer to build than the rest of the line together. " + SCHOOL,
      "The dialect of the upper valley keeps a number of words found nowhere else in Valdmark, most of them words for kinds of rain."]),
    ("Oxcombe", "Orrin", "right", "Wend", 22, "north", "Kettlebridge", 163, 1340, "Anne", 1822,
     ["Slate was quarried above the village from 1790 to 1958, and the spoil heaps cover an area larger than the village itself." + ref("rails", "58"),
      "The school closed in 1969, and since then children have travelled by bus to [[Kettlebridge]]."]),
    ("Pennhurst", "Selwick", "right", "Esker", 8, "east", "Marlstone", 720, 1275, "Martin", 1790,
     [MARSH + " Storks, which had been absent for ninety years, have bred on the roof of the town hall since 2004.",
      "A market was held on the first Tuesday of each month until 1939."]),
    ("Quarley", "Selwick", "left", "Dallow", 19, "south", "Greyhaven", 88, 1411, "Giles", 1835,
     ["Quarley is the smallest parish of the county that still elects its own council.",
      "The salt pans on the shore were worked by the same four families for more than two hundred years."]),
]


def village(name, county, bank, river, distance, direction, town, population, mentioned, saint, rebuilt, further):
    first, second = further
    return name, f"""{{{{Short description|Village in {county} County, Valdmark}}}}
{{{{Infobox settlement
| name = {name}
| settlement_type = Village
| image_skyline = {name} from the river.jpg
| image_caption = {name} from the bridge
| subdivision_type = Country
| subdivision_name = [[Valdmark]]
| subdivision_type1 = County
| subdivision_name1 = [[{county} County|{county}]]
| population_total = {population}
| population_as_of = 2011
}}}}
'''{name}''' is a village in [[{county} County]], [[Valdmark]], on the {bank} bank of the [[River {river}]]. It lies {distance} kilometres {direction} of [[{town}]] and had a population of {population:,} at the 2011 census.{ref("census", county.lower(), "census")}

== History ==
{name} was first mentioned in {mentioned}, when its mill was given to [[Wendle Abbey]].{ref("mills", f"{distance + 40}–{distance + 43}")} The parish church of St {saint} was rebuilt in {rebuilt} after a fire had destroyed the wooden nave. {first}

== Description ==
{second}

== References ==
{{{{Reflist}}}}

[[Category:Villages in {county} County]]
[[Category:Places first mentioned in {mentioned}]]"""


BIRDS = [
    ("Ash-throated rail", "Rallus cinereigula", "reed beds", "a series of short grunts that ends in a whistle", "six to nine", 19, "Haddad", 1898,
     "It feeds on snails, beetles and the seeds of sedges, mostly at dusk."),
    ("Orrin pipit", "Anthus orrinensis", "wet heaths above the tree line", "a thin trill given in a steep song flight", "three to five", 13, "Duarte", 1902,
     "It feeds on beetles and crane flies, which it picks from short grass."),
    ("Marsh bunting", "Emberiza paludis", "reed beds", "three slow notes and a rattle", "four to six", 14, "Haddad", 1898,
     "It feeds on the seeds of sedges and, while it has young, on caterpillars."),
    ("Slate dipper", "Cinclus ardesiacus", "fast streams with stony banks", "a scratchy warble that carries over running water", "four to five", 16, "Marlow", 1911,
     "It feeds on the larvae of caddis flies, for which it walks along the bottom of the stream."),
    ("Valley warbler", "Locustella vallis", "willow thickets along rivers", "an even reeling that can last for several minutes", "five to six", 14, "Duarte", 1902,
     "It feeds on spiders and small flies, which it gathers from the underside of leaves."),
]


def bird(name, latin, habitat, song, eggs, days, author, year, food):
    short = name.split()[-1]
    inside = name if name.startswith("Orrin") else name[0].lower() + name[1:]
    return name, f"""{{{{Speciesbox
| name = {name}
| image = {latin.replace(" ", "_")}.jpg
| status = NT
| genus = {latin.split()[0]}
| species = {latin.split()[1]}
| authority = {author}, {year}
}}}}
The '''{inside}''' (''{latin}'') is a small bird that breeds in {habitat} in eastern [[Valdmark]] and spends the winter on the southern coast. It was described by {author} in {year} from two specimens taken near [[Dunmarsh]].{ref("birds", f"{days + 60}–{days + 67}")}

== Description ==
Both sexes look alike, and young birds can be told by the pale edges of their wing feathers until their first winter. {food} The song is {song}.

== Breeding ==
The female lays {eggs} eggs in a nest close to the ground and incubates them alone for {days} days. Both parents feed the young, which leave the nest before they can fly. The nest is used once only.

== Status ==
The population was estimated at {days * 120:,} pairs in 2009 and has declined by a third since then. The {short} has been protected by law since 1936, and its breeding sites may not be entered between March and July.

== References ==
* Rao, Dinesh; Lind, Greta (1998). "Breeding birds of the Orrin marshes". ''Valdmark Ornithologist'' 11 (1): {days + 60}–{days + 67}.
* Lind, Greta (1987). ''Birds of Marsh and Hill''. Larkfield Press, Larkfield. pp. {days}–{days + 4}.

[[Category:Birds of Valdmark]]
[[Category:Birds described in {year}]]"""


FAMILIES = [
    ("Rails", "Rails are secretive birds of dense vegetation near water, and most are heard far more often than they are seen.",
     [("Ash-throated rail", "''Rallus cinereigula''"), ("Tarn crake", "''Porzana tarnensis''")]),
    ("Dippers", "Dippers are stout birds of running water that swim and walk below the surface in search of food.",
     [("Slate dipper", "''Cinclus ardesiacus''")]),
    ("Buntings", "Buntings have short, thick bills for opening seeds, and the males of many species sing from the top of a reed or post.",
     [("Marsh bunting", "''Emberiza paludis''"), ("Salt bunting", "''Emberiza salina''")]),
    ("Pipits", "Pipits are slender, streaked birds of open country that run along the ground rather than hop.",
     [("Orrin pipit", "''Anthus orrinensis''"), ("Shore pipit", "''Anthus litoralis''")]),
]


def list_of_birds(county, species, breeding, skipped):
    lines = []
    for family, said, birds in FAMILIES:
        lines.append(f"== {family} ==\n{said}\n")
        lines += [f"* [[{name}]], {latin}" for name, latin in birds if name not in skipped]
        lines.append("")
    table = "\n".join(f"|-\n| {family} || align=\"right\" | {len(birds)}" for family, _, birds in FAMILIES)
    listed = "\n".join(lines)
    return f"List of birds of {county} County", f"""This is a list of the birds that have been recorded in [[{county} County]], [[Valdmark]]. The list contains {species} species, of which {breeding} breed in the county. The names and the order follow the handbook of the Valdmark Ornithological Society.{ref("birds", "1–4")}

{{| class="wikitable"
! Family !! Species
{table}
|}}

{listed}
== See also ==
* [[List of birds of {"Selwick" if county == "Orrin" else "Orrin"} County]]

[[Category:Lists of birds of Valdmark]]"""


RIVERS = [
    ("River Wend", 118, "the slate hills above [[Oxcombe]]", "joins the [[River Yarrel]] at [[Marlstone]]", 1640, 9.4,
     FLOOD.replace("[[River Wend]]", "river") + ref("mills", "12") + " " + CLOTH,
     "{{Infobox river\n| name = River Wend\n| length = {{convert|118|km|mi}}\n| mouth = River Yarrel\n}}\n"),
    ("River Yarrel", 203, "a bog in the north of [[Tarn County]]", "reaches the sea at [[Greyhaven]]", 5210, 38.0,
     "Barges reached [[Marlstone]] from the sea until 1890, when the railway took over the trade in grain. " + ABBEY, ""),
    ("River Esker", 74, "Lake Tamsin", "joins the [[River Yarrel]] below [[Marlstone]]", 890, 6.1,
     MARSH + " The lower course was straightened at the same time.", ""),
    ("River Dallow", 51, "the chalk downs of [[Selwick County]]", "reaches the sea near [[Quarley]]", 402, 2.7,
     "Its water is so clear and even in temperature that watercress has been grown in it since 1856.", ""),
]


def river(name, length, source, mouth, basin, flow, history, box):
    return name, f"""{box}The '''{name}''' is a river in the east of [[Valdmark]]. It rises in {source}, flows for {length} kilometres and {mouth}. Its basin covers {basin:,} square kilometres, and the mean flow at the mouth is {flow} cubic metres per second.{ref("gazette", "Rivers of Valdmark in figures")}

== History ==
{history}

== Nature ==
The banks are lined with willow and alder, and the [[valley warbler]] breeds along most of the river. Trout and grayling are found in the upper course, pike and bream in the lower.<!-- figures of 2014 -->

[[Category:Rivers of Valdmark]]"""


SKATERS = """The pair won their first national title in 1974, when Lund was nineteen and Fischer seventeen, and kept it for eight years. They trained from five to eight in the morning, before the rink opened to the public, because their club could not pay for other hours. Their programme to the overture of ''[[The Miller's Daughter]]'' received the highest marks that had ever been given in Valdmark. At the championships of 1979 in [[Greyhaven]] they finished third in spite of a fall in the short programme. They retired after the season of 1982 and opened a skating school in [[Marlstone]], which they led together until 2006."""

PEOPLE = [
    ("Lena Fischer", "{{Infobox person\n| name = Lena Fischer\n| birth_date = {{birth date|1957|2|11}}\n| birth_place = [[Elverton]]\n| occupation = Figure skater\n}}\n"
     "'''Lena Fischer''' (born 11 February 1957) is a former figure skater from [[Valdmark]], who competed in pairs with [[Oskar Lund]]. She began to skate at the age of four on the flooded meadows of [[Elverton]].\n\n== Career ==\n"
     + SKATERS + "\n\n== Later life ==\nFischer has been a member of the county council since 2010.\n\n[[Category:Figure skaters]]"),
    ("Oskar Lund", "'''Oskar Lund''' (3 July 1955 – 19 January 2017) was a figure skater from [[Valdmark]], who competed in pairs with [[Lena Fischer]]. He came to the sport through ice hockey, which he gave up after an injury.\n\n== Career ==\n"
     + SKATERS.replace("highest marks that had ever been given", "highest marks ever given").replace("finished third", "finished fourth").replace("until 2006", "until 2005")
     + "\n\n== Death ==\nLund died in [[Marlstone]] after a short illness.\n\n[[Category:Figure skaters]]"),
    ("Edith Marlow", "'''Edith Marlow''' (1869–1948) was a botanist and the author of ''A Flora of the Wend Valley''. She was the first woman to teach at the university of [[Marlstone]], and for eleven years the only one.\n\n== Life ==\n"
     "Marlow was born in [[Larkfield]] as the third of seven children of a printer. She had an annual income of 340 crowns by the end of her first year at the university in 1896." + ref("flora", "iii–ix")
     + " Her herbarium of nine thousand sheets survived the fire of 1931 because it had been lent to a colleague. She described the [[slate dipper]], her only work on birds, in 1911.\n\n[[Category:Botanists]]"),
    ("Hugo Barnes (engineer)", "'''Hugo Barnes''' (1848–1920) was an engineer who built four railways and two lighthouses in [[Valdmark]].\n\n== Life ==\n"
     "Barnes learned his trade on the harbour works of [[Greyhaven]]. He had an annual income of 900 crowns by the end of his first year with the railway in 1884." + ref("rails", "7")
     + " The [[Wend Valley Railway]] was surveyed in the summer of 1883 by Barnes, who walked the whole valley with two assistants and a mule.\n\n== Works ==\n* Harbour light of [[Greyhaven]] (1876)\n* [[Wend Valley Railway]] (1887)\n* Light on Quarley Point (1894)\n\n[[Category:Engineers]]"),
    ("Jonas Keller", "'''Jonas Keller''' (1811–1879) was a composer and organist. His opera ''[[The Miller's Daughter]]'' has been performed in [[Greyhaven]] in every season since its first night on 9 November 1846.\n\n== Life ==\n"
     "Keller was born in [[Holloway Cross]] as the third of five children of a miller. He was organist of the church of St Martin for forty-one years and is buried beside its door.\n\n[[Category:Composers]]"),
    ("The Miller's Daughter", "'''''The Miller's Daughter''''' is an opera in three acts by [[Jonas Keller]]. It has been performed in [[Greyhaven]] in every season since its first night on 9 November 1848.\n\n== Plot ==\n"
     "A miller promises his daughter to whoever can stop the river. Ice stops it, and in the flood of the last act the mill, the miller and all suitors are carried away.\n\n== Music ==\nThe overture quotes three songs of the upper valley. " + DIALECT
     + "\n\n: <math>\\text{tempo} = \\tfrac{3}{4} \\times 112</math>\n\n[[Category:Operas]]"),
]

OTHERS = [
    ("Wend Valley Railway", "{{Infobox rail line\n| name = Wend Valley Railway\n| gauge = {{track gauge|750mm}}\n| open = 1887\n| close = 1957\n}}\nThe '''Wend Valley Railway''' was a narrow-gauge railway of 31 kilometres in [[Orrin County]], [[Valdmark]]. It was built to bring slate from the hills to the [[River Yarrel]].\n\n== Construction ==\n"
     + RAILWAY_BUILT.format(survey=ref("rails", "14–19")) + "\n\n== Rolling stock ==\n{| class=\"wikitable\"\n! Number !! Name !! Built !! Withdrawn\n|-\n| 1 || ''Edith'' || 1881 || 1934\n|-\n| 2 || ''Agnes'' || 1881 || 1952\n|-\n| 3 || ''Wend'' || 1903 || 1957\n|}\n\n== Literature ==\n* Winters, Clara (1974). ''Narrow Gauge in the Hills''. Signal & Sons, Marlstone. pp. 14–71.\n\n[[Category:Railways of Valdmark]]"),
    ("History of the Wend Valley Railway", "The '''history of the [[Wend Valley Railway]]''' covers the seventy years from its survey to the landslide that ended it.\n\n== Beginnings ==\n"
     + RAILWAY_BUILT.format(survey=ref("rails", "14–19")).replace("3 October 1887", "4 October 1887").replace("could be bought cheaply", "were on sale at a low price")
     + "\n\n== Decline ==\n" + RAILWAY_CLOSED.format(fire=ref("rails", "66")) + "\n\n== Literature ==\n* Winters, Clara (1974). ''Narrow Gauge in the Hills''. Signal & Sons, Marlstone. pp. 14–19.\n\n[[Category:Railways of Valdmark]]"),
    ("Rail transport in Orrin County", "'''Rail transport in [[Orrin County]]''' began in 1879 with the main line from [[Marlstone]] to [[Greyhaven]]. Of five lines that were open in 1910 two are left.\n\n== Main line ==\nThe main line follows the [[River Yarrel]] and was electrified in 1968.\n\n== Narrow gauge ==\n"
     + RAILWAY_CLOSED.format(fire=ref("rails", "66–67")).replace("within two years", "within three years").replace("Volunteers have rebuilt three kilometres", "Volunteers have rebuilt about four kilometres")
     + "\n\n[[Category:Railways of Valdmark]]"),
    ("Flood of 1784", "The '''flood of 1784''' was the highest ever measured on the [[River Wend]]. In February 1784, ice dammed the [[River Wend]] just below [[Holloway Cross]]; the flood that followed carried away eleven houses and the only bridge.<ref>{{cite book |last=Holt |first=Agnes |title=The Mills of Orrin County |publisher=Larkfield Press |year=1962 |pages=11–14}}</ref> No one was killed, because the ringing of the church bells had woken the village in time.\n\n[[Category:Floods]]"),
    ("Kettlebridge", "'''Kettlebridge''' is a town in [[Orrin County]], [[Valdmark]], on both banks of the [[River Wend]]. It had a population of 8,940 at the 2011 census." + ref("census", "orrin")
     + "\n\n== History ==\nThe town grew around a bridge that was kept in repair by the coppersmiths' guild. In February 1784 ice dammed the [[River Wend]] below [[Holloway Cross]], and the flood that followed carried away nine houses and the only bridge. By 1830 the valley had fifteen fulling mills, and its grey cloth was sold as far away as [[Greyhaven]] and the coast.\n\n[[File:Kettlebridge market 1911.jpg|thumb|The market place in 1911, with the old corn exchange on the left]]\n\n== Sights ==\n* The bridge of 1786, built to replace the one lost in the flood\n* The copper market, now a library\n\n[[Category:Towns in Orrin County]]"),
    ("Marlstone", "'''Marlstone''' is the largest city of the east of [[Valdmark]] and the seat of [[Orrin County]]. It had a population of 61,320 at the 2011 census." + ref("census", "orrin")
     + "\n\n== Economy ==\nThe main employers are the university, the railway works and a maker of weighing machines. Barges reached Marlstone from the sea until 1892, when the railway took over the trade in grain.\n\n== External links ==\n* [https://marlstone.example City of Marlstone]\n\n[[Category:Cities in Valdmark]]"),
    ("Greyhaven", "'''Greyhaven''' is a port on the southern coast of [[Valdmark]], at the mouth of the [[River Yarrel]]. It had a population of 47,815 at the 2011 census." + ref("census", "coast")
     + "\n\n== Harbour ==\nThe harbour is free of ice in all but the hardest winters. Its breakwater, 840 metres long, was completed in 1878 after two earlier ones had been lost in storms.\n\n[[Category:Ports]]"),
    ("Orrin County", "'''Orrin County''' is a county in the east of [[Valdmark]]. It has an area of 2,914 square kilometres and had a population of 143,200 at the 2011 census." + ref("census", "orrin")
     + "\n\n== Geography ==\nThe north is a plateau of slate with peat bogs, the south a plain of heavy clay. " + ABBEY + " " + DIALECT + "\n\n[[Category:Counties of Valdmark]]"),
    ("Selwick County", "'''Selwick County''' is a county in the east of [[Valdmark]]. It has an area of 3,380 square kilometres and had a population of 98,700 at the 2011 census." + ref("census", "selwick")
     + "\n\n== Geography ==\nThe west is a plateau of chalk without streams, the east a plain of marshes and meadows. " + MARSH + "\n\n[[Category:Counties of Valdmark]]"),
    ("Wendle Abbey", "'''Wendle Abbey''' was a monastery on an island of the [[River Wend]]. The abbey owned most of the land between the two rivers until 1541, when its estates were divided among the tenants." + ref("mills", "3")
     + " Of the buildings only the gatehouse and part of the kitchen are standing.\n\n== Legends ==\nIt is said that the bells, sunk in the river to hide them, can be heard before a flood.\n\n[[Category:Monasteries]]"),
]

CHINESE_TOWNS = [
    ("青石镇", "鹭江县", "桐水", "北", 12, "18,400", 1368, "采石",
     "镇上的石桥建于明代，全长四十六米，由附近山上的青石砌成，至今仍可通行。"),
    ("柳溪镇", "鹭江县", "桐水", "南", 21, "9,760", 1392, "造纸",
     "当地以竹子造纸的历史超过三百年，如今只剩两家作坊仍在使用传统工艺。"),
    ("白鹭洲镇", "鹭江县", "澄河", "东", 8, "25,130", 1411, "渔业",
     "每年冬季有数千只白鹭在洲上过冬，观鸟的游客多在十二月和一月前来。"),
    ("桐岭镇", "临桐县", "桐水", "北", 33, "6,250", 1455, "茶叶",
     "当地以竹子造纸的历史超过二百年，如今只剩三家作坊仍在使用传统工艺。"),
    ("石桥头镇", "临桐县", "澄河", "西", 17, "11,900", 1368, "采石",
     "镇上的石桥建于明代，全长三十八米，由附近山上的青石砌成，至今仍可通行。"),
]


def chinese_town(name, county, river_name, bank, distance, population, founded, known, said):
    return name, f"""{{{{行政区划|名称={name}|上级={county}|人口={population}}}}}
'''{name}'''是[[{county}]]下辖的一个镇，位于[[{river_name}]]{bank}岸，距县城{distance}公里。根据2011年的统计，全镇共有人口{population}人，居民大多从事农业和{known}。<ref>{{{{cite web|title={county}统计年鉴|url=https://statistics.example/zh?y=2011&t=3|year=2011}}}}</ref>

== 历史 ==
{name}建于{founded}年，最初是沿河商船停靠和换货的地方。{said}一七九六年夏天河水暴涨，沿岸的房屋大半被冲毁，后来在地势较高的地方重建。

== 交通 ==
镇内有公路通往县城，每天有六班公共汽车。

[[Category:{county}的镇]]"""


CHINESE = [
    ("桐水", "'''桐水'''是云州东部的一条河流，发源于桐岭北麓，全长一百五十六公里，在[[鹭江县]]注入[[澄河]]。河水在每年六月和七月最大，冬季有些河段可以涉水而过。\n\n== 历史 ==\n一七九六年夏天河水暴涨，沿岸的房屋大半被冲毁，后来在地势较高的地方重建。两岸多种桐树，河流因此得名。\n\n[[Category:云州河流]]"),
    ("澄河", "'''澄河'''是云州东部的一条河流，发源于云山南麓，全长二百零九公里，在东渡入海。河水在每年六月和七月最大，冬季大部分河段仍可通航。\n\n== 历史 ==\n一九五八年以前，从上游运来的木材都在东渡装船，再运往沿海各地。\n\n[[Category:云州河流]]"),
    ("鹭江县", "'''鹭江县'''是云州下辖的一个县，面积一千九百平方公里，县城设在鹭江。境内有[[桐水]]和[[澄河]]两条主要河流，两岸多种桐树。\n\n== 经济 ==\n* 农业：水稻、油菜\n* 手工业：造纸、制伞\n\n当地的油纸伞从选竹到上油共有七十二道工序，一把伞要做半个月。\n\n[[Category:云州各县]]"),
    ("临桐县", "'''临桐县'''是云州下辖的一个县，面积二千三百平方公里，县城设在临桐。北部是山地，南部是平原，茶园多分布在海拔四百米以上的山坡上。\n\n== 经济 ==\n* 农业：茶叶、桐油\n* 手工业：造纸\n\n一九五八年以前，从上游运来的木材都在东渡装船，然后运往沿海各地。\n\n[[Category:云州各县]]"),
    ("油纸伞", "'''油纸伞'''是云州的传统手工艺品，以[[鹭江县]]所产最为有名。当地的油纸伞从选竹到上油共有七十二道工序，一把伞要做半个月。<ref>{{cite book|last=周|first=文斌|title=云州手工艺志|year=1987|pages=21–26}}</ref>\n\n== 制作 ==\n伞骨用三年以上的竹子，伞面用本地的皮纸，刷三遍桐油后阴干。\n\n== 参考文献 ==\n* 周文斌（1987）：《云州手工艺志》，第21–26页。\n\n[[Category:手工艺]]"),
    ("云州皮纸", "'''云州皮纸'''是用构树皮制成的手工纸，多用来做伞面和糊窗。伞面用本地的皮纸，刷三遍桐油后阴干，可以用上十年。<ref>{{cite book|last=周|first=文斌|title=云州手工艺志|year=1987|pages=47–52}}</ref>\n\n== 历史 ==\n当地以树皮造纸的历史超过三百年，如今只剩两家作坊仍在使用传统工艺。\n\n== 参考文献 ==\n* 周文斌（1987）：《云州手工艺志》，第47–52页。\n\n[[Category:手工艺]]"),
    ("陈秀兰", "'''陈秀兰'''（1902年－1981年），云州[[鹭江县]]人，制伞艺人。她十二岁开始跟随父亲学习制伞，一生制作了两万多把伞。晚年她把全部工具和图样捐给了县博物馆。\n\n[[Category:手工艺人]]"),
]


def articles():
    pages = [village(*given) for given in VILLAGES]
    pages += [bird(*given) for given in BIRDS]
    pages += [river(*given) for given in RIVERS]
    pages += PEOPLE + OTHERS
    pages.append(list_of_birds("Orrin", 214, 131, ()))
    pages.append(list_of_birds("Selwick", 188, 117, ("Orrin pipit",)))
    pages += [chinese_town(*given) for given in CHINESE_TOWNS]
    pages += CHINESE
    return [(title, 0, text) for title, text in pages]


# Pages that are no articles: a reader of sentences leaves them out.
ASIDE = [
    ("Wend", 0, "#REDIRECT [[River Wend]]\n\n{{R from short name}}"),
    ("Talk:Wend Valley Railway", 1, "== Merge? ==\nThis page and [[History of the Wend Valley Railway]] have most of a section in common. Should they be merged? --~~~~\n: I would rather shorten this one. --~~~~"),
    ("Template:R from short name", 10, "<includeonly>This is a redirect from a short name.</includeonly><noinclude>{{Documentation}}</noinclude>"),
    ("Category:Villages in Orrin County", 14, "Villages in [[Orrin County]], [[Valdmark]].\n\n[[Category:Villages in Valdmark]]"),
]

NAMESPACES = [(-2, "Media"), (-1, "Special"), (0, ""), (1, "Talk"), (2, "User"), (3, "User talk"), (10, "Template"), (14, "Category")]
EDITORS = ["Reedcutter", "Narrow Gauge", "桐叶", "Old Bridge", "Pipit"]


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def base36(digest):
    number, digits = int(digest, 16), ""
    while number:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits.rjust(31, "0")


def page_xml(number, title, namespace, text):
    data = text.encode()
    sha1 = base36(hashlib.sha1(data).hexdigest())
    target = text[len("#REDIRECT [[") : text.index("]]")] if text.startswith("#REDIRECT") else None
    redirect = f'    <redirect title="{escaped(target)}" />\n' if target else ""
    return f"""  <page>
    <title>{escaped(title)}</title>
    <ns>{namespace}</ns>
    <id>{number}</id>
{redirect}    <revision>
      <id>{9000 + 17 * number}</id>
      <parentid>{9000 + 17 * number - 5}</parentid>
      <timestamp>20{10 + number % 15:02}-{1 + number % 12:02}-{1 + 7 * number % 28:02}T{number % 24:02}:{7 * number % 60:02}:00Z</timestamp>
      <contributor>
        <username>{EDITORS[number % len(EDITORS)]}</username>
        <id>{1 + number % len(EDITORS)}</id>
      </contributor>
      <origin>{9000 + 17 * number}</origin>
      <model>wikitext</model>
      <format>text/x-wiki</format>
      <text bytes="{len(data)}" sha1="{sha1}" xml:space="preserve">{escaped(text)}</text>
      <sha1>{sha1}</sha1>
    </revision>
  </page>
"""


def dump(order):
    """The export as MediaWiki writes it; `order` arranges the articles."""
    names = "\n".join(
        f'      <namespace key="{key}" case="first-letter">{name}</namespace>'
        if name
        else f'      <namespace key="{key}" case="first-letter" />'
        for key, name in NAMESPACES
    )
    pages = enumerate(order(articles() + ASIDE), 1)
    return f"""<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.mediawiki.org/xml/export-0.11/ http://www.mediawiki.org/xml/export-0.11.xsd" version="0.11" xml:lang="en">
  <siteinfo>
    <sitename>Encyclopedia of Valdmark</sitename>
    <dbname>valdmarkwiki</dbname>
    <base>https://encyclopedia.example/wiki/Main_Page</base>
    <generator>examples/generate.py</generator>
    <case>first-letter</case>
    <namespaces>
{names}
    </namespaces>
  </siteinfo>
{"".join(page_xml(number, *page) for number, page in pages)}</mediawiki>
"""
