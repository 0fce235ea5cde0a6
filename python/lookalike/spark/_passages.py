"""What documents share: pairs of them, the passages, and clusters of several that are one."""

from __future__ import annotations

from typing import Any

from lookalike.spark import _page_parts
from lookalike.spark._clusters import components, taken
from lookalike.spark._gathered import Gathered
from lookalike.spark._names import named
from lookalike.spark._near import near
from lookalike.spark._pages import Pages
from lookalike.spark._pairs import Candidates
from lookalike.spark._parts import ALIGNED, Job
from lookalike.spark._result import Result
from lookalike.spark._scored import Scoring, beside
from lookalike.spark._tables import in_parts

# The numbers of a passage in `places`: of each side its first character and the one after its last, its first sentence and how many.
NUMBERS = 8


def locate(pages: Pages, job: Job, candidates: Candidates) -> Result:
    """The tables of the result."""
    from pyspark.sql import functions as F

    tables = pages.tables
    proposed = tables.save("similar", Scoring(pages, job, candidates).proposed().select("a", "b"))
    gathered = Gathered(pages, job, proposed)
    pairs = gathered.pairs.union(near(pages, job, gathered)) if pages.plan["passages"]["is_deep"] else gathered.pairs
    pairs = tables.save("document-pairs", pairs.distinct())
    known = gathered.marked().withColumnRenamed("record", "unit")
    both = beside(pairs, known).select("a", "b", "a_text", "b_text", "a_common", "b_common")
    aligned = tables.save("aligned", in_parts(both, _page_parts.aligned(job), ALIGNED))
    names = tables.save("names", named(pages.pages.select("record", F.col("__id").alias("id")), ["record"], pages.some_repeat))
    groups = Groups(pages, aligned)
    return Result(tables, pairs=lambda: _pairs(aligned, groups, names), clusters=lambda: groups.clusters(names), passages=lambda: _passages(aligned, names))


def _with_ids(pairs: Any, names: Any) -> Any:
    from pyspark.sql import functions as F

    for side in ("a", "b"):
        pairs = pairs.join(names.select(F.col("record").alias(side), F.col("id").alias(f"{side}_id")), side)
    return pairs


def _pairs(aligned: Any, groups: Groups, names: Any) -> Any:
    from pyspark.sql import functions as F

    pairs = aligned.select("a", "b", "similarity", "covered_a", "covered_b", "relation", F.size("similarities").cast("long").alias("passages"))
    pairs = groups.tables.save("pairs", _with_ids(groups.told(pairs), names)).orderBy("a", "b")
    columns = ["similarity", "covered_a", "covered_b", "relation", "passages", "group"]
    return pairs.select(F.col("a_id").alias("a"), F.col("b_id").alias("b"), *columns)


def _places(aligned: Any, *columns: Any) -> Any:
    """A row a passage, with its place among those of its pair."""
    from pyspark.sql import functions as F

    return aligned.select("*", F.posexplode("similarities").alias("place", "of_passage")).select("place", "of_passage", *columns)


def _number(place: int, of_b: bool = False) -> Any:
    """A number of a passage."""
    from pyspark.sql import functions as F

    return F.element_at("places", (F.col("place") * F.lit(NUMBERS) + F.lit(place + (4 if of_b else 0) + 1)).cast("int"))


def _passages(aligned: Any, names: Any) -> Any:
    from pyspark.sql import functions as F

    sides = []
    for side in ("a", "b"):
        numbers = [_number(number, side == "b").alias(name) for number, name in enumerate(("begin", "end", "first_sentence", "sentences"))]
        text = F.when(F.col(f"{side}_texts").isNotNull(), F.element_at(f"{side}_texts", (F.col("place") + F.lit(1)).cast("int")))
        sides.append(F.struct(F.col(f"{side}_id").alias("id"), *numbers, text.alias("text")).alias(f"of_{side}"))
    rows = _places(_with_ids(aligned, names), "a", "b", *sides).orderBy("a", "b", "place")
    sentences = F.greatest("of_a.sentences", "of_b.sentences").alias("sentences")
    return rows.select(F.col("of_a").alias("a"), F.col("of_b").alias("b"), sentences, F.col("of_passage").alias("similarity"))


