"""Exported look-at turns a joint as `Pose.aim` does."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from limbik.exporting.functions import aim_functions
from limbik.exporting.language import Unit
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import Skeleton
from tests.exporting.toolchains import TOOLCHAINS

ROWS = 400
SETS = [(), ("pole",), ("offset", "pole"), ("max_angle",), ("offset", "pole", "max_angle")]
OFFSET, ANGLE = (0.05, -0.1, 0.2), 0.9


def inputs(dtype):
    """A joint, its target and its axes in each row; some targets on the joint, straight ahead or straight behind."""
    rng = np.random.default_rng(3)
    rotation = Rotation.random(ROWS, rng=rng)
    position, target, pole = rng.normal(size=(3, ROWS, 3))
    axis, up_axis = np.array([0.2, -0.3, 0.9]) / np.linalg.norm([0.2, -0.3, 0.9]), np.array([0.0, 1.0, 0.1])
    target[:20] = position[:20]
    ahead = rotation.apply(axis)
    target[20:40] = position[20:40] + 2 * ahead[20:40]
    target[40:60] = position[40:60] - 2 * ahead[40:60]
    pole[60:80] = ahead[60:80]
    rows = {
        "rotation": rotation.as_quat(),
        "position": position,
        "target": target,
        "axis": np.broadcast_to(axis, (ROWS, 3)),
        "up_axis": np.broadcast_to(up_axis, (ROWS, 3)),
        "offset": np.broadcast_to(OFFSET, (ROWS, 3)),
        "pole": pole,
        "max_angle": np.full((ROWS, 1), ANGLE),
    }
    return {name: np.asarray(values, dtype) for name, values in rows.items()}


@pytest.mark.parametrize("language", ["c", "csharp", "js", "rust"])
def test_look(language, tmp_path):
    units = [Unit(f"aim{k}", ["aim"], aim_functions(frozenset(names)), "float64") for k, names in enumerate(SETS)]
    program = TOOLCHAINS[language](units, tmp_path)
    rows = inputs(program.dtype)
    head = Skeleton(("head",), [-1], [[0.0, 0.0, 0.0]])
    pose = Pose(head, rows["rotation"][:, None], rows["position"][:, None])
    for unit, names in zip(units, SETS, strict=True):
        table = np.concatenate([rows[item.name] for item in unit.functions[0].inputs], axis=1)
        found = program.run(unit.name, "look", table)
        given = {name: OFFSET if name == "offset" else ANGLE if name == "max_angle" else rows[name] for name in names}
        wanted = pose.aim("head", rows["target"], axis=rows["axis"][0], up_axis=rows["up_axis"][0], **given)
        gaps = np.abs(found - wanted.rotations[:, 0]).max(axis=1)
        assert (gaps < 1e-12).all(), (names, (gaps >= 1e-12).sum(), gaps.max())
