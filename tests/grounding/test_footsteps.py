"""Footsteps that people edit: those that stay change nothing, and one that is moved, retimed or deleted is obeyed."""

import json

import numpy as np
import pytest

import limbik
from limbik import Footstep, Footsteps, samples
from limbik.errors import FileError, LimbikError
from limbik.grounding.ground import ground
from tests.assets import present
from tests.grounding.test_bars import walk

SPECS = ("plane", "slope:10", "stairs:rise=0.17,run=0.3", "hills:height=0.3")
TAKES = [f"bvh/cmu_{take}.bvh" for take in ("02_01", "05_06", "09_03")]  # a walk, a dance and a run
NAMES = ["sample", *present(*TAKES)]


@pytest.fixture(scope="module")
def clips():
    return {"sample": samples.walk(300)}


@pytest.fixture(scope="module")
def results():
    return {}


def grounded(clips, results, name, spec):
    """A clip, and it on the terrain."""
    if name not in clips:
        clips[name] = walk(clips, name)[:400]
    if (name, spec) not in results:
        results[name, spec] = ground(clips[name], spec)
    return clips[name], results[name, spec]


def column(result, step):
    return [foot.limb.name for foot in result.feet].index(step.foot)


def balls(result, step):
    """The positions of the ball of a foot (n, 3) in frames of a footstep in which it stands; without sole or toes."""
    k = column(result, step)
    frames = np.arange(step.start, step.stop)
    frames = frames[np.asarray(result.clip.contacts)[frames, k]]
    return result.clip.positions()[frames, result.feet[k].ball]


def assert_same_motion(a, b):
    assert np.array_equal(a.rotations, b.rotations) and np.array_equal(a.translations, b.translations)
    assert np.array_equal(a.contacts, b.contacts)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("name", NAMES)
def test_footsteps_given_back_change_nothing(clips, results, name, spec, tmp_path):
    clip, before = grounded(clips, results, name, spec)
    path = tmp_path / "steps.json"
    limbik.save_footsteps(before.footsteps, path)
    assert limbik.load_footsteps(path) == before.footsteps
    after = ground(clip, spec, footsteps=path)
    assert_same_motion(before.clip, after.clip)
    assert after.footsteps == before.footsteps and after.notes == before.notes


def test_footsteps_say_where_and_when_feet_stand(clips, results):
    _, result = grounded(clips, results, "sample", "plane")
    for step in result.footsteps:
        k, sole = column(result, step), result.feet[column(result, step)].sole
        stands = np.flatnonzero(result.standing[step.start : step.stop, k])
        assert len(stands) >= 0.9 * (step.stop - step.start)
        assert np.allclose(balls(result, step) - [0.0, sole, 0.0], step.position, atol=1e-9)
        assert step.normal == (0.0, 1.0, 0.0) and abs(step.heading_degrees) < 15.0
    assert np.all([a.start <= b.start for a, b in zip(result.footsteps, result.footsteps[1:], strict=False)])


@pytest.mark.parametrize("spec", ["plane", "stairs:rise=0.17,run=0.3"])
@pytest.mark.parametrize("name", NAMES[:2])
def test_a_footstep_that_is_moved_moves_that_stance_alone(clips, results, name, spec):
    clip, before = grounded(clips, results, name, spec)
    steps = list(before.footsteps)
    number = len(steps) // 2
    steps[number] = steps[number].moved(x=0.1)
    after = ground(clip, spec, footsteps=steps)
    for k, (old, new) in enumerate(zip(before.footsteps, after.footsteps, strict=True)):
        way = [0.1, 0.0, 0.0] if k == number else np.zeros(3)
        assert np.allclose(np.subtract(new.position, old.position), way, atol=1e-9)
        assert np.allclose(balls(after, new).mean(axis=0) - balls(before, old).mean(axis=0), way, atol=1e-6)
    assert not after.report.total.flips and after.report.total.after.slide_mm < 3.0


def test_a_footstep_that_is_raised_is_where_it_says(clips, results):
    clip, before = grounded(clips, results, "sample", "plane")
    steps = list(before.footsteps)
    x, _, z = steps[4].position
    steps[4] = steps[4].with_(position=(x, 0.15, z), heading_degrees=25.0)
    after = ground(clip, "plane", footsteps=steps)
    assert np.allclose(balls(after, steps[4]), balls(before, steps[4]) + [0.0, 0.15, 0.0], atol=1e-9)
    assert after.footsteps[4].heading_degrees == pytest.approx(25.0)
    assert after.notes == ("footsteps[4] (right_leg, frames 90 to 128) is 0.15 m above the ground.",)


