"""Every page of docs/python does what it says: its code runs, and prints what stands below it."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "python").glob("*.md"))
CODE = re.compile(r"^```python\n(.*?)^```$\s*^```text\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_prints_what_it_says(page: Path) -> None:
    if page.stem != "index" and importlib.util.find_spec(page.stem) is None:
        pytest.skip(f"{page.stem} is not installed")
    blocks = CODE.findall(page.read_text(encoding="utf-8"))
    assert blocks, "a page has code and what it prints"
    for code, expected in blocks:
        environment = {**os.environ, "PYTHONWARNINGS": "ignore", "HF_DATASETS_DISABLE_PROGRESS_BARS": "1"}
        done = subprocess.run(
            [sys.executable, "-P", "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, encoding="utf-8", timeout=300
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout == expected


def test_the_three_lines_of_the_readme(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    [code] = re.findall(r"```python\n(import pandas.*?)```", readme, re.DOTALL)
    done = subprocess.run([sys.executable, "-P", "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["242"]
