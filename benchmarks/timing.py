"""Interleaved timing: contenders take turns, so that other load on the machine affects all of them alike."""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import perf_counter, process_time

Work = Callable[[], object]

MIN_READING_SECONDS = 1e-3  # short calls are repeated until one reading of the clock covers at least this
STEADY_SECONDS = 0.1  # a longer call does not depend on the caches and the allocator as the call before left them


@dataclass(frozen=True)
class Effort:
    """How long to measure: seconds for each contender, and the fewest and most rounds."""

    seconds: float = 0.3
    fewest: int = 5
    most: int = 200


def round_robin(contenders: Mapping[str, Work], effort: Effort) -> dict[str, dict[str, float]]:
    """Seconds of one call of each contender, after a warm-up; freeing the result is part of the time.

    Returns:
        For each contender its best and its median reading by the clock, their interquartile range over the median
        (`spread`), and the best by the processors (`cpu`): all threads, without the time that other programs took.
    """
    for work in contenders.values():
        work()  # faults pages in
    calls = {name: _calls_per_reading(work) for name, work in contenders.items()}
    readings: dict[str, list[tuple[float, float]]] = {name: [] for name in contenders}
    order = list(contenders)
    shuffle = random.Random(0).shuffle
    done, rounds = 0, 1
    while done < rounds:
        start = perf_counter()
        shuffle(order)  # so that no contender always follows the same one
        for name in order:
            readings[name].append(_reading(contenders[name], calls[name]))
        if done == 0:
            each = max(perf_counter() - start, 1e-9)
            fewest = effort.fewest if each < 0.2 * len(order) else min(effort.fewest, 3)
            rounds = max(fewest, min(effort.most, int(effort.seconds * len(order) / each)))
        done += 1
    return {name: _summary(found) for name, found in readings.items()}


def _summary(readings: list[tuple[float, float]]) -> dict[str, float]:
    elapsed, used = zip(*readings, strict=True)
    median = statistics.median(elapsed)
    low, _, high = statistics.quantiles(elapsed, n=4) if len(elapsed) > 1 else (median,) * 3
    return {"best": min(elapsed), "median": median, "spread": (high - low) / median, "cpu": min(used)}


def _reading(work: Work, calls: int) -> tuple[float, float]:
    """Seconds of one call by the clock and by the processors, after an untimed call.

    Memory that another contender freed may be returned to the system and faulted in again, which would charge its cost
    to this one. Long calls are not repeated: their memory always comes from the system.
    """
    first = _seconds(work, 1)
    return first if calls == 1 and first[0] > STEADY_SECONDS else _seconds(work, calls)


def _seconds(work: Work, calls: int) -> tuple[float, float]:
    used, start = process_time(), perf_counter()
    for _ in range(calls):
        work()
    return (perf_counter() - start) / calls, (process_time() - used) / calls


def _calls_per_reading(work: Work) -> int:
    calls = 1
    while (taken := _seconds(work, calls)[0] * calls) < MIN_READING_SECONDS / 2 and calls < 1 << 20:
        calls *= 4
    return max(1, round(calls * MIN_READING_SECONDS / taken)) if taken < MIN_READING_SECONDS else calls
