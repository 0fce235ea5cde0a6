"""Dense numbers of rows in the order of some columns, without bringing all rows to one task.

The rows are cut into ranges at values of a sample, numbered within each range, and the sizes of the ranges before are added:
where the cuts are changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

# About so many rows are in a range, and at most so many ranges.
RANGE_ROWS = 250_000
MOST_RANGES = 1000
SAMPLES_A_RANGE = 20


class Ranges:
    """Ranges of rows by columns, each ascending or, after a minus sign, descending; those that tie are in one range."""

    def __init__(self, frame: Any, columns: Sequence[str], rows: int, ties: Sequence[str] = ()) -> None:
        self.columns = [(name.removeprefix("-"), name.startswith("-")) for name in columns]
        self.ties = list(ties)
        count = max(1, min(MOST_RANGES, rows // RANGE_ROWS))
        self.cuts: list[Any] = []
        if count > 1:
            wanted = min(1.0, SAMPLES_A_RANGE * count / rows)
            names = [name for name, _ in self.columns]
            sample = frame.select(*names).sample(wanted).orderBy(*self._order()).collect()
            self.cuts = [sample[len(sample) * cut // count] for cut in range(1, count)] if len(sample) >= count else []

    def numbered(self, frame: Any) -> Any:
        """The rows with `__range` and `__place`, from 0 in each range."""
        from pyspark.sql import Window
        from pyspark.sql import functions as F

        ranged = frame.withColumn("__range", self._range(0, len(self.cuts)))
        window = Window.partitionBy("__range").orderBy(*self._order_with_ties())
        return ranged.withColumn("__place", F.row_number().over(window).cast("long") - F.lit(1))

    def number(self, numbered: Any, name: str) -> Any:
        """Such rows with their numbers; they are looked at twice, so they are a table."""
        from pyspark.sql import functions as F

        if not self.cuts:
            return numbered.withColumnRenamed("__place", name).drop("__range")
        sizes = {row["__range"]: row["size"] for row in numbered.groupBy("__range").agg(F.count("*").alias("size")).collect()}
        before, offsets = 0, []
        for range_ in range(len(self.cuts) + 1):
            offsets.append(F.lit(before).cast("long"))
            before += sizes.get(range_, 0)
        offset = F.element_at(F.array(*offsets), F.col("__range") + F.lit(1))
        return numbered.withColumn(name, F.col("__place") + offset).drop("__range", "__place")

    def _order(self) -> list[Any]:
        from pyspark.sql import functions as F

        return [F.col(name).desc() if falls else F.col(name).asc() for name, falls in self.columns]

    def _order_with_ties(self) -> list[Any]:
        from pyspark.sql import functions as F

        return self._order() + [F.col(name).asc() for name in self.ties]

    def _range(self, low: int, high: int) -> Any:
        """The number of the range of a row, between those of two cuts, found as in a book."""
        from pyspark.sql import functions as F

        if low == high:
            return F.lit(low)
        middle = (low + high) // 2
        return F.when(self._is_before(self.cuts[middle], 0), self._range(low, middle)).otherwise(self._range(middle + 1, high))

    def _is_before(self, cut: Any, place: int) -> Any:
        from pyspark.sql import functions as F

        if place == len(self.columns):
            return F.lit(False)
        name, falls = self.columns[place]
        value = F.lit(cut[name])
        is_before = F.col(name) > value if falls else F.col(name) < value
        return is_before | ((F.col(name) == value) & self._is_before(cut, place + 1))
