"""The names that formulas give to their intermediate values, so that exported code can use them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from inspect import CO_GENERATOR
from types import FrameType

from limbik.formulas.operations import Symbol, watcher

FORMULAS = "limbik.formulas.", "limbik.gait."
PLAIN = {"choose", "combine", "along", "scale", "where", "nan_where"}  # functions whose names say nothing of the value
SHORTEST = 3  # letters of a name that says something


class LocalNames:
    """Names of symbols, by identity. A caller's name for a value takes precedence over that of a function it called."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}
        self._kept: list[Symbol] = []  # ids are names only while their owners live
        # Outermost first. A frame keeps the variables of its call after the call has ended.
        self._running: dict[FrameType, None] = {}

    def of(self, step: Symbol) -> str | None:
        """The name of a symbol, if it has one."""
        return self._names.get(id(step))

    def transfer(self, before: Iterable[object], after: Iterable[object]) -> LocalNames:
        """The names for symbols that have taken the places of others: `after`, in the places of `before`."""
        names = LocalNames()
        names.carry(self, before, after)
        return names

    def carry(self, known: LocalNames, before: Iterable[object], after: Iterable[object]) -> None:
        """Gives symbols the names that those have whose places they have taken."""
        waiting = list(zip(before, after, strict=True))
        seen: set[int] = set()
        while waiting:
            old, new = waiting.pop()
            if not (isinstance(old, Symbol) and isinstance(new, Symbol)) or id(new) in seen:
                continue
            seen.add(id(new))
            if name := known.of(old):
                self._add(name, new)
            if old.operation == new.operation and len(old.inputs) == len(new.inputs):
                waiting += zip(old.inputs, new.inputs, strict=True)

    def watch(self) -> None:
        """Looks, whenever a symbol is made, at which calls are running, and notes the variables of those that ended."""
        frame: FrameType | None = sys._getframe(2)  # of what makes the symbol
        entered = []
        while frame is not None and frame not in self._running:
            entered.append(frame)
            frame = frame.f_back
        self.finish(frame)
        self._running |= dict.fromkeys(reversed(entered))
        for running in reversed(self._running):
            if running.f_code.co_flags & CO_GENERATOR:  # has other variables when it goes on
                self._note(running)

    def finish(self, last: FrameType | None = None) -> None:
        """Notes the variables of the calls that were running within `last`, or of all, innermost first."""
        while self._running and next(reversed(self._running)) is not last:
            frame, _ = self._running.popitem()
            if not frame.f_code.co_flags & CO_GENERATOR:
                self._note(frame)

    def _note(self, frame: FrameType) -> None:
        module = frame.f_globals.get("__name__", "")
        inside = module.startswith(FORMULAS) and module != Symbol.__module__
        if inside and frame.f_code.co_name not in PLAIN:
            for name, value in frame.f_locals.items():
                if len(name) >= SHORTEST:
                    self._add(name, value)

    def _add(self, name: str, value: object) -> None:
        if isinstance(value, Symbol) and value.operation != "name":
            self._names[id(value)] = name
            self._kept.append(value)
        elif isinstance(value, tuple) and (hasattr(value, "_fields") or len(value) in (3, 4)):
            names = getattr(value, "_fields", [f"{name}_{axis}" for axis in "xyzw"])
            for part_name, part in zip(names, value, strict=False):
                if isinstance(part, Symbol):
                    self._add(part_name, part)


_current: ContextVar[LocalNames] = ContextVar("limbik_local_names")


def carry_names(before: Iterable[object], after: Iterable[object]) -> None:
    """Within a `local_names` block, gives symbols the names that those have whose places they have taken."""
    names = _current.get()
    names.carry(names, before, after)


@contextmanager
def local_names() -> Iterator[LocalNames]:
    """Within a `with` block, collects the names of the local variables of every formula that returns."""
    names = LocalNames()
    token, watching = _current.set(names), watcher.set(names.watch)
    try:
        yield names
        names.finish()
    finally:
        watcher.reset(watching)
        _current.reset(token)
