"""The height of the pelvis: it looks ahead, rises smoothly, and keeps going up however high the ground is."""

import numpy as np

from limbik import samples
from limbik.grounding.ground import ground


def test_the_pelvis_begins_to_sink_before_a_foot_lands_on_lower_ground():
    clip = samples.walk(240)
    down = ground(clip, lambda x, z: np.where(z < 1.5, 0.0, -0.1), settings={"fit_stride": 0.0})
    sinks = (down.clip.positions() - ground(clip, "plane").clip.positions())[:, 0, 1]
    balls = down.clip.positions()[:, list(down.clip.feet)]
    lands = int(np.argmax(np.any((balls[..., 2] > 1.5) & np.asarray(down.clip.contacts), axis=1)))
    assert lands > 0 and sinks[lands - 1] < -0.01
    assert np.allclose(sinks[-30:], -0.1, atol=0.02)


def test_knees_bend_alike_however_high_the_ground_has_risen():
    """A slope that lifts the figure by more than its legs are long: what holds below holds above."""
    clip = samples.walk(180)
    low = ground(clip, lambda x, z: 0.15 * z).clip
    high = ground(clip, lambda x, z: 0.15 * z + 20.0).clip
    assert np.allclose(high.positions() - low.positions(), [0.0, 20.0, 0.0], atol=1e-6)


def test_hips_go_back_as_the_body_leans_uphill():
    clip = samples.walk(240)
    leaning, upright = (ground(clip, "slope:15", settings={"lean": lean}) for lean in (0.3, 0.0))
    hips = [clip.skeleton.names.index(name) for name in ("LeftUpLeg", "RightUpLeg")]
    moved = (leaning.clip.positions() - upright.clip.positions())[60:-60, hips].mean(axis=1)
    assert np.all(moved[:, 2] < -0.03) and np.all(moved[:, 2] > -0.1)
    # Their feet stand where they did, and legs are as straight as in the clip.
    feet = list(leaning.clip.feet)
    stands = np.asarray(leaning.clip.contacts)
    apart = (leaning.clip.positions() - upright.clip.positions())[:, feet]
    assert np.abs(apart[stands]).max() < 1e-6
    crouch = [max(row.crouch_deg for row in one.report.feet) for one in (leaning, upright)]
    assert crouch[0] < crouch[1] - 1.0


def test_a_body_that_jumps_for_a_frame_in_the_recording_stays_over_the_foot_that_stands():
    clip = samples.walk(480).resampled(120.0)
    whole = ground(clip, "slope:10").clip
    stands = np.flatnonzero(np.asarray(whole.contacts).sum(axis=1) == 1)
    frame = int(stands[len(stands) // 2])
    shift = np.zeros((len(clip), 3))
    shift[frame, 1] = 0.04
    faulty = clip.moved(translation=shift)
    result = ground(faulty, "slope:10")
    height = result.clip.positions()[:, 0, 1]
    assert abs(height[frame] - 0.5 * (height[frame - 1] + height[frame + 1])) < 0.01
