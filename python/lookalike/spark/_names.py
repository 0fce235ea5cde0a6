"""The ids of records: those that occur again get names of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def named(frame: Any, order: Sequence[str], some_repeat: bool, column: str = "id") -> Any:
    """A frame with the ids of its rows, which are in a column: if any repeat, the second row with the id 7 in this order is called 7#2."""
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    if not some_repeat:
        return frame
    number = F.row_number().over(Window.partitionBy(column).orderBy(*order))
    text = F.col(column).cast("string")
    renamed = F.when(number > 1, F.concat(text, F.lit("#"), number.cast("string"))).otherwise(text)
    return frame.withColumn("__name", renamed).drop(column).withColumnRenamed("__name", column)
