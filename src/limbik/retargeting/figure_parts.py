"""The parts of a figure that a motion moves: legs and arms, pelvis, spine, neck, clavicles, fingers, tail."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from limbik.arguments import shown
from limbik.errors import ArgumentError, LimbikError
from limbik.skeleton.limb_finding import NoLimbsError, find_limbs
from limbik.skeleton.naming import tokens
from limbik.skeleton.skeleton import RigLimb, Skeleton, tree
from limbik.skeleton.torso import Torso, find_torso

FINGERS = {
    "thumb": ("thumb",),
    "index": ("index", "pointer", "finger"),
    "middle": ("middle", "mid"),
    "ring": ("ring",),
    "little": ("little", "pinky", "pinkie"),
}
LIMB = re.compile(r"(?:(left|right)_)?(leg|arm)(?:_\d+)?")
CENTRAL = ("pelvis", "spine", "neck", "tail")
OF_ARMS = ("clavicle", *FINGERS)
MAX_LISTED_JOINTS = 60


@dataclass(frozen=True, eq=False)
class FigureParts:
    """The parts of a figure, each by the numbers of its joints from root to tip.

    Attributes:
        skeleton: The figure's joints.
        limbs: Its legs and arms by name.
        torso: Pelvis, spine and neck.
        chains: Clavicles, fingers and tail by name: "left_clavicle", "left_thumb", "tail".
    """

    skeleton: Skeleton
    limbs: Mapping[str, RigLimb]
    torso: Torso
    chains: Mapping[str, tuple[int, ...]]

    @property
    def parts(self) -> dict[str, tuple[int, ...]]:
        """All parts by name; of limbs the joints that bend."""
        central = {"pelvis": (self.torso.pelvis,), "spine": self.torso.spine, "neck": self.torso.neck}
        limbs = {name: limb.joints for name, limb in self.limbs.items()}
        return {name: joints for name, joints in (central | limbs | dict(self.chains)).items() if joints}

    @property
    def standing(self) -> list[str]:
        """The names of the limbs on which the figure stands."""
        return [name for name, limb in self.limbs.items() if limb.stands]

    def named(self) -> dict[str, list[str]]:
        """The names of the joints of each part."""
        return {part: [self.skeleton.names[joint] for joint in joints] for part, joints in self.parts.items()}

    def without(self, names: Sequence[str]) -> FigureParts:
        """The figure without some limbs and what belongs to them."""
        dropped = {name.replace("arm", part) for name in names for part in OF_ARMS}
        return replace(
            self,
            limbs={name: limb for name, limb in self.limbs.items() if name not in names},
            chains={name: chain for name, chain in self.chains.items() if name not in dropped},
        )


def find_parts(skeleton: Skeleton, given: Mapping[str, Sequence[str | int]], who: str) -> FigureParts:
    """The parts of a figure: those that are given, and what is found of the others.

    given: joints by part, names or numbers; empty where the figure has no such part. who: "source" or "target".

    Raises ArgumentError where a given part or joint does not exist, LimbikError where no legs or arms are found.
    """
    chosen = {part: _joints_of(skeleton, part, joints, who) for part, joints in given.items()}
    limbs = _limbs(skeleton, {part: joints for part, joints in chosen.items() if LIMB.fullmatch(part)}, who)
    torso = find_torso(skeleton, limbs)
    pelvis = chosen.get("pelvis", (torso.pelvis,))
    torso = replace(
        torso,
        pelvis=pelvis[0] if pelvis else torso.pelvis,
        spine=chosen.get("spine", torso.spine),
        neck=chosen.get("neck", torso.neck),
    )
    chains = dict(_chains(skeleton, limbs, torso)) | {
        part: joints for part, joints in chosen.items() if not LIMB.fullmatch(part) and part not in CENTRAL[:3]
    }
    return FigureParts(skeleton, limbs, torso, {part: joints for part, joints in chains.items() if joints})


def _joints_of(skeleton: Skeleton, part: str, joints: Sequence[str | int], who: str) -> tuple[int, ...]:
    known = "|".join(OF_ARMS)
    if not (LIMB.fullmatch(part) or part in CENTRAL or re.fullmatch(rf"(?:(left|right)_)?({known})(?:_\d+)?", part)):
        wanted = f"left_leg, right_arm, {', '.join(CENTRAL)}, left_clavicle, left_thumb, right_index or the like"
        raise ArgumentError(f"mapping[{who!r}]", repr(part), wanted)
    if isinstance(joints, str) or not isinstance(joints, Sequence):
        raise ArgumentError(f"mapping[{who!r}][{part!r}]", shown(joints), "a list of joints from root to tip")
    try:
        numbers = tuple(skeleton.index(joint) for joint in joints)
    except ArgumentError as error:
        raise ArgumentError(f"mapping[{who!r}][{part!r}]", shown(joints), f"joints of the {who}; {error}") from None
    return numbers


def _limbs(skeleton: Skeleton, given: Mapping[str, tuple[int, ...]], who: str) -> dict[str, RigLimb]:
    try:
        found = dict(find_limbs(skeleton, **{name: joints for name, joints in given.items() if joints}))
    except NoLimbsError:
        found = {}
    limbs = {name: limb for name, limb in found.items() if given.get(name, True)}
    if not limbs:
        example = f'{{"{who}": {{"left_leg": ["Hip", "Knee", "Ankle"], "left_arm": ["Shoulder", "Elbow", "Hand"], …}}}}'
        listed = "\n".join(tree(skeleton, most=MAX_LISTED_JOINTS))
        raise LimbikError(
            f"no legs or arms were found in the {who}; name them from root to tip: mapping={example}. The joints are:\n"
            + listed
        )
    return limbs


def _chains(skeleton: Skeleton, limbs: Mapping[str, RigLimb], torso: Torso) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Clavicles, fingers and tail by name."""
    trunk = {torso.pelvis, *torso.spine, *torso.neck}
    for name, limb in limbs.items():
        if limb.kind != "arm":
            continue
        above = skeleton.ancestors(limb.joints[0])
        first = next((k for k, joint in enumerate(above) if joint in trunk), 0)
        yield name.replace("arm", "clavicle"), tuple(reversed(above[:first]))
        if not limb.stands:
            yield from ((name.replace("arm", finger), chain) for finger, chain in _fingers(skeleton, limb.joints[-1]))
    tails = [
        joint
        for joint, label in enumerate(skeleton.labels)
        if "tail" in tokens(label) and torso.pelvis in skeleton.ancestors(joint)
    ]
    first = next((joint for joint in tails if skeleton.parents[joint] not in tails), None)
    if first is not None:
        yield "tail", _line(skeleton, first)


def _fingers(skeleton: Skeleton, hand: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The fingers of a hand by name; unnamed ones are left out."""
    taken: set[str] = set()
    for child in skeleton.children[hand]:
        chain = _line(skeleton, child)
        words = {token for joint in chain for token in tokens(skeleton.labels[joint])}
        for finger, names in FINGERS.items():
            if chain and finger not in taken and words.intersection(names):
                taken.add(finger)
                yield finger, chain
                break


def _line(skeleton: Skeleton, joint: int) -> tuple[int, ...]:
    """A chain from a joint on, through first children, without the mark where its last bone ends."""
    line = [joint]
    while children := skeleton.children[line[-1]]:
        line.append(children[0])
    return tuple(one for one in line if not (skeleton.end_sites[one] or skeleton.readings[one].end))
