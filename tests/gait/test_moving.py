"""Starts and stops, turns on the spot, steps aside, pushes: feet stay planted and legs reach, whatever is asked."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from limbik.errors import LimbikError
from limbik.gait.creature import creature
from limbik.gait.walker import Walker
from tests.optional import optional

from .walks import PRESETS, ahead, stepped

STILL = np.zeros(2)


def _sound(walk, fastest=75.0):
    """What must hold whatever is asked for."""
    assert walk.slide < 1e-6
    assert np.abs(walk.above_ground[walk.contacts]).max() < 1e-3
    assert walk.above_ground[..., : walk.legs].min() > -1e-9
    assert walk.extension.max() < 0.9999
    assert walk.turning.max() < fastest


def _from_rest(walk):
    """How far tips are at the end from where they stand at rest, over the legs' lengths."""
    kind, walker = walk.creature, walk.walker
    segments = walk.states.middle.reshape(3, kind.body.segments, len(walk.clip), -1)[:, :, -1, 0]
    yaws = walk.states.angles[0].reshape(kind.body.segments, len(walk.clip), -1)[:, -1, 0]
    off = []
    for k, leg in enumerate(kind.legs):
        (x, z), yaw = leg.foothold, yaws[leg.segment]
        rest = segments[::2, leg.segment] + (x * np.cos(yaw) + z * np.sin(yaw), z * np.cos(yaw) - x * np.sin(yaw))
        off.append(np.linalg.norm(walk.tips[-1, 0, k, ::2] - rest) / sum(leg.lengths))
    assert walker.count == 1
    return np.array(off)


@pytest.mark.parametrize("name", PRESETS)
def test_a_creature_that_stops_comes_to_rest_with_its_feet_below_it(name):
    speed = creature(name).cruise
    walk = stepped(Walker(name), 7.0, lambda t, w: (ahead(w, speed if t < 2.0 else 0.0), 0.0))
    _sound(walk)
    assert walk.contacts[-30:].all()
    assert np.abs(np.diff(walk.feet[-10:], axis=0)).max() < 1e-9
    breath = np.abs(np.diff(walk.joints[-10:], axis=0)).max()
    assert 1e-9 < breath < 0.12 * creature(name).height  # of antennae
    assert _from_rest(walk).max() < 0.06


@pytest.mark.parametrize("name", PRESETS)
def test_a_creature_turns_on_the_spot(name):
    walk = stepped(Walker(name), 5.0, lambda t, w: (STILL, 60.0 if t < 3.0 else 0.0))
    _sound(walk)
    assert walk.walker.heading_degrees[0] == pytest.approx(180.0, abs=1.0)
    # A row of segments turns along a circle.
    around = 0.7 * creature(name).body.segments * creature(name).body.length if name == "centipede" else 0.0
    assert np.linalg.norm(walk.walker.places[0, ::2]) < around + 0.1 * creature(name).height


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("direction", [(1.0, 0.0), (0.0, -1.0)], ids=["sideways", "backwards"])
def test_a_creature_walks_the_way_it_is_told_whatever_it_faces(name, direction):
    velocity = 0.4 * creature(name).cruise * np.array(direction)
    walk = stepped(Walker(name), 4.0, lambda t, w: (velocity, 0.0))
    _sound(walk)
    assert walk.walker.heading_degrees[0] == 0.0
    gone = walk.walker.places[0, ::2] @ np.array(direction)
    assert gone > 0.7 * 4.0 * 0.4 * creature(name).cruise


@pytest.mark.parametrize("name", PRESETS)
def test_a_creature_turns_to_face_where_it_goes_unless_it_is_told(name):
    walk = stepped(Walker(name), 5.0, lambda t, w: ((0.5 * creature(name).cruise, 0.0), None))
    _sound(walk)
    assert walk.walker.heading_degrees[0] == pytest.approx(90.0, abs=10.0)


@pytest.mark.parametrize("name", PRESETS)
def test_a_creature_that_is_pushed_steps_and_stands_again(name):
    walker = Walker(name)

    def pushed(t, w):
        if t == 1.0:
            w.push((0.8 * creature(name).cruise, 0.0))
        return STILL, 0.0

    walk = stepped(walker, 6.0, pushed)
    _sound(walk)
    middle = walk.joints[:, 0, 0]
    assert np.abs(walk.feet[60] - walk.feet[0]).max() < 1e-9
    assert middle[-1, 0] > 0.02 * creature(name).height
    assert (~walk.standing[60:180]).any() and walk.contacts[-20:].all()
    assert _from_rest(walk).max() < 0.06


