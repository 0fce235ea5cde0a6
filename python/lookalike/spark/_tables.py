"""What lies between the stages: tables in a folder, so that nothing is computed twice and a lost executor costs its tasks only."""

from __future__ import annotations

import shutil
import uuid
from pathlib import Path
from typing import Any

from lookalike.spark._parts import Work, in_task

# So many rows of a few numbers are handed to all tasks at the most.
BROADCAST = 1_000_000


class Tables:
    """The tables of a run, in a folder of its own."""

    def __init__(self, session: Any, work: str | None) -> None:
        self.session = session
        # Where nothing is said, that of the cluster's own file system.
        self.folder = f"{(work or '/tmp').rstrip('/')}/lookalike-{uuid.uuid4().hex}"

    def save(self, name: str, frame: Any) -> Any:
        """Computes a table and returns what reads it."""
        path = f"{self.folder}/{name}"
        frame.write.mode("overwrite").parquet(path)
        # Of an empty table there may be no file that says what its columns are.
        return self.session.read.schema(frame.schema).parquet(path)

    def remove(self) -> None:
        """Removes all of them, where that is possible from here."""
        try:
            context = self.session.sparkContext
            path = context._jvm.org.apache.hadoop.fs.Path(self.folder)
            path.getFileSystem(context._jsc.hadoopConfiguration()).delete(path, True)
        except Exception:  # noqa: BLE001 - Connect has no context: what is no local folder then stays.
            local = Path(self.folder.removeprefix("file://"))
            if local.is_dir():
                shutil.rmtree(local, ignore_errors=True)


def in_parts(frame: Any, work: Work, schema: str) -> Any:
    """Runs what works on batches over every part of a frame."""
    return frame.mapInArrow(in_task(work), schema)


def arrow_table(frame: Any) -> Any:
    """The rows of a small frame."""
    import pyarrow

    # Spark 3.5 has no toArrow.
    return frame.toArrow() if hasattr(frame, "toArrow") else pyarrow.Table.from_pandas(frame.toPandas(), preserve_index=False)


def as_bytes(known: Any) -> bytes:
    """Rows as they are handed to all tasks."""
    import pyarrow

    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, known.schema, options=pyarrow.ipc.IpcWriteOptions(compression="lz4")) as writer:
        writer.write_table(known)
    return bytes(sink.getvalue())


def handed_to_all(rows: Any, most: int) -> Any:
    """A frame of at most so many rows, for a join: handed to all tasks if these are few, so that what it is joined with stays where it is."""
    from pyspark.sql import functions as F

    return F.broadcast(rows) if most <= BROADCAST else rows
