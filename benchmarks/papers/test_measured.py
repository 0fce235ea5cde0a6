"""`python3 -m unittest discover benchmarks/papers`: pages are told apart from newer ones by the code they measured."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

import measured  # noqa: E402


class Pages(unittest.TestCase):
    def test_every_experiment_measures_files_that_are_there(self):
        for name in measured.MEASURED:
            self.assertIn(measured.HERE / name, measured.files(name))

    def test_a_page_is_stale_once_the_code_changes(self):
        name = "imatch_stability"
        with tempfile.TemporaryDirectory() as folder:
            root, results = Path(folder), Path(folder) / "results"
            results.mkdir()
            for path in measured.files(name):
                copy = root / path.relative_to(measured.ROOT)
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(path.read_bytes())
            self.assertEqual(measured.number(name, root), measured.number(name))
            self.assertEqual(measured.stale(name, results, root), "there is no page")
            page = results / f"{name}.md"
            page.write_text("# a page\n")
            self.assertIn("does not say", measured.stale(name, results, root))
            page.write_text(f"# a page\n\n- code: {measured.number(name, root)}\n")
            self.assertIsNone(measured.stale(name, results, root))
            changed = root / "crates/sign/src/keys/imatch.rs"
            changed.write_text(changed.read_text() + "// more\n")
            self.assertEqual(measured.stale(name, results, root), "the code has changed since")


if __name__ == "__main__":
    unittest.main()
