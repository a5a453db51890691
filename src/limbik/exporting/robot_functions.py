"""The recorded functions of an exported robot limb: its geometry and limits are part of the code."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING, Any

from limbik.exporting import robot_items as items
from limbik.exporting.functions import Function, record_function
from limbik.exporting.items import index, number, record
from limbik.exporting.robot_geometry import RobotGeometry
from limbik.exporting.robot_items import RobotItems, robot_items
from limbik.formulas.operations import Quaternion, Real, Vector, Zero, cos, maximum, minimum, sin, sqrt, where
from limbik.formulas.robots import exported
from limbik.formulas.robots.answers import BEYOND_LIMIT, NOT_REACHED, place_within_limits, robot_branch
from limbik.formulas.robots.descent import Geometry, descent_step
from limbik.formulas.robots.motions import screws_of
from limbik.formulas.robots.screw_chain import ChainPose, chain_errors, chain_pose
from limbik.formulas.robots.subproblems import subtract
from limbik.formulas.vectors import dot
from limbik.robots.descent import METRES_PER_FREE_RADIAN, METRES_PER_RADIAN

if TYPE_CHECKING:
    from limbik.robots.robot_limb import RobotLimb

Numbers = tuple[Real, ...]
FORWARD = "Where angles bring the tip."
NO_ROTATION = (0.0, 0.0, 0.0, 1.0)  # of limbs that heed none
MOST_JOINTS_BY_POSE = 6  # limbs of more joints are drawn towards near
AROUND = index("turn", f"of the swivel around that of near, 0 to {len(exported.SWIVELS_AROUND) - 1}")
MIDDLE = record("middle", "", "arm_swivel", (number("swivel", "radians"),))
TRIAL = record(
    "trial",
    "guesses of the outermost joint's angle, radians",
    "trial",
    (number("guess", "the last one"), number("error", "of it"), number("next", "the guess to try")),
)


@dataclass(frozen=True)
class RobotFunctions:
    """The functions of one limb. Each method gives one, or its formula; items that do not matter are left out."""

    limb: RobotLimb
    geometry: RobotGeometry
    items: RobotItems

    @classmethod
    def of(cls, limb: RobotLimb) -> RobotFunctions:
        """Those of a limb."""
        return cls(limb, RobotGeometry(limb), robot_items(limb))

    @property
    def is_pulled(self) -> bool:
        """Whether descents draw the joints towards near: where a pose of the tip leaves them a choice."""
        return len(self.limb.chain) > MOST_JOINTS_BY_POSE

    # --- where angles lead

    def forward(self) -> Function:
        """Forward kinematics, alone."""
        return record_function("forward", FORWARD, (self.items.angles,), items.POSE, self._tip)

    def tip_of(self) -> Function:
        """Forward kinematics as numbers."""
        summary = "Where angles bring the tip, as plain numbers."
        return record_function("tip_of", summary, (self.items.angles,), items.TIP, self._tip, is_part=True)

    def _tip(self, angles: Numbers) -> tuple[Vector, Quaternion]:
        given = self.geometry
        chain = chain_pose(self.limb.chain.letters, given.axes, given.points, given.tip, angles)
        return chain.position, chain.rotation

    def pose_of(self) -> Function:
        """The numbers of a tip as vectors."""

        def formula(tip: Numbers) -> Numbers:
            return tip

        summary = "The numbers of a tip as a pose."
        return record_function("pose_of", summary, (items.TIP,), items.POSE, formula, is_part=True)

    # --- the closed form

    def branch(self) -> Function:
        """The angles of one branch of the closed form."""
        layout = self.limb.closed_form.layout
        count = layout.program.extra_groups["signs"]

        def formula(
            position: Vector, number: Numbers, rotation: Quaternion = NO_ROTATION, swivel: Numbers = ()
        ) -> tuple[Real, ...]:
            given: dict[str, Any] = {**self.geometry.family, **layout.flags._asdict()}
            given |= {"position": position, "rotation": rotation}
            if swivel:
                given["swivel"] = cos(swivel[0]), sin(swivel[0])
            pose = layout.program.pose(*(given[name] for name in (*layout.program.groups, *layout.flags._fields)))
            *angles, lack = robot_branch(pose, exported.branch_signs(number[0], count))
            joints = len(self.limb.chain)
            return *angles[:joints], lack, *angles[joints:]

        guessed = layout.free_parameter == "guess"
        summary = f"The angles of one of {2**count} branches, -pi to pi, whatever the limits."
        inputs = (*self.items.target, *self.items.swivel, self.items.number)
        return record_function("branch", summary, inputs, self.items.branch, formula, is_part=guessed)

    def place(self) -> Function:
        """A branch within limits."""
        joints = len(self.limb.chain)

        def formula(near: Numbers, found: Numbers) -> Numbers:
            lower, upper, virtual = self.geometry.lower, self.geometry.upper, found[joints + 1 :]
            zeros = [0.0] * len(virtual)  # a joint at the tip that is not there: it must not turn
            placed = place_within_limits(
                (*found[:joints], *virtual), found[joints], (*near, *zeros), [*lower, *zeros], [*upper, *zeros]
            )
            angles, cost = placed[:joints], placed[-1]
            return *angles, cost, exported.largest_distance(angles, near)

        summary = "A branch moved by whole turns into the limits, and then as near as possible to near."
        return record_function(
            "place", summary, (self.items.near, self.items.branch), self.items.answer, formula, is_part=True
        )

    def swivel_of(self) -> Function:
        """The swivel of angles."""
        last = self.limb.closed_form.layout.free_parameter == "last joint"

        def formula(angles: Numbers) -> tuple[Real]:
            if last:
                return (angles[-1],)
            screws = screws_of(self.geometry.family["axes"], self.geometry.family["points"])
            return (exported.arm_swivel(screws, [(cos(one), sin(one)) for one in angles[:4]]),)

        return record_function("swivel_of", "The swivel of an arm.", (self.items.angles,), MIDDLE, formula)

    def swivel_around(self) -> Function:
        """Swivels around another."""

        def formula(middle: tuple[Real], turn: tuple[Real]) -> tuple[Real]:
            return (exported.swivel_around(middle[0], turn[0]),)

        return record_function(
            "swivel_around", "Swivels around that of near.", (MIDDLE, AROUND), MIDDLE, formula, is_part=True
        )

    def first_trial(self) -> Function:
        """A guess from the branch that the guess 0 leads to."""

        def formula(found: Numbers) -> tuple[Real, Real, Real]:
            error = exported.guess_error(found[self._guessed], 0.0)
            return 0.0 * error, error, error

        summary = "The next guess, after the guess 0 led to a branch."
        return record_function("first_trial", summary, (self.items.branch,), TRIAL, formula, is_part=True)

    def next_trial(self) -> Function:
        """A guess by the secant method."""

        def formula(found: Numbers, trial: tuple[Real, Real, Real]) -> tuple[Real, Real, Real]:
            guess, error, tried = trial
            miss = exported.guess_error(found[self._guessed], tried)
            return tried, miss, exported.secant_step(guess, error, tried, miss)

        summary = "The next guess, after the one that was to be tried led to a branch."
        return record_function("next_trial", summary, (self.items.branch, TRIAL), TRIAL, formula, is_part=True)

    def judge_guess(self) -> Function:
        """An answer by a guess that must have turned out."""

        def formula(answer: Numbers, trial: tuple[Real, Real, Real]) -> Numbers:
            *angles, cost, distance = answer
            return *angles, exported.cost_of_guess(cost, trial[1]), distance

        summary = "A branch by a guess: out of reach where the guess did not turn out."
        return record_function(
            "judge_guess", summary, (self.items.answer, TRIAL), self.items.answer, formula, is_part=True
        )

    @property
    def _guessed(self) -> int:
        """The joint that is guessed."""
        return 0 if self.limb.closed_form.layout.reverse else len(self.limb.chain) - 1

    # --- descents

    def begin(self) -> Function:
        """The state in which a descent begins."""

        def formula(angles: Numbers, beyond: tuple[Real]) -> Numbers:
            lower, upper = self._limits(beyond)
            clipped = [minimum(maximum(one, low), high) for one, low, high in zip(angles, lower, upper, strict=True)]
            return *clipped, *([0.0] * len(clipped))

        summary = "The state in which a descent from angles begins."
        inputs = (self.items.angles, items.BEYOND)
        return record_function("begin", summary, inputs, self.items.descent, formula)

    def _limits(self, beyond: tuple[Real]) -> tuple[list[Real], list[Real]]:
        lower, upper = self.geometry.lower, self.geometry.upper
        return [low - beyond[0] for low in lower], [high + beyond[0] for high in upper]

    def descend(self, *, oriented: bool) -> Function:
        """One step of a descent, towards the target's rotation too or only towards its position."""
        limb, given = self.limb, self.geometry
        geometry = Geometry(limb.chain.letters, given.axes, given.points, given.tip)
        pulled = self.is_pulled and oriented

        def formula(
            position: Vector,
            beyond: tuple[Real],
            descent: Numbers,
            rotation: Quaternion = NO_ROTATION,
            near: Numbers = (),
            pull: tuple[Real] = (0.0,),
        ) -> Numbers:
            measure = (1.0 / limb.length, self._metres_per_radian, pull[0] if pulled else Zero())
            goal = near if pulled else descent[: len(limb.chain)]
            return descent_step(geometry, position, rotation, goal, *self._limits(beyond), measure, descent, oriented)

        what = "a pose" if oriented else "a position, whatever the rotation"
        name = "descend" if oriented or not limb.uses_rotation else "descend_to_position"
        summary = f"One step of a descent towards {what}, within the limits. Few steps lead to an answer nearby."
        target = self.items.target if oriented else self.items.target[:1]
        pull = (self.items.near, items.PULL) if pulled else ()
        inputs = (*target, *pull, items.BEYOND, self.items.descent)
        return record_function(name, summary, inputs, self.items.descent, formula)

    @property
    def _metres_per_radian(self) -> float:
        """What a radian counts, in lengths of the limb."""
        return METRES_PER_RADIAN if self.limb.oriented else METRES_PER_FREE_RADIAN

    def judge(self) -> Function:
        """What angles cost as an answer."""
        limb = self.limb

        def formula(
            position: Vector,
            tip: Numbers,
            near: Numbers,
            angles: Numbers,
            tolerance: tuple[Real],
            rotation: Quaternion | None = None,
        ) -> Numbers:
            missed = exported.judge_angles(
                _tip_pose(tip),
                position,
                rotation,
                limb.oriented,
                self._metres_per_radian * limb.length,
                limb.length,
                tolerance[0],
            )
            limits = self.geometry.lower, self.geometry.upper
            cost, distance = exported.cost_of_place(angles, near, *limits)
            return *angles, missed + cost, distance

        summary = "Angles as an answer: what they cost, and how far they are from near."
        inputs = (*self.items.target, items.TIP, self.items.near, self.items.angles, items.TOLERANCE)
        return record_function("judge", summary, inputs, self.items.answer, formula, is_part=True)

    def spread(self) -> Function:
        """Angles from which descents start."""
        low, high = (one.tolist() for one in self.limb.range_of_starts)

        def formula(start: tuple[Real]) -> Numbers:
            widths = [b - a for a, b in zip(low, high, strict=True)]
            return tuple(exported.spread_start(start[0], low, widths))

        summary = "Angles that fill the limits evenly as start counts up: descents start there."
        start = index("start", "0, 1, 2 and so on")
        return record_function("spread", summary, (start,), self.items.angles, formula, is_part=True)

    # --- the answer

    def bring_near(self) -> Function:
        """A target whose powers do not overflow."""

        def formula(position: Vector, rotation: Quaternion = NO_ROTATION) -> tuple[Vector, Quaternion]:
            return exported.bring_near(position), rotation

        summary = "A target of finite powers: one that is too far away in its direction."
        goal = record("goal", "", "goal", self.items.target)
        return record_function(
            "bring_near", summary, self.items.target, goal, self._without_rotation(formula), is_part=True
        )

    def _without_rotation(self, formula: Any) -> Any:
        """The formula, without the rotation among its results where that does not matter."""
        if self.limb.uses_rotation:
            return formula
        return lambda **values: formula(**values)[0]

    def finish(self) -> Function:
        """The solution."""
        joints = len(self.limb.chain)
        first = self.geometry.points[:3]
        middle, reach = self.limb.chain.ball

        def formula(
            position: Vector, tip: Numbers, answer: Numbers, free: Numbers, rotation: Quaternion | None = None
        ) -> tuple[Any, ...]:
            cost, angles = answer[joints], answer[:joints]
            chain = _tip_pose(tip)
            x, y, z = first
            arm, wanted = subtract(chain.position, (x, y, z)), subtract(position, (x, y, z))
            mx, my, mz = middle.tolist()
            away = subtract(position, (mx, my, mz))
            status = where(dot(wanted, wanted) < dot(arm, arm), 2.0, 1.0)
            held: Any = minimum(cost, free[joints]) < NOT_REACHED
            if isfinite(reach):  # what is farther away than the limb is long is too far, whatever the limits
                held = held & (dot(away, away) <= reach * reach)
            status = where(held, 3.0, status)
            status = where(cost < BEYOND_LIMIT, 0.0, where(cost >= BEYOND_LIMIT, status, 4.0))
            flaw = 0.0 * cost
            gap = subtract(position, chain.position)
            found = (*(one + flaw for one in angles), status, sqrt(dot(gap, gap)) + flaw)
            if rotation is None:
                return found
            return *found, chain_errors(chain, position, rotation)[1] + flaw

        summary = "The solution, from the best answer and from one for which limits do not count."
        free = replace(self.items.answer, name="free", note="the best answer where limits do not count")
        inputs = (*self.items.target, items.TIP, self.items.answer, free)
        return record_function("finish", summary, inputs, self.items.solution, formula, is_part=True)


def _tip_pose(tip: Numbers) -> ChainPose:
    """The pose of a tip as the end of a chain."""
    px, py, pz, x, y, z, w = tip
    return ChainPose("", (px, py, pz), (x, y, z, w), [])
