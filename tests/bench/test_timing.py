"""Contenders take turns, and a sample says what its readings were."""

import time

from limbik.bench import timing
from limbik.bench.timing import Effort, Sample, round_robin


def test_a_sample_of_readings():
    sample = Sample.of([2.0, 1.0, 4.0, 3.0, 5.0])
    assert (sample.best, sample.median, sample.rounds) == (1.0, 3.0, 5)
    assert sample.spread == (4.5 - 1.5) / 3.0
    assert sample.over(10).best == 0.1
    assert Sample.of([2.0]).spread == 0


def test_all_contenders_run_in_every_round_and_none_is_always_first():
    order = []

    def contender(name):
        def work():
            order.append(name)
            time.sleep(0.001)  # one call is one reading

        return work

    names = ["a", "b", "c"]
    samples = round_robin({name: contender(name) for name in names}, Effort(seconds=0.0, least=8, most=8))
    assert list(samples) == names
    assert all(sample.rounds == 8 and sample.best > 0 for sample in samples.values())
    rounds = [order[-6 * k :][:6:2] for k in range(8, 0, -1)]  # each settles with a call before its reading
    assert all(sorted(one) == names for one in rounds)
    assert len({one[0] for one in rounds}) == 3


def test_a_long_call_is_not_repeated(monkeypatch):
    monkeypatch.setattr(timing, "STEADY", 0.0)
    calls = []
    round_robin({"long": lambda: calls.append(time.sleep(0.002))}, Effort(seconds=0.0, least=3, most=3))
    assert len(calls) == 1 + 1 + 3  # to warm up, to see how long it takes, and three readings


def test_patience_bounds_the_rounds():
    effort = Effort(seconds=1.0, least=3, most=50)
    assert effort.rounds(2, 1e-6) == 50
    assert effort.rounds(2, 0.1) == 20
    assert effort.rounds(2, 3.0) == 3
    assert Effort(least=7).rounds(1, 10.0) == 3  # what takes seconds is not repeated more than it must be
