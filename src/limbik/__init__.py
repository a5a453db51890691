"""limbik: closed-form inverse kinematics for limbs."""

from limbik.errors import LimbikError
from limbik.limbs.chain import Chain, Frames, PlanarChain
from limbik.limbs.planar import PlanarTwoLink
from limbik.limbs.solution import Branches, Solution
from limbik.limbs.status import Status
from limbik.limbs.three_link import ThreeLink
from limbik.limbs.two_link import TwoLink

__version__ = "0.1.0"

__all__ = [
    "Branches",
    "Chain",
    "Frames",
    "LimbikError",
    "PlanarChain",
    "PlanarTwoLink",
    "Solution",
    "Status",
    "ThreeLink",
    "TwoLink",
    "__version__",
]
