"""A limb of any rig reaches exactly, twists and stretches nothing, and never pops."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from limbik import samples
from limbik.errors import LimbikError
from limbik.files.clip_files import load
from limbik.skeleton.clip import Clip
from limbik.skeleton.limb_finding import find_limbs
from limbik.skeleton.skeleton import Skeleton
from tests.assets import asset, present
from tests.skeleton.figures import angle

RIGS = ["sample", *present("bvh/cmu_02_01.bvh", "bvh/cmu_16_35.bvh", "gltf/Fox.glb", "gltf/RiggedFigure.glb")]


@pytest.fixture(scope="module", params=RIGS)
def clip(request):
    clip = samples.walk(240) if request.param == "sample" else load(asset(request.param))
    return clip[:: max(1, len(clip) // 40)] if len(clip) > 40 else clip


def links_of(positions, limb):
    return np.diff(positions[..., list(limb.joints), :], axis=-2)


def reachable(rng, clip, limb):
    """Points (frames, 3) that the limb's end can reach, whatever direction its last link takes."""
    positions = clip.positions()
    lengths = np.linalg.norm(links_of(positions, limb), axis=-1)
    least = max(0.0, *(2 * lengths - lengths.sum(-1, keepdims=True)).max(-1))
    away = rng.normal(size=(len(clip), 3))
    away /= np.linalg.norm(away, axis=-1, keepdims=True)
    total = lengths.sum(-1).min()
    distance = rng.uniform(least + 0.01 * total, 0.999 * total, (len(clip), 1))
    return positions[:, limb.joints[0]] + away * distance, total


@pytest.mark.parametrize("seed", range(3))
def test_every_limb_of_every_rig_reaches(clip, seed):
    rng = np.random.default_rng(seed)
    before = clip.positions()
    for limb in find_limbs(clip.skeleton).values():
        targets, total = reachable(rng, clip, limb)
        posed = clip.reach(limb, targets)
        after = posed.positions()
        assert np.linalg.norm(after[:, limb.joints[-1]] - targets, axis=-1).max() < 1e-9 * total
        lengths = [np.linalg.norm(links_of(p, limb), axis=-1) for p in (before, after)]
        assert np.abs(lengths[1] - lengths[0]).max() < 1e-9 * total
        others = [joint for joint in range(len(clip.skeleton)) if joint not in limb.joints[:-1]]
        assert np.array_equal(posed.rotations[:, others], clip.rotations[:, others])
        assert np.array_equal(posed.translations, clip.translations)


@pytest.mark.parametrize("option", [None, "pole", "end_rotation"])
def test_one_pose_is_a_clip_of_one_frame(clip, option):
    """One pose runs on floats, a clip on NumPy."""
    rng = np.random.default_rng(5)
    for k, limb in enumerate(find_limbs(clip.skeleton).values()):
        targets, total = reachable(rng, clip, limb)
        frame = 7 * k % len(clip)
        goal = targets[frame] + rng.choice([0.0, total]) * rng.normal(size=3)  # in reach, or not
        given = {} if option is None else {option: rng.normal(size=3 if option == "pole" else 4)}
        one = clip[frame].reach(limb, goal, **given)
        whole = clip[frame : frame + 1].reach(limb, goal, **given)
        assert np.abs(one.positions() - whole.positions()[0]).max() < 1e-12 * max(total, 1.0)
        dots = np.sum(one.world()[1] * whole.world()[1][0], axis=-1)
        assert np.abs(np.abs(dots) - 1.0).max() < 1e-12


def test_a_limb_that_is_there_already_stays(clip):
    before = clip.positions()
    for limb in find_limbs(clip.skeleton).values():
        after = clip.reach(limb, before[:, limb.joints[-1]]).positions()
        assert np.abs(after - before).max() < 1e-5  # of a straight leg, the plane is the usual one


def test_bones_twist_no_more_than_the_limb_swings(clip):
    rng = np.random.default_rng(1)
    before = clip.positions()
    for limb in find_limbs(clip.skeleton).values():
        root, end = limb.joints[0], limb.joints[-1]
        bone = links_of(before, limb)[:, 0]
        near = before[:, end] + 0.1 * np.linalg.norm(bone, axis=-1, keepdims=True) * rng.normal(size=bone.shape)
        posed = clip.reach(limb, near)
        turn = Rotation.from_quat(posed.world()[1][:, root]) * Rotation.from_quat(clip.world()[1][:, root]).inv()
        arms = [p[:, end] - before[:, root] for p in (before, posed.positions())]
        assert (twist(turn, bone) <= angle(*arms) + 1e-6).all()


