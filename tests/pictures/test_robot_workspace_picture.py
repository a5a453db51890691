"""The workspace of a robot's limb: it shows where the tip can be, and nothing else."""

import numpy as np
import pytest

from limbik import Robot, plots
from limbik.errors import LimbikError
from limbik.studio.robot_tab import SAMPLE
from tests.cli.command import run
from tests.robots.small_robots import URDF, write

pytest.importorskip("matplotlib")
from limbik.pictures.robot_workspace_plot import MAP_CELLS, VIEW_AXES, reach_map, sample_tip


@pytest.fixture(scope="module")
def arm():
    return Robot.load(SAMPLE).limb("tool0")


def test_places_are_within_reach_and_conditioned_from_zero_to_one(arm):
    places, quality = sample_tip(arm, 5000)
    shoulder = arm.chain.points[1]
    reach = 0.425 + 0.3922 + np.hypot(0.1333 + 0.0996, 0.0997) + 0.2
    assert np.linalg.norm(places - shoulder, axis=1).max() < reach
    assert 0.0 <= quality.min() < 0.05 and 0.4 < quality.max() <= 1.0


@pytest.mark.parametrize("axes", VIEW_AXES.values())
def test_every_place_is_in_its_cell_with_the_best_quality(arm, axes):
    places, quality = sample_tip(arm, 2000)
    best, (left, right, bottom, top) = reach_map(places, quality, axes)
    assert best.shape == (MAP_CELLS, MAP_CELLS) and np.isnan(best).any()
    columns = ((places[:, axes[0]] - left) / (right - left) * MAP_CELLS).astype(int)
    rows = ((places[:, axes[1]] - bottom) / (top - bottom) * MAP_CELLS).astype(int)
    assert np.all(best[rows, columns] >= quality)
    assert np.isfinite(best).sum() == len(set(zip(rows.tolist(), columns.tolist(), strict=True)))


def test_the_command_draws_it(capsys, tmp_path):
    answer = run(capsys, f"plot workspace robot {SAMPLE} --out {tmp_path}/arm.png")
    assert answer.status == 0, answer.err
    assert (tmp_path / "arm.png").read_bytes().startswith(b"\x89PNG")
    answer = run(capsys, f"plot workspace robot {SAMPLE} --limb arn --out {tmp_path}/other.png")
    assert answer.status == 2 and "did you mean 'arm'" in answer.err


def test_limbs_that_cannot_be_drawn(tmp_path):
    with pytest.raises(LimbikError, match="limb: got one with a slide"):
        plots.robot_workspace(Robot.load(write(tmp_path, URDF)).limb("hand"), tmp_path / "x.png")
    with pytest.raises(LimbikError, match="limb: got 3"):
        plots.robot_workspace(3, tmp_path / "x.png")
