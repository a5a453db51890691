"""The poses that a file names: MuJoCo's keyframes, by the names of joints, as MuJoCo reads them."""

import numpy as np
import pytest

from limbik import Robot
from tests.optional import optional

from .small_robots import MJCF, URDF, write

MIXED = """<mujoco><compiler angle="radian"/>
  <worldbody>
    <body name="trunk">
      <freejoint name="root"/>
      <body name="neck">
        <body name="head"><joint name="nod" axis="0 1 0"/></body>
        <joint name="lean" axis="1 0 0"/>
      </body>
      <body name="arm" pos="0 1 0">
        <joint name="slide" type="slide"/>
        <joint name="ball" type="ball"/>
        <body name="fore" pos="0 1 0"><joint name="elbow" ref="0.2"/></body>
      </body>
    </body>
    <body name="box"><joint name="loose" type="free"/></body>
  </worldbody>
  <keyframe>
    <key name="one" qpos="{numbers}" time="2"/>
    <key qpos="{numbers}"/>
    <key name="still"/>
    {more}
  </keyframe>
</mujoco>"""
NUMBERS = np.arange(1, 23) / 8.0
NUMBERS[3:7] = NUMBERS[9:13] = NUMBERS[18:22] = [1.0, 0.0, 0.0, 0.0]  # rotations, which MuJoCo normalizes


def text(more=""):
    return MIXED.format(numbers=" ".join(map(str, NUMBERS)), more=more)


def test_keyframes_are_the_poses_that_mujoco_reads(tmp_path):
    mujoco = optional("mujoco")
    robot = Robot.load(write(tmp_path, text(), "mixed.xml"))
    assert list(robot.poses) == ["one"]
    model = mujoco.MjSpec.from_string(text())
    for body in model.bodies[1:]:
        body.mass, body.inertia, body.explicitinertial = 1.0, [1.0, 1.0, 1.0], True
    model = model.compile()
    single = [k for k in range(model.njnt) if model.jnt_type[k] >= int(mujoco.mjtJoint.mjJNT_SLIDE)]  # or hinges
    expected = {model.joint(k).name: model.key_qpos[0][model.jnt_qposadr[k]] for k in single}
    assert robot.poses["one"] == expected and len(expected) == 4
    assert np.isfinite(robot.forward(robot.poses["one"]).positions).all()


@pytest.mark.parametrize("numbers", ["", "1 2 3", "1 " * 23, "nan " * 22, "x " * 22, "1e999 " * 22])
def test_keyframes_that_do_not_fit_are_left_out(tmp_path, numbers):
    robot = Robot.load(write(tmp_path, text(f'<key name="bad" qpos="{numbers}"/>'), "mixed.xml"))
    assert list(robot.poses) == ["one"]


def test_files_without_keyframes_name_no_pose(tmp_path):
    assert Robot.load(write(tmp_path, MJCF, "small.xml")).poses == {}
    assert Robot.load(write(tmp_path, URDF, "small.urdf")).poses == {}
