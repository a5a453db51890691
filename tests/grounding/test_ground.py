"""Clips on terrains: feet planted, soles on the ground, nothing pops, and what need not change does not.

Each property is checked on a walk of limbik's own (SAMPLE) and on recordings, where those are present.
"""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import limbik
from limbik import samples
from limbik.grounding.footholds import find_footholds
from limbik.grounding.ground import ground
from limbik.grounding.settings import Settings
from limbik.terrains.heightfield import Heightfield
from limbik.terrains.specs import terrain
from tests.assets import CLIPS, asset, present
from tests.grounding import measures

SAMPLE = "samples.walk"
EVERY = [SAMPLE, *CLIPS]
WALKS = [name for name in EVERY if "03_01" not in name]
CLEAN = present("bvh/cmu_16_15.bvh", "bvh/cmu_16_35.bvh", "bvh/cmu_35_01.bvh")
GROUNDS = ["slope:10", "slope:10,heading=180", "slope:10,heading=90", "stairs:rise=0.17,run=0.3", "hills:height=0.3"]


@pytest.fixture(scope="module")
def clips():
    return {}


def walk(clips, name):
    """A clip without the T-pose in front, turned to walk along +z from the origin on."""
    if name == SAMPLE:
        return samples.walk(200)
    if name not in clips:
        clip = limbik.load(asset(name))[1:]
        way = clip.positions()[-1, 0] - clip.positions()[0, 0]
        turn = Rotation.from_euler("y", -np.arctan2(way[0], way[2])).as_quat()
        clip = clip.moved(rotation=turn)
        start = clip.positions()[0, 0]
        clips[name] = clip.moved(translation=(-start[0], 0.0, -start[2]))
    return clips[name]


@pytest.mark.parametrize("spec", GROUNDS)
@pytest.mark.parametrize("name", EVERY)
def test_walks_keep_to_the_bars(clips, name, spec):
    clip = walk(clips, name)
    result = ground(clip, spec, settings={"lean": 0.0})
    after = result.clip
    assert len(after) == len(clip)
    assert after.contacts.any(axis=0).all()
    assert max(measures.slides(after)) < 2e-3
    for foot, contacts in zip(result.feet, measures.heights(after, result.terrain), strict=True):
        assert max(np.abs(one - foot.sole).max() for one in contacts) < 3e-3 + 0.02 * foot.sole  # along the normal
    assert np.abs(measures.bone_lengths(after) - measures.bone_lengths(clip))[:, 1:].max() < 1e-6
    moved = {0, *(joint for foot in result.feet for joint in (*foot.limb.joints, foot.ball))}
    still = [joint for joint in range(len(clip.skeleton)) if joint not in moved]
    kept = np.all(after.rotations[:, still] == clip.rotations[:, still], axis=(1, 2))
    assert kept.all() or (np.mean(kept) > 0.99 and "jumps away and back" in " ".join(result.notes))
    assert np.array_equal(after.rotations[kept, 0], clip.rotations[kept, 0])


@pytest.mark.parametrize("spec", GROUNDS)
@pytest.mark.parametrize("name", EVERY)
def test_legs_keep_off_full_stretch(clips, name, spec):
    result = ground(walk(clips, name), spec)
    positions = result.clip.positions()
    for foot in result.feet:
        hip, knee, ankle = (positions[:, joint] for joint in foot.limb.joints)
        length = np.linalg.norm(knee - hip, axis=-1) + np.linalg.norm(ankle - knee, axis=-1)
        before = result.before.positions()[:, list(foot.limb.joints)]
        straightest = (np.linalg.norm(before[:, 2] - before[:, 0], axis=-1) / length).max()
        assert (np.linalg.norm(ankle - hip, axis=-1) / length).max() <= max(straightest, 0.97) + 1e-6


