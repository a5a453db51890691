"""The walk of a creature as a Rust module."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

from limbik.engines.stages import ONE, Record
from limbik.exporting.creatures.walker_source import SourceStage
from limbik.exporting.creatures.walker_writer import WalkerWriter
from limbik.exporting.languages.rust import Rust

STRUCT = """/// A creature that walks; H: the height of the ground at x and z, metres.
pub struct Walker<H: Fn(f64, f64) -> f64> {{
    height: H,
    /// What is moved; blocked and the like are in `body`, contacts in `leg`.
    pub state: State,
    /// Local rotations of the joints, xyzw, in the order of JOINTS.
    pub rotations: [[f64; 4]; {joints}],
}}

impl<H: Fn(f64, f64) -> f64> Walker<H> {{
    /// A creature at x and z, facing yaw, radians from +z to +x; gait: to keep, or -1.
    pub fn new(height: H, x: f64, z: f64, yaw: f64, beats: f64, idle_start: f64, gait: i32) -> Self {{
        let mut walker = Walker {{ height, state: State::default(), rotations: [[0.0; 4]; {joints}] }};
        let body = &mut walker.state.body[0];
        body.place_x = x;
        body.place_z = z;
        body.yaw = yaw;
        body.beats = beats;
        body.idle = if idle_start >= 0.0 {{ 1.0 }} else {{ 0.0 }};
        body.idle_start = if idle_start >= 0.0 {{ idle_start }} else {{ 0.0 }};
        walker.keep_to(gait);
{character}
        walker.run_begin();
        walker.pose();
        walker
    }}

    /// Keeps a gait, a number of GAITS; -1: by the speed.
    pub fn keep_to(&mut self, gait: i32) {{
        let body = &mut self.state.body[0];
        body.kept = gait as f64;
        body.fastest = TOP_SPEEDS[if gait < 0 {{ TOP_SPEEDS.len() - 1 }} else {{ gait as usize }}];
    }}

    /// Moves on by some seconds, towards a velocity in the world, m/s; turn: radians/s, or None to face the velocity.
    pub fn step(&mut self, seconds: f64, velocity_x: f64, velocity_z: f64, turn: Option<f64>) {{
        let wanted = -floor(-(seconds * 60.0 - 1e-9));
        let parts = if wanted > 1.0 {{ wanted as u32 }} else {{ 1 }};
        let body = &mut self.state.body[0];
        body.seconds = seconds / parts as f64;
        body.velocity_x = velocity_x;
        body.velocity_z = velocity_z;
        body.faces = if turn.is_none() {{ 1.0 }} else {{ 0.0 }};
        body.turn = turn.unwrap_or(0.0);
        for _ in 0..parts {{
            self.run_step();
        }}
    }}

    /// Pushes the body: adds to its velocity, m/s in the world, at once.
    pub fn push(&mut self, velocity_x: f64, velocity_z: f64) {{
        self.state.body[0].push_x = velocity_x;
        self.state.body[0].push_z = velocity_z;
        self.run_push();
    }}

    /// Turns the joints: writes `rotations`.
    pub fn pose(&mut self) {{
        self.run_pose();
        for (rotation, joint) in self.rotations.iter_mut().zip(self.state.joint.iter()) {{
            *rotation = [joint.local_x, joint.local_y, joint.local_z, joint.local_w];
        }}
    }}

    /// Whether it cannot go where it is asked to.
    pub fn blocked(&self) -> bool {{
        self.state.body[0].blocked > 0.5
    }}

    /// Whether it stands still.
    pub fn at_rest(&self) -> bool {{
        self.state.body[0].running < 0.5
    }}

    /// The root joint's place, metres.
    pub fn place(&self) -> [f64; 3] {{
        let segment = &self.state.segment[0];
        [segment.middle_x, segment.middle_y, segment.middle_z]
    }}

