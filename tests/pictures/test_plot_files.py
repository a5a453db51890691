"""The files of all plots: every format, the same bytes each time, written whole or not at all."""

import subprocess
import sys

import pytest

import limbik
from limbik import plots, samples
from limbik.errors import ArgumentError, FileError, MissingExtraError
from limbik.grounding.ground import ground
from limbik.pictures import canvas
from limbik.pictures.gait_plot import footfalls, gait_figure
from limbik.pictures.limb_plot import limb_figure
from limbik.pictures.report_plot import report_figure
from limbik.pictures.robot_workspace_plot import robot_workspace_figure
from limbik.pictures.workspace_plot import workspace_figure
from limbik.studio.robot_tab import SAMPLE
from tests.patience import PATIENCE

PLANAR, ARM = limbik.PlanarTwoLink(0.5, 0.4), limbik.TwoLink(0.3, 0.28, middle_limits=(0.2, 2.5))
LEG = limbik.ThreeLink(0.45, 0.38, 0.2, middle_limits=(0.1, 2.4), last_limits=(-0.5, 2.1))
TARGET, UP = (0.15, -0.7, 0.25), (0.2, -0.3, 1.0)
SIGNATURES = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


def grounded():
    result = ground(samples.walk(60), "slope:5")
    return report_figure(result.comparison, result.report, "a clip")


FIGURES = {
    "planar limb": lambda: limb_figure(PLANAR.solve([0.5, 0.4]), PLANAR.branches([0.5, 0.4])),
    "limb": lambda: limb_figure(LEG.solve(TARGET, UP), LEG.branches(TARGET, UP)),
    "planar workspace": lambda: workspace_figure(PLANAR, side=60),
    "workspace with a shell": lambda: workspace_figure(ARM, side=60),
    "workspace": lambda: workspace_figure(LEG, up=UP, side=60),
    "robot workspace": lambda: robot_workspace_figure(limbik.Robot.load(SAMPLE).limb("tool0"), 2000),
    "gait": lambda: gait_figure(footfalls(limbik.walk("hexapod", seconds=1)), "a walk"),
    "report": grounded,
}


@pytest.mark.parametrize("name", FIGURES)
def test_two_runs_write_the_same_bytes_in_every_format(name, tmp_path):
    for suffix, signature in SIGNATURES.items():
        paths = [tmp_path / f"{one}{suffix}" for one in "ab"]
        for path in paths:
            canvas.save(FIGURES[name](), path)
        one, other = (path.read_bytes() for path in paths)
        assert one == other and one.startswith(signature)
    assert len(list(tmp_path.iterdir())) == 6


@pytest.mark.parametrize(
    ("plot", "subject"),
    [
        (plots.limb, PLANAR.solve([0.5, 0.4])),
        (plots.workspace, PLANAR),
        (plots.robot_workspace, None),
        (plots.gait, None),
        (plots.report, None),
    ],
)
def test_a_path_that_cannot_be_written_is_refused_before_anything_else(plot, subject, tmp_path, monkeypatch):
    with pytest.raises(ArgumentError, match=r"path: got .*plot\.jpg.*\.png, \.svg, \.pdf"):
        plot(subject, tmp_path / "plot.jpg")
    if subject is not None:
        with pytest.raises(FileError, match="does not exist"):
            plot(subject, tmp_path / "nowhere" / "plot.png")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtraError, match=r"limbik plot needs matplotlib: pip install 'limbik\[plot\]'"):
        plot(subject, tmp_path / "plot.png")
    assert not list(tmp_path.iterdir())


def test_an_interrupted_write_leaves_the_old_picture(tmp_path, monkeypatch):
    out = tmp_path / "plot.png"
    out.write_bytes(b"before")
    figure = canvas.canvas(6.4, 4.8)

    def interrupted(file, **_):
        file.write(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(figure, "savefig", interrupted)
    with pytest.raises(KeyboardInterrupt):
        canvas.save(figure, out)
    assert out.read_bytes() == b"before" and len(list(tmp_path.iterdir())) == 1


def test_matplotlib_is_loaded_late_and_pyplot_never(tmp_path):
    program = f"""
import sys, limbik
assert limbik.plots
assert "matplotlib" not in sys.modules
leg = limbik.ThreeLink(0.45, 0.42, 0.2)
limbik.plots.limb(leg.solve({TARGET}, {UP}), {str(tmp_path / "limb.png")!r}, title="A leg")
assert "matplotlib.pyplot" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=PATIENCE)
