"""The records of a job: stored with a handle each, and counted."""

from __future__ import annotations

from typing import Any

from lookalike.errors import InputError
from lookalike.spark._tables import Tables

# What orders records: the column that is to, and where values of it are the same, what they say and their handles.
ORDER = ["__order", "__tie", "__row"]


class Records:
    """The rows of a frame as a table, `frame`, each with a handle (`__row`), what orders it (`__order`, `__tie`) and its id (`__id`)."""

    def __init__(self, frame: Any, plan: dict[str, Any], tables: Tables, order: str | None) -> None:
        from pyspark.sql import functions as F

        self.plan, self.tables = plan, tables
        id_field = plan["id_field"]
        if not frame.columns:
            raise InputError("the input has no columns: is there anything at that place?")
        for name in [id_field, order or id_field, *plan["fields"], plan["keep_field"], plan["keep_per"]]:
            if name is not None and name not in frame.columns:
                raise InputError(f'the input has no column "{name}"; name one of {", ".join(frame.columns)} (id_field=, text_field=, order=)')
        self.columns = list(frame.columns)
        read = [*plan["fields"], id_field, plan["keep_field"], plan["keep_per"]]
        if plan["split"] == "sentences" and plan["sentences"]["reference_field"] in frame.columns:
            read.append(plan["sentences"]["reference_field"])
        # What the kernel reads of each.
        self.read = [name for name in dict.fromkeys(read) if name is not None]
        tie = F.xxhash64(*[F.col(name).cast("string") for name in self.read]).alias("__tie")
        handles = [F.monotonically_increasing_id().alias("__row"), F.col(order or id_field).alias("__order"), tie, F.col(id_field).alias("__id")]
        self.frame = tables.save("records", frame.select(*frame.columns, *handles))
        missing = F.col("__order").isNull() | F.col("__id").isNull()
        size = " + ".join(f"coalesce(octet_length(CAST(`{name}` AS string)), 0)" for name in self.read)
        counts = [F.count("*").alias("all"), F.count(F.when(missing, 1)).alias("missing"), F.countDistinct("__id").alias("ids")]
        counted = self.frame.agg(*counts, F.sum(F.expr(f"CAST({size} AS long)")).alias("bytes")).first()
        self.count: int = counted["all"]
        self.bytes: int = counted["bytes"] or 0
        self.some_repeat: bool = counted["ids"] < counted["all"]
        if counted["missing"]:
            what = "an id" if order is None else "an id and a value of the column that orders them"
            rows = "1 row has" if counted["missing"] == 1 else f"{counted['missing']} rows have"
            raise InputError(f"{rows} no {what.removeprefix('an ')}; every row needs {what}")

    def first(self, count: int, field: str) -> list[str]:
        """What a field says in the first records that say anything there, of so many."""
        rows = self.frame.orderBy(*ORDER).select(self.said(field, "said")).limit(count).collect()
        return [row["said"] for row in rows if isinstance(row["said"], str)]

    def said(self, field: str, name: str) -> Any:
        """What a field says as text, where it is text or a number."""
        from pyspark.sql import functions as F

        types = {column.name: column.dataType.typeName() for column in self.frame.schema.fields}
        is_written = types.get(field) in ("string", "varchar", "char", "byte", "short", "integer", "long", "float", "double", "decimal")
        return (F.col(field).cast("string") if is_written else F.lit(None).cast("string")).alias(name)
