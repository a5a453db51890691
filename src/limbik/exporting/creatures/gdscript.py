"""The walk of a creature as a GDScript class for Godot 4."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from limbik.engines.stages import Record
from limbik.exporting.creatures.walker_source import SourceStage
from limbik.exporting.creatures.walker_writer import WalkerWriter
from limbik.exporting.languages.gdscript import GDScript

API = """## The height of the ground: a Callable of x and z, metres.
var height: Callable
## Local rotations of the joints, xyzw, in the order of JOINTS.
var rotations := PackedFloat64Array()


func _init(ground: Callable) -> void:
	height = ground
	rotations.resize(4 * JOINTS.size())


## Sets the creature on the ground at x and z, facing yaw, radians from +z to +x; gait: to keep, or -1.
func begin(x := 0.0, z := 0.0, yaw := 0.0, beats := 0.0, idle_start := 0.0, gait := -1) -> void:
{clear}
	body[0].place_x = x
	body[0].place_z = z
	body[0].yaw = yaw
	body[0].beats = beats
	body[0].idle = 1.0 if idle_start >= 0.0 else 0.0
	body[0].idle_start = idle_start if idle_start >= 0.0 else 0.0
	keep_to(gait)
{character}
	run_begin()
	pose()


## Keeps a gait, a number of GAITS; -1: by the speed.
func keep_to(gait: int) -> void:
	body[0].kept = float(gait)
	body[0].fastest = TOP_SPEEDS[TOP_SPEEDS.size() - 1 if gait < 0 else gait]


## Moves on by some seconds, towards a velocity in the world, m/s; turn: radians/s, or NAN to face the velocity.
func step(seconds: float, velocity_x: float, velocity_z: float, turn := NAN) -> void:
	var parts := maxi(ceili(seconds * 60.0 - 1e-9), 1)
	body[0].seconds = seconds / parts
	body[0].velocity_x = velocity_x
	body[0].velocity_z = velocity_z
	body[0].faces = 1.0 if is_nan(turn) else 0.0
	body[0].turn = 0.0 if is_nan(turn) else turn
	for part in parts:
		run_step()


## Pushes the body: adds to its velocity, m/s in the world, at once.
func push(velocity_x: float, velocity_z: float) -> void:
	body[0].push_x = velocity_x
	body[0].push_z = velocity_z
	run_push()


## Turns the joints: writes rotations.
func pose() -> void:
	run_pose()
	for k in JOINTS.size():
		rotations[4 * k] = joint[k].local_x
		rotations[4 * k + 1] = joint[k].local_y
		rotations[4 * k + 2] = joint[k].local_z
		rotations[4 * k + 3] = joint[k].local_w


## The root joint's place, metres.
func place() -> Vector3:
	return Vector3(segment[0].middle_x, segment[0].middle_y, segment[0].middle_z)


## Whether it cannot go where it is asked to.
func blocked() -> bool:
	return body[0].blocked > 0.5


## Whether it stands still.
func at_rest() -> bool:
	return body[0].running < 0.5


## Whether a foot, a number of FEET, is on the ground.
func contact(foot: int) -> bool:
	match foot:
{contacts}
	return false
