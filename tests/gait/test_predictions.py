"""Where feet are going, as a walker tells it, is where they go; and gaits can be changed on the way."""

import numpy as np
import pytest

from limbik.errors import LimbikError
from limbik.gait.walker import Walker

from .walks import FPS, PRESETS, ahead, stepped

GROUND = "hills:height=0.1,size=2,seed=5"


def _walking(name, terrain=GROUND):
    """A walker that has walked for two seconds, and then until one of its feet is in the air."""
    walker, frames = Walker(name, terrain), 0
    while frames < 2 * FPS or walker.state.planted.all():
        walker.step(1.0 / FPS, ahead(walker, walker.creature.cruise))
        frames += 1
    return walker


@pytest.mark.parametrize("name", PRESETS)
def test_feet_land_on_the_footholds_that_were_told_late_in_their_swings(name):
    """Whatever was told a few frames before a foot landed is where its tip stands when it is flat."""
    walker = _walking(name)
    before, landed = [], 0
    for _ in range(90):
        before.append((walker.footholds[0], walker.state.planted[:, 0]))
        walker.step(1.0 / FPS, ahead(walker, walker.creature.cruise))
        for leg in np.flatnonzero(walker.state.planted[:, 0] & ~before[-1][1]):
            told, _ = before[-min(3, len(before))]
            np.testing.assert_allclose(walker.footholds[0, leg], told[leg], atol=1e-12)
            assert walker.terrain.height(told[leg, ::2]) == pytest.approx(told[leg, 1], abs=1e-9)
            landed += 1
    assert landed > 1


@pytest.mark.parametrize("name", PRESETS)
def test_footholds_of_feet_that_are_not_up_on_their_heels_are_where_they_stand(name):
    walker = _walking(name)
    down = walker.state.planted[:, 0] & (walker.state.roll[:, 0] <= 0.0)
    assert down.any()
    np.testing.assert_allclose(walker.footholds[0, down], walker.state.tips[:, down, 0].T, atol=1e-12)


@pytest.mark.parametrize("name", PRESETS)
def test_arcs_begin_at_the_tips_and_end_on_the_footholds(name):
    walker = _walking(name)
    arcs, planted = walker.arcs(9)[0], walker.state.planted[:, 0]
    assert arcs.shape == (len(walker.creature.legs), 9, 3)
    np.testing.assert_array_equal(arcs[:, 0], walker.state.tips[..., 0].T)
    np.testing.assert_array_equal(arcs[planted], np.repeat(arcs[planted][:, :1], 9, axis=1))
    heels = np.array([leg.heel for leg in walker.creature.legs])  # a foot that lands on its heel has its tip higher
    off = np.linalg.norm(arcs[~planted, -1] - walker.footholds[0, ~planted], axis=-1)
    assert np.all(off <= heels[~planted] + 1e-9)
    assert np.all(arcs[..., 1] - walker.terrain.height(arcs[..., ::2]) > -1e-9)


@pytest.mark.parametrize("name", PRESETS)
def test_feet_go_along_the_arcs_that_were_told_once_their_footholds_are_settled(name):
    walker = _walking(name, "plane")
    arcs, aloft, hold = walker.arcs(200)[0], ~walker.state.planted[:, 0], walker.footholds[0]
    checked = 0
    for _ in range(60):
        walker.step(1.0 / FPS, ahead(walker, walker.creature.cruise))
        aloft &= ~walker.state.planted[:, 0] & np.all(walker.footholds[0] == hold, axis=-1)
        for leg in np.flatnonzero(aloft):
            away = np.linalg.norm(arcs[leg] - walker.state.tips[:, leg, 0], axis=-1)
            assert away.min() < 0.01 * np.ptp(arcs[leg], axis=0).max() + 1e-6
            checked += 1
    assert checked


@pytest.mark.parametrize("name", PRESETS)
def test_telling_what_is_to_come_changes_nothing(name):
    def places(asks):
        walker = Walker(name, GROUND)
        for _ in range(80):
            walker.step(1.0 / FPS, (0.0, walker.creature.cruise))
            if asks:
                walker.arcs(5)[:] = np.nan
                assert walker.velocities.shape == (1, 2)
        return walker.state.tips

    np.testing.assert_array_equal(places(asks=True), places(asks=False))


@pytest.mark.parametrize("name", PRESETS)
def test_a_walker_tells_how_fast_it_goes(name):
    walker = _walking(name, "plane")
    before = walker.places[0, ::2]
    velocity = walker.velocities[0]
    walker.step(1e-4, ahead(walker, walker.creature.cruise))
    np.testing.assert_allclose((walker.places[0, ::2] - before) / 1e-4, velocity, atol=0.01 * walker.fastest)
    walker.push((0.3, -0.2))
    np.testing.assert_allclose(walker.velocities[0], velocity + (0.3, -0.2), atol=0.01 * walker.fastest)


@pytest.mark.parametrize("name", PRESETS)
def test_a_gait_can_be_changed_on_the_way_and_nothing_slides_or_jumps(name):
    walker = Walker(name)
    kinds = [gait.name for gait in walker.creature.gaits]
    slowest, fastest = walker.creature.gaits[0].speed, walker.fastest

    def command(time, walker):
        if time in (2.0, 4.0):
            walker.keep_to(kinds[-1] if time == 2.0 else None)
        if time == 3.5:
            assert walker.gaits == [kinds[-1]]
        return ahead(walker, 0.5 * slowest), 0.0

    walk = stepped(walker, 7.0, command)
    assert walk.slide < 1e-6 and walk.turning.max() < 75.0
    assert walker.gaits == kinds[:1] and walker.fastest == fastest
    walker.keep_to(kinds[0])
    assert walker.fastest == slowest
    with pytest.raises(LimbikError, match="hop"):
        walker.keep_to("hop")