@pytest.mark.parametrize("spec", ["slope:10", "slope:10,heading=90", "hills:height=0.3"])
@pytest.mark.parametrize("name", WALKS)
def test_soles_lie_on_the_slope_at_mid_stance(clips, name, spec):
    """The toe lies in the surface, and so does the line from heel to ball, as it did on the floor."""
    result = ground(walk(clips, name), spec)
    flat = ground(walk(clips, name), "plane").clip.world()
    positions, rotations = result.clip.world()
    for k, foot in enumerate(result.feet):
        for first, stop in measures.intervals(result.clip.contacts[:, k] & result.heels[:, k]):
            middle = (first + stop) // 2
            normal = result.terrain.normal(positions[middle, foot.ball, [0, 2]])
            on_floor = Rotation.from_quat(flat[1][middle, foot.ankle]).inv().apply([0, 1, 0])
            tilted = Rotation.from_quat(rotations[middle, foot.ankle]).apply(on_floor)
            assert np.degrees(np.arccos(min(tilted @ normal, 1.0))) < 3.0


def test_a_walk_without_sliding_stays_as_it_is_on_the_plane(clips):
    clip = walk(clips, SAMPLE)
    assert measures.apart(ground(clip, "plane").clip, clip) < 0.015


@pytest.mark.parametrize("name", CLEAN)
def test_a_clean_clip_barely_changes_on_the_plane(clips, name):
    clip = walk(clips, name)
    after = ground(clip, "plane").clip
    as_recorded = clip.with_(feet=after.feet, contacts=after.contacts)
    assert max(measures.slides(as_recorded)) > 0.01
    assert max(measures.slides(after)) < 1e-6
    assert measures.apart(after, clip) < 0.015


def test_uneven_ground_gives_the_recording_back(clips):
    """Recorded on blocks: on ground that is as high as the blocks under the recorded feet, the motion stays."""
    clip = walk(clips, "bvh/cmu_03_01.bvh")
    found = ground(clip, "plane")
    positions = clip.positions()
    plants = np.array(
        [
            np.mean(positions[first:stop, foot.ball], axis=0) - [0, foot.sole, 0]
            for k, foot in enumerate(found.feet)
            for first, stop in measures.intervals(found.clip.contacts[:, k])
        ]
    )
    low, high = plants[:, [0, 2]].min(axis=0) - 1.5, plants[:, [0, 2]].max(axis=0) + 1.5
    x, z = (np.arange(low[k], high[k], 0.05) for k in range(2))
    places = np.stack(np.meshgrid(x, z), axis=-1)
    distance = np.linalg.norm(places[..., None, :] - plants[:, [0, 2]], axis=-1)
    share = 1 / (distance**4 + 1e-6)
    blocks = Heightfield(np.sum(share * plants[:, 1], axis=-1) / share.sum(axis=-1), spacing=0.05, origin=tuple(low))
    assert np.abs(blocks.height(plants[:, [0, 2]]) - plants[:, 1]).max() < 0.02
    assert measures.apart(ground(clip, blocks).clip, clip) < 0.03


FOUR_FEET = ["plane", "slope:10", "slope:10,heading=180", "hills:height=0.3"]


@pytest.mark.parametrize("spec", FOUR_FEET)
def test_a_quadruped_on_the_spot_travels_on_four_planted_feet(spec):
    walked = limbik.walk("quadruped", "plane", seconds=4)[60:]  # after it has started
    root = walked.positions()[:, 0]
    clip = walked.moved(translation=-root * [1.0, 0.0, 1.0])
    result = ground(clip, spec)
    assert len(result.feet) == 4
    way = (result.before.positions()[-1, 0] - result.before.positions()[0, 0]) / clip.duration
    assert way[2] == pytest.approx((root[-1] - root[0])[2] / clip.duration, rel=0.1) and abs(way[0]) < 0.05 * way[2]
    assert max(measures.slides(result.clip)) < 2e-3
    for foot, contacts in zip(result.feet, measures.heights(result.clip, result.terrain), strict=True):
        assert max(np.abs(one - foot.sole).max() for one in contacts) < 3e-3
    assert measures.accelerations(result.clip).max() <= 2.5 * measures.accelerations(clip).max()