class Groups:
    """Near-identical documents, those that hold others, and articles that were split into pages at different places."""

    def __init__(self, pages: Pages, aligned: Any) -> None:
        from pyspark.sql import functions as F

        self.texts, self.tables = pages.pages.select("record", "text"), pages.tables
        same = aligned.filter(F.col("relation") == "near-duplicate")
        self.duplicates = taken(same.select(F.col("a").alias("first"), F.col("b").alias("second"), "similarity"), None, self.tables, "duplicates")
        self.wholes = self.tables.save("wholes", self._wholes(aligned))
        self.split = self._split(aligned.filter(F.col("joint").isNotNull()))
        if self.split is not None:
            self.articles = self.split.groupBy("page").agg(F.min("article").alias("article"))
            self.wholes = self.tables.save("other-wholes", self._of_no_article())

    def _wholes(self, aligned: Any) -> Any:
        """Documents that hold several others, apart from each other, and whether these are the pages of one story."""
        from pyspark.sql import functions as F

        holds = _places(aligned.filter(F.col("relation") == "contains"), F.col("a").alias("whole"), _number(0).alias("begin"), _number(1).alias("end"), F.col("b").alias("part"))
        lies = _places(
            aligned.filter(F.col("relation") == "contained"), F.col("b").alias("whole"), _number(0, True).alias("begin"), _number(1, True).alias("end"), F.col("a").alias("part")
        )
        held = holds.union(lies).groupBy("whole")
        held = held.agg(F.collect_list(F.struct("begin", "end", "part")).alias("held"), F.countDistinct("part").alias("count"))
        held = held.filter(F.col("count") > 1).join(self.texts.withColumnRenamed("record", "whole"), "whole")
        lists = [F.col(f"held.{name}").alias(f"{name}s") for name in ("begin", "end", "part")]
        return in_parts(held.select("whole", "text", *lists), _page_parts.parts_of(), "whole long, parts array<long>, is_story boolean")

    def _split(self, joints: Any) -> Any | None:
        """The pages of articles, `page` with the `article` that it is of and its `place` there."""
        from pyspark.sql import functions as F

        goes_on = joints.filter(F.col("goes_on"))
        going_on = self.tables.save("going-on", goes_on.select(F.col("a").alias("page")).union(goes_on.select("b")).distinct())
        if going_on.isEmpty():
            return None
        made_up = self._made_up(joints, going_on)
        made_up = self.tables.save("made-up", made_up.union(self.wholes.filter("is_story").select("whole")).distinct())
        of = joints.join(made_up.withColumnRenamed("page", "a"), "a", "left_semi").join(made_up.withColumnRenamed("page", "b"), "b", "left_semi")
        linked = components(of.select(F.col("a").alias("first"), F.col("b").alias("second")), None, self.tables, "articles")
        articles = linked.select(F.col("second").alias("page"), F.col("first").alias("article")).union(linked.select("first", "first").distinct())
        links = joints.select("a", "b", "joint", F.col("own_a").alias("length_a"), F.col("own_b").alias("length_b"), "shift")
        for side in ("a", "b"):
            links = links.join(articles.select(F.col("page").alias(side), F.col("article").alias(f"of_{side}")), side, "left")
        article = F.when((F.col("joint") == "goes-on") & (F.col("of_a") == F.col("of_b")), F.col("of_a"))
        article = article.when(F.col("joint") == "same", F.coalesce("of_a", "of_b"))
        article = article.when(F.col("joint") == "holds", F.col("of_a")).when(F.col("joint") == "lies-in", F.col("of_b"))
        links = links.withColumn("article", article).filter(F.col("article").isNotNull())
        links = links.select("article", "a", "b", "length_a", "length_b", "shift").repartition("article")
        lines = in_parts(links, _page_parts.pages_in_line(), "article long, page long, place long, is_told long")
        lines = self.tables.save("lines", lines)
        told = lines.filter(F.col("is_told") == 1).join(self.texts.withColumnRenamed("record", "page"), "page")
        told = told.groupBy("article").agg(F.sort_array(F.collect_list(F.struct("place", "text"))).alias("told"))
        stories = in_parts(told.select("article", F.col("told.text").alias("texts")), _page_parts.stories(), "article long")
        return self.tables.save("split", lines.join(stories, "article").select("article", "page", "place"))

    def _made_up(self, joints: Any, going_on: Any) -> Any:
        """Those of the pages that others make up."""
        from pyspark.sql import functions as F

        def of_side(side: str, of_b: bool) -> Any:
            of_page = joints.join(going_on.withColumnRenamed("page", side), side, "left_semi")
            place = [_number(0, of_b).alias("begin"), _number(1, of_b).alias("end")]
            return _places(of_page, F.col(side).alias("page"), *place, F.col(f"own_{side}").alias("length"))

        stretches = of_side("a", False).union(of_side("b", True))
        pages = stretches.groupBy("page").agg(F.collect_list(F.struct("begin", "end")).alias("all"), F.max("length").alias("length"))
        pages = pages.select("page", "length", F.col("all.begin").alias("begins"), F.col("all.end").alias("ends"))
        return in_parts(pages, _page_parts.made_up(), "page long")

    def _of_no_article(self) -> Any:
        """Those that hold others which are not all of one split article with them."""
        from pyspark.sql import functions as F

        each = self.wholes.select("whole", F.explode("parts").alias("part"))
        for side in ("whole", "part"):
            each = each.join(self.articles.select(F.col("page").alias(side), F.col("article").alias(f"of_{side}")), side, "left")
        is_other = F.coalesce(F.col("of_whole") != F.col("of_part"), F.lit(True))
        return self.wholes.join(each.filter(is_other).select("whole").distinct(), "whole", "left_semi")

    def _kind(self) -> Any:
        from pyspark.sql import functions as F

        return F.when(F.col("is_story"), F.lit("multi-page")).otherwise(F.lit("collection"))

    def told(self, pairs: Any) -> Any:
        """Pairs with what they are part of."""
        from pyspark.sql import functions as F

        parts = self.wholes.select("whole", F.explode("parts").alias("part"), self._kind().alias("kind"))
        group = F.lit(None).cast("string")
        if self.split is not None:
            for side in ("a", "b"):
                pairs = pairs.join(self.articles.select(F.col("page").alias(side), F.col("article").alias(f"{side}_article")), side, "left")
            group = F.when(F.col("a_article") == F.col("b_article"), F.lit("multi-page"))
        for whole, part in (("a", "b"), ("b", "a")):
            held = parts.select(F.col("whole").alias(whole), F.col("part").alias(part), F.col("kind").alias(f"{whole}_holds"))
            pairs = pairs.join(held, ["a", "b"], "left")
        return pairs.withColumn("group", F.coalesce(group, "a_holds", "b_holds"))

    def clusters(self, names: Any) -> Any:
        """The groups, each named by the first of its members."""
        from pyspark.sql import functions as F

        def rows(frame: Any, kind: int, of: str, place: Any, record: Any, relation: Any) -> Any:
            columns = [F.lit(kind).alias("kind"), F.col(of).alias("of"), place.cast("long").alias("place"), record.alias("record"), relation.alias("relation")]
            return frame.select(*columns)

        same, first = F.lit("near-duplicate"), F.lit(-1)
        members = rows(self.duplicates, 0, "first", F.col("second"), F.col("second"), same)
        members = members.union(rows(self.duplicates.select("first").distinct(), 0, "first", first, F.col("first"), same))
        each = self.wholes.select("whole", "is_story", F.posexplode("parts").alias("place", "part"))
        members = members.union(rows(each, 1, "whole", F.col("place"), F.col("part"), self._kind()))
        members = members.union(rows(self.wholes, 1, "whole", first, F.col("whole"), self._kind()))
        if self.split is not None:
            members = members.union(rows(self.split, 2, "article", F.col("place"), F.col("page"), F.lit("multi-page")))
        members = members.join(names, "record").groupBy("kind", "of", "relation")
        listed = members.agg(F.sort_array(F.collect_list(F.struct("place", "id"))).alias("listed"))
        listed = self.tables.save("clusters", listed).orderBy("kind", "of")
        first_id = F.element_at("listed.id", 1).alias("cluster")
        return listed.select(first_id, F.size("listed").cast("long").alias("size"), F.col("listed.id").alias("members"), "relation")
