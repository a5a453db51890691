"""The functions of an exported limb, each one recorded as a single trace: solve, track and chord_range."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import pi
from typing import Any

import numpy as np

from limbik.engines.programs import TRACK_STEPS, Flags, Program, ThreeLinkFlags, TwoLinkFlags, program_named
from limbik.engines.trace import Trace, flatten, lower, record, step_formulas
from limbik.exporting import items
from limbik.exporting.items import Item, number, quaternion, vector
from limbik.exporting.items import record as record_item
from limbik.exporting.local_names import LocalNames, carry_names, local_names
from limbik.formulas.operations import Quaternion, Real, Symbol, cos, sin
from limbik.formulas.quaternions import multiply
from limbik.formulas.rig_joints import aimed_rotation, conjugate
from limbik.formulas.triangle import chord_at, total_and_asymmetry

Groups = dict[str, tuple[Real, ...]]
ORIGIN = (0.0, 0.0, 0.0)

OPTIONS = {
    "planar": ("middle_limits",),
    "two_link": ("middle_limits", "twist", "soften", "branches", "track", "bones"),
    "aim": ("offset", "pole", "max_angle"),
    "three_link": ("middle_limits", "last_limits", "easy", "hint", "position", "branches", "track", "bones"),
}


@dataclass(frozen=True, eq=False)
class Function:
    """A function to write: its items and its trace, whose numbers are those of the items in order."""

    name: str
    summary: str
    inputs: tuple[Item, ...]
    output: Item  # a record
    trace: Trace  # with the rare cases: without a branch, loops over many limbs vectorise
    names: LocalNames
    constants: Mapping[str, float] = field(default_factory=dict)  # named numbers of the trace that are part of the code
    is_part: bool = False  # of another function: few will call it


@dataclass(frozen=True)
class LimbFunctions:
    """A limb with options and answers."""

    limb: str
    options: frozenset[str]
    answers: tuple[str, ...]

    @property
    def program(self) -> Program:
        """The limb's formulas."""
        return program_named(self.limb)

    @property
    def flags(self) -> Flags:
        """The flags of the limb's formulas for these options."""
        if self.limb == "two_link":
            return TwoLinkFlags("soften" in self.options, "twist" in self.options)
        if self.limb == "three_link":
            return ThreeLinkFlags("easy" not in self.options, "hint" in self.options, "position" in self.options)
        return self.program.flags()

    @property
    def step(self) -> str:
        """How a track of the limb takes a step."""
        limited = "last_limits" in self.options
        return "follow_limits" if limited else "follow_position" if "position" in self.options else "follow"

    # --- items

    def inputs(self, tracking: bool = False) -> tuple[Item, ...]:
        """The inputs of `solve`, or of `track` except its turn rate and state."""
        inputs = [*items.LENGTHS[self.program.groups["lengths"]]]
        if "middle_limits" in self.options:
            inputs += items.CHORDS
        if "last_limits" in self.options:
            inputs += items.MIDDLE_LIMITS if "middle_limits" in self.options else ()
            inputs += items.LAST_LIMITS
        inputs += items.goals(self.limb)
        inputs += [items.TWIST] if "twist" in self.options else []
        inputs += items.EXTENSION if "soften" in self.options else ()
        inputs += [items.HINT] if "hint" in self.options else []
        if not tracking:
            inputs += [items.BEND[self.limb]] if self.limb != "two_link" or "branches" in self.options else []
            inputs += items.BRANCH_SIGNS if self.limb == "three_link" and "branches" in self.options else ()
        return tuple(inputs)

    @property
    def state(self) -> Item:
        """What a track continues from."""
        return record_item("state", "to continue a track from", "state", items.STATES[self.step])

    @property
    def solution(self) -> Item:
        """What `solve` and `track` return."""
        fields: list[Item] = []
        for answer in self.answers:
            fields += self.answer_items(answer)
        if "track" in self.options:
            fields.append(self.state)
        return record_item("solution", "", "solution", tuple(fields))

    def answer_items(self, answer: str) -> Iterable[Item]:
        """The fields of an answer."""
        if answer == "report":
            return [items.REPORT[name] for name in self.program.report]
        return items.ANSWERS[self.limb][answer]

    # --- formulas

    def groups(self, values: Mapping[str, tuple[Real, ...]]) -> Groups:
        """The groups of the limb's program, from the values of the inputs; options that are off are constants."""

        def numbers(*names: str) -> tuple[Real, ...]:
            return tuple(values[name][0] for name in names)

        limited = "middle_limits" in self.options
        groups: Groups = {
            "lengths": numbers(*(item.name for item in items.LENGTHS[self.program.groups["lengths"]])),
            "chord_range": numbers("shortest", "longest") if limited else (0.0, 1.0),
            "target": values["target"],
            "origin": values["origin"],
            "aim": ORIGIN,
            "requested_target": values["target"],
            "limited": (0.0,),
            "turn_rate": values.get("turn_rate", ()),
            TRACK_STEPS[self.step].previous: values.get("state", ()),
        }
        signs = [values.get(name, (1.0,))[0] for name in ("bend", "axis", "upper")]
        groups["signs"] = tuple(signs[: self.program.groups["signs"]])
        if self.limb == "two_link":
            (angle,) = values.get("twist", (None,))
            groups["twist"] = (1.0, 0.0) if angle is None else (cos(angle), sin(angle))
            groups["extension"] = numbers("soften", "stretch") if "soften" in self.options else (1.0, 1.0)
            groups["pole"] = groups["requested_pole"] = values["pole"]
        if self.limb == "three_link":
            groups["up"] = groups["requested_up"] = values["up"]
            groups["hint"] = values.get("hint", ORIGIN)
            if "last_limits" in self.options:
                middle = numbers("middle_low", "middle_high") if limited else (0.0, pi)
                groups["joint_limits"] = (*middle, *numbers("last_low", "last_high"))
        return groups

    def answer_numbers(self, answers: tuple[str, ...], groups: Groups, flags: Flags) -> tuple[tuple[Real, ...], ...]:
        """Answers of the program, from one pose."""
        values = {**groups, **flags._asdict()}
        program = self.program
        pose = program.pose(*(values[name] for name in (*program.groups, *program.flags._fields)))
        parts = []
        for answer in answers:
            spec = program.answers[answer]
            parts.append(tuple(flatten(spec.formula(pose, *(values[name] for name in spec.extras)))))
        return tuple(parts)

    def exact_numbers(self, answer: str, groups: Groups, flags: Flags, dtype: str) -> tuple[Real, ...]:
        """An answer that others are built on, in limbik's own arithmetic: with its polynomials."""
        # But sine and cosine of a twist are computed before them.
        kept = {"kept_cos": cos, "kept_sin": sin}
        twist = [one for one in groups.get("twist", ()) if isinstance(one, Symbol)]
        twist = tuple(Symbol(f"kept_{one.operation}", *one.inputs) for one in twist)
        (exact,) = self.answer_numbers((answer,), {**groups, "twist": twist} if twist else groups, flags)
        numbers = lower(Trace(answer, (), exact, ()), True, {**step_formulas(np.dtype(dtype)), **kept}).outputs
        carry_names(exact, numbers)
        return numbers

    def solve(self, dtype: str, **values: tuple[Real, ...]) -> tuple[tuple[Real, ...], ...]:
        """The answers for one target, and the state from which a track continues."""
        groups, flags = self.groups(values), self.flags
        if isinstance(flags, ThreeLinkFlags) and "last_limits" in self.options:
            # As in `ThreeLink.solve`: the hint decides at the singularity only.
            plain = flags._replace(hinted=flags.hinted and not flags.natural)
            numbers = self.exact_numbers("limit", groups, plain, dtype)
            groups |= {"up": numbers[0:3], "aim": numbers[3:6], "hint": numbers[6:9], "signs": numbers[9:12]}
            groups |= {"chord_range": numbers[12:14], "limited": numbers[14:15]}
            flags = ThreeLinkFlags(natural=False, hinted=True, fixed_frame=True)
        answers = self.answer_numbers(self.answers, groups, flags)
        if "track" in self.options:
            answers = (*answers, self.exact_numbers(TRACK_STEPS[self.step].start, groups, flags, dtype))
        return answers

    def track(self, dtype: str, **values: tuple[Real, ...]) -> tuple[tuple[Real, ...], ...]:
        """The answers for the next frame of a track, and the state after it."""
        groups, flags, spec = self.groups(values), self.flags, TRACK_STEPS[self.step]
        numbers = self.exact_numbers(self.step, groups, flags, dtype)
        frame: Groups = {}
        first = 0
        for name, size in spec.frame.items():
            frame[name] = numbers[first : first + size]
            first += size
        frame["signs"] = (1.0, frame.pop("hinge_sign")[0], 1.0)[: self.program.groups["signs"]]
        frame["hint" if self.limb == "three_link" else "pole"] = frame.pop("side")
        answers = self.answer_numbers(self.answers, {**groups, **frame}, flags._replace(fixed_frame=True))
        return (*answers, numbers[-self.program.state_size(self.step) :])

    # --- the functions

    def functions(self, dtype: str = "float64") -> list[Function]:
        """All functions of the limb, for a number type."""
        solution = self.solution
        made = [
            record_function(
                "solve",
                "The pose that brings the tip to the target, or as near as the limb can.",
                self.inputs(),
                solution,
                partial(self.solve, dtype),
            )
        ]
        if "track" in self.options:
            inputs = (*self.inputs(tracking=True), items.TURN_RATE, self.state)
            summary = (
                "The next frame of a motion without pops, from the state of the frame before"
                " (at first: NaN, or of solve)."
            )
            made.append(record_function("track", summary, inputs, solution, partial(self.track, dtype)))
        if "middle_limits" in self.options:
            made.append(chord_range_function())
        if "bones" in self.options:
            made.append(turn_bone_function())
        return made


