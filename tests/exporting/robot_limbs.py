"""Robot limbs of every family for the tests of their exports, some with names that languages keep for themselves."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from limbik.exporting.language import Unit
from limbik.exporting.robot_solving import robot_unit
from limbik.robots.robot_limb import RobotLimb
from limbik.robots.screws import ScrewChain
from tests.robots.random_chains import FAMILIES, random_chain

LIMIT = 2.8  # radians, of all joints
# What joints are called in no file, or in some: words of languages, no letters, digits first, the same when cleaned.
WORDS = """
in int fn lambda class match short register 3rd 関節 left-hip left_hip leftHip sqrt sin type gen async near far
self this new string float double vec3 half sample point free script get_class get ToString equals math std
angles cost status signal func pass is var let const yield await object params base
"""
NAMES = tuple(WORDS.split())


def general_chain(joints: int, slides: tuple[int, ...] = (), seed: int = 1) -> ScrewChain:
    """Joints in general position, some of them slides."""
    random = np.random.default_rng(seed)
    axes, rotation = random.normal(size=(joints, 3)), random.normal(size=4)
    most = np.where([k in slides for k in range(joints)], 0.5, LIMIT)
    return ScrewChain(
        tuple(f"joint {k}" for k in range(joints)),
        axes / np.linalg.norm(axes, axis=1, keepdims=True),
        random.uniform(-0.4, 0.4, (joints, 3)),
        tuple("slide" if k in slides else "hinge" for k in range(joints)),
        -most,
        most,
        random.uniform(-0.4, 0.4, 3),
        rotation / np.linalg.norm(rotation),
    )


def displaced(chain: ScrewChain, joint: int, metres: float) -> ScrewChain:
    """The chain with one joint's axis moved aside."""
    points = chain.points.copy()
    aside = np.cross(chain.axes[joint], [0.36, 0.48, 0.8])
    points[joint] += metres * aside / np.linalg.norm(aside)
    return replace(chain, points=points)


@cache
def limbs() -> dict[str, RobotLimb]:
    """A limb of each family, by what it is called in `random_chains`, and of those that are solved by steps."""
    chains = {family: random_chain(family, 5, squared=True, limit=LIMIT) for family in FAMILIES}
    chains["six, nearly a wrist"] = displaced(chains["spherical wrist, inner parallel"], 4, 0.002)
    chains["six, one axis aside"] = displaced(chains["spherical wrist, inner parallel"], 5, 0.04)
    chains["five, nearly a leg"] = displaced(chains["five, leg"], 1, 0.002)
    chains["seven, nearly"] = displaced(chains["seven, swivel"], 0, 0.05)
    for joints, slides in ((3, ()), (4, (1,)), (5, ()), (6, ()), (7, (2,)), (8, (0,))):
        chains[f"iterative {joints}, slides {len(slides)}"] = general_chain(joints, slides)
    return {name: RobotLimb(chain) for name, chain in chains.items()}


def exact_limbs() -> dict[str, RobotLimb]:
    """Those that the branches of a closed form solve."""
    return {name: limb for name, limb in limbs().items() if limb.closed_form.is_complete}


def unit_name(family: str) -> str:
    """The name of a limb's source."""
    return f"limb_{list(limbs()).index(family)}"


@cache
def unit(family: str, dtype: str = "float64", *, procedures: bool = True, names: tuple[str, ...] = ()) -> Unit:
    """The source of a limb; with `names`, its joints are called so."""
    limb = limbs()[family]
    if names:
        limb = RobotLimb(replace(limb.chain, names=names))
    functions, constants = robot_unit(limb, dtype, procedures=procedures)
    return Unit(unit_name(family), [family], functions, dtype, constants)


def poses(limb: RobotLimb, count: int, near: str) -> np.ndarray:
    """Inputs of `solve`, (count, numbers).

    near: the angles to be near are "random", or "close" to an answer; or random, with poses that are "out of reach".
    """
    random = np.random.default_rng(count)
    low, high = limb.range_of_starts
    angles, others = random.uniform(low, high, (2, count, len(low)))
    position, rotation = limb.forward(angles)
    if near == "close":
        others = np.clip(angles + random.normal(size=angles.shape) * 0.03, low, high)
    if near == "out of reach":
        position = position + random.normal(size=position.shape) * 3.0 * limb.length
    return np.concatenate([position, *([rotation] if limb.uses_rotation else []), others], axis=1)