def twist(turn, bone):
    """The part of turns about bones (N, 3), in a split of each turn into that and a swing square to the bone."""
    q = turn.as_quat()
    about = np.sum(q[:, :3] * bone, -1) / np.linalg.norm(bone, axis=-1)
    half = np.abs(np.arctan2(about, q[:, 3]))
    return 2 * np.minimum(half, np.pi - half)


def arm(frames=1, bend=0.6, roll=0.0):
    """A clip of one arm, upper arm along +x and 0.3 m, forearm 0.25 m, bent about its own axes, and a hand."""
    skeleton = Skeleton(
        ("root", "shoulder", "elbow", "wrist", "finger"),
        np.arange(5) - 1,
        np.array([[0, 1, 0], [0.1, 0.3, 0], [0.3, 0, 0], [0.25, 0, 0], [0.08, 0, 0]]),
        Rotation.from_euler("XYZ", [[0, 0, 0], [0.1, 0, roll], [0, 0, 0], [0, 0, 0], [0, 0, 0]]).as_quat(),
    )
    rotations = np.tile(skeleton.rotations, (frames, 1, 1))
    rotations[:, 2] = Rotation.from_rotvec(np.multiply.outer(np.broadcast_to(bend, frames), [0, 0, 1])).as_quat()
    return Clip(skeleton, rotations)


ARM = ("shoulder", "elbow", "wrist")


def turns(clip):
    """How far, in radians, each joint turns from frame to frame in its parent's frame: (frames - 1, joints)."""
    q = clip.rotations
    return 2 * np.arccos(np.clip(np.abs(np.sum(q[1:] * q[:-1], axis=-1)), 0, 1))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_smooth_paths_give_smooth_motion(seed):
    """Any way through the arm's reach, also over its back, where the shortest turn has no axis of its own."""
    rng = np.random.default_rng(seed)
    frames = 600
    clip = arm(frames)
    way = np.linspace(0, 2 * np.pi, frames)[:, None, None] * np.arange(1, 4)[:, None] + rng.uniform(0, 6, (3, 3))
    away = np.sum(rng.normal(size=(3, 3)) / np.arange(1, 4)[:, None] * np.sin(way), axis=1)
    length = np.linalg.norm(away, axis=-1, keepdims=True)
    away *= (0.1 + 0.44 * length / (1 + length)) / np.maximum(length, 1e-9)
    speed = np.maximum(angle(away[1:], away[:-1]), np.linalg.norm(np.diff(away, axis=0), axis=-1) / 0.1)
    posed = clip.reach(ARM, clip.positions()[:, 1] + away)
    assert np.abs(posed.positions()[:, 3] - clip.positions()[:, 1] - away).max() < 1e-9
    assert (turns(posed).max(-1) <= 12 * speed + 1e-6).all()


@pytest.mark.parametrize("aside", [0.0, 1e-12, 1e-6, 1e-3, 0.05])
def test_straight_over_the_back(aside):
    clip = arm(721)
    start = clip.positions()[0, 3] - clip.positions()[0, 1]
    across = np.array([0.3, 0.5, 0.8])
    across -= start * (across @ start) / (start @ start)
    across /= np.linalg.norm(across)
    out = np.cross(start, across) / np.linalg.norm(start)
    angles = np.linspace(0, 2 * np.pi, 721)[:, None]
    away = np.cos(angles) * start + np.linalg.norm(start) * (np.sin(angles) * across + aside * out)
    posed = clip.reach(ARM, clip.positions()[:, 1] + away)
    assert np.degrees(turns(posed).max()) < 6  # for half a degree of the target's


