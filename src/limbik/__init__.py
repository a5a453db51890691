"""Closed-form inverse kinematics for limbs, and procedural animation of figures and creatures built on it."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from limbik.engines.loading import warm_up
from limbik.errors import LimbikError, did_you_mean
from limbik.limbs.branches import Branches
from limbik.limbs.chain import Chain, Frames, PlanarChain
from limbik.limbs.n_link import NLink
from limbik.limbs.planar import PlanarTwoLink
from limbik.limbs.solution import Solution
from limbik.limbs.status import Status
from limbik.limbs.three_link import ThreeLink
from limbik.limbs.two_link import TwoLink

if TYPE_CHECKING:
    from limbik import errors, plots, robots, rotations, samples, terrains
    from limbik.batch.runner import ground_files, retarget_files
    from limbik.exporting.exporter import Exported, export
    from limbik.files.clip_files import load, save
    from limbik.files.footstep_files import load_footsteps, save_footsteps
    from limbik.gait.creature import Creature, creature
    from limbik.gait.walker import Walker
    from limbik.gait.walking import walk
    from limbik.grounding.ground import Grounded, ground
    from limbik.grounding.settings import Settings
    from limbik.learning.fit import fit
    from limbik.learning.training_data import training_data
    from limbik.pages.clip_page import write_page
    from limbik.rendering.films import render
    from limbik.retargeting.joint_map import JointMap
    from limbik.retargeting.retarget import Retargeted, retarget
    from limbik.robots.robot import Robot
    from limbik.skeleton.clip import Clip
    from limbik.skeleton.ends import Goal
    from limbik.skeleton.footsteps import Footstep, Footsteps
    from limbik.skeleton.limb_finding import find_limbs
    from limbik.skeleton.pose import Pose
    from limbik.skeleton.reach_ends import Reached, reach_ends
    from limbik.skeleton.skeleton import RigLimb, Skeleton
    from limbik.terrains.base import Terrain
    from limbik.terrains.specs import terrain

__version__ = "0.2.0.dev0"

__all__ = [
    "Branches",
    "Chain",
    "Clip",
    "Creature",
    "Exported",
    "Footstep",
    "Footsteps",
    "Frames",
    "Goal",
    "Grounded",
    "JointMap",
    "LimbikError",
    "NLink",
    "PlanarChain",
    "PlanarTwoLink",
    "Pose",
    "Reached",
    "Retargeted",
    "RigLimb",
    "Robot",
    "Settings",
    "Skeleton",
    "Solution",
    "Status",
    "Terrain",
    "ThreeLink",
    "TwoLink",
    "Walker",
    "__version__",
    "creature",
    "errors",
    "export",
    "find_limbs",
    "fit",
    "ground",
    "ground_files",
    "load",
    "load_footsteps",
    "plots",
    "reach_ends",
    "render",
    "retarget",
    "retarget_files",
    "robots",
    "rotations",
    "samples",
    "save",
    "save_footsteps",
    "terrain",
    "terrains",
    "training_data",
    "walk",
    "warm_up",
    "write_page",
]

# Imported when first used, so that solving a limb does not wait for rigs, files and creatures: a name of a module, or a
# module itself.
_LAZY = {
    "Clip": "limbik.skeleton.clip",
    "Creature": "limbik.gait.creature",
    "Exported": "limbik.exporting.exporter",
    "Footstep": "limbik.skeleton.footsteps",
    "Footsteps": "limbik.skeleton.footsteps",
    "Goal": "limbik.skeleton.ends",
    "Grounded": "limbik.grounding.ground",
    "JointMap": "limbik.retargeting.joint_map",
    "Pose": "limbik.skeleton.pose",
    "Reached": "limbik.skeleton.reach_ends",
    "Retargeted": "limbik.retargeting.retarget",
    "RigLimb": "limbik.skeleton.skeleton",
    "Robot": "limbik.robots.robot",
    "Settings": "limbik.grounding.settings",
    "Skeleton": "limbik.skeleton.skeleton",
    "Terrain": "limbik.terrains.base",
    "Walker": "limbik.gait.walker",
    "creature": "limbik.gait.creature",
    "export": "limbik.exporting.exporter",
    "find_limbs": "limbik.skeleton.limb_finding",
    "fit": "limbik.learning.fit",
    "ground": "limbik.grounding.ground",
    "ground_files": "limbik.batch.runner",
    "load": "limbik.files.clip_files",
    "load_footsteps": "limbik.files.footstep_files",
    "reach_ends": "limbik.skeleton.reach_ends",
    "render": "limbik.rendering.films",
    "retarget": "limbik.retargeting.retarget",
    "retarget_files": "limbik.batch.runner",
    "save": "limbik.files.clip_files",
    "save_footsteps": "limbik.files.footstep_files",
    "terrain": "limbik.terrains.specs",
    "training_data": "limbik.learning.training_data",
    "walk": "limbik.gait.walking",
    "write_page": "limbik.pages.clip_page",
}
_MODULES = ("errors", "plots", "robots", "rotations", "samples", "terrains")


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"limbik.{name}")
    if name not in _LAZY:
        raise AttributeError(f"module 'limbik' has no attribute {name!r}{did_you_mean(name, __all__)}")
    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
