"""Constants: the groups that are the same for all rows of a call, which engines keep for the next one."""

from itertools import chain, repeat
from math import copysign

Constants = tuple[tuple[float, ...], ...]


def same_bits(one: Constants, other: Constants) -> bool:
    """Whether two calls pass the same numbers, with the same signs of zeros: angles tell −0.0 from 0.0, == does not."""
    return one == other and _signs(one) == _signs(other)


def is_blank(number: float) -> bool:
    """Whether a number is what cleared memory holds: 0.0, and not −0.0."""
    return number == 0 and copysign(1.0, number) > 0


def _signs(groups: Constants) -> list[float]:
    return list(map(copysign, repeat(1.0), chain.from_iterable(groups)))
