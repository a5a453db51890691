"""The flags of the robot limbs' programs: how a family's axes lie."""

from __future__ import annotations

from typing import NamedTuple


class SphericalFlags(NamedTuple):
    """How the axes of six joints lie, three of which meet."""

    reverse: bool = False  # the first three meet, not the last three: the chain is solved from tip to base
    parallel: bool = True  # of the other three, two are parallel; otherwise two meet
    inner: bool = True  # those are the two next to the wrist; otherwise the outer two


class ThreeParallelFlags(NamedTuple):
    """How the axes of six joints lie, three neighbours of which are parallel."""

    reverse: bool = False  # the first two meet, not the last two


class ThreeFlags(NamedTuple):
    """How the axes of three joints lie."""

    parallel: bool = True  # two are parallel; otherwise two meet
    inner: bool = True  # the last two; otherwise the first two


class TwoFlags(NamedTuple):
    """How the axes of two joints lie."""

    parallel: bool = True


class NoFlags(NamedTuple):
    """The axes lie in one way only."""


class ChainFlags(NamedTuple):
    """What a step of a descent heeds."""

    oriented: bool = True  # the target's rotation too


RobotFlags = SphericalFlags | ThreeParallelFlags | ThreeFlags | TwoFlags | NoFlags | ChainFlags
