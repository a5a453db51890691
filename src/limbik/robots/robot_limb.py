"""A limb of a robot: joints from a base to a tip, solved in closed form by the family that their axes belong to."""

from __future__ import annotations

from functools import cached_property
from math import prod
from time import perf_counter
from typing import Any

import numpy as np

from limbik.arguments import shown
from limbik.arrays import Array, common_library, library_of
from limbik.engines import plans, tensor_dispatch
from limbik.engines.robot_flags import NoFlags
from limbik.engines.robot_programs import chain_program
from limbik.errors import ArgumentError
from limbik.limbs.array_types import ArrayLike, ArrayType
from limbik.limbs.inputs import batch_shape, number_type, read_group, read_numbers, rows_of
from limbik.robots.array_solving import ITERATIVE_BRANCHES, SolveArguments, branches_of_arrays, solve_arrays
from limbik.robots.families import MAX_POSITION_JOINTS, Family, find_family
from limbik.robots.jacobians import singular_values
from limbik.robots.robot_solution import RobotSolution
from limbik.robots.robot_tracks import track_limb
from limbik.robots.screws import ScrewChain
from limbik.robots.single_pose import SinglePose
from limbik.robots.swivels import swivel_of, swivel_of_tensors
from limbik.robots.tensor_solving import branches_of_tensors, solve_tensors

LIMIT_SLACK = 1e-12  # radians or metres, of a limit, for rounding