@settings(max_examples=12, deadline=None)
@given(
    name=st.sampled_from(PRESETS),
    ground=st.sampled_from(["plane", "slope:20", "hills:height=0.2,size=2", "stairs:rise=0.04,run=0.4"]),
    commands=st.lists(
        st.tuples(st.floats(-1, 1), st.floats(-1, 1), st.floats(-150, 150) | st.none(), st.booleans()),
        min_size=1,
        max_size=5,
    ),
)
@example(name="biped", ground="stairs:rise=0.04,run=0.4", commands=[(-0.40625, 1.0, 0.0, True), (0.0, 0.0, 0.0, False)])
def test_whatever_is_asked_feet_stay_planted_and_legs_reach(name, ground, commands):
    top = 0.5 * creature(name).speed

    def command(t, walker):
        x, z, turn, push = commands[int(t / 0.5)]
        if push and t % 0.5 == 0.0:
            walker.push((0.5 * top * z, 0.5 * top * x))
        return (top * x, top * z), turn

    walk = stepped(Walker(name, ground), 0.5 * len(commands), command)
    assert walk.slide < 1e-6
    assert np.abs(walk.above_ground[walk.contacts]).max() < 1e-3
    assert walk.above_ground[..., : walk.legs].min() > -1e-9
    assert walk.extension.max() < 0.9999
    assert np.isfinite(walk.joints).all()


def test_a_long_frame_is_taken_in_parts():
    slow, fast = Walker("spider"), Walker("spider")
    slow.step(0.125, (0.0, 0.4))
    for _ in range(8):
        fast.step(0.125 / 8, (0.0, 0.4))
    assert np.array_equal(slow.pose.rotations, fast.pose.rotations)


def test_what_is_too_fast_is_cut_down():
    walker = Walker("spider")
    for _ in range(240):
        walker.step(1 / 60, (0.0, 100.0))
    assert walker.places[0, 2] == pytest.approx(4.0 * walker.fastest, rel=0.1)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda w: w.step(0.0, (0, 0)), "seconds"),
        (lambda w: w.step("a", (0, 0)), "seconds: got 'a'"),
        (lambda w: w.step(1e9), "seconds: got 1000000000.0; .*at most 3600"),
        (lambda w: w.step(1 / 60, "ahead"), "velocity: got 'ahead'"),
        (lambda w: w.step(1 / 60, (0, 0), turn_degrees="left"), "turn_degrees: got 'left'"),
        (lambda w: w.push(None), "velocity: got None"),
        (lambda w: w.arcs(0), "samples: got 0"),
        (lambda w: w.clip([], 60.0), "states: got none"),
        (lambda w: w.clip([w.pose], 60.0), "states: got a Pose"),
        (lambda w: w.clip([w.state], "a"), "fps: got 'a'"),
        (lambda w: w.step(1 / 60, (0, 0, 0, 0)), "velocity"),
        (lambda w: w.step(1 / 60, (np.nan, 0)), "velocity: got .*finite"),
        (lambda w: w.step(1 / 60, (0, 0), turn_degrees=(1, 2, 3)), "turn_degrees: got .*one for each creature"),
        (lambda w: w.push((1.0,)), "velocity"),
    ],
)
def test_what_cannot_be_meant_is_told(call, words):
    with pytest.raises(LimbikError, match=words):
        call(Walker("hexapod", count=2))


@pytest.mark.parametrize("turn", [None, 30.0])
def test_a_step_without_a_velocity_goes_on_as_before(turn):
    told, alone = Walker("hexapod"), Walker("hexapod")
    for k in range(40):
        told.step(1 / 60, (0.1, 0.3), turn_degrees=turn)
        alone.step(1 / 60, *([(0.1, 0.3)] if not k else []), **({"turn_degrees": turn} if not k else {}))
    assert np.array_equal(told.state.tips, alone.state.tips)
    assert np.array_equal(told.heading_degrees, alone.heading_degrees)


def _posed(walker):
    pose = walker.pose
    return [*pose.translations.ravel(), *pose.rotations.ravel()]


@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda walker: pickle.loads(pickle.dumps(walker))], ids=["copy", "pickle"]
)
@pytest.mark.parametrize("name", PRESETS)
def test_a_copy_walks_on_alike_and_apart(name, copied):
    """Bit by bit as the walker would have, whatever the other one does meanwhile."""
    walker = Walker(name, "hills:height=0.2,seed=3", seed=4)
    for _ in range(15):
        walker.step(1.0 / 60.0, (0.0, 0.5))
    other = copied(walker)
    assert _posed(other) == _posed(walker)
    before = _posed(walker)
    walks = []
    for each in (other, walker):
        walks.append([])
        for _ in range(15):
            each.step(1.0 / 60.0, (0.3, 0.4), turn_degrees=20.0)
            walks[-1].append(_posed(each))
        if each is other:
            assert _posed(walker) == before
    assert walks[0] == walks[1]
    assert walks[0][-1] != before


