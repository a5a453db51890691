"""`limbik robot`: shows a robot's links, joints and limbs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from limbik.cli.options import Flag

app = App(name="robot")


@app.default
def robot(
    file: Annotated[Path, Parameter(help="A robot: URDF or MJCF.")],
    *,
    as_json: Annotated[Flag, Parameter(name="--json", help="Print one JSON object.")] = False,
) -> None:
    """Show a robot: its limbs, how each is solved and how exactly, and the tree of its links and joints.

    A limb's exactness is measured: it is solved for 1000 random poses that angles within its limits give.
    """
    from limbik.cli.robot_contents import robot_contents
    from limbik.cli.robot_view import show_robot
    from limbik.robots.robot import Robot

    found = robot_contents(file, Robot.load(file))
    if as_json:
        print(json.dumps(found))
    else:
        show_robot(found)