@pytest.mark.parametrize("spec", FOUR_FEET)
@pytest.mark.parametrize("animation", ["Walk", "Run"])
def test_the_fox_travels_on_four_planted_feet(animation, spec):
    clip = limbik.load(asset("gltf/Fox.glb"), animation=animation)
    result = ground(clip, spec)
    assert len(result.feet) == 4
    way = result.before.positions()[-1, 0] - result.before.positions()[0, 0]
    speed = way[2] / clip.duration
    assert {"Walk": 0.8, "Run": 1.4}[animation] < speed < {"Walk": 1.4, "Run": 2.4}[animation]
    assert abs(way[0]) < 0.05 * way[2]
    assert max(measures.slides(result.clip)) < 2e-3
    for foot, contacts in zip(result.feet, measures.heights(result.clip, result.terrain), strict=True):
        assert max((np.abs(one - foot.sole).max() for one in contacts), default=0.0) < 3e-3
    assert measures.accelerations(result.clip).max() <= 1.5 * measures.accelerations(clip).max()


def with_rest_pose(clip):
    """The clip with its skeleton at rest in front."""
    rest = clip.skeleton
    return clip.with_(
        rotations=np.concatenate([rest.rotations[None], clip.rotations]),
        translations=np.concatenate([rest.translations[None], clip.translations]),
    )


@pytest.mark.parametrize("name", [SAMPLE, *present("bvh/cmu_16_15.bvh")])
def test_a_pose_in_front_of_the_motion_is_left_in_front(name):
    clip = with_rest_pose(samples.walk(200)) if name == SAMPLE else limbik.load(asset(name))
    whole, without = ground(clip, "slope:10"), ground(clip[1:], "slope:10")
    assert len(whole.clip) == len(clip)
    assert np.array_equal(whole.clip.rotations[0], clip.rotations[0])
    assert np.array_equal(whole.clip.rotations[1:], without.clip.rotations)
    assert np.array_equal(whole.clip.contacts[1:], without.clip.contacts)


def test_contacts_may_be_given(clips):
    clip = walk(clips, SAMPLE)
    contacts = np.zeros((len(clip), 2), bool)
    contacts[20:60, 0] = contacts[90:130, 1] = True
    result = ground(clip, "slope:10", contacts=contacts)
    assert np.array_equal(result.clip.contacts, contacts)
    assert max(measures.slides(result.clip)) < 1e-6


@pytest.mark.parametrize("name", [SAMPLE, *present("bvh/cmu_35_01.bvh")])
def test_swing_feet_clear_the_edges_of_steps(clips, name):
    """The balls of swinging feet stay above the treads that they pass."""
    clip = walk(clips, name)
    result = ground(clip, "stairs:rise=0.17,run=0.3")
    positions = result.clip.positions()
    for k, foot in enumerate(result.feet):
        swing = ~(result.clip.contacts[:, k] | result.heels[:, k])
        over = positions[swing, foot.ball, 1] - result.terrain.height(positions[swing, foot.ball][:, [0, 2]])
        assert over.min() > 0.0


def test_tiny_clips_do_not_break(clips):
    clip = walk(clips, SAMPLE)
    for frames in (1, 2, 3, 8):
        result = ground(clip[:frames], "slope:10")
        assert len(result.clip) == frames
        assert np.isfinite(result.clip.positions()).all()


