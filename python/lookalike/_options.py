"""From keyword arguments to the options of the program, which have the same names."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from typing import Any

from lookalike import _lookalike
from lookalike.errors import OptionError

# What is for a command line alone, or an argument of its own in Python.
NOT_HERE = frozenset(
    "json quiet no_progress verbose open explore print_config explain color help version against config out".split()
)


@cache
def known(command: str) -> dict[str, bool]:
    """The options of a command, each with whether it takes a value."""
    options = _lookalike.options(command)
    names = {name.replace("-", "_"): takes_value for name, takes_value in options}
    return {name: takes for name, takes in names.items() if name not in NOT_HERE}


def arguments(command: str, options: Mapping[str, Any]) -> list[str]:
    """Options as arguments of a command line. What is None is not given."""
    given: list[str] = []
    for name, value in options.items():
        given += argument(command, name, value)
    return given


def argument(command: str, name: str, value: Any) -> list[str]:
    """One option."""
    options = known(command)
    if name not in options:
        raise OptionError(unknown(command, name))
    option = "--" + name.replace("_", "-")
    if value is None:
        return []
    if not options[name]:
        if not isinstance(value, bool):
            raise OptionError(f"{name}= is True or False, not {value!r}")
        # Of the two ways to read pages of the web each has an option.
        if name == "main_content" and not value:
            return ["--whole-page"]
        return [option] if value else []
    if isinstance(value, bool):
        # Some options can do without the value that they take.
        return [option] if value else []
    return [f"{option}={text(value)}"]


def text(value: Any) -> str:
    """A value as the program reads it."""
    if isinstance(value, Mapping):
        return ",".join(f"{key}={text(inner)}" for key, inner in value.items())
    if isinstance(value, (list, tuple)):
        return ",".join(text(inner) for inner in value)
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, float):
        return repr(float(value))
    return str(value)


def unknown(command: str, name: str) -> str:
    """Says that there is no such option, and which may be meant."""
    import difflib

    near = difflib.get_close_matches(name, known(command), n=1)
    meant = f"; did you mean {near[0]}=?" if near else f"; the options are: {', '.join(sorted(known(command)))}"
    return f"{command} has no option {name}={meant}"
