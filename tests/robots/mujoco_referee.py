"""Where MuJoCo puts the bodies of a robot: the referee of parsing and forward kinematics.

Meshes are not there, so that what has no part in kinematics is taken out before MuJoCo compiles a file.
"""

from xml.etree import ElementTree

import numpy as np
from scipy.spatial.transform import Rotation

from tests.optional import optional

KEPT = {
    "robot": {"link", "joint", "origin", "axis", "limit", "parent", "child"},
    "mujoco": {"compiler", "default", "worldbody", "body", "frame", "joint", "freejoint", "site"},
}


def strip(element, kept):
    for child in list(element):
        if child.tag in kept:
            strip(child, kept)
        else:
            element.remove(child)


def compiled(text):
    """A MuJoCo model of a URDF or MJCF file, given as text; massless bodies get some mass, and none are merged."""
    mujoco = optional("mujoco")
    mujoco.set_mju_user_warning(lambda _: None)  # of singular inertia, which would go to a log file here
    root = ElementTree.fromstring(text)
    strip(root, KEPT[root.tag])
    above = root if root.tag == "mujoco" else ElementTree.SubElement(root, "mujoco")
    ElementTree.SubElement(above, "compiler", boundmass="1", boundinertia="1", fusestatic="false")
    return mujoco.MjModel.from_xml_string(ElementTree.tostring(root, "unicode"))


def placed(model, values, position, rotation):
    """World positions and rotations by body name, and by site name, from values by joint name and the base's pose."""
    mujoco = optional("mujoco")
    data = mujoco.MjData(model)
    x, y, z, w = rotation
    floats = [k for k in range(model.njnt) if model.jnt_type[k] == mujoco.mjtJoint.mjJNT_FREE]
    if floats:
        start = model.jnt_qposadr[floats[0]]
        data.qpos[start : start + 7] = [*position, w, x, y, z]
    for name, value in values.items():
        data.qpos[model.jnt_qposadr[model.joint(name).id]] = value
    mujoco.mj_kinematics(model, data)
    bodies = {model.body(k).name: (data.xpos[k], data.xquat[k][[1, 2, 3, 0]]) for k in range(model.nbody)}
    matrices = data.site_xmat.reshape(-1, 3, 3)
    sites = {
        model.site(k).name: (data.site_xpos[k], Rotation.from_matrix(matrices[k]).as_quat()) for k in range(model.nsite)
    }
    return bodies, sites


def distance(found, expected):
    """How far two (position, rotation) are apart: the larger of metres and radians."""
    (p, q), (other, turn) = found, expected
    angle = 2.0 * min(np.linalg.norm(q - turn), np.linalg.norm(q + turn))
    return max(np.abs(p - other).max(), angle)
