"""Settings of a job that can be kept."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lookalike import _lookalike
from lookalike._options import arguments
from lookalike.errors import Error, InputError, OptionError


JOBS = ("documents", "threads", "sentences", "passages", "messages")


def checked(job: Any) -> str:
    """The name of a job, if it is one."""
    if job not in JOBS:
        raise OptionError(f"there is no job {job!r}; the jobs are: {', '.join(JOBS)}")
    return str(job)


class Spec:
    """Every choice that decides a result: a job and its options, checked when it is made.

    A file that `save` writes is one that the program takes with `--config`, and the other way round.

    ```python
    spec = lookalike.Spec("documents", threshold=0.7, keys="minhash")
    spec.save("spec.toml")
    result = lookalike.documents(frame, spec=lookalike.Spec.load("spec.toml"))
    ```
    """

    def __init__(self, job: str = "documents", **options: Any) -> None:
        self._job = checked(job)
        self._options: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
        self._toml = _lookalike.settings([job, "--print-config", *arguments(job, self._options)])

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Spec:
        """The settings of a TOML file."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"cannot read {os.fspath(path)}: {getattr(error, 'strerror', None) or error}") from error
        return cls._of_toml(text, os.fspath(path))

    @classmethod
    def from_toml(cls, text: str) -> Spec:
        """The settings of a text in TOML; those that it does not name are those of its job."""
        return cls._of_toml(text, "spec.toml")

    @classmethod
    def _of_toml(cls, text: str, name: str) -> Spec:
        import tomllib

        try:
            job = tomllib.loads(text).get("job", "documents")
        except tomllib.TOMLDecodeError as error:
            raise OptionError(f"the configuration {name} is not valid TOML: {error}") from error
        spec = cls.__new__(cls)
        spec._job, spec._options, spec._toml = checked(job), {}, text
        with spec._config() as config:
            try:
                spec._toml = _lookalike.settings([job, "--print-config", *config])
            except Error as error:
                # The file that it was read from, not the one that it was handed over in.
                file = config[0].partition("=")[2]
                raise OptionError(str(error).replace(file, name)) from None
        return spec

    @property
    def job(self) -> str:
        """The name of the job."""
        return self._job

    @property
    def names_ids(self) -> bool:
        """Whether anything is said of ids."""
        import tomllib

        said = tomllib.loads(self._toml).get("input", {})
        return said.get("id-field", "id") != "id" or said.get("ids", "field") != "field" or bool({"ids", "id_field"} & set(self._options))

    def to_toml(self) -> str:
        """All settings as TOML, also those that were not given."""
        return self._toml

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes all settings to a file."""
        Path(path).write_text(self._toml, encoding="utf-8")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Spec) and self._toml == other._toml

    def __hash__(self) -> int:
        return hash(self._toml)

    def __repr__(self) -> str:
        given = "".join(f", {name}={value!r}" for name, value in self._options.items())
        return f"Spec({self._job!r}{given})"

    @contextmanager
    def _config(self) -> Iterator[list[str]]:
        """Arguments that say the same, for as long as they are used."""
        if self._options:
            # As they were given: what is secret is not in what can be saved.
            yield arguments(self._job, self._options)
            return
        with tempfile.TemporaryDirectory(prefix="lookalike-") as folder:
            path = Path(folder, "spec.toml")
            path.write_text(self._toml, encoding="utf-8")
            yield [f"--config={path}"]
