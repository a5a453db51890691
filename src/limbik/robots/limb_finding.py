"""Finds a robot's arms and legs: chains of joints that leave the body, or are all of it, and what to call them.

The tree decides what is a limb, and names decide what it is called. A link in which several chains begin is a body,
unless they are short beside the chain that leads to it: then it is a hand, and its chains are fingers.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from math import dist
from typing import Any, NamedTuple

from limbik.robots.description import Vector3
from limbik.robots.orientations import compose
from limbik.robots.robot_tree import RobotTree
from limbik.skeleton.naming import MEANING, tokens

SHORT = 0.5  # of the arm's length: longer chains are no fingers
TWO_JOINTS = 0.5  # of the longest limb's length: shorter chains of two joints are heads and the like
HELD = {"gripper", "finger", "jaw", "claw", "thumb", "knuckle", "wheel"}  # joints of what a limb holds or ends in
HEAD = {"head", "neck", "eye", "eyes", "camera", "lidar", "antenna", "caster", "cervical", "wheel"}
# Where a limb ends, if one of its last links or sites has such a word; the first of them go first.
ENDS = (
    "tool",
    "tcp",
    "ee",
    "eef",
    "effector",
    "sole",
    "foot",
    "toe",
    "attachment",
    "flange",
    "gripper",
    "hand",
    "palm",
)
KINDS = {word: kind for word, (kind, _) in MEANING.items()} | {"gripper": "arm", "hand": "arm", "sho": "arm"}
KINDS |= {"hfe": "leg", "haa": "leg", "kfe": "leg", "crotch": "leg", "toe": "leg", "sole": "leg"}
ENDINGS = {"f": "front", "h": "hind", "r": "hind", "b": "hind"}
PAIRS = {a + b: (ENDINGS[a], side) for a in "fhrb" for b, side in (("l", "left"), ("r", "right"))}
PAIRS |= {b + a: (ENDINGS[a], side) for a in "fhb" for b, side in (("l", "left"), ("r", "right"))}
ORDER = {"front": "front", "fore": "front", "hind": "hind", "rear": "hind", "back": "hind"}


class LimbEnds(NamedTuple):
    """Where a limb begins and ends: the names of a link, and of a link or site."""

    base: str
    tip: str


@dataclass
class Chain:
    """Links in a row below a body, each moved relative to the one before or fixed to it."""

    base: int
    links: list[int]
    end: int = 0  # the last link that is part of the limb
    joints: int = 0
    length: float = 0.0


def find_limb_ends(tree: RobotTree) -> dict[str, LimbEnds]:
    """The limbs of a robot, by the names that they get."""
    chains = [chain for chain in _leaves(tree) if not _joint_words(tree, chain.links[0]) & HEAD]
    longest = max((chain.length for chain in chains), default=0.0)
    limbs = [
        chain
        for chain in chains
        if chain.joints >= 3 or (chain.joints == 2 and chain.length >= TWO_JOINTS * longest) or len(chains) == 1
    ]
    names = _names(tree, limbs)
    links = tree.spec.links
    return {name: LimbEnds(links[chain.base].name, _tip(tree, chain)) for name, chain in zip(names, limbs, strict=True)}


def _leaves(tree: RobotTree) -> list[Chain]:
    """The chains that end in a tip or a hand, in the order of the links."""
    found: list[Chain] = []
    waiting = _chains_from(tree, tree.base)[::-1]
    if tree.base:  # what stands beside the one that floats
        beside = [chain for chain in _chains_from(tree, 0) if not tree.spec.links[chain.links[0]].floating]
        waiting = [*beside[::-1], *waiting]
    while waiting:
        chain = waiting.pop()
        while len(tree.moving_children[chain.links[-1]]) == 1:
            chain.links.append(tree.moving_children[chain.links[-1]][0])
        below = _chains_from(tree, chain.links[-1])
        _measure(tree, chain)
        if not below or _is_hand(tree, chain, below):
            if chain.joints:
                found.append(chain)
        else:
            waiting.extend(reversed(below))
    return found


def _chains_from(tree: RobotTree, number: int) -> list[Chain]:
    return [Chain(number, [child]) for child in tree.moving_children[number]]


def _is_hand(tree: RobotTree, chain: Chain, below: list[Chain]) -> bool:
    return chain.joints >= 3 and all(_depth(tree, one.links[0]) < SHORT * chain.length for one in below)


def _depth(tree: RobotTree, number: int) -> float:
    """The length of the longest way down from a link's parent to its last joint."""
    longest = 0.0
    waiting = [(number, 0.0)]
    while waiting:
        link, length = waiting.pop()
        length += dist(_at(tree, link), _at(tree, tree.spec.links[link].parent))
        longest = max(longest, length)
        waiting.extend((child, length) for child in tree.moving_children[link])
    return longest


