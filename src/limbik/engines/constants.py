"""Constants: the groups that are the same for all rows of a call, which engines keep for the next one."""

from math import copysign
from struct import pack

Constants = tuple[tuple[float, ...], ...]


def same_bits(one: Constants, other: Constants) -> bool:
    """Whether two calls pass the same numbers, with the same signs of zeros: angles tell −0.0 from 0.0, == does not."""
    for numbers, others in zip(one, other, strict=True):
        if numbers is not others and (numbers != others or (0.0 in numbers and _bits(numbers) != _bits(others))):
            return False
    return True


def is_blank(number: float) -> bool:
    """Whether a number is what cleared memory holds: 0.0, and not −0.0."""
    return number == 0 and copysign(1.0, number) > 0


def _bits(numbers: tuple[float, ...]) -> bytes:
    return pack(f"{len(numbers)}d", *numbers)
