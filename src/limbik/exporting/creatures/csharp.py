"""The walk of a creature as a C# class."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from limbik.engines.stages import Record
from limbik.exporting.creatures.walker_source import SourceStage
from limbik.exporting.creatures.walker_writer import WalkerWriter
from limbik.exporting.language import pascal
from limbik.exporting.languages.csharp import CSharp

CLASS = """    readonly Func<double, double, double> height;

    /// Local rotations of the joints, xyzw, in the order of Joints.
    public readonly double[] Rotations = new double[4 * {joints}];

    /// A creature that walks; height: of the ground at x and z, metres.
    public {title}(Func<double, double, double> height) {{ this.height = height; }}

    /// Sets the creature on the ground at x and z, facing yaw, radians from +z to +x.
    public void Begin(double x = 0, double z = 0, double yaw = 0, double beats = 0, double idleStart = 0, int gait = -1)
    {{
{clear}
        body[0].PlaceX = x;
        body[0].PlaceZ = z;
        body[0].Yaw = yaw;
        body[0].Beats = beats;
        body[0].Idle = idleStart >= 0 ? 1 : 0;
        body[0].IdleStart = Math.Max(idleStart, 0);
        KeepTo(gait);
{character}
        RunBegin();
        Pose();
    }}

    /// Keeps a gait, a number of Gaits; -1: by the speed.
    public void KeepTo(int gait)
    {{
        body[0].Kept = gait;
        body[0].Fastest = TopSpeeds[gait < 0 ? TopSpeeds.Length - 1 : gait];
    }}

    /// Moves on by some seconds, towards a velocity in the world, m/s; turn: radians/s, or NaN to face the velocity.
    public void Step(double seconds, double velocityX, double velocityZ, double turn = double.NaN)
    {{
        int parts = Math.Max((int)Math.Ceiling(seconds * 60 - 1e-9), 1);
        body[0].Seconds = seconds / parts;
        body[0].VelocityX = velocityX;
        body[0].VelocityZ = velocityZ;
        body[0].Faces = double.IsNaN(turn) ? 1 : 0;
        body[0].Turn = double.IsNaN(turn) ? 0 : turn;
        for (int part = 0; part < parts; part++) RunStep();
    }}

    /// Pushes the body: adds to its velocity, m/s in the world, at once.
    public void Push(double velocityX, double velocityZ)
    {{
        body[0].PushX = velocityX;
        body[0].PushZ = velocityZ;
        RunPush();
    }}

    /// Turns the joints: writes Rotations.
    public void Pose()
    {{
        RunPose();
        for (int k = 0; k < joint.Length; k++)
        {{
            Rotations[4 * k] = joint[k].LocalX;
            Rotations[4 * k + 1] = joint[k].LocalY;
            Rotations[4 * k + 2] = joint[k].LocalZ;
            Rotations[4 * k + 3] = joint[k].LocalW;
        }}
    }}

    /// Whether it cannot go where it is asked to; whether it stands still.
    public bool Blocked {{ get {{ return body[0].Blocked > 0.5; }} }}
    public bool AtRest {{ get {{ return body[0].Running < 0.5; }} }}

    /// The root joint's place, metres.
    public double X {{ get {{ return segment[0].MiddleX; }} }}
    public double Y {{ get {{ return segment[0].MiddleY; }} }}
    public double Z {{ get {{ return segment[0].MiddleZ; }} }}

    /// Whether a foot, a number of Feet, is on the ground.
    public bool Contact(int foot)
    {{
        switch (foot)
        {{
{contacts}
            default: return false;
        }}
    }}
