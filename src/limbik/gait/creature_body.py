"""What a creature looks like, from its description: the shapes of limbik.bodies for its trunk, legs and parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from limbik.bodies import head_shapes, limb_shapes, trunk_shapes
from limbik.bodies.body import Body
from limbik.bodies.builder import COAT, SHELL, BodyBuilder
from limbik.gait.creature import Creature
from limbik.gait.joint_layout import JointLayout
from limbik.skeleton.naming import tokens
from limbik.skeleton.skeleton import Skeleton

# What a part is, by the words of its name; other parts are thin and end in a point.
WORDS = {
    "torso": {"spine", "chest", "torso", "back", "ribs", "belly"},
    "neck": {"neck"},
    "head": {"head", "skull"},
    "nose": {"nose", "snout", "muzzle", "beak"},
    "jaws": {"jaw", "jaws", "mandibles", "fangs"},
    "crown": {"crown"},
    "abdomen": {"abdomen", "waist", "petiole", "gaster", "sting", "stinger", "spinneret"},
    "tail": {"tail"},
    "arm": {"shoulder", "arm", "elbow", "forearm", "wrist", "hand"},
}

SIDES = ((4, 12), (12, 8), (1 << 30, 5))  # numbers of legs up to which rings have so many vertices


def creature_body(creature: Creature, skeleton: Skeleton) -> Body:
    """The body of one creature.

    Args:
        creature: the creature.
        skeleton: its joints, those of the trunk first.

    Returns:
        The body.
    """
    return _CreatureBody(creature, skeleton).body()


class _CreatureBody:
    def __init__(self, creature: Creature, skeleton: Skeleton) -> None:
        self._creature, self._skeleton = creature, skeleton
        self._layout = JointLayout(creature)
        # Legs that stand wide, with raised knees, are those of insects and spiders.
        self._shelled = all(leg.knee in ("up", "out") for leg in creature.legs)
        sides = next(sides for most, sides in SIDES if len(creature.legs) <= most)
        self._b = BodyBuilder(skeleton, creature.look, sides, SHELL if self._shelled else COAT)

    def body(self) -> Body:
        self._trunk()
        for k, chain in enumerate(self._layout.chains):
            self._leg(k, chain)
        for role, root, chain in self._groups():
            self._part(role, root, chain)
        return self._b.build()

    # --- parts

    @cached_property
    def _roles(self) -> dict[int, str]:
        """The role of each part by its joint; a part that says nothing is what its parent is, except on a head."""
        roles: dict[int, str] = {}
        for part in self._creature.parts:
            joint, parent = self._skeleton.index(part.name), self._skeleton.index(part.parent)
            words = set(tokens(part.name))
            found = next((role for role, known in WORDS.items() if words & known), "")
            above = roles.get(parent, "")
            alike = above in ("tail", "abdomen", "arm", "feeler") and len(self._skeleton.children[parent]) == 1
            roles[joint] = found or (above if alike else "feeler")
        return roles

    def _groups(self) -> Iterator[tuple[str, int, list[int]]]:
        """Chains of parts of one role: the role, the joint that they hang from, and their joints."""
        for joint, role in self._roles.items():
            parent = int(self._skeleton.parents[joint])
            if self._roles.get(parent) == role:
                continue
            chain = [joint]
            while following := [one for one in self._skeleton.children[chain[-1]] if self._roles.get(one) == role]:
                chain.append(following[0])
            yield role, parent, chain

    def _part(self, role: str, root: int, chain: list[int]) -> None:
        b, trunk = self._b, self._creature.body
        longer = chain if len(chain) > 1 else [root, *chain]
        if role == "head":
            self._head(root, chain[0])
        elif role == "abdomen":
            whole = limb_shapes.length_of(b, longer)
            radius = float(np.clip(0.6 * trunk.width, 0.24 * whole, 0.38 * whole))
            trunk_shapes.abdomen(b, longer, root, 0.14 * trunk.width, radius)
        elif role == "tail":
            thick = (0.16 if not self._shelled else 0.3) * trunk.thickness
            limb_shapes.tail(b, longer, root, thick, shaggy=not self._shelled)
        elif role == "arm" and len(chain) > 2:
            limb_shapes.arm(b, chain, root, np.array([0.0, 0.0, 1.0]), fingers=False)
        elif role in ("feeler", "arm"):
            # From inside what it hangs from, so that it does not float where it begins beyond the surface.
            thick = min(0.07 * limb_shapes.length_of(b, [root, *chain]), 0.12 * trunk.thickness)
            limb_shapes.feeler(b, [root, *chain], root, thick)

    # --- head

    def _head(self, root: int, head: int) -> None:
        b, trunk = self._b, self._creature.body
        beyond = {self._roles.get(child): child for child in self._skeleton.children[head]}
        nose, jaws = (None if key not in beyond else b.places[beyond[key]] for key in ("nose", "jaws"))
        if self._torso:
            stature = float(b.places[:, 1].max())
            up, ahead = np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])
            limb_shapes.human_neck(b, [root, head], int(self._skeleton.parents[root]), 0.034 * stature)
            head_shapes.human_head(b, head, b.places[head], up, ahead, 0.142 * stature, mannequin=False)
            return
        if self._roles.get(root) == "neck":
            thick = 0.5 * min(trunk.thickness, trunk.width)
            limb_shapes.neck(b, [root, head], int(self._skeleton.parents[root]), 0.72 * thick, 0.56 * thick)
        if nose is not None:
            head_shapes.muzzled_head(b, head, nose)
        elif self._shelled:
            wide = 0.42 * trunk.width
            head_shapes.shelled_head(b, head, wide, 1.15 * wide, len(self._creature.legs) == 8, jaws)
        else:
            head_shapes.round_head(b, head, 0.5 * min(trunk.width, trunk.thickness))

    # --- trunk and legs

    @cached_property
    def _torso(self) -> list[int]:
        """The joints of an upright torso, from the trunk to the base of the neck; none where it has no such parts."""
        chains = [chain for role, _, chain in self._groups() if role == "torso"]
        if not chains:
            return []
        chain = max(chains, key=len)
        necks = [one for one in self._skeleton.children[chain[-1]] if self._roles[one] in ("neck", "head")]
        found = [int(self._skeleton.parents[chain[0]]), *chain, *necks[:1]]
        rises = self._b.places[found[-1]] - self._b.places[found[0]]
        return found if rises[1] > np.abs(rises[2]) and len(found) > 2 else []

    def _trunk(self) -> None:
        b, trunk, count = self._b, self._creature.body, self._creature.body.segments
        # The joint of the first segment is at its centre; the others hang from the end of the one before.
        centres = np.array([b.places[k] - [0.0, 0.0, 0.5 * trunk.length if k else 0.0] for k in range(count)])
        half = np.array([0.0, 0.0, 0.5 * trunk.length])
        size = trunk.width, trunk.thickness, trunk.length
        if self._torso:
            across = [abs(b.places[chain[0], 0]) for role, _, chain in self._groups() if role == "arm"]
            stature = float(b.places[:, 1].max())
            shoulders = max(across, default=0.0) or 0.6 * trunk.width
            trunk_shapes.torso(b, self._torso, 0, 0.55 * trunk.width, shoulders, 0.034 * stature)
        elif self._shelled and count > 1:
            trunk_shapes.plates(b, range(count), centres, size)
        elif self._shelled:
            trunk_shapes.shell(b, 0, centres[0], size)
        else:
            ends = centres[0] + half, centres[-1] - half
            trunk_shapes.mammal_trunk(b, range(count), *ends, (trunk.width, trunk.thickness))

    def _leg(self, number: int, chain: Sequence[int]) -> None:
        b, leg = self._b, self._creature.legs[number]
        if number in self._layout.heels:
            tip, heel = chain[-1], b.places[self._layout.heels[number]]
            ends = [b.places[joint] for joint in self._skeleton.children[tip]] or [b.places[tip]]
            back = heel - 0.25 * (b.places[chain[-2]] - heel) * [1.0, 0.0, 1.0]
            floor = float(min(heel[1], b.places[tip, 1]))
            limb_shapes.human_leg(b, chain[:-1], leg.segment, (back, ends[0], tip), floor)
        elif self._shelled:
            limb_shapes.jointed_leg(b, chain, leg.segment)
        else:
            hind = leg.foothold[1] - self._creature.body.length * leg.segment
            middle = np.mean(
                [one.foothold[1] - self._creature.body.length * one.segment for one in self._creature.legs]
            )
            limb_shapes.paw_leg(b, chain, hind=bool(hind < middle))
