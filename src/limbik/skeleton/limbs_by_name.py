"""Finds limbs by the names of joints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from limbik.skeleton.rest_figure import LEAST, SHORT_LAST, RestFigure


def limbs_by_name(figure: RestFigure, kind: str, side: str) -> list[list[int]]:
    """The joints of the limbs of a kind ("leg", "arm") on a side ("left", "right", or "" for none)."""
    members = [
        joint
        for joint, reading in enumerate(figure.readings)
        if (reading.kind, reading.side) == (kind, side)
        and reading.part != "toe"
        and not (reading.helper or figure.skeleton.end_sites[joint])
    ]
    for copy in sorted({figure.readings[joint].copy for joint in members}):
        found = _limbs(figure, [joint for joint in members if figure.readings[joint].copy == copy])
        if found:
            return found
    return []


def _limbs(figure: RestFigure, members: list[int]) -> list[list[int]]:
    """The limbs among some joints, one for each joint that is no descendant of another."""
    above: dict[int, list[int]] = {}  # the members above each member, itself the last
    for joint in members:
        over = next((one for one in _ancestors(figure, joint) if one in above), None)
        above[joint] = [*above[over], joint] if over is not None else [joint]
    found = []
    for top in (joint for joint in members if len(above[joint]) == 1):
        # Of several branches, the one that leads to a foot or hand: others are knee caps and the like.
        last = max(
            (joint for joint in members if above[joint][0] == top),
            key=lambda joint: (figure.readings[joint].part == "end", len(above[joint])),
        )
        joints = _proper(figure, figure.skeleton.path(top, last))
        if len(joints) >= LEAST:
            found.append(joints)
    return found


def _ancestors(figure: RestFigure, joint: int) -> Iterator[int]:
    while (joint := int(figure.skeleton.parents[joint])) >= 0:
        yield joint


def _proper(figure: RestFigure, path: Sequence[int]) -> list[int]:
    """The joints of a path that bend: hip, knee and ankle, or shoulder, elbow and wrist, and others."""
    line = _bending(figure, path)
    ends = [k for k, joint in enumerate(line) if figure.readings[joint].part == "end"]
    if ends:
        line = line[: _past(figure, line, ends[0])]
    else:
        line = figure.without_short_ends(_bending(figure, [*path, *figure.line(path[-1])[1:]]))
    if (
        len(line) > LEAST
        and figure.readings[line[0]].part == "base"
        and figure.readings[line[1]].part in ("upper", "any")
    ):
        return line[1:]
    return line


def _bending(figure: RestFigure, path: Sequence[int]) -> list[int]:
    """The path without joints that only twist or coincide with others."""
    path = [joint for joint in path if not figure.readings[joint].helper or joint == path[-1]]
    path = figure.without_repetitions(path)
    kept = path[:1]
    for joint, after in pairwise(path[1:]):
        reading, before = figure.readings[joint], figure.readings[kept[-1]]
        named = reading.word and (reading.word != before.word or reading.part == "any")
        if named or figure.bends(kept[-1], joint, after):
            kept.append(joint)
    return [*kept, *path[1:][-1:]]


def _past(figure: RestFigure, line: Sequence[int], end: int) -> int:
    """The number of joints of the limb: up to its ankle or wrist, and further where long bones of the same name follow.

    In this way the hind foot of an animal that stands on its toes is part of its leg.
    """
    longest = max(figure.bones(line), default=0.0)
    word = figure.readings[line[end]].word
    while (
        end + 1 < len(line)
        and figure.readings[line[end + 1]].word == word
        and figure.distance(line[end], line[end + 1]) >= SHORT_LAST * longest
    ):
        end += 1
    return end + 1