@pytest.mark.parametrize("name", [SAMPLE, *present("bvh/cmu_16_15.bvh")])
@pytest.mark.parametrize("scale", [0.05, 20.0])
def test_size_does_not_matter(clips, name, scale):
    """A figure of any size stands in the same frames, on ground of its size."""
    clip = walk(clips, name)
    skeleton = clip.skeleton
    larger = limbik.Skeleton(
        skeleton.names, skeleton.parents, scale * skeleton.translations, skeleton.rotations, None, skeleton.end_sites
    )
    big = limbik.Clip(larger, clip.rotations, scale * clip.translations, fps=clip.fps)
    a, b = ground(clip, terrain("slope:10")).clip, ground(big, terrain("slope:10")).clip
    assert np.array_equal(a.contacts, b.contacts)
    assert np.allclose(b.positions(), scale * a.positions(), atol=2e-3 * scale)


@pytest.mark.parametrize("suffix", [".bvh", ".glb"])
def test_hands_stay_off_the_ground_whatever_the_file_says_of_rest(suffix, tmp_path):
    walked = limbik.walk("biped", "plane", seconds=2)
    limbik.save(walked, tmp_path / f"walk{suffix}")
    grounded = limbik.ground(limbik.load(tmp_path / f"walk{suffix}"), "slope:8")
    assert sorted(foot.limb.kind for foot in grounded.feet) == ["leg", "leg"]
    assert max(measures.slides(grounded.clip)) < 1e-6


def test_plants_may_be_let_go_of_at_once():
    grounded = limbik.ground(limbik.walk("biped", "plane", seconds=2), "slope:8", settings=Settings(release=0.0))
    assert np.isfinite(grounded.clip.positions()).all()
    assert max(measures.slides(grounded.clip)) < 1e-6


def test_the_end_of_a_foot_is_not_turned():
    """A foot that is one bone, from the ankle to an End Site, has no toes to bend: nothing would show the rotation."""
    walk = samples.walk()
    bones = walk.skeleton
    ends = np.array([name.endswith("ToeBase") for name in bones.names])
    rigid = limbik.Skeleton(bones.names, bones.parents, bones.translations, bones.rotations, None, ends)
    clip = limbik.Clip(rigid, walk.rotations, walk.translations, fps=walk.fps)
    result = limbik.ground(clip, "stairs:rise=0.17,run=0.3")
    np.testing.assert_array_equal(result.clip.rotations[:, ends], clip.rotations[:, ends])
    assert result.clip.contacts is not None and result.clip.contacts.any(axis=0).all()


def test_a_foot_is_flat_as_in_its_rest_pose_even_if_it_rests_on_its_toes_for_longer():
    """Of one who stands and then has a heel up for twice as long, as when kneeling, the sole is that of the stand."""
    walk = samples.walk()
    leg = limbik.find_limbs(walk)["right_leg"]
    ankle, ball = leg.joints[-1], leg.toes[0]
    heights = walk.positions()[..., 1]
    frame = int(np.argmin(heights[:, ankle] + heights[:, ball]))  # flat
    clip = measures.frozen(walk, frame, 180)
    positions, rotations = clip.world()
    pitch = Rotation.from_rotvec(
        np.radians(50.0) * np.outer(np.clip((np.arange(180) - 60.0) / 15.0, 0.0, 1.0), [1.0, 0.0, 0.0])
    )
    lever = positions[:, ankle] - positions[:, ball]
    goal = positions[:, ball] + pitch.apply(lever)
    clip = clip.reach(leg, goal, end_rotation=(pitch * Rotation.from_quat(rotations[:, ankle])).as_quat())
    result = limbik.ground(clip, "plane")
    moved = result.clip.positions()[:50, ankle, 1] - clip.positions()[:50, ankle, 1]
    assert np.abs(moved).max() < 0.01
    turned = (
        Rotation.from_quat(result.clip.world()[1][:50, ankle]) * Rotation.from_quat(clip.world()[1][:50, ankle]).inv()
    )
    assert turned.magnitude().max() < np.radians(6.0)