@pytest.mark.parametrize("name", NAMES[:2])
def test_a_footstep_that_is_deleted_makes_a_longer_swing(clips, results, name):
    clip, before = grounded(clips, results, name, "plane")
    steps = list(before.footsteps)
    gone = steps.pop(len(steps) // 2)
    after = ground(clip, "plane", footsteps=steps)
    k = column(before, gone)
    assert not after.standing[gone.start : gone.stop, k].any()
    path = after.clip.positions()[gone.start : gone.stop, before.feet[k].ball]
    assert np.linalg.norm(np.diff(path, axis=0), axis=-1).min() * clip.fps > 0.2  # it does not stop on its way
    others = [step for step in before.footsteps if step != gone]
    assert all(np.allclose(balls(after, one).mean(0), balls(before, one).mean(0), atol=1e-6) for one in others)
    fast = [np.abs(np.diff(one.clip.positions()[:, before.feet[k].ball], axis=0)).max() for one in (before, after)]
    assert fast[1] < 1.5 * fast[0]


def test_a_footstep_that_is_retimed_stands_then(clips, results):
    clip, before = grounded(clips, results, "sample", "hills:height=0.3")
    steps = list(before.footsteps)
    old = steps[5]
    steps[5] = old.with_(start=old.start + 7, stop=old.stop + 4)
    after = ground(clip, "hills:height=0.3", footsteps=steps)
    stands = after.standing[:, column(after, old)]
    assert not stands[old.start - 3 : old.start + 7].any() and stands[old.start + 7 : old.stop].all()
    assert np.ptp(balls(after, steps[5]), axis=0).max() < 1e-9
    assert after.footsteps[5].position == old.position


def test_a_footstep_that_is_added_stands(clips, results):
    clip, before = grounded(clips, results, "sample", "plane")
    old = before.footsteps[5]
    steps = [step for step in before.footsteps if step != old]
    new = Footstep("left_leg", old.start + 5, old.start + 15, (0.2, None, old.position[2]), 10.0)
    after = ground(clip, "plane", footsteps=[*steps, new])
    stood = balls(after, new)
    assert len(stood) >= 5 and np.allclose(stood[:, [0, 2]], [0.2, old.position[2]], atol=1e-9)


def test_all_footsteps_of_a_cycle_elsewhere_move_the_walk(clips, results):
    clip, before = grounded(clips, results, "sample", "plane")
    after = ground(clip, "plane", footsteps=[step.moved(x=1.0) for step in before.footsteps])
    assert np.abs(after.clip.positions() - before.clip.positions() - [1.0, 0.0, 0.0]).max() < 1e-6


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda steps: [*steps[:4], steps[4].moved(x=4.0), *steps[5:]],
            "footsteps[4] (right_leg, frames 90 to 128) is",
        ),
        (lambda steps: [*steps[:5], steps[5].with_(stop=200), *steps[6:]], "leaves the first in frame"),
        (lambda steps: [*steps, steps[5].with_(start=500, stop=510)], "is not in the clip, which has 300 frames"),
        (lambda _: [], "No foot stands"),
    ],
)
def test_what_cannot_be_had_is_in_the_notes(clips, results, change, words):
    clip, before = grounded(clips, results, "sample", "plane")
    after = ground(clip, "plane", footsteps=change(list(before.footsteps)))
    assert any(words in note for note in after.notes)
    assert np.isfinite(after.clip.positions()).all() and after.clip.positions()[:, 0, 1].min() > 0.4


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ([{"foot": "left_leg"}], "footsteps[0]: got no heading_degrees"),
        (
            [{"foot": "left_leg", "start": 5, "stop": 5, "position": [0, 0, 0], "heading_degrees": 0}],
            "footsteps[0].stop",
        ),
        ([Footstep("tail", 0, 9, (0, 0, 0), 0)], "footsteps[0].foot: got 'tail'; expected one of 'left_leg'"),
        (7, "the path of their .json file"),
        ("missing.json", "does not exist"),
    ],
)
def test_malformed_footsteps_are_refused_by_row(clips, steps, words):
    with pytest.raises(LimbikError) as found:
        ground(clips["sample"], "plane", footsteps=steps)
    assert words in str(found.value)


@pytest.mark.parametrize("values", [{"position": (0, 0)}, {"position": "abc"}, {"normal": (1, 0, 0)}, {"start": 1.5}])
def test_a_malformed_footstep_is_refused(values):
    with pytest.raises(LimbikError, match=next(iter(values))):
        Footstep(**{"foot": "left_leg", "start": 0, "stop": 5, "position": (0, 0, 0), "heading_degrees": 0, **values})


def test_footsteps_are_kept_with_clips_and_their_files(clips, results, tmp_path):
    _, result = grounded(clips, results, "sample", "hills:height=0.3")
    path = tmp_path / "walk.glb"
    limbik.save(result.clip, path)
    assert limbik.load(path).footsteps == limbik.load_footsteps(path) == result.footsteps
    assert result.clip.moved((1.0, 0.0, 0.0)).footsteps is None  # they stay behind
    assert result.clip[10:].footsteps[0].start == -10
    slower = limbik.load(path, fps=30.0).footsteps
    assert slower.fps == 30.0 and slower[3].start == round(result.footsteps[3].start / 2)


def test_footsteps_count_frames_of_another_rate(clips, results):
    clip, before = grounded(clips, results, "sample", "plane")
    half = before.footsteps.at_rate(30.0)
    after = ground(clip.resampled(30.0), "plane", footsteps=before.footsteps)
    assert [step.start for step in after.footsteps] == [step.start for step in half]


def test_tables_show_every_footstep(clips, results):
    _, result = grounded(clips, results, "sample", "plane")
    lines = repr(result.footsteps).splitlines()
    assert len(lines) == len(result.footsteps) + 1 and "left_leg" in lines[1] + lines[2]
    content = json.loads(json.dumps(result.footsteps.as_dict()))
    assert Footsteps.from_dict(content) == result.footsteps


def test_files_without_footsteps_say_so(tmp_path):
    path = tmp_path / "walk.glb"
    limbik.save(samples.walk(20), path)
    with pytest.raises(FileError, match="holds no footsteps"):
        limbik.load_footsteps(path)
    broken = tmp_path / "steps.json"
    broken.write_text('{"fps": 60, "footsteps": [3]}')
    with pytest.raises(FileError, match=r"footsteps\[0\]: got 3"):
        limbik.load_footsteps(broken)
    broken.write_text("{")
    with pytest.raises(FileError, match="is not JSON"):
        limbik.load_footsteps(broken)