class RobotLimb:
    """Joints from a base link to a tip. Limbs are equal if their joints are.

    Args:
        chain: the joints as screws.
    """

    def __init__(self, chain: ScrewChain) -> None:
        self.chain = chain

    def __eq__(self, other: object) -> bool:
        return self.chain == other.chain if isinstance(other, RobotLimb) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.chain)

    def __repr__(self) -> str:
        return f"RobotLimb({self.base!r} to {self.tip!r}: {', '.join(self.joints)})"

    @property
    def base(self) -> str:
        """The name of the link in whose frame poses are given, unless the limb has a `base_pose`."""
        return self.chain.base

    @property
    def tip(self) -> str:
        """The name of the link or site in which the limb ends, with its tool if it has one."""
        return self.chain.tip

    @property
    def joints(self) -> tuple[str, ...]:
        """The joints' names, base first."""
        return self.chain.names

    @property
    def lower(self) -> Array:
        """The lower limits of the joints, (n,), radians; −inf where there is none."""
        return self.chain.lower

    @property
    def upper(self) -> Array:
        """The upper limits of the joints, (n,), radians; inf where there is none."""
        return self.chain.upper

    @property
    def max_velocity(self) -> Array:
        """The joints' largest speeds, (n,), rad/s or m/s; inf where the file has none."""
        return self.chain.max_velocity

    @property
    def family(self) -> str:
        """The family that the axes belong to, such as "6R, spherical wrist and two parallel axes".

        "iterative" in it says that the joints have no closed form: `solve` then descends from several starts.
        """
        return self.closed_form.name

    @property
    def miss(self) -> tuple[float, float]:
        """By how much the axes miss the family's geometry, metres and radians: rounding only in an exact file."""
        return self.closed_form.miss

    @property
    def branch_count(self) -> int:
        """How many branches `branches` returns."""
        return self.closed_form.branches or ITERATIVE_BRANCHES

    @property
    def finds_every_branch(self) -> bool:
        """Whether `branches` returns all answers that there are: of limbs with a closed form, at the swivel given."""
        return bool(self.closed_form.branches) and self.closed_form.layout.free_parameter != "guess"

    def forward(self, angles: ArrayLike[ArrayType]) -> tuple[ArrayType, ArrayType]:
        """Forward kinematics.

        Args:
            angles: (..., n), radians, or metres for slides; base first.

        Returns:
            The tip's position (..., 3) and rotation (..., 4), a quaternion xyzw, in the base link's frame.

        Raises:
            ArgumentError: for angles that are not numbers of this shape.
        """
        tip = self._evaluate_chain("tip", read_group("angles", angles, len(self.chain)))
        return tip[..., :3], tip[..., 3:]

    def jacobian(self, angles: ArrayLike[ArrayType]) -> ArrayType:
        """How fast the tip moves with each joint: the geometric Jacobian.

        Args:
            angles: (..., n), radians, or metres for slides; base first.

        Returns:
            (..., 6, n): times the joints' velocities (n,), rad/s or m/s, it is the tip's velocity, m/s, in the first
            three rows, and its angular velocity, rad/s, in the last three; both along the axes of the base link's
            frame, or of the world of the limb's `base_pose`. Of the library of `angles`, with gradients.

        Raises:
            ArgumentError: for angles that are not numbers of this shape.
        """
        numbers = self._evaluate_chain("jacobian", read_group("angles", angles, len(self.chain)))
        return numbers.reshape(*numbers.shape[:-1], 6, len(self.chain))

    def manipulability(self, angles: ArrayLike[ArrayType]) -> ArrayType:
        """How well the tip can move in every direction: the product of the Jacobian's singular values (Yoshikawa).

        Of limbs with fewer than six joints only the tip's velocity counts, not its angular velocity.

        Args:
            angles: (..., n), radians, or metres for slides; base first.

        Returns:
            (...,), with lengths in units of the limb's; 0 where the limb is singular. Of the library of `angles`.

        Raises:
            ArgumentError: for angles that are not numbers of this shape.
        """
        values: Any = singular_values(self.chain, self.jacobian(angles))
        return values.prod(-1)

    def swivel(self, angles: ArrayLike[ArrayType]) -> ArrayType:
        """The swivel of a limb of seven joints, as `solve` takes it.

        Args:
            angles: (..., 7), radians, base first.

        Returns:
            (...,), radians: how far the arm is turned about the line from shoulder to wrist, from where the elbow bends
            in the plane of that line and the first axis; or the angle of the last joint, where the family gives that.

        Raises:
            ArgumentError: for angles that are not numbers of this shape, or a limb that has no swivel.
        """
        if not self.closed_form.layout.has_swivel:
            raise ArgumentError("swivel", self.family, "a limb of seven joints")
        numbers: Any = read_group("angles", angles, len(self.chain))
        tensors = library_of(numbers) is not None
        numbers = numbers if tensors else np.asarray(numbers, float)
        if self.closed_form.layout.free_parameter == "last joint":
            return numbers[..., -1]
        if tensors:
            return swivel_of_tensors(self.closed_form, numbers)
        found: Any = swivel_of(self.closed_form, numbers.reshape(-1, 7).T)
        return found.reshape(numbers.shape[:-1])

    def solve(
        self,
        position: ArrayLike[ArrayType],
        rotation: ArrayLike[ArrayType] | None = None,
        near: ArrayLike[ArrayType] | None = None,
        *,
        swivel: ArrayLike[ArrayType] | None = None,
    ) -> RobotSolution[ArrayType]:
        """Joint angles that bring the tip to a pose, within the joints' limits where they can.

        Args:
            position: (..., 3), metres, in the base link's frame.
            rotation: (..., 4), quaternions, xyzw, of any length but 0. Limbs of two or three joints need none.
            near: (..., n), radians: of the answers the nearest to these angles is chosen, and these angles themselves
                where they are one. Default: an answer near the middle of the joints' limits.
            swivel: (...,), radians, of limbs with seven joints: how far the arm is turned about the line from shoulder
                to wrist; where the family gives the last joint, that joint's angle. It is kept; where it leaves no
                answer within limits, the status is LIMITED. Default: whichever leads to the nearest answer.

        Returns:
            The solution, with the leading axes over which the arguments broadcast.

        Raises:
            ArgumentError: for arguments that are not numbers of these shapes, or do not broadcast.
        """
        return self._answer(position, rotation, near, swivel, every=False)

    def branches(
        self,
        position: ArrayLike[ArrayType],
        rotation: ArrayLike[ArrayType] | None = None,
        near: ArrayLike[ArrayType] | None = None,
        *,
        swivel: ArrayLike[ArrayType] | None = None,
    ) -> RobotSolution[ArrayType]:
        """Every answer for a pose of the tip, on a leading axis.

        Args:
            position: (..., 3), metres, in the base link's frame.
            rotation: (..., 4), quaternions, xyzw, of any length but 0. Limbs of two or three joints need none.
            near: (..., n), radians: of angles that differ by whole turns, those within the limits and nearest to these
                are returned. Default: the middle of the joints' limits.
            swivel: (...,), radians, of limbs with seven joints, as `solve` takes it.

        Returns:
            The solutions, (branches, ...). Those that do not reach the target say so in their status.

        Raises:
            ArgumentError: for arguments that are not numbers of these shapes, or do not broadcast.
        """
        return self._answer(position, rotation, near, swivel, every=True)

    def track(
        self,
        position: ArrayLike[Array],
        rotation: ArrayLike[Array] | None = None,
        *,
        previous: ArrayLike[Array] | RobotSolution | None = None,
        max_step: ArrayLike[Array] | None = None,
        fps: float | None = None,
    ) -> RobotSolution:
        """Joint angles along time, by the least motion of the joints, within their limits, without jumps.

        Each frame continues from the one before; a target that stays where it is moves no joint. A redundant limb's
        free motion keeps joints away from their limits. Where a target cannot be followed, because of a limit, a
        singularity or `max_step`, the limb comes as near as it can and goes on from there: `held` says so, the status
        is LIMITED, and `residual` is the distance.

        Args:
            position: (frames, ..., 3), metres, in the base link's frame; time is the first axis.
            rotation: (frames, ..., 4), quaternions, xyzw. Limbs of two or three joints need none.
            previous: (..., n), radians, the angles before the first frame; or a solution of that batch, or a track that
                ends there. Default: the start, and the whole turns of joints, from which the path can best be followed.
            max_step: radians, or metres of a slide, by which a joint may move in a frame: a number, or (n,). Default:
                1.5 times as far as the target moves, in radians and limb lengths, but at least 0.15 and at most 0.6.
            fps: frames a second; the velocity limits of the file then bound what a joint may move in a frame, too.

        Returns:
            The solution, (frames, ...), on NumPy.

        Raises:
            ArgumentError: for arguments that are not numbers of these shapes, or do not broadcast.
        """
        return track_limb(self, position, rotation, previous, max_step, fps)

    # --- how it is computed

    @cached_property
    def closed_form(self) -> Family:
        """The family, and the limb's geometry as the family's formula takes it."""
        return find_family(self.chain)

    @cached_property
    def default_near(self) -> tuple[float, ...]:
        """The middle of each joint's limits; 0 where it has none, or the limit nearest to 0."""
        bounded = np.isfinite(self.lower) & np.isfinite(self.upper)
        middle = 0.5 * (np.where(bounded, self.lower, 0.0) + np.where(bounded, self.upper, 0.0))
        return tuple(np.clip(middle, self.lower, self.upper).tolist())

    @cached_property
    def range_of_starts(self) -> tuple[Array, Array]:
        """The angles within which a search begins, (n,) each: the limits, or a turn where there is none."""
        width = np.where([kind == "slide" for kind in self.chain.kinds], self.length, np.pi)
        lower = np.where(np.isfinite(self.lower), self.lower, np.minimum(self.upper, width) - 2 * width)
        return lower, np.where(np.isfinite(self.upper), self.upper, lower + 2 * width)

    @property
    def length(self) -> float:
        """The limb's length, metres, from axis to axis."""
        return self.chain.length

    @property
    def oriented(self) -> bool:
        """Whether the joints bring the tip to a rotation too, not only to a position."""
        return self.closed_form.oriented

    @property
    def uses_rotation(self) -> bool:
        """Whether the target's rotation matters at all: limbs of four or five joints come as near to it as they can."""
        return self.oriented or len(self.chain) > MAX_POSITION_JOINTS

    @property
    def redundancy(self) -> int:
        """How many joints there are beyond those that a pose of the tip determines."""
        return max(len(self.chain) - 6, 0) if self.oriented else 0

    def is_beyond_limits(self, angles: Array) -> Array:
        """Where a joint is beyond its limits by more than rounding.

        Args:
            angles: (..., n), radians, or metres for slides; base first.

        Returns:
            (...,), bool.

        Raises:
            ValueError: for arrays of another shape.
        """
        beyond = (angles < self.lower - LIMIT_SLACK) | (angles > self.upper + LIMIT_SLACK)
        return np.asarray(beyond.any(axis=-1))

    @cached_property
    def _single(self) -> SinglePose:
        return SinglePose(self)

    def _evaluate_chain(self, answer: str, angles: Any, position: Any = None, rotation: Any = None) -> Any:
        """An answer of the file's own chain at given angles.

        Args:
            answer: "tip" (position, rotation), "joints" (axes, points, tip) or "errors" (metres and radians from the
                target).
            angles: (..., n), radians.
            position: (..., 3), the target, where the answer needs one.
            rotation: (..., 4), likewise.

        Returns:
            (..., numbers), of the library of the arguments.
        """
        chain = self.chain
        program = chain_program(chain.letters)
        given = {**chain.inputs, "angles": angles, "position": position, "rotation": rotation}
        inputs = {name: given[name] for name in program.groups_of(answer)}
        shape, dtype = batch_shape(inputs), number_type(*inputs.values())
        flags = NoFlags()
        if library := common_library(inputs.values()):
            return tensor_dispatch.run(library, program, answer, flags, inputs, shape, dtype)
        columns = rows_of(inputs.values(), shape, dtype)
        numbers = plans.run_groups(program, answer, flags, columns, prod(shape), dtype, alike=False)
        return np.moveaxis(numbers.reshape(len(numbers), *shape), 0, -1)

    def _answer(self, position: Any, rotation: Any, near: Any, swivel: Any, every: bool) -> Any:
        """The best branch, or every branch: of one pose by its kernel where that has been loaded."""
        single = self._single
        found = single.solve(position, rotation, near, every=every) if swivel is None else None
        if found is not None:
            return found
        began = perf_counter()
        arguments = self._read(position, rotation, near, swivel)
        on_arrays, on_tensors = (branches_of_arrays, branches_of_tensors) if every else (solve_arrays, solve_tensors)
        found = on_tensors(self, arguments) if arguments.library else on_arrays(self, arguments)
        if arguments.shape == ():
            single.note(perf_counter() - began)
        return found

    def _read(self, position: Any, rotation: Any, near: Any, swivel: Any) -> SolveArguments:
        layout = self.closed_form.layout
        if rotation is None:
            if self.oriented:
                raise ArgumentError("rotation", None, "quaternions (..., 4): this limb's joints determine the rotation")
            rotation = self.forward(self.default_near if near is None else near)[1]
        inputs = {
            "position": read_group("position", position, 3),
            "rotation": read_group("rotation", rotation, 4),
            "near": read_group("near", self.default_near if near is None else near, len(self.chain)),
        }
        if swivel is not None:
            if not layout.has_swivel:
                raise ArgumentError("swivel", shown(swivel), f"None: {self.family} leaves nothing to choose")
            inputs["swivel"] = read_numbers("swivel", swivel)
        library, dtype = common_library(inputs.values()), number_type(*inputs.values())
        return SolveArguments(inputs, batch_shape(inputs), library, dtype, near is not None)