def test_the_plane_is_kept_through_full_stretch_and_back():
    bends = np.concatenate([np.linspace(1.0, -0.05, 50), np.linspace(-0.05, 1.0, 50)])  # overstretched in the middle
    clip = arm(100, bends, roll=0.4)
    positions = clip.positions()
    line = positions[:1, 3] - positions[:1, 1]
    line /= np.linalg.norm(line)
    far = np.concatenate([np.linspace(0.3, 0.6, 50), np.linspace(0.6, 0.3, 50)])[:, None]  # to 0.55 it can
    after = clip.reach(ARM, positions[:, 1] + far * line).positions()
    hinge = np.cross(after[:, 2] - after[:, 1], after[:, 3] - after[:, 2])
    bent = np.linalg.norm(hinge, axis=-1) > 1e-7
    hinge = hinge[bent] / np.linalg.norm(hinge[bent], axis=-1, keepdims=True)
    first = np.cross(positions[0, 2] - positions[0, 1], positions[0, 3] - positions[0, 2])
    assert bent.sum() > 70
    assert (hinge @ first / np.linalg.norm(first) > 0.999).all()


def test_weight_goes_from_nothing_to_all():
    clip = arm(5)
    target = clip.positions()[:, 3] + [0.05, -0.1, 0.1]
    weights = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
    posed = clip.reach(ARM, target, weight=weights)
    whole = clip.reach(ARM, target)
    assert np.array_equal(clip.reach(ARM, target, weight=0.0).rotations, clip.rotations)
    assert np.array_equal(posed.rotations[0], clip.rotations[0])
    assert np.array_equal(posed.rotations[4], whole.rotations[4])
    gaps = np.linalg.norm(posed.positions()[:, 3] - target, axis=-1)
    assert (np.diff(gaps) < 0).all()


def test_the_end_turns_as_asked():
    clip = arm(3)
    target = clip.positions()[:, 3] + [0.02, -0.03, 0.05]
    wanted = Rotation.from_euler("xyz", [0.3, -0.5, 1.2]).as_quat()
    rotated = clip.reach(ARM, target, end_rotation=wanted)
    positions, rotations = rotated.world()
    assert np.abs(np.sum(rotations[:, 3] * wanted, -1)) == pytest.approx(1, abs=1e-12)
    assert np.allclose(positions[:, 3], target)
    positions = clip.reach(ARM, target, end_direction=(0, -2, 0)).positions()
    assert np.allclose(positions[:, 3], target)
    assert np.allclose(positions[:, 4] - positions[:, 3], [0, -0.08, 0])


def test_a_limb_of_four_joints_points_its_last_link():
    clip = arm(3)
    target = clip.positions()[:, 4] + [-0.1, 0.05, 0.1]
    positions = clip.reach((*ARM, "finger"), target, end_direction=(0, 0, 1)).positions()
    assert np.allclose(positions[:, 4], target)
    assert np.allclose(positions[:, 4] - positions[:, 3], [0, 0, 0.08])


def test_a_pole_an_axis_and_limits_say_how_to_bend():
    clip = arm(3)
    root = clip.positions()[:, 1]
    target = root + [0.1, 0.3, 0.1]
    elbow = clip.reach(ARM, target, pole=(0, 0, -1)).positions()[:, 2] - root
    plane = np.cross([0.1, 0.3, 0.1], elbow)
    assert np.allclose(plane @ [0, 0, -1], 0, atol=1e-12)
    assert (elbow[:, 2] < 0).all()
    bent = [clip.reach(ARM, target, axis=(0, 0, sign)).positions()[:, 2] for sign in (1, -1)]
    assert np.allclose(np.cross(bent[0] - root, bent[1] - root) @ [0.1, 0.3, 0.1], 0, atol=1e-9)
    assert np.linalg.norm(bent[0] - bent[1], axis=-1).min() > 0.1
    near = clip.reach(ARM, root + [0.05, 0, 0], middle_limits=(0.2, 1.0)).rotations[:, 2]
    assert 2 * np.arccos(np.abs(near[:, 3])) == pytest.approx(1.0, abs=1e-9)


def test_soft_reach_eases_and_never_overshoots():
    clip = arm(200)
    root = clip.positions()[:, 1]
    distance = np.linspace(0.3, 0.9, 200)[:, None]
    found = np.linalg.norm(
        clip.reach(ARM, root + distance * [0.6, 0, 0.8], soften=0.9).positions()[:, 3] - root, axis=-1
    )
    assert (found <= distance[:, 0] + 1e-12).all()
    assert (np.diff(found) > 0).all()
    assert found.max() < 0.55


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"limb": ("shoulder", "elbow")}, "at least 3 joints"),
        ({"limb": ("shoulder", "wrist", "elbow")}, "one of its descendants"),
        ({"limb": ("shoulder", "elbo", "wrist")}, "'elbow'"),
        ({"targets": np.zeros((4, 3))}, r"targets: got shape \(4, 3\)"),
        ({"weight": 1.5}, "weight"),
        ({"end_rotation": (0, 0, 1)}, "end_rotation"),
        ({"limb": (*ARM, "finger"), "soften": 0.9}, "soften"),
        ({"limb": ("elbow", "wrist", "finger"), "end_direction": (0, 0, 1)}, "end_direction"),
    ],
)
def test_what_cannot_be_is_said(change, message):
    with pytest.raises(LimbikError, match=message):
        arm(3).reach(**{"limb": ARM, "targets": (0, 1, 0), **change})


