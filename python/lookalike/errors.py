"""What can go wrong. Every exception of the package is an `Error`; its message names the input, the value and the remedy."""


class Error(Exception):
    """Whatever goes wrong in lookalike."""


class OptionError(Error, ValueError):
    """Options that are wrong, or do not go together."""


class InputError(Error):
    """Data that cannot be read, or not be used."""


class OutputError(Error):
    """A folder or file that cannot be written, or holds what is not to be replaced."""


class ResourceError(Error):
    """Too little memory or disk for what was asked."""


class InternalError(Error):
    """A mistake in lookalike itself: please report it."""
