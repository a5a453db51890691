"""Limbs come and go by the thousand; what is kept for them stays bounded."""

import functools
import gc
import linecache
import sys
import weakref

import numpy as np
import pytest

import limbik
from limbik import samples
from limbik.engines import loading

ANSWERS = ("joints", "angles", "status", "residual")


def make_and_use(k):
    """A limb of each kind with limits of its own, and what is computed from each; `k` differs from call to call."""
    low, first = 0.1 + 1e-5 * k, 0.4 + 1e-5 * k
    target, up = np.array([0.3, 0.4, 0.1]), np.array([0.1, 1.0, 0.2])
    planar = limbik.PlanarTwoLink(first, 0.42, middle_limits=(low, 2.5))
    arm = limbik.TwoLink(first, 0.42, middle_limits=(low, 2.5))
    leg = limbik.ThreeLink(first, 0.42, 0.12, middle_limits=(low, 2.5), last_limits=(-low, 1.0))
    tail = limbik.NLink([first, 0.3, 0.2], limits=(low, 1.0))
    spine = limbik.NLink([first, 0.3, 0.2, 0.1], shares=[1.0, 2.0 + low, 1.0])
    solutions = [
        planar.solve(target[:2]),
        arm.solve(target, twist=low),
        arm.solve(target, soften=1.0 - low, stretch=1.0 + low),
        arm.track(target[None], up, turn_rate=5.0 + low),
        leg.solve(target, up),
        leg.track(target[None], up, turn_rate=5.0 + low),
        tail.solve(target, soften=1.0 - low),
        spine.solve(target, direction=up),
    ]
    for solution in solutions:
        for answer in ANSWERS:
            getattr(solution, answer)


def pose_and_reach(k):
    """A pose whose arm and spine reach, with limits and soft reach that differ from call to call."""
    options = {"middle_limits": (1e-5 * k, 2.5), "soften": 0.9 + 1e-6 * k}
    WALK[0].reach("left_arm", (0.3, 1.2, 0.4), **options)
    WALK[0].reach(SPINE, (0.1, 1.4, 0.2), **options)


WALK = samples.walk(30)
SPINE = ("LowerBack", "Spine", "Spine1", "Neck", "Neck1")


def kept():
    """How much is kept: sources for tracebacks, kernels, and the entries of all of limbik's caches."""
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("limbik")]
    caches = {
        id(one): one
        for module in modules
        for one in vars(module).values()
        if isinstance(one, functools._lru_cache_wrapper)
    }
    sizes = {f"{one.__module__}.{one.__name__}": one.cache_info().currsize for one in caches.values()}
    sources = sum(place.startswith("<limbik") for place in linecache.cache)
    return {"sources": sources, "kernels": len(loading.kernels), **sizes}


@pytest.mark.parametrize("use", [make_and_use, pose_and_reach])
def test_nothing_is_kept_for_each_limb(use):
    for k in range(3):
        use(k)
    before = kept()
    for k in range(3, 100):
        use(k)
    after = kept()
    after["kernels"] = before["kernels"]  # they may come meanwhile
    assert after == before


def test_thousands_of_limbs_with_limits_take_no_memory():
    def sources():
        return sum(place.startswith("<limbik") for place in linecache.cache)

    limbik.TwoLink(0.4, 0.3, middle_limits=(0.1, 2.0))
    before = sources()
    limbs = [weakref.ref(limbik.TwoLink(0.4, 0.3, middle_limits=(0.1 + 1e-4 * k, 2.0))) for k in range(3000)]
    gc.collect()
    assert sources() == before
    assert not any(limb() for limb in limbs)