"""


class GDScriptWalker(WalkerWriter):
    """A class with records as classes in it."""

    language = GDScript
    suffix = ".gd"
    indent = "\t"
    end = ""

    def block(self, head: str, lines: Iterable[str]) -> list[str]:
        return [f"{head}:", *self.indented(list(lines) or ["pass"])]

    def times(self, count: int, lines: Iterable[str]) -> list[str]:
        return self.block(f"for row in {count}", lines)

    def when(self, condition: str, lines: Iterable[str]) -> list[str]:
        return self.block(f"if {condition}", lines)

    def repeat(self, condition: str, lines: Iterable[str]) -> list[str]:
        return self.block(f"while {condition}", lines)

    def record(self, kind: type[Record]) -> list[str]:
        fields = [f"var {self.lang.local(part)} := 0.0" for part in self.source.fields(kind)]
        about = self.comment((kind.__doc__ or "").split("\n")[0])
        made: list[str] = []
        if kind.fixed:
            names = [self.lang.local(part) for part in self.source.fields(kind)]
            taken = [f"{name} = values[{k}]" for k, name in enumerate(names)]
            made = ["", *self.block("func _init(values: Array) -> void", taken)]
        return [*about, *self.block(f"class {kind.__name__}", ["extends RefCounted", *fields, *made]), "", ""]

    def access(self, parameter: str, part: str) -> str:
        return f"{self.lang.local(parameter)}.{self.lang.local(part)}"

    def head(self, stage: SourceStage) -> list[str]:
        parameters = ", ".join(f"{self.lang.local(name)}: {kind.__name__}" for name, kind in stage.kinds.items())
        return [*self.comment(stage.summary), f"static func do_{stage.name}({parameters}) -> void:"]

    def row(self, kind: type[Record], row: str) -> str:
        return f"{self._rows(kind)}[{row}]"

    def _rows(self, kind: type[Record]) -> str:
        return self.table_name(kind).lower()

    def linked(self, rows: str, parameter: str, row: str) -> str:
        return f"{self.link_name(rows, parameter)}[{row}]"

    def called(self, stage: SourceStage, arguments: Sequence[str]) -> str:
        return f"do_{stage.name}({', '.join(arguments)})"

    def number(self, kind: type[Record], row: str, part: str) -> str:
        return f"{self.row(kind, row)}.{self.lang.local(part)}"

    def height(self, x: str, z: str) -> str:
        return f"height.call({x}, {z})"

    def text(self) -> str:
        source = self.source
        lines = [*self.lang.comment_lines(self.about), f"class_name {self.title}", "extends RefCounted", ""]
        lines += [*self._constants(), "", ""]
        states = [kind for kind in source.records if not kind.fixed]
        for kind in source.records:
            lines += self.record(kind)
        for kind in source.records:
            lines += self._table(kind) if kind.fixed else [f"var {self._rows(kind)}: Array[{kind.__name__}] = []"]
        for link in source.links:
            numbers = map(str, source.layout.links[link].tolist())
            lines += [f"const {self.link_name(*link)} := [", *self.indented(self.wrapped(numbers)), "]"]
        clear = []
        for kind in states:
            count = source.layout.counts[kind.rows]
            clear += [f"\t{self._rows(kind)}.clear()", f"\tfor k in {count}:"]
            clear += [f"\t\t{self._rows(kind)}.append({kind.__name__}.new())"]
        character = next(kind for kind in states if kind.__name__ == "Character")
        ones = [f"\tcharacter[0].{part} = 1.0" for part in source.fields(character)]
        contacts = [f"\t\t{k}: return {one}" for k, one in enumerate(self.contacts())]
        api = API.format(clear="\n".join(clear), character="\n".join(ones), contacts="\n".join(contacts))
        lines += ["", api]
        for name, steps in source.programs.items():
            lines += ["", *self.block(f"func run_{name}() -> void", self.steps(steps)), ""]
        for stage in source.stages:
            lines += ["", *self.head(stage), *self.indented(self.statements(stage)), ""]
        return "\n".join(lines)

    def contacts(self) -> list[str]:
        """Of each foot, whether it is on the ground."""
        joints = self.source.joints
        parts = [(leg, "tip") for leg in range(len(joints.chains))]
        parts += [(leg, "heel") for leg in joints.heels] + [(leg, "toe") for leg in joints.toes]
        return [f"leg[{leg}].{end}_contact > 0.5" for leg, end in parts]

    def _constants(self) -> list[str]:
        joints, creature = self.source.joints, self.source.creature
        tables = {
            "JOINTS": map(json.dumps, joints.names),
            "PARENTS": map(str, joints.parents),
            "TRANSLATIONS": (
                f"[{', '.join(self.literal(float(one)) for one in place)}]" for place in joints.translations
            ),
            "FEET": map(str, joints.feet),
            "GAITS": (json.dumps(gait.name) for gait in creature.gaits),
            "TOP_SPEEDS": (self.literal(gait.speed) for gait in creature.gaits),
        }
        lines = ["## Joints: names, parents, places in their parents' frames, metres; joints of the feet; gaits; m/s."]
        for name, values in tables.items():
            lines += [f"const {name} := [", *self.indented(self.wrapped(values)), "]"]
        return [*lines, f"const CRUISE := {self.literal(creature.cruise)}"]

    def _table(self, kind: type[Record]) -> list[str]:
        lines = [f"var {self._rows(kind)}: Array[{kind.__name__}] = ["]
        for row in self.source.rows(kind):
            values = self.indented(self.wrapped(self.literal(value) for value in row))
            lines += self.indented([f"{kind.__name__}.new([", *values, "]),"])
        return [*lines, "]"]