def _measure(tree: RobotTree, chain: Chain) -> None:
    """Ends a chain before its gripper and before a joint that cannot be solved for; counts joints and length."""
    links: list[int] = []
    for number in chain.links:
        spec = tree.spec.links[number]
        if spec.held or any(joint.mimic for joint in spec.joints):
            break
        links.append(number)
    moved = [number for number in links if tree.spec.links[number].joints]
    while len(moved) > 3 and _joint_words(tree, moved[-1]) & HELD:
        del links[links.index(moved.pop()) :]
    if not moved:
        return
    chain.links, chain.end = links, links[-1]
    chain.joints = sum(len(tree.spec.links[number].joints) for number in moved)
    farthest = max((dist(_at(tree, chain.end), place) for _, place in _ends(tree, chain.end)), default=0.0)
    chain.length = sum(dist(_at(tree, a), _at(tree, b)) for a, b in pairwise([*moved, chain.end])) + farthest


def _at(tree: RobotTree, number: int) -> Vector3:
    return tree.link_at_zero(number).position


def _joint_words(tree: RobotTree, number: int) -> set[str]:
    return {word for joint in tree.spec.links[number].joints for word in tokens(joint.name)}


def _ends(tree: RobotTree, number: int) -> list[tuple[str, Vector3]]:
    """Links fixed to a link, directly or not, and sites on it and on them, and where they are at zero."""
    fixed, found = [number], []
    children = tree.children
    for link in fixed:
        for child in children[link]:
            spec = tree.spec.links[child]
            if not (spec.joints or spec.held or spec.floating):
                fixed.append(child)
                found.append((spec.name, _at(tree, child)))
    for site in tree.spec.sites:
        if site.link in fixed and site.name not in tree.numbers:
            found.append((site.name, compose(tree.link_at_zero(site.link), site.place).position))
    return found


def _tip(tree: RobotTree, chain: Chain) -> str:
    """The link or site in which a limb ends: one whose name says so; or what its last joint moves the most."""
    own = (tree.spec.links[chain.end].name, _at(tree, chain.end))
    candidates = [own, *_ends(tree, chain.end)]
    ranked = [(ENDS.index(word), k) for k, (name, _) in enumerate(candidates) for word in tokens(name) if word in ENDS]
    if ranked:
        return candidates[min(ranked)[1]][0]
    if chain.joints > 3:
        return own[0]
    origin = own[1]  # a leg whose last link begins in the knee: its foot is what is farthest from there
    far = max(candidates, key=lambda one: dist(one[1], origin))
    return far[0] if dist(far[1], origin) > 1e-6 else own[0]


def _names(tree: RobotTree, limbs: list[Chain]) -> list[str]:
    """Names such as "left_arm" and "front_right_leg"; the tip's where that is not clear, or not the only one."""
    read = [_read(tree, chain) for chain in limbs]
    unknown = [k for k, (_, _, kind) in enumerate(read) if not kind]
    hanging = len(unknown) > 1 and all(_hangs(tree, limbs[k]) for k in unknown)
    for k in unknown:
        if hanging or len(unknown) == 1:
            read[k] = (*read[k][:2], "leg") if hanging else ("", "", "arm")
    if len(limbs) == 1:
        return [read[0][2]]
    called = ["_".join(filter(None, one)) if one[2] else "" for one in read]
    count = Counter(called)
    return [name if name and count[name] == 1 else _tip(tree, chain) for name, chain in zip(called, limbs, strict=True)]


def _read(tree: RobotTree, chain: Chain) -> tuple[str, str, str]:
    """What names say: "front" or "hind", "left" or "right", "arm" or "leg"; "" where they say nothing."""
    links = [tree.spec.links[number] for number in chain.links]
    words = [word for link in links for one in (link, *link.joints) for word in tokens(one.name)]
    pair = _most([PAIRS[word] for word in words if word in PAIRS])
    order = pair[0] if pair else _most([ORDER[word] for word in words if word in ORDER])
    side = pair[1] if pair else _most([word for word in words if word in ("left", "right")])
    return order or "", side or "", _most([KINDS[word] for word in words if word in KINDS]) or ""


def _most(found: list[Any]) -> Any:
    return Counter(found).most_common(1)[0][0] if found else None


def _hangs(tree: RobotTree, chain: Chain) -> bool:
    """Whether, at zero, a chain's end is below its base by most of its length."""
    places = [_at(tree, chain.end), *(place for _, place in _ends(tree, chain.end))]
    return _at(tree, chain.base)[2] - min(place[2] for place in places) > 0.5 * chain.length > 0.0
