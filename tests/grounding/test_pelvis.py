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
