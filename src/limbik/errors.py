"""The faults that limbik raises: malformed input only, never geometry, each saying what was wrong and what is right."""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """Returns " (did you mean 'x'?)" for a misspelt word, or the empty string."""
    from difflib import get_close_matches

    if not isinstance(word, str) or len(word) > 100:
        return ""
    lowered = {one.lower(): one for one in known}
    close = get_close_matches(word.lower(), lowered, n=1, cutoff=0.6)
    return f" (did you mean {lowered[close[0]]!r}?)" if close else ""


def shown(value: object) -> str:
    """A value as an error message shows it: its repr, or its type where that would be long."""
    try:
        words = repr(value)
    except (ValueError, RecursionError):  # an integer of thousands of digits, or lists nested very deep
        words = "\n"
    if len(words) <= 60 and "\n" not in words:
        return words
    if (shape := getattr(value, "shape", None)) is not None:
        return f"an array of shape {tuple(shape)}"
    article = "an" if type(value).__name__[0].lower() in "aeiou" else "a"
    return f"{article} {type(value).__name__}"


def as_unicode(text: str) -> str:
    """A text that can be encoded: bytes of file names that are no UTF-8, and other lone surrogates, are escaped."""
    return text.encode(errors="backslashreplace").decode()


class LimbikError(Exception):
    """Base of every error that limbik raises on purpose."""


class ArgumentError(LimbikError, ValueError):
    """An argument that cannot be used: its name, what it was, and what would be right."""

    def __init__(self, name: str, got: object, wanted: str) -> None:
        super().__init__(f"{name}: got {got}; expected {wanted}")


class ShapeError(ArgumentError):
    """An array whose trailing axis, or whose batch, does not fit."""

    def __init__(self, name: str, shape: tuple[int, ...], wanted: str) -> None:
        super().__init__(name, f"shape {shape}", wanted)


class ChoiceError(ArgumentError):
    """A word that is none of the accepted ones; the message lists them and suggests the closest."""

    def __init__(self, name: str, got: object, choices: Iterable[str]) -> None:
        known = list(choices)
        super().__init__(
            name,
            "nothing" if got is None else shown(got),
            "one of " + ", ".join(map(repr, known)) + did_you_mean(got, known),
        )


class NoSuchAnswerError(LimbikError, AttributeError):
    """A Solution's attribute that this kind of limb does not have."""

    def __init__(self, limb: str, name: str, instead: str) -> None:
        super().__init__(f"a {limb} solution has no {name}{instead}")


class ChangedInputError(LimbikError):
    """An array that was changed after `solve`, before an answer was read that depends on it."""

    def __init__(self, kind: str) -> None:
        super().__init__(
            f"an input {kind} was changed after solve(); read the answers before you reuse it, or pass a copy"
        )


class FileError(LimbikError):
    """A file that cannot be read or written: which, where in it, and why."""

    def __init__(self, path: object, place: str, why: str) -> None:
        super().__init__(f"{path}{', ' + place if place else ''}: {why}")


class MissingExtraError(LimbikError, ImportError):
    """An optional package that is not installed."""

    def __init__(self, what: str, package: str, extra: str) -> None:
        super().__init__(f"{what} needs {package}: pip install 'limbik[{extra}]'")
