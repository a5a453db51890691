"""A run that takes a moment, and rows to make a report of."""

from functools import cache

from limbik.bench.run import Settings, run

SMALL = Settings.of(
    True,
    sizes=(1, 200),
    curve=(1, 30),
    limbs=("planar",),
    answers=("joints",),
    layouts=("component-major", "row-major"),
)


@cache
def report():
    """The report of a small run, made once."""
    return run(SMALL)
