"""Mistakes of newcomers in calls: each is told what would be right. Those on the command line: test_arguments.py."""

import pytest

import limbik
from limbik import samples
from limbik.errors import LimbikError

CALLS = {
    "a robot without load": (lambda: limbik.Robot("arm.urdf"), LimbikError, 'Robot.load("robot.urdf") reads a file'),
    "an end for a limb": (
        lambda: samples.walk(2).reach("right_hand", [0.2, 1.0, 0.3]),
        LimbikError,
        "a dict: reach({'right_hand': targets})",
    ),
    "an end without targets": (lambda: samples.walk(2).reach("right_hand"), LimbikError, '{"left_hand": targets}'),
    "a length too few": (lambda: limbik.TwoLink(0.3), TypeError, "TwoLink.__init__() missing"),
    "a length too few in the plane": (lambda: limbik.PlanarTwoLink(0.3), TypeError, "PlanarTwoLink.__init__() missing"),
    "a limb for its kind": (lambda: limbik.export(limbik.TwoLink(0.3, 0.4), "c"), LimbikError, "two-link, three-link"),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_says_what_would_be_right(name):
    call, kind, wanted = CALLS[name]
    with pytest.raises(kind) as raised:
        call()
    assert wanted in str(raised.value)


def test_an_unknown_link_is_told_with_those_that_there_are(tmp_path):
    samples.write(tmp_path)
    with pytest.raises(LimbikError, match=r"the name of a link: 'base', 'column', .* limbs\(\) finds arms and legs"):
        limbik.Robot.load(tmp_path / "arm.urdf").limb("arm")
