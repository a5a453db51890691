"""The procedure `solve` of an exported robot limb: the stages of `limbik.robots.array_solving`, for one pose.

1. The angles to be near: where they are an answer, they are returned; else a descent begins there, first a short one.
2. The branches of the closed form, at several swivels where the family leaves one to choose; descents from the best.
3. Descents from angles that are spread within the limits, where nothing has led to an answer.
4. The nearest pose, where none of that reaches the target.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from limbik.errors import ArgumentError
from limbik.exporting import robot_items as items
from limbik.exporting.functions import Function
from limbik.exporting.language import Constant
from limbik.exporting.procedures import Argument, Assign, Call, Let, Procedure, Remark, Repeat, Return, Statement, When
from limbik.exporting.robot_functions import FORWARD, RobotFunctions
from limbik.formulas.robots.answers import BEYOND_LIMIT, NOT_REACHED
from limbik.formulas.robots.exported import SWIVELS_AROUND
from limbik.robots.array_solving import (
    CLOSE_RADIANS,
    DESCENT_STEPS,
    MAX_EXACT_MISS,
    MAX_SHORT_MISS,
    NEAREST_STEPS,
    PROMISING_STEPS,
    SHORT_STEPS,
)
from limbik.robots.descent import EXACT_STEPS, FREE_EXACT_STEPS, MAX_MISS, MAX_MISS_FLOAT32, PULLED_STEPS
from limbik.robots.families import NO_LIMIT
from limbik.robots.guesses import SECANT_STEPS

if TYPE_CHECKING:
    from limbik.robots.robot_limb import RobotLimb

MOST_JOINTS = 24  # straight code grows with each joint
SPREAD_STARTS = 96  # angles from which descents start where all else failed
SPREAD_STEPS = 2 * DESCENT_STEPS  # of those that have come near
NEARNESS_OF_PROMISE = 0.1  # of the limb's length: descents that have come so near go on
# What misses by less is an answer, by the number type: near itself, a short descent, any descent; metres, radians.
TOLERANCES = {
    "float64": (MAX_EXACT_MISS, MAX_SHORT_MISS, MAX_MISS),
    "float32": (MAX_MISS_FLOAT32, MAX_MISS_FLOAT32, MAX_MISS_FLOAT32),
}

Functions = list[Function | Procedure]


def robot_unit(limb: RobotLimb, dtype: str, *, procedures: bool) -> tuple[Functions, list[Constant]]:
    """The functions of a limb's source, and its constants.

    Args:
        limb: of a robot.
        dtype: "float64" or "float32".
        procedures: whether the language has what `solve` needs; else only forward and branch are made.

    Raises:
        ArgumentError: for a limb of more joints than code can have, or one that is not solved by branches alone where
            there is nothing else.
    """
    family, made = limb.closed_form, RobotFunctions.of(limb)
    if len(limb.chain) > MOST_JOINTS:
        raise ArgumentError("limb", f"{len(limb.chain)} joints", f"a limb of {MOST_JOINTS} joints or fewer")
    exact = bool(family.branches) and not family.newton_steps
    if not procedures:
        if not exact:
            wanted = "a language of programs, such as c, cpp or js: this limb is solved by descents, which shaders lack"
            raise ArgumentError("to", limb.family, wanted)
        return [made.forward(), made.branch()], made.geometry.constants
    return _Solving(made, dtype).functions(), made.geometry.constants


class _Solving:
    """Makes `solve` of the functions of a limb."""

    def __init__(self, made: RobotFunctions, dtype: str) -> None:
        self.made, self.family, self.items = made, made.limb.closed_form, made.items
        self.exact, self.short, self.close_enough = TOLERANCES[dtype]
        self.oriented = made.limb.uses_rotation
        self.tip_of, self.begin, self.judge, self.finish = (
            made.tip_of(),
            made.begin(),
            made.judge(),
            made.finish(),
        )
        self.descend = made.descend(oriented=self.oriented)
        self.settle = made.descend(oriented=False) if self.oriented and not made.limb.oriented else None
        self.bring_near, self.spread = made.bring_near(), made.spread()
        self.target: tuple[Argument, ...] = ("position", "rotation")[: 1 + self.oriented]
        self.goal: tuple[Argument, ...] = ("goal.position", "goal.rotation")[: 1 + self.oriented]
        self.approach = self._approach()
        self.closed: list[Function | Procedure] = []  # of the closed form
        if self.family.branches:
            self.branch, self.place = made.branch(), made.place()
            self.closed = [self.branch, self.place]

    def functions(self) -> Functions:
        """All functions of the limb, those first that others call."""
        statements = (*self._from_near(), *(self._complete() if self.family.is_complete else self._incomplete()))
        budget = "the number of steps is bounded."
        solve = Procedure(
            "solve",
            f"The answer nearest to near, within the limits, or the pose that comes nearest to the target; {budget}",
            (*self.items.target, self.items.near),
            self.items.solution,
            statements,
        )
        descents = [self.begin, self.descend, *([self.settle] if self.settle else []), self.judge, self.approach]
        spread = [] if self.family.is_complete else [self.spread]
        return [*self._forward(), *self.closed, *descents, *spread, self.bring_near, self.finish, solve]

    def _forward(self) -> Functions:
        """Forward kinematics by `tip_of`."""
        pose_of = self.made.pose_of()
        posed = Return(Call(pose_of, (Call(self.tip_of, ("angles",)),)))
        return [self.tip_of, pose_of, Procedure("forward", FORWARD, (self.items.angles,), items.POSE, (posed,))]

    # --- descents

    def _approach(self) -> Procedure:
        """Steps of a descent, and what comes of it."""
        pulled = self.made.is_pulled

        def step(pull: Argument) -> Statement:
            drawn: tuple[Argument, ...] = ("near", pull) if pulled else ()
            return Assign("descent", Call(self.descend, (*self.target, *drawn, "beyond", "descent")))

        again = Assign("descent", Call(self.begin, ("descent.angles", "beyond")))
        statements: list[Statement] = [
            Let("descent", Call(self.begin, ("angles", "beyond"))),
            Repeat("step", "steps", (step("pull"),)),
        ]
        if pulled:
            statements += [Remark("Onto the target."), again, Repeat("step", EXACT_STEPS, (step(0.0),))]
        if self.settle:
            onto = Assign("descent", Call(self.settle, ("position", "beyond", "descent")))
            statements += [Remark("Onto the position."), again, Repeat("step", FREE_EXACT_STEPS, (onto,))]
        judged = self._judged("descent.angles", "tolerance", self.target)
        inputs = (*self.items.target, self.items.near, self.items.angles, items.STEPS)
        inputs = (*inputs, *([items.PULL] if pulled else []), items.BEYOND, items.TOLERANCE)
        summary = "The answer to which a descent leads from angles, after so many steps."
        return Procedure("approach", summary, inputs, self.items.answer, (*statements, Return(judged)), True)

    def _judged(self, angles: str, tolerance: Argument, target: tuple[Argument, ...]) -> Call:
        """A call that judges angles."""
        return Call(self.judge, (*target, Call(self.tip_of, (angles,)), "near", angles, tolerance))

    def _approached(
        self, angles: str, steps: int, *, pull: float = 0.0, beyond: float = 0.0, tolerance: float | None = None
    ) -> Call:
        """A call of `approach` within `solve`."""
        drawn = (pull,) if self.made.is_pulled else ()
        allowed = self.close_enough if tolerance is None else tolerance
        return Call(self.approach, (*self.goal, "near", angles, steps, *drawn, beyond, allowed))

    # --- the stages of solve

    def _finished(self, answer: str, free: str) -> Return:
        return Return(Call(self.finish, (*self.target, Call(self.tip_of, (f"{answer}.angles",)), answer, free)))

    def _from_near(self) -> list[Statement]:
        judged = self._judged("near", self.exact, self.goal)
        return [
            Let("goal", Call(self.bring_near, self.target)),
            Remark("The angles to be near are an answer themselves."),
            Let("best", judged),
            When((("best.cost", "<", BEYOND_LIMIT),), (self._finished("best", "best"),)),
        ]

    def _complete(self) -> list[Statement]:
        """Where the branches are all answers that there are."""
        count = self.family.branches
        placed = Call(self.place, ("near", "found"))
        rejudged: list[Statement] = []
        if self.family.layout.free_parameter == "virtual joint":
            rejudged = [
                Remark("The position counts: the rotation is as near as it can be."),
                Assign("best", self._judged("best.angles", self.close_enough, self.goal)),
            ]
        return [
            Remark("The best branch of the closed form."),
            Repeat(
                "number",
                count,
                (
                    Let("found", Call(self.branch, (*self.goal, "number"))),
                    Let("candidate", placed),
                    _take("candidate", "best"),
                ),
            ),
            *rejudged,
            When((("best.cost", "<", BEYOND_LIMIT),), (self._finished("best", "best"),)),
            Remark("The nearest pose within the limits, by descents from near and from every branch."),
            Let("nearest", self._approached("near", DESCENT_STEPS)),
            Repeat(
                "number",
                count,
                (
                    Let("found", Call(self.branch, (*self.goal, "number"))),
                    Let("start", placed),
                    Let("candidate", self._approached("start.angles", DESCENT_STEPS)),
                    _take("candidate", "nearest"),
                ),
            ),
            Assign("nearest", self._approached("nearest.angles", NEAREST_STEPS)),
            self._finished("nearest", "best"),
        ]

    def _incomplete(self) -> list[Statement]:
        """Where descents find what the closed form lacks."""
        close = (("short_way.cost", "<", BEYOND_LIMIT), ("short_way.distance", "<=", CLOSE_RADIANS))
        short = self._approached("near", SHORT_STEPS, pull=1.0, tolerance=self.short)
        return [
            Remark("An answer close to near, by a short descent."),
            Let("short_way", short),
            When(close, (self._finished("short_way", "short_way"),)),
            Remark("By a longer one."),
            Let("descended", self._approached("near", DESCENT_STEPS, pull=1.0)),
            _take("descended", "best"),
            When(
                (("best.cost", "<", BEYOND_LIMIT), ("best.distance", "<=", CLOSE_RADIANS)),
                (self._finished("best", "best"),),
            ),
            *self._from_branches(),
            When(
                (("best.cost", ">=", BEYOND_LIMIT),),
                (
                    Remark("Descents from angles that are spread within the limits; those that come near go on."),
                    Repeat(
                        "start",
                        SPREAD_STARTS,
                        (
                            Let("scattered", Call(self.spread, ("start",))),
                            Let("promising", self._approached("scattered", PROMISING_STEPS)),
                            _take("promising", "best"),
                            When(
                                (("promising.cost", "<", NOT_REACHED * (1.0 + NEARNESS_OF_PROMISE)),),
                                (
                                    Let("candidate", self._approached("promising.angles", SPREAD_STEPS, pull=1.0)),
                                    _take("candidate", "best"),
                                ),
                            ),
                        ),
                    ),
                ),
            ),
            When(
                (("best.cost", ">=", BEYOND_LIMIT),),
                (
                    Remark("The nearest pose within the limits, and whether only they prevent an answer."),
                    Let("free", self._approached("best.angles", NEAREST_STEPS, beyond=NO_LIMIT)),
                    Let("nearest", self._approached("best.angles", NEAREST_STEPS)),
                    self._finished("nearest", "free"),
                ),
            ),
            self._finished("best", "best"),
        ]

    def _from_branches(self) -> list[Statement]:
        """Answers from the closed form."""
        if not self.family.branches:
            return []
        parameter = self.family.layout.free_parameter
        if self.family.layout.has_swivel:
            return self._at_swivels()
        guessed = self._guess() if parameter == "guess" else None

        def candidate(number: Argument) -> Call:
            if guessed:
                return Call(guessed, (*self.goal, "near", number))
            return Call(self.place, ("near", "found"))

        def found(number: Argument) -> tuple[Statement, ...]:
            return () if guessed else (Let("found", Call(self.branch, (*self.goal, number))),)

        return [
            Remark("The best branch of the closed form, and Newton steps from it onto the limb's own geometry."),
            Let("first_branch", Call(self.branch, (*self.goal, 0))) if not guessed else Remark("Each by a guess."),
            Let("closed", Call(self.place, ("near", "first_branch")) if not guessed else candidate(0)),
            Repeat(
                "number",
                self.family.branches,
                (*found("number"), Let("candidate", candidate("number")), _take("candidate", "closed")),
                first=1,
            ),
            Assign("closed", self._approached("closed.angles", PULLED_STEPS)),
            _take("closed", "best"),
        ]

    def _guess(self) -> Procedure:
        """One branch of a limb whose outermost joint must turn out as guessed."""
        first, following, judge = self.made.first_trial(), self.made.next_trial(), self.made.judge_guess()

        def tried(guess: Argument) -> Call:
            return Call(self.branch, (*self.target, guess, "number"))

        procedure = Procedure(
            "guess_branch",
            "One branch, by secant steps towards a guess that turns out.",
            (*self.items.target, self.items.near, self.items.number),
            self.items.answer,
            (
                Let("found", tried(0.0)),
                Let("trial", Call(first, ("found",))),
                Repeat(
                    "step",
                    SECANT_STEPS,
                    (Assign("found", tried("trial.next")), Assign("trial", Call(following, ("found", "trial")))),
                ),
                Let("answer", Call(self.place, ("near", "found"))),
                Return(Call(judge, ("answer", "trial"))),
            ),
            is_part=True,
        )
        self.closed += [first, following, judge, procedure]
        return procedure

    def _at_swivels(self) -> list[Statement]:
        """The three best branches at several swivels, and descents from them."""
        swivel_of, around = self.made.swivel_of(), self.made.swivel_around()
        self.closed += [swivel_of, around]
        far = self._judged("near", self.exact, self.goal)
        newton = self.family.newton_steps
        best: list[Statement] = [] if newton else [_take("first", "best")]
        for name in ("first", "second", "third"):
            best += [
                Assign(name, self._approached(f"{name}.angles", PULLED_STEPS, pull=1.0)),
                _take(name, "best"),
            ]
        tested: tuple[Statement, ...] = (
            Let("spare", Call(around, ("middle", "turn"))),
            Let("found", Call(self.branch, (*self.goal, "spare.swivel", "number"))),
            Let("candidate", Call(self.place, ("near", "found"))),
            _take("candidate", "third"),
            When((("third.cost", "<", "second.cost"),), (Assign("third", "second"), Assign("second", "candidate"))),
            When((("second.cost", "<", "first.cost"),), (Assign("second", "first"), Assign("first", "candidate"))),
        )
        return [
            Remark("The three best branches at swivels around that of near, and descents from them."),
            Let("middle", Call(swivel_of, ("near",))),
            *(Let(name, far) for name in ("first", "second", "third")),
            Repeat("number", self.family.branches, (Repeat("turn", len(SWIVELS_AROUND), tested),)),
            *best,
        ]


def _take(candidate: str, best: str) -> When:
    """The candidate in place of the best, if it costs less."""
    return When(((f"{candidate}.cost", "<", f"{best}.cost"),), (Assign(best, candidate),))
