"""Interleaved timing: contenders take turns, so that noise on the machine affects all of them alike."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

Work = Callable[[], object]

# Short calls are repeated until one reading of the clock covers at least this many seconds.
LEAST = 1e-3
# A call that takes longer than this does not depend on the state of caches and allocator before it.
STEADY = 0.1


@dataclass(frozen=True)
class Sample:
    """Seconds of one call over several rounds: best, median and relative interquartile range."""

    best: float
    median: float
    spread: float  # interquartile range, as a fraction of the median
    rounds: int

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Sample:
        """The sample of some readings."""
        median = statistics.median(seconds)
        low, _, high = statistics.quantiles(seconds, n=4) if len(seconds) > 1 else (median,) * 3
        return cls(min(seconds), median, (high - low) / median, len(seconds))

    def over(self, calls: int) -> Sample:
        """The sample per item, for a call that handles several."""
        return Sample(self.best / calls, self.median / calls, self.spread, self.rounds)

    def as_dict(self) -> dict[str, Any]:
        """The sample as JSON values."""
        return asdict(self)


@dataclass(frozen=True)
class Effort:
    """How long to measure: seconds per contender, and the least and greatest number of rounds."""

    seconds: float = 0.15
    least: int = 5
    most: int = 100

    def rounds(self, contenders: int, each: float) -> int:
        """The number of rounds, each taking `each` seconds."""
        least = self.least if each < 0.2 * contenders else min(self.least, 3)
        return max(least, min(self.most, int(self.seconds * contenders / each)))


QUICK = Effort(seconds=0.01, least=3, most=20)


def round_robin(contenders: Mapping[str, Work], effort: Effort) -> dict[str, Sample]:
    """Seconds of one call of each contender, after a warm-up; freeing the result is part of the time."""
    for work in contenders.values():
        work()  # compiles, loads, faults pages in
    calls = {name: _calls(work) for name, work in contenders.items()}
    readings: dict[str, list[float]] = {name: [] for name in contenders}
    order = list(contenders)
    shuffle = random.Random(0).shuffle
    done, rounds = 0, 1
    while done < rounds:
        start = time.perf_counter()
        shuffle(order)  # so that no contender always follows the same one
        for name in order:
            readings[name].append(_reading(contenders[name], calls[name]))
        if done == 0:
            rounds = effort.rounds(len(order), max(time.perf_counter() - start, 1e-9))
        done += 1
    return {name: Sample.of(seconds) for name, seconds in readings.items()}


def _reading(work: Work, calls: int) -> float:
    """Seconds of one call, after an untimed call that brings caches and allocator into its own state.

    Memory that another contender freed may be returned to the system and faulted in again, which would charge its cost
    to this one. Long calls are not repeated: their memory always comes from the system.
    """
    first = _seconds(work, 1)
    return first if calls == 1 and first > STEADY else _seconds(work, calls)


def _seconds(work: Work, calls: int) -> float:
    """Seconds of one call, from one reading of the clock around `calls` calls."""
    start = time.perf_counter()
    for _ in range(calls):
        work()
    return (time.perf_counter() - start) / calls


def _calls(work: Work) -> int:
    """The number of calls per reading."""
    calls = 1
    while (taken := _seconds(work, calls) * calls) < LEAST / 2 and calls < 1 << 20:
        calls *= 4
    return max(1, round(calls * LEAST / taken)) if taken < LEAST else calls