def test_a_walker_that_was_told_nothing_stands():
    walker = Walker("hexapod")
    walker.step(1.0)
    assert walker.at_rest.all() and np.abs(walker.velocities).max() == 0.0


def test_a_velocity_given_anew_ends_a_turn():
    walker = Walker("hexapod")
    walker.step(0.5, (0.0, 0.2), turn_degrees=60.0)
    walker.step(4.0, (0.0, 0.2))
    assert walker.heading_degrees[0] == pytest.approx(0.0, abs=10.0)


@pytest.mark.parametrize(("name", "share"), [("hexapod", 1.0), ("centipede", 1.0), ("biped", 0.6)])
def test_creatures_that_sprawl_go_backwards_as_fast_as_ahead(name, share):
    walker = Walker(name)
    walker.step(2.5, (0.0, -walker.fastest), turn_degrees=0.0)
    start = walker.places[0, 2]
    walker.step(1.5)
    assert (start - walker.places[0, 2]) / 1.5 == pytest.approx(share * walker.fastest, rel=0.03)


def _stepped(walker, frames=60):
    for _ in range(frames):
        walker.step(1.0 / 60.0, (0.1, 0.3), turn_degrees=15.0)
    return walker


def test_numbers_of_a_walker_make_another_go_on_as_it_would():
    walker, other = (Walker("hexapod", "hills", count=3, seed=seed) for seed in (1, 2))
    _stepped(walker)
    other.numbers = walker.numbers
    assert np.array_equal(_stepped(other).numbers, _stepped(walker).numbers)
    kept = walker.numbers
    kept[:] = 0.0
    assert walker.numbers.any()


def test_some_of_a_crowd_are_set_anew_and_the_others_walk_on():
    walker, fresh = (Walker("spider", "hills:height=0.2", count=4, seed=5) for _ in range(2))
    before = _stepped(walker).numbers
    which = np.array([True, False, False, True])
    walker.reset(which)
    assert np.array_equal(walker.numbers[which], fresh.numbers[which])
    assert np.array_equal(walker.numbers[~which], before[~which])
    walker.reset(which, at=(1.0, 2.0), heading_degrees=30.0)
    assert np.allclose(walker.places[which][:, ::2], (1.0, 2.0), atol=1e-3)
    assert np.allclose(walker.heading_degrees[which], 30.0) and walker.at_rest[which].all()


def test_a_state_may_be_pickled_and_a_copy_runs_the_same_kernels():
    walker = _stepped(Walker("biped", "hills"))
    again = pickle.loads(pickle.dumps(walker.state))
    assert np.array_equal(again.rotations, walker.state.rotations)
    assert copy.deepcopy(walker)._machines is walker._machines


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda w: w.reset([1, 0]), "which: got"),
        (lambda w: w.reset([True]), "which: got"),
        (lambda w: w.reset(at=(1.0,)), "at"),
        (lambda w: w.reset(heading_degrees="north"), "heading_degrees"),
        (lambda w: setattr(w, "numbers", np.zeros((2, 3))), "numbers"),
    ],
)
def test_what_cannot_be_set_is_told(call, words):
    with pytest.raises(LimbikError, match=words):
        call(Walker("hexapod", count=2))


def test_poses_of_a_crowd_are_those_of_the_flat_skeleton():
    walker = Walker("hexapod", "hills", count=5, seed=2)
    walker.step(0.5, (0.1, 0.3))
    poses, joints = walker.poses, len(walker.poses.skeleton)
    assert poses.rotations.shape == (5, joints, 4)
    assert np.array_equal(poses.positions().reshape(-1, 3), walker.pose.positions())


def test_tensors_steer_as_arrays_do():
    torch = optional("torch")
    velocity = np.random.default_rng(0).uniform(-0.3, 0.3, (3, 2))
    one, other = (Walker("hexapod", count=3, seed=1) for _ in range(2))
    one.step(0.2, velocity, turn_degrees=[10.0, 0.0, -10.0])
    other.step(0.2, torch.tensor(velocity, requires_grad=True), turn_degrees=torch.tensor([10.0, 0.0, -10.0]))
    assert np.array_equal(one.numbers, other.numbers)
    for walker, lib in ((one, np), (other, torch)):
        walker.reset(lib.asarray([True, False, True]), at=lib.asarray([1.0, 2.0]))
    assert np.array_equal(one.numbers, other.numbers)
