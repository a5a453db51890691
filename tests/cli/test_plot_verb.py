"""`limbik plot` draws what `limbik solve` would answer."""

import pytest

from .command import ARM, LEG, run

pytest.importorskip("matplotlib")

STARTS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.mark.parametrize("ending", STARTS)
def test_a_picture_of_each_kind(capsys, tmp_path, ending):
    told = run(capsys, f"plot planar {ARM} --target 0.5 0.2 --out {tmp_path}/limb.{ending}")
    assert told.status == 0 and not told.err
    assert told.out == f"{tmp_path}/limb.{ending}: reached\n"
    assert (tmp_path / f"limb.{ending}").read_bytes().startswith(STARTS[ending])


@pytest.mark.parametrize(
    "line",
    [
        f"three-link {LEG} --target 0.2 -0.6 0.3 --up 0 -1 0",
        f"two-link {ARM} --target 3 0 0 --twist 20 --degrees",
    ],
)
def test_limbs_in_space(capsys, tmp_path, monkeypatch, line):
    monkeypatch.chdir(tmp_path)
    assert run(capsys, f"plot {line}").status == 0
    assert (tmp_path / "limb.png").read_bytes().startswith(STARTS["png"])


def test_what_is_drawn_is_what_is_asked(capsys, tmp_path, monkeypatch):
    import limbik
    from limbik.pictures import limb as pictures

    drawn = []
    monkeypatch.setattr(pictures, "draw", lambda *given, **named: drawn.append((given, named)))
    line = f"plot three-link {LEG} --target 0.2 -0.6 0.3 --up 0 -1 0 --bend -1 --out {tmp_path}/a.png"
    run(capsys, line)
    own = limbik.ThreeLink(0.45, 0.42, 0.12).solve([0.2, -0.6, 0.3], [0, -1, 0], bend=-1)
    ((limb, solution, branches, path), named) = drawn[0]
    assert isinstance(limb, limbik.ThreeLink)
    assert (solution.joints == own.joints).all()
    assert branches.shape == (8,)
    assert str(path) == f"{tmp_path}/a.png"
    assert named["title"] == "three-link limb, lengths 0.45, 0.42, 0.12"


@pytest.mark.parametrize("out", ["a.gif", "none/a.png"])
def test_a_picture_that_cannot_be_written(capsys, tmp_path, out):
    told = run(capsys, f"plot planar {ARM} --target 0.5 0.2 --out {tmp_path}/{out}")
    assert told.status == 2
    assert told.err.count("\n") == 1
    assert not list(tmp_path.iterdir())
