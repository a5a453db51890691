"""What a type checker infers: NumPy arrays for numbers and lists, otherwise the type that came in.

Checked by basedpyright (see test_types.py), never run.
"""

from typing import Any, assert_type

import jax
import numpy as np
import torch

import limbik

leg = limbik.ThreeLink(0.45, 0.42, 0.12)
arm = limbik.TwoLink(0.45, 0.42)
planar = limbik.PlanarTwoLink(0.5, 0.4)
Array = np.ndarray[Any, Any]


def numpy(rows: Array) -> None:
    assert_type(leg.solve([0.2, -0.6, 0.3], [0, -1, 0]).joints, Array)
    assert_type(leg.solve([[0.2, -0.6, 0.3]], up=(0, -1, 0), bend=-1, style="easy").angles, Array)
    assert_type(leg.solve(np.zeros((5, 3)), [0, -1, 0]).rotations, Array)
    assert_type(arm.solve(rows, twist=0.5).target, Array)
    assert_type(planar.branches([0.6, 0.3]).joints, Array)
    assert_type(leg.track(rows, rows).joints, Array)


def tensors(targets: torch.Tensor, ups: torch.Tensor, rows: Array) -> None:
    assert_type(leg.solve(targets, ups).joints, torch.Tensor)
    assert_type(leg.solve(targets, [0, -1, 0]).angles, torch.Tensor)
    assert_type(leg.solve([0.2, -0.6, 0.3], ups).joints, torch.Tensor)
    assert_type(leg.solve(targets, rows).joints, torch.Tensor)
    assert_type(arm.track(targets, ups).rotations, torch.Tensor)
    assert_type(leg.forward(targets), torch.Tensor)


def jax_arrays(targets: jax.Array) -> None:
    assert_type(leg.solve(targets, targets).joints, jax.Array)
    assert_type(leg.branches(targets, [0, -1, 0]).joints, jax.Array)


def anything_else(solution: limbik.Solution) -> None:
    assert_type(solution.joints, Array)
    leg.solve("abc", [0, -1, 0])  # pyright: ignore[reportArgumentType]
    leg.solve(None, [0, -1, 0])  # pyright: ignore[reportArgumentType]
    leg.solve([0.2, -0.6, 0.3], [0, -1, 0], style="natral")  # pyright: ignore[reportArgumentType]
