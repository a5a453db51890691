"""Finds a robot's arms and legs: chains of joints that leave the body, or are all of it, and what to call them.

The tree decides what is a limb, and names decide what it is called. A link in which several chains begin is a body,
unless they are short beside the chain that leads to it: then it is a hand, and its chains are fingers.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from math import dist
from typing import NamedTuple, TypeVar

from limbik.robots.placements import Vector3, compose
from limbik.robots.robot_tree import RobotTree
from limbik.robots.screws import limb_base
from limbik.skeleton.naming import MEANING, tokens

MAX_FINGER_ARM_LENGTHS = 0.5  # of the arm's length: longer chains are no fingers
MIN_TWO_JOINT_LIMB_LENGTHS = 0.5  # of the longest limb's length: shorter chains of two joints are heads and the like
# Joints with these words open what a limb holds, or turn what it ends in; so do those that move a finger.
HELD_WORDS = {"gripper", "finger", "fngr", "jaw", "claw", "thumb", "knuckle", "wheel"}
FINGER_WORDS = HELD_WORDS - {"gripper"}
TURNING_WORDS = {"yaw", "pitch", "roll", "rotate", "wrist"}  # "gripper_yaw" turns a gripper, and does not open it
HEAD_WORDS = {"head", "neck", "eye", "eyes", "camera", "lidar", "antenna", "caster", "cervical", "wheel"}
MAX_MIRROR_ERROR = 0.01  # of how far limbs begin from one another: those nearer to mirrored places are a pair
# Where a limb ends, if one of its last links or sites has such a word; the first of them go first.
END_WORDS = ("tool", "tcp", "ee", "eef", "effector", "sole", "foot", "toe", "contact")
END_WORDS += ("attachment", "flange", "gripper", "hand", "palm", "tip")
SENSOR_WORDS = {"imu", "camera", "sensor", "ft", "fsr", "led", "range", "accelerometer", "motor"}  # they mark no end
MIN_ORDER_SHARE = 0.4  # of a limb's names that say "front" or "hr", for it to be so
KIND_OF_WORD = {word: kind for word, (kind, _) in MEANING.items()} | {"gripper": "arm", "hand": "arm", "sho": "arm"}
KIND_OF_WORD |= {"hfe": "leg", "haa": "leg", "kfe": "leg", "crotch": "leg", "toe": "leg", "sole": "leg"}
ORDER_OF_LETTER = {"f": "front", "h": "hind", "r": "hind", "b": "hind"}
ORDER_AND_SIDE_OF_PAIR = {
    a + b: (ORDER_OF_LETTER[a], side) for a in "fhrb" for b, side in (("l", "left"), ("r", "right"))
}
ORDER_AND_SIDE_OF_PAIR |= {
    b + a: (ORDER_OF_LETTER[a], side) for a in "fhb" for b, side in (("l", "left"), ("r", "right"))
}
ORDER_OF_WORD = {"front": "front", "fore": "front", "hind": "hind", "rear": "hind", "back": "hind"}


Word = TypeVar("Word")  # or a pair of them


class LimbEnds(NamedTuple):
    """Where a limb begins and ends: the names of a link, and of a link or site."""

    base: str
    tip: str


class LimbReading(NamedTuple):
    """What names say: "front" or "hind", "left" or "right", "arm" or "leg"; "" where they say nothing."""

    order: str
    side: str
    kind: str


@dataclass
class LinkChain:
    """Links in a row below a body, each moved relative to the one before or fixed to it."""

    base: int
    links: list[int]
    end: int = 0  # the last link that is part of the limb
    joints: int = 0
    length: float = 0.0


def find_limb_ends(tree: RobotTree) -> dict[str, LimbEnds]:
    """The limbs of a robot, by the names that they get."""
    chains = [chain for chain in _leaves(tree) if not _joint_words(tree, chain.links[0]) & HEAD_WORDS]
    longest = max((chain.length for chain in chains), default=0.0)
    limbs = [
        chain
        for chain in chains
        if chain.joints >= 3
        or (chain.joints == 2 and chain.length >= MIN_TWO_JOINT_LIMB_LENGTHS * longest)
        or len(chains) == 1
    ]
    names = _names(tree, limbs)
    links = tree.spec.links
    ends = [(limb_base(tree, chain.end), _tip(tree, chain)) for chain in limbs]
    return {name: LimbEnds(links[base].name, tip) for name, (base, tip) in zip(names, ends, strict=True)}


def _leaves(tree: RobotTree) -> list[LinkChain]:
    """The chains that end in a tip or a hand, in the order of the links."""
    found: list[LinkChain] = []
    main = tree.branches.main
    waiting = _chains_from(tree, tree.base)[::-1]
    if tree.base:  # what stands beside the one that floats
        beside = [chain for chain in _chains_from(tree, 0) if not tree.spec.links[chain.links[0]].floating]
        waiting = [*beside[::-1], *waiting]
    while waiting:
        chain = waiting.pop()
        while len(main[chain.links[-1]]) == 1:
            chain.links.append(main[chain.links[-1]][0])
        below = _chains_from(tree, chain.links[-1])
        _measure(tree, chain)
        if not below or _is_hand(tree, chain, below):
            if chain.joints:
                found.append(chain)
        else:
            waiting.extend(reversed(below))
    return found


def _chains_from(tree: RobotTree, number: int) -> list[LinkChain]:
    return [LinkChain(number, [child]) for child in tree.branches.main[number]]


def _is_hand(tree: RobotTree, chain: LinkChain, below: list[LinkChain]) -> bool:
    return chain.joints >= 3 and all(
        tree.branches.reach(one.links[0]) < MAX_FINGER_ARM_LENGTHS * chain.length for one in below
    )


def _measure(tree: RobotTree, chain: LinkChain) -> None:
    """Ends a chain before its gripper and before a joint that cannot be solved for; counts joints and length."""
    links: list[int] = []
    for number in chain.links:
        spec = tree.spec.links[number]
        if spec.held or any(joint.mimic for joint in spec.joints):
            break
        links.append(number)
    moved = [number for number in links if tree.spec.links[number].joints]
    while len(moved) > 3 and _is_held(tree, moved[-1]):
        del links[links.index(moved.pop()) :]
    if not moved:
        return
    chain.links, chain.end = links, links[-1]
    chain.joints = sum(len(tree.spec.links[number].joints) for number in moved)
    farthest = max(
        (dist(_position(tree, chain.end), place) for _, place in _possible_ends(tree, chain.end)), default=0.0
    )
    chain.length = (
        sum(dist(_position(tree, a), _position(tree, b)) for a, b in pairwise([*moved, chain.end])) + farthest
    )


def _position(tree: RobotTree, number: int) -> Vector3:
    return tree.link_at_zero(number).position


def _joint_words(tree: RobotTree, number: int) -> set[str]:
    return {word for joint in tree.spec.links[number].joints for word in tokens(joint.name)}


def _is_held(tree: RobotTree, number: int) -> bool:
    """Whether the joint that moves a link opens a gripper or turns a wheel, as its name, or the link's, says."""
    words = _joint_words(tree, number)
    held = words & HELD_WORDS or set(tokens(tree.spec.links[number].name)) & FINGER_WORDS
    return bool(held) and not words & TURNING_WORDS


