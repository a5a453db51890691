"""The example of a vector environment keeps the contract of Gymnasium's, with arrays and with tensors."""

import runpy

import numpy as np
import pytest

from tests.examples.scripts import ROOT
from tests.optional import optional

COUNT = 6


@pytest.fixture(scope="module")
def environment_class():
    return runpy.run_path(str(ROOT / "examples" / "learning_environment.py"))["ReachGoals"]


def _actions(seed, steps):
    return np.random.default_rng(seed).uniform(-1.0, 1.0, (steps, COUNT, 3))


def _played(environment, actions):
    first, _ = environment.reset()
    return [first, *(environment.step(one) for one in actions)]


def test_steps_return_what_gymnasium_does(environment_class):
    environment = environment_class(num_envs=COUNT, max_steps=4)
    seen, info = environment.reset()
    assert seen.shape == (COUNT, 13) and isinstance(info, dict) and np.isfinite(seen).all()
    for number in range(1, 6):
        seen, reward, terminated, truncated, info = environment.step(np.zeros((COUNT, 3)))
        assert seen.shape == (COUNT, 13) and reward.shape == terminated.shape == truncated.shape == (COUNT,)
        assert terminated.dtype == truncated.dtype == bool
        assert truncated.all() == (number == 4)  # and the next episodes begin at once
    fresh = environment.steps == 1
    assert fresh.all() and info["final_obs"].shape == (COUNT, 13)


def test_the_same_seed_and_actions_give_the_same_episodes(environment_class):
    one, other = (_played(environment_class(num_envs=COUNT, seed=3), _actions(1, 5)) for _ in range(2))
    assert np.array_equal(one[0], other[0])
    for (seen, reward, *_), (again, same, *_) in zip(one[1:], other[1:], strict=True):
        assert np.array_equal(seen, again) and np.array_equal(reward, same)


def test_who_walks_to_its_goal_is_rewarded_by_the_way_and_arrives(environment_class):
    environment = environment_class(terrain="plane", num_envs=COUNT, seed=2)
    seen, _ = environment.reset()
    gaps, total, arrived = np.linalg.norm(seen[:, :2], axis=1), np.zeros(COUNT), np.zeros(COUNT, bool)
    assert np.allclose(seen[:, 4:], seen[:, 4:5])  # a plane
    for _ in range(150):
        left, ahead = seen[:, :2].T
        actions = np.stack([0.0 * left, 0.3 * (ahead > 0.3), np.arctan2(left, ahead)], axis=1)
        seen, reward, terminated, *_ = environment.step(actions)
        total, arrived = total + np.where(arrived, 0.0, reward), arrived | terminated
    assert arrived.all()
    assert np.all(total > gaps - 0.51) and np.all(total < gaps)


def test_tensors_give_tensors_with_the_same_numbers(environment_class):
    torch = optional("torch")
    actions = _actions(2, 3)
    arrays = _played(environment_class(num_envs=COUNT), actions)[1:]
    tensors = _played(environment_class(num_envs=COUNT), torch.tensor(actions, requires_grad=True))[1:]
    for array, tensor in zip(arrays, tensors, strict=True):
        for one, other in zip(array[:4], tensor[:4], strict=True):
            assert isinstance(other, torch.Tensor) and other.device == torch.device("cpu")
            assert np.array_equal(one, other.numpy())