def test_feet_beside_an_edge_lie_on_the_ground_under_their_middle():
    """Of feet that face along a step, with one side beyond its edge, no part of the other hangs over it."""
    rng = np.random.default_rng(3)
    stairs = terrain("stairs:rise=0.17,run=0.3,steps=20,start=0")
    foot = ground(samples.walk(60), "plane").feet[0]
    balls, yaw = rng.uniform([-1.0, 0.5], [1.0, 4.0], (300, 2)), np.radians(rng.uniform(80.0, 100.0, 300))
    place, tilt = find_footholds(foot, stairs, balls, yaw, Settings())
    assert np.abs(place[:, 1] - stairs.height(place[:, [0, 2]])).max() < 1e-3
    assert Rotation.from_quat(tilt).magnitude().max() < np.radians(1.0)


def above_a_root_on_the_floor(clip):
    """The same motion of a rig whose root lies on the floor, as those of many game characters do."""
    old = clip.skeleton
    skeleton = limbik.Skeleton(
        ("root", *old.names),
        np.concatenate([[-1], np.asarray(old.parents) + 1]),
        np.concatenate([np.zeros((1, 3)), old.translations]),
        np.concatenate([[[0.0, 0.0, 0.0, 1.0]], old.rotations]),
        end_sites=np.concatenate([[False], old.end_sites]),
    )
    still = np.broadcast_to([0.0, 0.0, 0.0, 1.0], (len(clip), 1, 4))
    rotations = np.concatenate([still, clip.rotations], axis=1)
    translations = np.concatenate([np.zeros((len(clip), 1, 3)), clip.translations], axis=1)
    return limbik.Clip(skeleton, rotations, translations, fps=clip.fps)


@pytest.mark.parametrize("spec", ["slope:10", "slope:10,heading=90", "hills:height=0.3,seed=3"])
def test_it_does_not_matter_where_the_root_of_a_rig_is(spec):
    clip = samples.walk(180)
    wanted = limbik.ground(clip, spec).clip.positions()
    found = limbik.ground(above_a_root_on_the_floor(clip), spec).clip.positions()[:, 1:]
    assert np.abs(found - wanted).max() < 1e-9


@pytest.mark.parametrize("name", ["Walking_A", "Running_A"])
def test_the_head_of_a_game_character_hardly_sways(name):
    clip = limbik.load(asset("gltf/KayKit_Rogue.glb"), animation=name)
    result = limbik.ground(clip, "slope:10")
    head = clip.skeleton.names.index("head")
    moved = (result.clip.positions() - result.before.positions())[:, head, 0]
    assert np.ptp(moved) < 0.1


def test_a_clip_from_uneven_ground_is_noted_where_it_does_not_say_when_feet_stand():
    level, hills = (limbik.walk("hexapod", on, seconds=3) for on in ("plane", "hills:height=0.3"))
    for clip in (level, level.with_(contacts=None), hills):
        assert not any("made on" in note for note in ground(clip, "slope:10").notes)
    hidden = hills.with_(contacts=None)
    assert any("made on hills:height=0.3" in note for note in ground(hidden, "slope:10").notes)


@pytest.mark.parametrize("spec", ["stairs", "hills:height=0.3"])
@pytest.mark.parametrize("name", ["biped", "quadruped", "hexapod"])
def test_a_walk_on_uneven_ground_is_brought_to_another(name, spec, tmp_path):
    walk = limbik.walk(name, spec, seconds=4, fps=60)
    limbik.save(walk, tmp_path / "walk.glb", with_terrain=True)
    found = ground(tmp_path / "walk.glb", "plane")
    size = float(np.ptp(walk.positions()[0], axis=0).max())
    for clip, near in ((found.before, 0.05), (found.clip, 0.02)):
        # Every foot steps on the floor, and none is deep in it.
        low = np.stack([clip.positions()[:, foot.ball, 1] - foot.sole for foot in found.feet], axis=1)
        at_floor = np.abs(low) < near * size
        assert low.min() > -near * size and at_floor.any(axis=1).mean() > 0.9 and at_floor.mean(axis=0).min() > 0.3