def _possible_ends(tree: RobotTree, number: int) -> list[tuple[str, Vector3]]:
    """Links fixed to a link, directly or not, and sites on it and on them, and where they are at zero."""
    fixed, found = [number], []
    children = tree.children
    for link in fixed:
        for child in children[link]:
            spec = tree.spec.links[child]
            if not (spec.joints or spec.held or spec.floating):
                fixed.append(child)
                found.append((spec.name, _position(tree, child)))
    for site in tree.spec.sites:
        if site.link in fixed and site.name not in tree.numbers:
            found.append((site.name, compose(tree.link_at_zero(site.link), site.place).position))
    return found


def _tip(tree: RobotTree, chain: LinkChain) -> str:
    """The link or site in which a limb ends: one whose name says so; or what its last joint moves the most."""
    own = (tree.spec.links[chain.end].name, _position(tree, chain.end))
    candidates = [own, *_possible_ends(tree, chain.end)]
    ranked = [(rank, k) for k, (name, _) in enumerate(candidates) if (rank := _end_rank(name)) is not None]
    if ranked:
        return candidates[min(ranked)[1]][0]
    if chain.joints > 3:
        return own[0]
    origin = own[1]  # a leg whose last link begins in the knee: its foot is what is farthest from there
    far = max(candidates, key=lambda one: dist(one[1], origin))
    return far[0] if dist(far[1], origin) > 1e-6 else own[0]


