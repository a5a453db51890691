"""Taking turns: contenders are timed round after round, so that the machine's noise hits all of them alike."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

Work = Callable[[], object]

# One reading of the clock covers at least this many seconds of work: short calls are repeated within it.
LEAST = 1e-3
# A call that takes longer than this depends on nothing that ran before it.
SETTLED = 0.1


@dataclass(frozen=True)
class Sample:
    """Seconds of one call: the best and the median of some rounds, and how far the middle half of them is spread."""

    best: float
    median: float
    spread: float  # interquartile range, as a fraction of the median
    rounds: int

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Sample:
        """What some readings amount to."""
        median = statistics.median(seconds)
        low, _, high = statistics.quantiles(seconds, n=4) if len(seconds) > 1 else (median,) * 3
        return cls(min(seconds), median, (high - low) / median, len(seconds))

    def over(self, calls: int) -> Sample:
        """The same for one of several things that a call does."""
        return Sample(self.best / calls, self.median / calls, self.spread, self.rounds)

    def told(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Patience:
    """How long to measure: seconds for each contender, and the least and the most rounds."""

    seconds: float = 0.15
    least: int = 5
    most: int = 100

    def rounds(self, contenders: int, each: float) -> int:
        """How many rounds of `each` seconds are worth waiting for."""
        least = self.least if each < 0.2 * contenders else min(self.least, 3)
        return max(least, min(self.most, int(self.seconds * contenders / each)))


QUICK = Patience(seconds=0.01, least=3, most=20)


def round_robin(contenders: Mapping[str, Work], patience: Patience) -> dict[str, Sample]:
    """Seconds of one call of each contender, after a warm-up; results are dropped within the time that is taken."""
    for work in contenders.values():
        work()  # compiles, loads, faults pages in
    calls = {name: _calls(work) for name, work in contenders.items()}
    readings: dict[str, list[float]] = {name: [] for name in contenders}
    order = list(contenders)
    shuffle = random.Random(0).shuffle
    done, rounds = 0, 1
    while done < rounds:
        start = time.perf_counter()
        shuffle(order)  # so that nobody always has the same one before him
        for name in order:
            readings[name].append(_reading(contenders[name], calls[name]))
        if done == 0:
            rounds = patience.rounds(len(order), max(time.perf_counter() - start, 1e-9))
        done += 1
    return {name: Sample.of(seconds) for name, seconds in readings.items()}


def _reading(work: Work, calls: int) -> float:
    """Seconds of one call, once it has the caches and the allocator as it leaves them itself.

    What another contender freed just before may be given back to the system, to be faulted in again: that would be
    its cost, charged to someone else. Long calls are spared the repetition: their memory is always the system's.
    """
    first = _seconds(work, 1)
    return first if calls == 1 and first > SETTLED else _seconds(work, calls)


def _seconds(work: Work, calls: int) -> float:
    """Seconds of one call, from one reading of the clock around several."""
    start = time.perf_counter()
    for _ in range(calls):
        work()
    return (time.perf_counter() - start) / calls


def _calls(work: Work) -> int:
    """How many calls make one reading."""
    calls = 1
    while (taken := _seconds(work, calls) * calls) < LEAST / 2 and calls < 1 << 20:
        calls *= 4
    return max(1, round(calls * LEAST / taken)) if taken < LEAST else calls