"""


class CSharpWalker(WalkerWriter):
    """A sealed class with records nested in it."""

    language = CSharp
    suffix = ".cs"
    indent = "    "

    def block(self, head: str, lines: Iterable[str]) -> list[str]:
        return [head, "{", *self.indented(lines), "}"]

    def times(self, count: int, lines: Iterable[str]) -> list[str]:
        return self.block(f"for (int row = 0; row < {count}; row++)", lines)

    def record(self, kind: type[Record]) -> list[str]:
        fields = self.wrapped(pascal(part) for part in self.source.fields(kind))
        about = self.comment((kind.__doc__ or "").split("\n")[0])
        lines = ["public double", *self.indented(fields), ";"]
        return [*about, *self.block(f"sealed class {kind.__name__}", lines), ""]

    def access(self, parameter: str, part: str) -> str:
        return f"{self.lang.local(parameter)}.{pascal(part)}"

    def head(self, stage: SourceStage) -> list[str]:
        parameters = [f"{kind.__name__} {self.lang.local(name)}" for name, kind in stage.kinds.items()]
        return [
            *self.comment(stage.summary),
            *self.lang.wrap(f"static void Do{pascal(stage.name)}", parameters, ""),
            "{",
        ]

    def row(self, kind: type[Record], row: str) -> str:
        return f"{self._rows(kind)}[{row}]"

    def _rows(self, kind: type[Record]) -> str:
        name = kind.__name__
        return f"{name}s" if kind.fixed else name[0].lower() + name[1:]

    def link_name(self, rows: str, parameter: str) -> str:
        return pascal(rows) + pascal(parameter)

    def linked(self, rows: str, parameter: str, row: str) -> str:
        return f"{self.link_name(rows, parameter)}[{row}]"

    def called(self, stage: SourceStage, arguments: Sequence[str]) -> str:
        return f"Do{pascal(stage.name)}({', '.join(arguments)});"

    def number(self, kind: type[Record], row: str, part: str) -> str:
        return f"{self.row(kind, row)}.{pascal(part)}"

    def height(self, x: str, z: str) -> str:
        return f"height({x}, {z})"

    def text(self) -> str:
        source = self.source
        lines = self._constants()
        for kind in source.records:
            lines += self.record(kind)
            lines += self._table(kind) if kind.fixed else self._state(kind)
        for link in source.links:
            lines += self._list("int", self.link_name(*link), map(str, source.layout.links[link].tolist()))
        for stage in source.stages:
            lines += ["", *self.head(stage), *self.indented(self.statements(stage)), "}"]
        for name, steps in source.programs.items():
            lines += ["", *self.block(f"void Run{pascal(name)}()", self.steps(steps))]
        contacts = [f"            case {k}: return {one};" for k, one in enumerate(self.contacts())]
        states = [kind for kind in source.records if not kind.fixed]
        clear = [
            f"        for (int k = 0; k < {rows}.Length; k++) {rows}[k] = new {name}();"
            for rows, name in ((self._rows(kind), kind.__name__) for kind in states)
        ]
        character = next(kind for kind in states if kind.__name__ == "Character")
        ones = [f"        character[0].{pascal(part)} = 1;" for part in source.fields(character)]
        api = CLASS.format(
            title=self.title,
            joints=len(source.joints.names),
            clear="\n".join(clear),
            character="\n".join(ones),
            contacts="\n".join(contacts),
        )
        head = [
            *self.lang.comment_lines(self.about),
            "#pragma warning disable 649  // fields that nothing changes in this creature",
            "using System;",
            "",
        ]
        body = [f"public sealed partial class {self.title}", "{", api, *self.indented(lines), "}", ""]
        return "\n".join([*head, *body])

    def contacts(self) -> list[str]:
        """Of each foot, whether it is on the ground."""
        joints = self.source.joints
        parts = [(leg, "Tip") for leg in range(len(joints.chains))]
        parts += [(leg, "Heel") for leg in joints.heels] + [(leg, "Toe") for leg in joints.toes]
        return [f"leg[{leg}].{end}Contact > 0.5" for leg, end in parts]

    def _list(self, kind: str, name: str, values: Iterable[str], access: str = "") -> list[str]:
        return [f"{access}static readonly {kind}[] {name} =", "{", *self.indented(self.wrapped(values)), "};"]

    def _constants(self) -> list[str]:
        joints, creature = self.source.joints, self.source.creature
        places = (self.literal(float(one)) for place in joints.translations for one in place)
        lines = ["/// Joints: names, parents, places in their parents' frames, x, y and z, metres; joints of the feet."]
        lines += self._list("string", "Joints", map(json.dumps, joints.names), "public ")
        lines += self._list("int", "Parents", map(str, joints.parents), "public ")
        lines += self._list("double", "Translations", places, "public ")
        lines += self._list("int", "Feet", map(str, joints.feet), "public ")
        lines += ["/// The gaits from slow to fast, with their top speeds, and the usual speed, m/s."]
        lines += self._list("string", "Gaits", (json.dumps(gait.name) for gait in creature.gaits), "public ")
        lines += self._list("double", "TopSpeeds", (self.literal(gait.speed) for gait in creature.gaits), "public ")
        return [*lines, f"public const double Cruise = {self.literal(creature.cruise)};", ""]

    def _state(self, kind: type[Record]) -> list[str]:
        count = self.source.layout.counts[kind.rows]
        return [f"readonly {kind.__name__}[] {self._rows(kind)} = new {kind.__name__}[{count}];", ""]

    def _table(self, kind: type[Record]) -> list[str]:
        names = [pascal(part) for part in self.source.fields(kind)]
        lines = [f"static readonly {kind.__name__}[] {self._rows(kind)} =", "{"]
        for row in self.source.rows(kind):
            values = (f"{name} = {self.literal(value)}" for name, value in zip(names, row, strict=True))
            lines += self.indented([f"new {kind.__name__} {{", *self.indented(self.wrapped(values)), "},"])
        return [*lines, "};", ""]
