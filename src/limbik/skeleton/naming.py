"""Reads the names of joints: their side, and which part of which limb they are.

Rigs spell the same joint in many ways: `mixamorig:LeftUpLeg`, `thigh_l`, `Bip01 L Thigh`, `DEF-thigh.L`, `lfemur`. A
name is split into tokens, sides and numbers are set apart, and the end of the rest is looked up in one table of words.
Tokens that most joints of a figure share (`thigh.r_Armature`) say nothing. Japanese names (`左足首`) are translated.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

SIDE_WORDS = {"left": "left", "lft": "left", "l": "left", "right": "right", "rgt": "right", "r": "right"}
OTHER = {"left": "right", "right": "left"}

# A limb's parts from root to tip. "base" is the upper joint or, where another one follows, its parent (LeftShoulder,
# LHipJoint); "any" is any joint of the limb: in Mixamo's names, the arm's upper and the leg's lower one.
WORDS = {
    "leg": {
        "base": ("hip", "hipjoint"),
        "upper": ("upleg", "upperleg", "legupper", "thigh", "femur"),
        "lower": ("lowerleg", "lowleg", "loleg", "leglower", "calf", "shin", "shank", "tibia", "knee"),
        "end": ("ankle", "foot", "paw", "hoof"),
        "toe": ("toe", "toes", "toebase", "ball"),
        "any": ("leg", "foreleg", "hindleg"),
    },
    "arm": {
        "base": ("shoulder", "shldr"),
        "upper": ("upperarm", "uparm", "armupper", "humerus"),
        "lower": ("forearm", "lowerarm", "lowarm", "loarm", "armlower", "radius", "elbow"),
        "end": ("wrist", "hand"),
        "any": ("arm",),
    },
}
MEANING = {word: (kind, part) for kind, parts in WORDS.items() for part, words in parts.items() for word in words}

# Joints that help to skin or animate a limb but are not part of it; ends mark where the last bone ends.
HELPERS = {"twist", "roll", "ik", "fk", "mch", "pole", "target", "goal", "ctrl", "control", "tweak", "helper", "dummy"}
HELPERS |= {"heel", "socket"}
ENDS = {"end", "nub", "site", "tip"}
# Rigify keeps several copies of a limb: one deforms the mesh, another is the original that the rig was generated from.
COPIES = {"def": 0, "org": 2}
# Helpers that lead the end of a limb, unlike poles, which its knee points at.
CONTROLS = {"ik", "target", "goal", "ctrl", "control"}
TRAILING = {"joint", "jnt", "bone", "bend", "pitch", "yaw"}
# Nodes into which Assimp splits a joint of an FBX file: LeftLeg_$AssimpFbx$_PreRotation.
PIVOT = "$AssimpFbx$"
# The parts of Japanese names, as MikuMikuDance's models have them; longer ones first where one contains another.
JAPANESE = {
    **{"左": "left", "右": "right", "上半身": "spine", "下半身": "pelvis", "センター": "center", "腰": "waist"},
    **{
        "足首": "ankle",
        "つま先": "toe",
        "爪先": "toe",
        "足先": "toe",
        "かかと": "heel",
        "ひざ": "knee",
        "ヒザ": "knee",
    },
    **{"膝": "knee", "太もも": "thigh", "すね": "shin", "足": "thigh", "脚": "thigh", "手首": "wrist", "指": "finger"},
    **{"ひじ": "elbow", "ヒジ": "elbow", "肘": "elbow", "前腕": "forearm", "上腕": "upperarm", "腕": "upperarm"},
    **{"手": "hand", "肩": "shoulder", "捩": "twist", "首": "neck", "頭": "head", "先": "end", "ダミー": "dummy"},
}
_JAPANESE = re.compile("|".join(JAPANESE))


@dataclass(frozen=True)
class Reading:
    """What a name says; a field is "" where the name says nothing."""

    side: str = ""
    kind: str = ""
    part: str = ""  # see WORDS
    word: str = ""
    helper: bool = False  # not part of the limb itself
    control: bool = False  # a helper that leads the limb's end
    end: bool = False  # only marks the end of a bone
    pivot: bool = False  # a helper that a joint was split into, see PIVOT
    copy: int = 1  # rank among copies of a limb, lower is better


@lru_cache(maxsize=4096)
def tokens(name: str) -> tuple[str, ...]:
    """The parts of a name in lower case, split at separators, digits and in camelCase; sides are spelt out."""
    if not name.isascii():
        name = _JAPANESE.sub(lambda found: f" {JAPANESE[found[0]]} ", unicodedata.normalize("NFKC", name))
    bare = re.split(r"[:|]", name)[-1]  # without its namespace
    parts = [part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", bare)]
    return tuple(piece for part in parts for piece in _split_side(part))


def _split_side(token: str) -> tuple[str, ...]:
    """A token, or two where a side is written together with a word: lfemur, rightleg."""
    if token in SIDE_WORDS:
        return (SIDE_WORDS[token],)
    for letters, side in SIDE_WORDS.items():
        if token.startswith(letters) and token[len(letters) :] in MEANING:
            return side, token[len(letters) :]
    return (token,)


@lru_cache(maxsize=4096)
def read(name: str, idle: frozenset[str] = frozenset()) -> Reading:
    """Reads the name of a joint; tokens that are `idle` say nothing."""
    parts = tokens(name)
    sides = [part for part in parts if part in OTHER]
    side = sides[-1] if sides else ""
    if PIVOT in name:
        return Reading(side, helper=True, pivot=True)
    plain = [part for part in parts if part not in OTHER and not part.isdigit() and part not in idle]
    marks = set(plain)
    while plain and plain[-1] in TRAILING | CONTROLS:
        plain.pop()
    endings = ("".join(plain[-count:]) for count in (3, 2, 1))
    word = next((ending for ending in endings if ending in MEANING), "")
    kind, part = MEANING.get(word, ("", ""))
    return Reading(
        side=side,
        kind=kind,
        part=part,
        word=word,
        helper=not marks.isdisjoint(HELPERS | ENDS),
        control=not marks.isdisjoint(CONTROLS) and marks.isdisjoint(HELPERS - CONTROLS | ENDS),
        end=not marks.isdisjoint(ENDS),
        copy=min((COPIES[mark] for mark in marks & COPIES.keys()), default=1),
    )


def read_all(names: Sequence[str], parents: Sequence[int], roles: Sequence[str] = ()) -> tuple[Reading, ...]:
    """Reads the names of a figure's joints, or their roles, in words of VRM, where those are known.

    Joints without a role belong to no limb; those above a joint with one only carry it.
    """
    if not any(roles):
        idle = _idle(names)
        return tuple(read(name, idle) for name in names)
    found = [
        read(role) if role else replace(read(name), side="", kind="", part="", word="")
        for name, role in zip(names, roles, strict=True)
    ]
    carries = [bool(role) for role in roles]
    for joint in range(len(names) - 1, -1, -1):
        if carries[joint] and (above := int(parents[joint])) >= 0:
            carries[above] = True
        if carries[joint] and not roles[joint]:
            found[joint] = replace(found[joint], helper=True, end=False)
    return tuple(found)


def _idle(names: Sequence[str]) -> frozenset[str]:
    """The tokens that tell no joint from others: those that all names share, or most do and no table knows."""
    counts = Counter(token for name in names for token in set(tokens(name)))
    known = HELPERS | ENDS | COPIES.keys() | TRAILING
    part_of_word = {token for token in counts if token in OTHER or any(token in word for word in MEANING)}
    return frozenset(
        token
        for token, count in counts.items()
        if len(names) > 1 and token not in part_of_word
        if count == len(names) or (count > len(names) / 2 and token not in known)
    )


def counterpart(name: str) -> tuple[str, ...]:
    """The tokens of the name on the other side; empty where it has no side."""
    parts = tokens(name)
    swapped = tuple(OTHER.get(part, part) for part in parts)
    return swapped if swapped != parts else ()
