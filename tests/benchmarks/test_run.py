"""benchmarks/run.py: it runs, writes its tables, and compares what can be compared."""

import json

import numpy as np
import peers
import pytest
import run
import timing
from limb_calls import ARM, LEG, LIMBS, inputs, limb, numpy_joints

from tests.thoroughness import THOROUGH

SECTIONS = ["calls", "options", "legs", *(["first", "rates", "curve"] if THOROUGH else [])]


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::SyntaxWarning")  # other packages have their own
def test_a_run_of_lists_only(tmp_path, capsys):
    page, figures = tmp_path / "page.md", tmp_path / "figures.json"
    page.write_text(f"before\n{run.BEGIN}\nold\n{run.END}\nafter\n")
    largest = "100" if THOROUGH else "0"
    words = ["--only", *SECTIONS, "--largest", largest, "--seconds", "0.001"]
    run.main([*words, "--json", str(figures), "--document", str(page)])
    text = page.read_text()
    assert text.startswith("before\n") and text.endswith("after\n") and "old" not in text
    assert text.split(run.BEGIN)[1].split(run.END)[0].strip() in capsys.readouterr().out
    for words in ("| three-link joints ", "| two-link joints, twist for each row ", "| limbik, angles "):
        assert words in text.replace("leg, one pose | ", "")
    report = json.loads(figures.read_text())
    assert set(report) == {"machine", *SECTIONS}
    assert all(0 < row["best"] <= row["median"] for row in report["calls"] + report["options"])


def test_seconds_and_ratios_are_those_of_a_clock(monkeypatch):
    now = [0.0]

    def work(seconds):
        now[0] += seconds

    monkeypatch.setattr(timing, "perf_counter", lambda: now[0])
    monkeypatch.setattr(timing, "process_time", lambda: 0.5 * now[0])
    works = {
        f"arm joints, {name}": lambda s=seconds: work(s) for name, seconds in (("default", 0.002), ("twist", 0.003))
    }
    timed = timing.round_robin(works, timing.Effort(0.1, 5))
    assert timed["arm joints, twist"]["best"] == pytest.approx(0.003)
    assert timed["arm joints, twist"]["cpu"] == pytest.approx(0.0015)
    rows = [{"call": call, "rows": "lists", **seconds} for call, seconds in timed.items()]
    assert [row["lists"] for row in run.option_ratios(rows)] == ["1.00", "1.50"]


def test_what_has_become_slower_is_named():
    def report(seconds):
        return {
            "machine": "m",
            "calls": [{"call": call, "rows": "1 row", "best": s, "cpu": s} for call, s in seconds.items()],
        }

    before, now = report({"a": 1.0, "b": 1.0}), report({"a": 1.02, "b": 1.2})
    assert run.comparison(before, now).endswith("Slower by more than 5% by both: b, 1 row: 1.20 (1.20).")
    assert run.comparison(before, run.best_of([before, now])).endswith("Slower by more than 5% by both: none.")


@pytest.mark.parametrize("name", LIMBS)
def test_numpy_by_hand_and_targets_are_those_of_limbik(name):
    target, second = inputs(name, 1000)
    s = limb(name).solve(target, second)
    assert s.reached.all()
    np.testing.assert_allclose(numpy_joints(name, target, second), s.joints, atol=1e-12)
    assert sum(ARM) + LEG[2] > np.linalg.norm(target, axis=1).max() > 0.8 * sum(ARM)


def test_limbik_reaches_the_poses_of_the_peers():
    prepare, solve, tip = peers.limbik_leg("angles")
    for pose in peers.leg().poses:
        np.testing.assert_allclose(tip(solve(prepare(pose))), pose[:3, 3], atol=1e-12)
    assert peers._worst_miss(peers.limbik_arm()) < 1e-12
