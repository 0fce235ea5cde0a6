"""Ctrl-C for runs that are not in the main thread, which alone hears signals."""

from __future__ import annotations

import sys
import threading


def is_main_interrupted() -> bool:
    """Whether the main thread is on its way out because of Ctrl-C, and may wait for this thread to end."""
    main = threading.main_thread()
    if main is threading.current_thread():
        return False
    if not main.is_alive():
        return getattr(sys, "last_type", None) is KeyboardInterrupt
    # What it handles at this moment, as in `with ThreadPoolExecutor()`; up to Python 3.11 as three values.
    handled = sys._current_exceptions().get(main.ident or 0)
    error = handled[1] if isinstance(handled, tuple) else handled
    return isinstance(error, KeyboardInterrupt)
