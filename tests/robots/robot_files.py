"""Files of real robots: MuJoCo Menagerie's among the assets, and those of the package example-robot-data."""

import os
import sysconfig
from pathlib import Path

import pytest

from tests.assets import asset, present

MENAGERIE = present(
    "apptronik_apollo/apptronik_apollo.xml",
    "booster_t1/t1.xml",
    "boston_dynamics_spot/spot.xml",
    "franka_emika_panda/panda.xml",
    "kuka_iiwa_14/iiwa14.xml",
    "pal_talos/talos.xml",
    "robotis_op3/op3.xml",
    "trossen_vx300s/vx300s.xml",
    "unitree_g1/g1.xml",
    "unitree_g1/g1_mjx.xml",
    "unitree_go2/go2.xml",
    "unitree_h1/h1.xml",
    "unitree_z1/z1.xml",
    "universal_robots_ur5e/ur5e.xml",
)
EXAMPLES = Path(sysconfig.get_path("purelib")) / "cmeel.prefix/share/example-robot-data/robots"


def menagerie(name):
    """The path of a robot of MuJoCo Menagerie."""
    return asset(f"robots/{name}")


def example_robots():
    """The URDF files of example-robot-data; where it is not installed the test is skipped, and fails in CI."""
    found = sorted(EXAMPLES.rglob("*.urdf"))
    if not found and os.environ.get("CI"):
        pytest.fail("example-robot-data is not installed")
    if not found:
        pytest.skip("example-robot-data is not installed")
    return found
