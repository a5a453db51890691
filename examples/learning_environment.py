"""A crowd of creatures as a vector environment for learning, with the interface of Gymnasium's, which is not needed.

Each creature is to reach a goal on hills. An action is a velocity to the left and ahead, and a turning rate, from -1 to
1 each. Actions are NumPy arrays or torch tensors on any device; observations and rewards are of the same kind.
"""

import numpy as np

import limbik

SPOTS = 0.6 * np.stack(np.meshgrid([-1, 0, 1], [0, 1, 2]), axis=-1).reshape(
    -1, 2
)  # where the ground is seen: left, ahead


class ReachGoals:
    """So many creatures; an episode ends at the goal, or after a number of steps of a tenth of a second."""

    def __init__(self, kind="quadruped", terrain="hills:height=0.3,seed=3", num_envs=64, max_steps=200, seed=0):
        self.walker = limbik.Walker(kind, terrain, count=num_envs, seed=seed)
        self.num_envs, self.max_steps, self.random = num_envs, max_steps, np.random.default_rng(seed)
        self.goals, self.steps = np.zeros((num_envs, 2)), np.zeros(num_envs, int)

    def reset(self, which=None):
        which = np.ones(self.num_envs, bool) if which is None else which
        self.walker.reset(which)
        away = self.random.uniform(-6.0, 6.0, (self.num_envs, 2))
        self.goals[which], self.steps[which] = (self.walker.places[:, ::2] + away)[which], 0
        self.gap = np.linalg.norm(self.goals - self.walker.places[:, ::2], axis=1)
        return self.observe(), {}

    def step(self, actions):
        rates = np.clip(actions.detach().cpu().numpy() if hasattr(actions, "detach") else actions, -1.0, 1.0)
        velocity = self.to_world(rates[:, :2] * self.walker.fastest)
        self.walker.step(0.1, velocity, turn_degrees=90.0 * rates[:, 2])
        before, self.gap = self.gap, np.linalg.norm(self.goals - self.walker.places[:, ::2], axis=1)
        self.steps += 1
        reward, terminated, truncated = before - self.gap, self.gap < 0.5, self.steps >= self.max_steps
        info, done = {"blocked": self.walker.blocked, "final_obs": self.observe()}, terminated | truncated
        seen = self.reset(done)[0] if done.any() else info["final_obs"]
        found = seen, reward, terminated, truncated
        if hasattr(actions, "new_tensor"):
            found = tuple(actions.new_tensor(one, dtype=None if one.dtype == bool else actions.dtype) for one in found)
        return *found, info

    def observe(self):
        """(num_envs, 13) goal and velocity, to the left and ahead, and how much higher the ground is at the spots."""
        x, y, z = self.walker.places.T
        goal, going = (self.to_world(one, -1.0) for one in (self.goals - np.array([x, z]).T, self.walker.velocities))
        spots = self.to_world(SPOTS[:, None]) + np.array([x, z]).T
        heights = self.walker.terrain.height(spots[..., 0], spots[..., 1]).T - y[:, None]
        return np.concatenate([goal, going, heights], axis=1)

    def to_world(self, vectors, sign=1.0):
        """Vectors to the left and ahead as x and z in the world; with a sign of -1 the other way."""
        yaw = sign * np.radians(self.walker.heading_degrees)
        left, ahead = np.moveaxis(vectors, -1, 0)
        return np.stack([left * np.cos(yaw) + ahead * np.sin(yaw), ahead * np.cos(yaw) - left * np.sin(yaw)], axis=-1)


if __name__ == "__main__":
    environment = ReachGoals()
    seen, _ = environment.reset()
    total, arrived = np.zeros(environment.num_envs), 0
    for _ in range(200):
        left, ahead = seen[:, :2].T
        actions = np.stack(
            [0.0 * left, (ahead > 0.3) * 0.3, np.arctan2(left, ahead)], axis=1
        )  # turns to the goal, and walks
        seen, reward, terminated, truncated, info = environment.step(actions)
        total, arrived = total + reward, arrived + terminated.sum()
    print(f"{environment.num_envs} creatures, observations {seen.shape}")
    print(f"{arrived} goals reached in 20 seconds each")
    print(f"mean reward of a step {total.mean() / 200:.3f} m")