def record_function(
    name: str,
    summary: str,
    inputs: tuple[Item, ...],
    output: Item,
    formula: Callable[..., object],
    *,
    is_part: bool = False,
) -> Function:
    """A function whose formula takes its inputs by name, each as a tuple of numbers."""
    groups = {item.name: item.size for item in inputs}
    with local_names() as names:
        trace = record(formula, groups, {}, rare=True, name=name)
    return Function(name, summary, inputs, output, trace, names, is_part=is_part)


def chord_range_function() -> Function:
    """The function that turns limits of the middle joint into the range of the chord."""

    def chords(
        first: tuple[Real], second: tuple[Real], middle_low: tuple[Real], middle_high: tuple[Real]
    ) -> tuple[Real, Real]:
        _, asymmetry = total_and_asymmetry(first[0], second[0])
        return chord_at(cos(middle_high[0]), asymmetry), chord_at(cos(middle_low[0]), asymmetry)

    inputs = (*items.LENGTHS[2], *items.MIDDLE_LIMITS)
    fields = (number("shortest", "for solve"), number("longest", "for solve"))
    summary = "The range of the chord for limits of the middle joint; it changes with the links and limits only."
    return record_function("chord_range", summary, inputs, record_item("range", "", "chords", fields), chords)


def turn_bone_function() -> Function:
    """The function that turns a rig's bone by as much as its link has turned."""

    def turned(before: Quaternion, after: Quaternion, bone: Quaternion) -> Quaternion:
        return multiply(multiply(after, conjugate(before)), bone)

    inputs = (
        quaternion("before", "rotation of the link in the pose that the bone is in, as solve returns it"),
        quaternion("after", "rotation of the link that is wanted"),
        quaternion("bone", "rotation of the bone in the world, whatever its axes, xyzw"),
    )
    output = record_item("turned", "", "turned", (quaternion("rotation", "of the bone in the world, xyzw"),))
    summary = "The rotation of a rig's bone that turns by as much as its link."
    return record_function("turn_bone", summary, inputs, output, turned)