def _end_rank(name: str) -> tuple[int, bool, bool, int] | None:
    """How little a name is that of a limb's end: by its word, as a sensor's, as no frame's, by its other words."""
    words = tokens(name)
    found = [END_WORDS.index(word) for word in words if word in END_WORDS]
    if not found:
        return None
    return min(found), bool(SENSOR_WORDS.intersection(words)), "frame" not in words, len(words)


def _names(tree: RobotTree, limbs: list[LinkChain]) -> list[str]:
    """Names such as "left_arm" and "front_right_leg"; the tip's where that is not clear, or not the only one."""
    readings = [_read_names(tree, chain) for chain in limbs]
    unknown = [k for k, reading in enumerate(readings) if not reading.kind]
    hanging = len(unknown) > 1 and all(_hangs(tree, limbs[k]) for k in unknown)
    for k in unknown:
        if hanging or len(unknown) == 1:
            readings[k] = readings[k]._replace(kind="leg") if hanging else LimbReading("", "", "arm")
    if len(limbs) == 1:
        return [readings[0].kind]
    readings = _read_places(tree, limbs, readings)
    called = ["_".join(filter(None, one)) if one.kind else "" for one in readings]
    count = Counter(called)
    return [name if name and count[name] == 1 else _tip(tree, chain) for name, chain in zip(called, limbs, strict=True)]


def _read_names(tree: RobotTree, chain: LinkChain) -> LimbReading:
    links = [tree.spec.links[number] for number in chain.links]
    names = [tokens(one.name) for link in links for one in (link, *link.joints)]
    words = [word for name in names for word in name]
    few = MIN_ORDER_SHARE * len(names)  # "arm_link_hr0" does not make an arm a hind right one
    pair = _most_common([ORDER_AND_SIDE_OF_PAIR[word] for word in words if word in ORDER_AND_SIDE_OF_PAIR], few)
    order = pair[0] if pair else _most_common([ORDER_OF_WORD[word] for word in words if word in ORDER_OF_WORD], few)
    side = pair[1] if pair else _most_common([word for word in words if word in ("left", "right")])
    kind = _most_common([KIND_OF_WORD[word] for word in words if word in KIND_OF_WORD])
    return LimbReading(order or "", side or "", kind or "")


def _read_places(tree: RobotTree, limbs: list[LinkChain], readings: list[LimbReading]) -> list[LimbReading]:
    """The readings without orders that do not tell limbs apart, and, where names say no side, with those of places.

    Two or four limbs of a kind whose names say neither order nor side, and which begin in mirrored places, are left
    and right ones, front and hind ones, by where they begin: as robots have it, ahead is +x, and left is +y.
    """
    for kind in ("arm", "leg"):
        same = [k for k, reading in enumerate(readings) if reading.kind == kind]
        if len(same) > 1 and len({readings[k].order for k in same}) == 1:
            for k in same:
                readings[k] = readings[k]._replace(order="")
        if any(readings[k].order or readings[k].side for k in same):
            continue
        pairs = _mirrored_pairs([(k, _position(tree, limbs[k].links[0])) for k in same])
        if 2 * len(pairs) != len(same) or not 1 <= len(pairs) <= 2:
            continue
        for order, pair in zip(("front", "hind") if len(pairs) == 2 else ("",), pairs, strict=True):
            for k, side in zip(pair, ("left", "right"), strict=True):
                readings[k] = LimbReading(order, side, kind)
    return readings


def _mirrored_pairs(places: list[tuple[int, Vector3]]) -> list[tuple[int, int]]:
    """The numbers of places that differ by the sign of y alone, left one first; pairs that are ahead first."""
    if len(places) < 2:
        return []
    near = MAX_MIRROR_ERROR * max(dist(a, b) for _, a in places for _, b in places)
    pairs = [
        (p[0], k, number)
        for k, p in places
        for number, q in places
        if p[1] > near and dist(p, (q[0], -q[1], q[2])) <= near
    ]
    return [(left, right) for _, left, right in sorted(pairs, reverse=True)]


def _most_common(found: list[Word], few: float = 0.0) -> Word | None:
    """What is found most often; None where that is not more often than `few`."""
    word, count = Counter(found).most_common(1)[0] if found else (None, 0)
    return word if count > few else None


def _hangs(tree: RobotTree, chain: LinkChain) -> bool:
    """Whether, at zero, a chain's end is below its base by most of its length."""
    places = [_position(tree, chain.end), *(place for _, place in _possible_ends(tree, chain.end))]
    return _position(tree, chain.base)[2] - min(place[2] for place in places) > 0.5 * chain.length > 0.0
