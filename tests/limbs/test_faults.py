"""Malformed input raises a LimbikError that names the argument, what it was and what would be right."""

import numpy as np
import pytest

import limbik

LEG = limbik.ThreeLink(0.45, 0.42, 0.12)
ARM = limbik.TwoLink(0.45, 0.42)


@pytest.mark.parametrize("length", [0, -1, np.nan, np.inf, "long", None, [1, -1], 1.7e308])
@pytest.mark.parametrize("make", [limbik.PlanarTwoLink, limbik.TwoLink])
def test_lengths(make, length):
    with pytest.raises(limbik.LimbikError, match=r"first|length"):
        make(length, 1)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: LEG.solve([1, 2], [0, 1, 0]), "target: got shape (2,); expected 3 numbers"),
        (lambda: LEG.solve([1, 2, 3], np.ones((4, 2))), "up: got shape (4, 2)"),
        (lambda: LEG.solve("near", [0, 1, 0]), "target"),
        (lambda: LEG.solve(None, [0, 1, 0]), "target"),
        (lambda: LEG.solve([1, 2, "x"], [0, 1, 0]), "target"),
        (lambda: LEG.solve([1, 2, 3j], [0, 1, 0]), "target"),
        (lambda: LEG.solve([[1, 2, 3], [1, 2]], [0, 1, 0]), "target"),
        (lambda: LEG.solve(5, [0, 1, 0]), "target: got shape ()"),
        (lambda: LEG.solve(np.ones((2, 3)), np.ones((3, 3))), "batch shapes: got target (2,), up (3,)"),
        (lambda: LEG.solve([1, 2, 3], [0, 1, 0], style="fancy"), "style: got 'fancy'; expected one of 'natural'"),
        (lambda: LEG.solve([1, 2, 3], [0, 1, 0], priority="tip"), "priority: got 'tip'; expected one of 'up'"),
        (lambda: LEG.solve([1, 2, 3], [0, 1, 0], bend=0), "bend: got 0; expected +1 or -1"),
        (lambda: LEG.solve([1, 2, 3], [0, 1, 0], bend=[1, 2]), "bend"),
        (lambda: LEG.solve([1, 2, 3], [0, 1, 0], hint=[1]), "hint"),
        (lambda: ARM.solve([1, 2, 3], soften=0), "soften"),
        (lambda: ARM.solve([1, 2, 3], soften=1.5), "soften"),
        (lambda: ARM.solve([1, 2, 3], soften=np.nan), "soften"),
        (lambda: ARM.solve([1, 2, 3], stretch=0.5), "stretch"),
        (lambda: ARM.solve([1, 2, 3], stretch=np.inf), "stretch"),
        (lambda: ARM.solve([1, 2, 3], twist="left"), "twist"),
        (lambda: limbik.PlanarTwoLink(1, 1).solve([1, 2, 3]), "expected 2 numbers"),
        (lambda: limbik.Chain([1, 1], ("x",)), "lengths"),
        (lambda: limbik.Chain([1, 1], ("x", "w")), "axes"),
        (lambda: limbik.Chain([1, 1], ("x", "x")).forward([1, 2, 3]), "angles: got shape (3,)"),
        (lambda: limbik.Chain([1, 1], ("x", "x")).place(np.ones((2, 3))), "xyzw"),
        (lambda: limbik.PlanarChain(1.0), "lengths"),
    ],
)
def test_messages(call, words):
    with pytest.raises(limbik.LimbikError) as caught:
        call()
    assert words in str(caught.value)


def test_an_infinite_twist_is_an_invalid_row():
    s = ARM.solve(np.ones((3, 3)) * 0.2, twist=np.array([0.0, np.inf, np.nan]))
    assert s.status.tolist() == [0, 4, 4]
    assert np.isnan(s.joints[1:]).all()
    assert ARM.solve([0.1, 0.2, 0.3], twist=np.nan).status is limbik.Status.INVALID


def test_errors_are_value_errors_too():
    with pytest.raises(ValueError, match="bend"):
        LEG.solve([1, 2, 3], [0, 1, 0], bend=3)
