"""Joints that follow others: multipliers and offsets add up along a chain of them, in any order within a file."""

import numpy as np
import pytest

import limbik
from tests.robots.small_robots import write

FOLLOW = {"b": ("a", -2.0, 0.1), "c": ("b", 0.5, 0.3), "d": ("c", 3.0, -0.7)}


def robot_of(order, folder):
    """Links that turn about z one after another: b follows a, c follows b, d follows c."""
    joints = []
    for parent, name in zip(["base", *order], order, strict=False):
        mimic = "<mimic joint='{}' multiplier='{}' offset='{}'/>".format(*FOLLOW[name]) if name in FOLLOW else ""
        ends = f"<parent link='{parent}'/><child link='{name}'/><axis xyz='0 0 1'/>"
        joints.append(f"<joint name='{name}' type='continuous'>{ends}{mimic}</joint>")
    links = "".join(f"<link name='{name}'/>" for name in ["base", *order])
    return limbik.Robot.load(write(folder, f"<robot name='chain'>{links}{''.join(joints)}</robot>", "chain.urdf"))


@pytest.mark.parametrize("order", ["eabcd", "dcbae", "beadc", "cdaeb"])
def test_a_joint_that_follows_a_follower(order, tmp_path):
    robot = robot_of(order, tmp_path)
    for angles in ([0.0, 0.0], [0.4, -0.9], [-1.3, 0.2]):
        values = dict(zip([joint.name for joint in robot.joints], angles, strict=True))
        assert values.keys() == {"a", "e"}
        for name, (other, multiplier, offset) in FOLLOW.items():
            values[name] = multiplier * values[other] + offset
        turned = np.cumsum([values[name] for name in order])
        _, rotations = robot.forward(angles)
        x, y, z, w = rotations[1:].T
        assert np.abs([x, y]).max() < 1e-15
        assert np.allclose(np.exp(1j * turned), (w + 1j * z) ** 2, atol=1e-14)
