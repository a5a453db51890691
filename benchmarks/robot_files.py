"""Real robots from their files: each limb's family or why it has none, and forward kinematics beside MuJoCo's.

`python -m benchmarks.robot_files` reads the MJCF files of the test assets and the URDF files of example-robot-data, and
prints a table of all limbs and a summary. Needs mujoco and example-robot-data.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import numpy as np

from limbik import LimbikError, Robot
from tests.robots.mujoco_referee import compiled, distance, placed
from tests.robots.robot_files import EXAMPLES, MENAGERIE, menagerie
from tests.robots.test_robot_forward import values_of

POSES = 20


def worst_distance(path: Path, robot: Robot) -> float:
    """The largest distance of a link from where MuJoCo has it, metres or radians, over random poses."""
    model = compiled(path.read_bytes())
    rng = np.random.default_rng(0)
    worst = 0.0
    for _ in range(POSES):
        given, values = values_of(robot, rng)
        position, rotation = rng.normal(size=3), rng.normal(size=4)
        rotation /= np.linalg.norm(rotation)
        moved = {"position": position, "rotation": rotation} if robot.floating else {}
        positions, rotations = robot.forward(given, **moved)
        bodies, _ = placed(model, values, position, rotation)
        for number, link in enumerate(robot.links):
            if link in bodies:
                worst = max(worst, distance((positions[number], rotations[number]), bodies[link]))
    return worst


def main() -> None:
    paths = [*map(menagerie, MENAGERIE), *sorted(EXAMPLES.rglob("*.urdf"))]
    families: Counter[str] = Counter()
    worst, robots, limbs, solved = 0.0, 0, 0, 0
    for path in paths:
        try:
            robot = Robot.load(path)
        except LimbikError as error:
            print(f"{path.name}: refused: {str(error).split(': ', 1)[1]}")
            continue
        robots += 1
        worst = max(worst, worst_distance(path, robot))
        for name, limb in robot.limbs().items():
            limbs += 1
            try:
                family = limb.family
                solved += 1
                families[family] += 1
            except LimbikError as error:
                family = f"none: {error}"
            print(f"{path.name:32} {name:18} {len(limb.joints)}  {family}")
    print(f"\n{robots} robots, {limbs} limbs, {solved} of them in a family")
    for family, count in families.most_common():
        print(f"{count:4}  {family}")
    print(f"forward kinematics of all links, {POSES} poses each, beside MuJoCo's: at most {worst:.1e} m or rad")


if __name__ == "__main__":
    sys.exit(main())