CHAINS = {
    "gltf/Fox.glb": ("b_Hip_01", "b_Spine01_02", "b_Spine02_03", "b_Neck_04", "b_Head_05"),
    "bvh/cmu_02_01.bvh": ("LowerBack", "Spine", "Spine1", "Neck", "Neck1", "Head", "Head_end"),
}


@pytest.mark.parametrize("name", CHAINS)
def test_spines_reach_by_all_their_joints(name):
    """A chain that is there already stays; elsewhere its end is exact, and every joint takes part."""
    whole = load(asset(name))
    clip = whole[:: len(whole) // 20]
    joints = [clip.skeleton.index(joint) for joint in CHAINS[name]]
    before = clip.positions()
    total = np.linalg.norm(np.diff(before[:, joints], axis=1), axis=-1).sum(-1)
    end = before[:, joints[-1]]
    assert np.abs(clip.reach(joints, end).positions() - before).max() < 1e-12
    rng = np.random.default_rng(0)
    targets = (
        before[:, joints[0]] + (end - before[:, joints[0]]) * 0.8 + 0.1 * total[:, None] * rng.normal(size=end.shape)
    )
    for options in ({}, {"pole": (0.3, 0.2, 1.0)}, {"end_direction": (0.1, 1.0, 0.2)}, {"middle_limits": (0.0, 1.5)}):
        posed = clip.reach(joints, targets, **options)
        after = posed.positions()
        last = np.linalg.norm(before[:, joints[-1]] - before[:, joints[-2]], axis=-1)
        toward = np.array(options.get("end_direction", (0, 0, 0)), float)
        toward /= max(np.linalg.norm(toward), 1.0)
        room = np.linalg.norm(targets - last[:, None] * toward - before[:, joints[0]], axis=-1) < total - last
        assert room.mean() > 0.5
        assert np.linalg.norm(after[:, joints[-1]] - targets, axis=-1)[room].max() < 1e-9 * total.max(), options
        lengths = [np.linalg.norm(np.diff(one[:, joints], axis=1), axis=-1) for one in (before, after)]
        assert np.abs(lengths[1] - lengths[0]).max() < 1e-12
        others = [joint for joint in range(len(clip.skeleton)) if joint not in joints[:-1]]
        assert np.array_equal(posed.rotations[:, others], clip.rotations[:, others])
    moved = np.abs(clip.reach(joints, targets).rotations - clip.rotations)[:, joints[:-1]].max(axis=(0, 2))
    apart = np.concatenate([[True], np.diff(before[0, joints], axis=0).any(axis=1)])[:-1]
    assert np.all(moved[apart] > 1e-3)
    assert np.all(np.isfinite(clip.reach(joints, before[:, joints[0]]).rotations))  # onto its own root


def test_a_chain_that_moves_a_little_turns_a_little():
    """Along a path through half of its reach, no joint turns by more than ten times the way in lengths."""
    whole = load(asset("bvh/cmu_02_01.bvh"))
    joints = [whole.skeleton.index(joint) for joint in CHAINS["bvh/cmu_02_01.bvh"]]
    one = whole[:1]
    frames = 801
    still = Clip(whole.skeleton, np.repeat(one.rotations, frames, 0), np.repeat(one.translations, frames, 0))
    at = one.positions()[0, joints]
    total = np.linalg.norm(np.diff(at, axis=0), axis=-1).sum()
    way = np.linspace(-1, 1, frames)[:, None] * [0.6, 0.1, 0.5] * total
    targets = at[0] + 0.6 * (at[-1] - at[0]) + way
    posed = still.reach(joints, targets, soften=0.9)
    step = np.linalg.norm(np.diff(way, axis=0), axis=-1).max() / total
    assert turns(posed)[:, joints].max() < 10 * step
