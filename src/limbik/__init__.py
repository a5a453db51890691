"""limbik: closed-form inverse kinematics for limbs, and the figures and motions that have them."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from limbik.errors import LimbikError
from limbik.files.clip_files import load, save
from limbik.limbs.chain import Chain, Frames, PlanarChain
from limbik.limbs.planar import PlanarTwoLink
from limbik.limbs.solution import Branches, Solution
from limbik.limbs.status import Status
from limbik.limbs.three_link import ThreeLink
from limbik.limbs.two_link import TwoLink
from limbik.skeleton.clip import Clip
from limbik.skeleton.limb_finding import find_limbs
from limbik.skeleton.pose import Pose
from limbik.skeleton.rig_limb import RigLimb
from limbik.skeleton.skeleton import Skeleton

if TYPE_CHECKING:
    from limbik.gait.creature import Creature, creature
    from limbik.gait.walker import Walker
    from limbik.gait.walking import walk
    from limbik.grounding.ground import Grounded, ground
    from limbik.pages.page import write_page
    from limbik.rendering.films import render
    from limbik.terrains.base import Terrain
    from limbik.terrains.specs import terrain

__version__ = "0.1.0"

__all__ = [
    "Branches",
    "Chain",
    "Clip",
    "Creature",
    "Frames",
    "Grounded",
    "LimbikError",
    "PlanarChain",
    "PlanarTwoLink",
    "Pose",
    "RigLimb",
    "Skeleton",
    "Solution",
    "Status",
    "Terrain",
    "ThreeLink",
    "TwoLink",
    "Walker",
    "__version__",
    "creature",
    "find_limbs",
    "ground",
    "load",
    "render",
    "save",
    "terrain",
    "walk",
    "write_page",
]

# Rooms that not every caller enters are opened when they are asked for: solving a limb need not wait for terrains.
_ROOMS = {
    "Creature": "limbik.gait.creature",
    "Grounded": "limbik.grounding.ground",
    "Terrain": "limbik.terrains.base",
    "Walker": "limbik.gait.walker",
    "creature": "limbik.gait.creature",
    "ground": "limbik.grounding.ground",
    "render": "limbik.rendering.films",
    "terrain": "limbik.terrains.specs",
    "walk": "limbik.gait.walking",
    "write_page": "limbik.pages.page",
}


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module 'limbik' has no attribute {name!r}")
    return getattr(import_module(_ROOMS[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
