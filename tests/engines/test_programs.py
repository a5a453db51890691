"""A program is one object, however often limbs and solutions are copied, pickled, or sent to other processes."""

import copy
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

import limbik
from limbik.engines import numpy_engine, scalar_engine, trace
from limbik.engines.programs import PROGRAMS, program_named
from tests.optional import optional

LIMBS = {
    "planar": limbik.PlanarTwoLink(0.5, 0.4),
    "two_link": limbik.TwoLink(0.45, 0.42),
    "three_link": limbik.ThreeLink(0.45, 0.42, 0.12),
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=list(PROGRAMS))
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copy_is_the_program_itself(program, copied):
    assert copied(program) is program


@pytest.mark.parametrize("name", PROGRAMS)
def test_pickled_solutions_keep_their_program(name):
    target = [0.3] * (2 if name == "planar" else 3)
    s = LIMBS[name].solve(target, [0, 1, 0]) if name == "three_link" else LIMBS[name].solve(target)
    for other in (pickle.loads(pickle.dumps(s)), copy.deepcopy(s)):
        assert other._program is s._program
        assert np.array_equal(other.joints, s.joints)


def test_ten_thousand_round_trips_compile_nothing():
    """Every cache of compiled functions stays as it was after the first call."""
    leg = LIMBS["three_link"]
    targets, ups = np.full((3, 3), 0.3), np.ones((3, 3))
    tracked = leg.track(targets, ups)
    limb, path = pickle.dumps(leg), pickle.dumps(tracked)
    caches = (
        trace.answer_trace,
        scalar_engine.binder,
        scalar_engine.compiled,
        numpy_engine.compiled,
    )

    def trip(solves):
        other, previous = pickle.loads(limb), pickle.loads(path)
        if solves:
            assert np.array_equal(other.solve([0.3, 0.2, 0.1], [0, 1, 0]).joints, first)
            assert np.array_equal(other.track(targets, ups, previous=previous).joints, after)

    first = leg.solve([0.3, 0.2, 0.1], [0, 1, 0]).joints
    after = leg.track(targets, ups, previous=tracked).joints
    trip(solves=True)
    sizes = [one.cache_info().currsize for one in caches]
    for k in range(10_000):
        trip(solves=k % 100 == 0)
    assert [one.cache_info().currsize for one in caches] == sizes


def go_on(arguments):
    """Continues a track in another process."""
    leg, previous, targets, ups = arguments
    return leg.track(targets, ups, previous=previous).joints


def a_track_in_two_parts():
    leg = LIMBS["three_link"]
    rng = np.random.default_rng(0)
    targets, ups = np.cumsum(rng.normal(size=(20, 3)), 0) * 0.05 + 0.3, rng.normal(size=(20, 3))
    return leg.track(targets, ups).joints[10:], (leg, leg.track(targets[:10], ups[:10]), targets[10:], ups[10:])


def test_a_track_goes_on_in_a_process_pool():
    whole, rest = a_track_in_two_parts()
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert np.array_equal(pool.submit(go_on, rest).result(), whole)


@pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning")  # JAX warns of it; Ray executes another program at once
def test_a_track_goes_on_in_ray():
    ray = optional("ray")
    whole, rest = a_track_in_two_parts()
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        assert np.array_equal(ray.get(ray.remote(go_on).remote(rest)), whole)
    finally:
        ray.shutdown()


def test_an_unknown_program_is_refused():
    assert program_named("three-link") is PROGRAMS["three_link"]
    assert program_named("n-link-8") is program_named("n_link_8") is limbik.NLink([1] * 8)._program
    with pytest.raises(limbik.LimbikError, match="n_link_2 to n_link_64"):
        program_named("n_link_65")
    with pytest.raises(limbik.LimbikError, match="did you mean 'three_link'"):
        program_named("tree_link")
