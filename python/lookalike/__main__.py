"""The program: `python -m lookalike documents corpus.jsonl` is `lookalike documents corpus.jsonl`."""

import signal
import sys

from lookalike import _lookalike


def main() -> int:
    """Does what the command line says and returns the exit code."""
    # The program hears Ctrl-C itself; the interpreter would hear it only when the program is done.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _lookalike.main(["lookalike", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
