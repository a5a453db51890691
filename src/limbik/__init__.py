"""limbik: closed-form inverse kinematics for limbs, and the figures and motions that have them."""

from limbik.errors import LimbikError
from limbik.files.motion import load, save
from limbik.grounding.ground import Grounded, ground
from limbik.limbs.chain import Chain, Frames, PlanarChain
from limbik.limbs.planar import PlanarTwoLink
from limbik.limbs.solution import Branches, Solution
from limbik.limbs.status import Status
from limbik.limbs.three_link import ThreeLink
from limbik.limbs.two_link import TwoLink
from limbik.skeleton.clip import Clip
from limbik.skeleton.limbs import find_limbs
from limbik.skeleton.pose import Pose
from limbik.skeleton.rig_limb import RigLimb
from limbik.skeleton.skeleton import Skeleton
from limbik.terrains.specs import terrain
from limbik.terrains.terrain import Terrain

__version__ = "0.1.0"

__all__ = [
    "Branches",
    "Chain",
    "Clip",
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
    "__version__",
    "find_limbs",
    "ground",
    "load",
    "save",
    "terrain",
]