# --- a joint that looks at a target

NO_AIM_OPTIONS = {"offset": (0.0,) * 3, "pole": (0.0,) * 3, "max_angle": (0.0,)}
AIM_OPTIONS = {
    "offset": vector("offset", "where the line of sight begins, in the joint's frame"),
    "pole": vector("pole", "direction towards which up_axis is rolled about the line of sight"),
    "max_angle": number("max_angle", "largest turn, radians"),
}


def aim_functions(options: frozenset[str]) -> list[Function]:
    """The rotation of a joint that looks at a target, with some of "offset", "pole" and "max_angle"."""
    chosen = [name for name in AIM_OPTIONS if name in options]
    inputs = (
        quaternion("rotation", "of the joint in the world before it looks, xyzw"),
        vector("position", "of the joint"),
        vector("target", "what it looks at"),
        vector("axis", "direction in which the joint looks, in its own frame"),
        vector("up_axis", "direction that stays up, in its own frame; decides where the target is straight behind"),
        *(AIM_OPTIONS[name] for name in chosen),
    )
    flags: dict[str, Any] = {
        "offset_sight": "offset" in options,
        "rolled": "pole" in options,
        "limited": "max_angle" in options,
    }

    def formula(**values: Any) -> Quaternion:
        return aimed_rotation(**{**NO_AIM_OPTIONS, **values}, **flags)

    output = record_item("aimed", "", "aimed", (quaternion("rotation", "of the joint in the world, xyzw"),))
    summary = "The rotation of a joint that looks at a target, turned as little as possible."
    return [record_function("look", summary, inputs, output, formula)]