    /// Of each foot in the order of FEET, whether it is on the ground.
    pub fn contacts(&self) -> [bool; {feet}] {{
        let leg = &self.state.leg;
        [{contacts}]
    }}
{methods}
}}
"""


class RustWalker(WalkerWriter):
    """A module: stages take the whole state and the numbers of rows, since records may be the same one."""

    language = Rust
    suffix = ".rs"
    indent = "    "

    def times(self, count: int, lines: Iterable[str]) -> list[str]:
        return self.block(f"for row in 0..{count}usize", lines)

    def when(self, condition: str, lines: Iterable[str]) -> list[str]:
        return self.block(f"if {condition}", lines)

    def repeat(self, condition: str, lines: Iterable[str]) -> list[str]:
        return self.block(f"while {condition}", lines)

    def record(self, kind: type[Record]) -> list[str]:
        fields = self.wrapped(f"pub {self.lang.local(part)}: f64" for part in self.source.fields(kind))
        about = f"/// {(kind.__doc__ or '').splitlines()[0]}"
        return [about, "#[derive(Clone, Copy, Default)]", *self.block(f"pub struct {kind.__name__}", fields), ""]

    def _rows(self, kind: type[Record]) -> str:
        return self.table_name(kind) if kind.fixed else self.table_name(kind).lower()

    def access(self, parameter: str, part: str) -> str:
        kind = self._kinds[parameter]
        row = "0" if kind.rows == ONE else self.lang.local(parameter)
        return f"{'' if kind.fixed else 's.'}{self._rows(kind)}[{row}].{self.lang.local(part)}"

    def statements(self, stage: SourceStage) -> list[str]:
        self._kinds = stage.kinds
        return super().statements(stage)

    def head(self, stage: SourceStage) -> list[str]:
        names = [f"{self.lang.local(name)}: usize" for name, kind in stage.kinds.items() if kind.rows != ONE]
        return [*self.comment(stage.summary), *self.lang.wrap(f"fn do_{stage.name}", ["s: &mut State", *names], " {")]

    def row(self, kind: type[Record], row: str) -> str:
        return "" if kind.rows == ONE else row

    def linked(self, rows: str, parameter: str, row: str) -> str:
        return f"{self.link_name(rows, parameter)}[{row}]"

    def called(self, stage: SourceStage, arguments: Sequence[str]) -> str:
        return f"do_{stage.name}({', '.join(['&mut self.state', *(one for one in arguments if one)])});"

    def number(self, kind: type[Record], row: str, part: str) -> str:
        return f"{'' if kind.fixed else 'self.state.'}{self._rows(kind)}[{row}].{self.lang.local(part)}"

    def height(self, x: str, z: str) -> str:
        return f"(self.height)({x}, {z})"

    def text(self) -> str:
        source = self.source
        lines = [
            *self.lang.comment_lines(self.about),
            "#![allow(dead_code, unused_parens, unused_variables, clippy::all)]",
            "",
        ]
        lines += self._constants()
        states = [kind for kind in source.records if not kind.fixed]
        for kind in source.records:
            lines += self.record(kind)
            lines += self._table(kind) if kind.fixed else []
        for link in source.links:
            lines += self._list("usize", self.link_name(*link), map(str, source.layout.links[link].tolist()))
        fields = [f"pub {self._rows(kind)}: [{kind.__name__}; {source.layout.counts[kind.rows]}]," for kind in states]
        zeros = [
            f"{self._rows(kind)}: [{kind.__name__}::default(); {source.layout.counts[kind.rows]}]," for kind in states
        ]
        lines += ["", "/// All that moves.", *self.block("pub struct State", fields), ""]
        made = self.block("fn default() -> Self", self.block("State", zeros))
        lines += [*self.block("impl Default for State", made), ""]
        for stage in source.stages:
            lines += [*self.head(stage), *self.indented(self.statements(stage)), "}", ""]
        methods = []
        for name, steps in source.programs.items():
            methods += ["", *self.block(f"fn run_{name}(&mut self)", self.steps(steps))]
        character = next(kind for kind in states if kind.__name__ == "Character")
        ones = [f"        walker.state.character[0].{part} = 1.0;" for part in source.fields(character)]
        text = STRUCT.format(
            joints=len(source.joints.names),
            feet=len(source.joints.feet),
            character="\n".join(ones),
            contacts=", ".join(self.contacts()),
            methods="\n".join(self.indented(methods)),
        )
        text = "\n".join(lines) + text
        used = [name for name in ("sqrt", "floor", "abs") if re.search(rf"\b{name}\(", text)]
        return text + "".join(f"\n{line}\n" for line in self._helpers(used))

    def _helpers(self, used: Sequence[str]) -> list[str]:
        return [f"#[inline]\nfn {name}(x: f64) -> f64 {{\n    x.{name}()\n}}" for name in used]

    def contacts(self) -> list[str]:
        """Of each foot, whether it is on the ground."""
        joints = self.source.joints
        parts = [(leg, "tip") for leg in range(len(joints.chains))]
        parts += [(leg, "heel") for leg in joints.heels] + [(leg, "toe") for leg in joints.toes]
        return [f"leg[{leg}].{end}_contact > 0.5" for leg, end in parts]

    def _list(self, kind: str, name: str, values: Iterable[str]) -> list[str]:
        items = list(values)
        return [f"pub const {name}: [{kind}; {len(items)}] = [", *self.indented(self.wrapped(items)), "];"]

    def _constants(self) -> list[str]:
        joints, creature = self.source.joints, self.source.creature
        places = (f"[{', '.join(self.literal(float(one)) for one in place)}]" for place in joints.translations)
        lines = ["/// Joints: names, parents, places in their parents' frames, metres; joints of the feet; gaits; m/s."]
        lines += self._list("&str", "JOINTS", map(json.dumps, joints.names))
        lines += self._list("i32", "PARENTS", map(str, joints.parents))
        lines += self._list("[f64; 3]", "TRANSLATIONS", places)
        lines += self._list("usize", "FEET", map(str, joints.feet))
        lines += self._list("&str", "GAITS", (json.dumps(gait.name) for gait in creature.gaits))
        lines += self._list("f64", "TOP_SPEEDS", (self.literal(gait.speed) for gait in creature.gaits))
        return [*lines, f"pub const CRUISE: f64 = {self.literal(creature.cruise)};", ""]

    def _table(self, kind: type[Record]) -> list[str]:
        names, rows = [self.lang.local(part) for part in self.source.fields(kind)], self.source.rows(kind)
        lines = [f"static {self._rows(kind)}: [{kind.__name__}; {len(rows)}] = ["]
        for row in rows:
            values = (f"{name}: {self.literal(value)}" for name, value in zip(names, row, strict=True))
            lines += self.indented([f"{kind.__name__} {{", *self.indented(self.wrapped(values)), "},"])
        return [*lines, "];", ""]
