"""The walk of a creature as a JavaScript module."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from limbik.engines.stages import Record
from limbik.exporting.creatures.walker_source import SourceStage, WalkerSource
from limbik.exporting.creatures.walker_writer import WalkerWriter
from limbik.exporting.language import camel
from limbik.exporting.languages.javascript import JavaScript
from limbik.gait.creature import Creature

CLASS = """/** A creature that walks. Read after a step: blocked, places, contacts; after pose(): rotations. */
export class {title} {{
  /** @param height (x, z) => height of the ground, metres */
  constructor(height) {{
    this.height = height;
    /** Local rotations of the joints, xyzw, in the order of JOINTS. */
    this.rotations = new Float64Array(4 * JOINTS.length);
    this.lastPlace = [0, 0, 0];
    this.lastContacts = FEET.map(() => false);
{fields}
  }}

  /** Sets the creature on the ground at x and z, facing yaw, radians from +z to +x. */
  begin(x = 0, z = 0, yaw = 0, beats = 0, idleStart = 0, gait = -1) {{
    for (const record of this.records) for (const name in record) record[name] = 0;
    const body = this.body[0];
    body.placeX = x;
    body.placeZ = z;
    body.yaw = yaw;
    body.beats = beats;
    body.idle = idleStart >= 0 ? 1 : 0;
    body.idleStart = Math.max(idleStart, 0);
    this.keepTo(gait);
    for (const name in this.character[0]) this.character[0][name] = 1;
    this.runBegin();
    this.pose();
  }}

  /** Keeps a gait, a number of GAITS; -1: by the speed. */
  keepTo(gait) {{
    this.body[0].kept = gait;
    this.body[0].fastest = GAITS[gait < 0 ? GAITS.length - 1 : gait].speed;
  }}

  /** Moves on by some seconds, towards a velocity in the world, m/s; turn: radians/s, or NaN to face the velocity. */
  step(seconds, velocityX, velocityZ, turn = NaN) {{
    const body = this.body[0], parts = Math.max(Math.ceil(seconds * 60 - 1e-9), 1);
    body.seconds = seconds / parts;
    body.velocityX = velocityX;
    body.velocityZ = velocityZ;
    body.faces = Number.isNaN(turn) ? 1 : 0;
    body.turn = body.faces ? 0 : turn;
    for (let part = 0; part < parts; part++) this.runStep();
  }}

  /** Pushes the body: adds to its velocity, m/s in the world, at once. */
  push(velocityX, velocityZ) {{
    this.body[0].pushX = velocityX;
    this.body[0].pushZ = velocityZ;
    this.runPush();
  }}

  /** Turns the joints: writes rotations. */
  pose() {{
    this.runPose();
    for (let joint = 0; joint < JOINTS.length; joint++) {{
      const {{ localX, localY, localZ, localW }} = this.joint[joint];
      this.rotations[4 * joint] = localX;
      this.rotations[4 * joint + 1] = localY;
      this.rotations[4 * joint + 2] = localZ;
      this.rotations[4 * joint + 3] = localW;
    }}
  }}

  /** Whether it cannot go where it is asked to. */
  get blocked() {{
    return this.body[0].blocked > 0.5;
  }}

  /** Whether it stands still. */
  get atRest() {{
    return this.body[0].running < 0.5;
  }}

  /** The root joint's place: x, y and z, metres. The same array each time. */
  get place() {{
    const place = this.lastPlace, segment = this.segment[0];
    place[0] = segment.middleX;
    place[1] = segment.middleY;
    place[2] = segment.middleZ;
    return place;
  }}

  /** Of each foot in the order of FEET, whether it is on the ground. The same array each time. */
  get contacts() {{
    const contacts = this.lastContacts;
{contacts}
    return contacts;
  }}
{methods}
}}
"""


class JavaScriptWalker(WalkerWriter):
    """An ES module."""

    language = JavaScript
    suffix = ".mjs"

    def record(self, kind: type[Record]) -> list[str]:
        names = [camel(part) for part in self.source.fields(kind)]
        lines = [*self.comment((kind.__doc__ or "").split("\n")[0]), f"class {kind.__name__} {{", "  constructor() {"]
        lines += self.indented(self.indented(f"this.{name} = 0;" for name in names))
        return [*lines, "  }", "}", ""]

    def access(self, parameter: str, part: str) -> str:
        return f"{self.lang.local(parameter)}.{camel(part)}"

    def head(self, stage: SourceStage) -> list[str]:
        names = ", ".join(self.lang.local(name) for name in stage.kinds)
        return [*self.comment(stage.summary), f"function {camel(stage.name)}({names}) {{"]

    def row(self, kind: type[Record], row: str) -> str:
        return f"{self._rows(kind)}[{row}]"

    def _rows(self, kind: type[Record]) -> str:
        name = kind.__name__
        return self.table_name(kind) if kind.fixed else f"this.{name[0].lower()}{name[1:]}"

    def linked(self, rows: str, parameter: str, row: str) -> str:
        return f"{self.link_name(rows, parameter)}[{row}]"

    def called(self, stage: SourceStage, arguments: Sequence[str]) -> str:
        return f"{camel(stage.name)}({', '.join(arguments)});"

    def number(self, kind: type[Record], row: str, part: str) -> str:
        return f"{self.row(kind, row)}.{camel(part)}"

    def height(self, x: str, z: str) -> str:
        return f"this.height({x}, {z})"

    def text(self) -> str:
        source = self.source
        lines = [*self.lang.comment_lines(self.about), "", *self._constants()]
        for kind in source.records:
            lines += self._table(kind) if kind.fixed else self.record(kind)
        for link in source.links:
            numbers = map(str, source.layout.links[link].tolist())
            lines += [f"const {self.link_name(*link)} = [", *self.indented(self.wrapped(numbers)), "];"]
        lines.append("")
        for stage in source.stages:
            lines += [*self.head(stage), *self.indented(self.statements(stage)), "}", ""]
        fields = []
        for kind in source.records:
            if not kind.fixed:
                count = source.layout.counts[kind.rows]
                fields.append(f"{self._rows(kind)} = Array.from({{ length: {count} }}, () => new {kind.__name__}());")
        rows = ", ".join(f"...{self._rows(kind)}" for kind in source.records if not kind.fixed)
        fields.append(f"this.records = [{rows}];")
        methods = []
        for name, steps in source.programs.items():
            methods += ["", f"  run{name.capitalize()}() {{", *self.indented(self.indented(self.steps(steps))), "  }"]
        text = CLASS.format(
            title=self.title,
            fields="\n".join(self.indented(self.indented(fields))),
            contacts="\n".join(self._contacts()),
            methods="\n".join(methods),
        )
        return "\n".join(lines) + text

    def _contacts(self) -> Iterable[str]:
        joints = self.source.joints
        parts = [(leg, "tip") for leg in range(len(joints.chains))]
        parts += [(leg, "heel") for leg in joints.heels] + [(leg, "toe") for leg in joints.toes]
        touching = (f"this.leg[{leg}].{camel(f'{name}_contact')} > 0.5" for leg, name in parts)
        return (f"    contacts[{k}] = {one};" for k, one in enumerate(touching))

    def _constants(self) -> list[str]:
        joints, creature = self.source.joints, self.source.creature
        gaits = [{"name": gait.name, "speed": gait.speed} for gait in creature.gaits]
        translations = [[float(one) for one in place] for place in joints.translations]
        return [
            "/** The joints: names, the number of each one's parent, and where it is in its parent's frame, metres. */",
            f"export const JOINTS = {json.dumps(joints.names)};",
            f"export const PARENTS = {json.dumps(joints.parents)};",
            f"export const TRANSLATIONS = {json.dumps(translations)};",
            "/** The joints of the feet: tips, then heels and ends of toes. */",
            f"export const FEET = {json.dumps(joints.feet)};",
            "/** The gaits from slow to fast, with their top speeds, and the usual speed, m/s. */",
            f"export const GAITS = {json.dumps(gaits)};",
            f"export const CRUISE = {creature.cruise!r};",
            "",
        ]

    def _table(self, kind: type[Record]) -> list[str]:
        names = [camel(part) for part in self.source.fields(kind)]
        lines = [*self.comment((kind.__doc__ or "").split("\n")[0]), f"const {self.table_name(kind)} = ["]
        for row in self.source.rows(kind):
            values = (f"{name}: {self.literal(value)}" for name, value in zip(names, row, strict=True))
            lines += ["  {", *self.indented(self.indented(self.wrapped(values))), "  },"]
        return [*lines, "];", ""]


def walk_script(creature: Creature) -> str:
    """The walk as a script for a page, which puts its class where the page finds it."""
    module = JavaScriptWalker(WalkerSource(creature), "page")
    body = module.text().replace("\nexport ", "\n")
    return f"globalThis.limbikWalk = (() => {{\n{body}\nreturn {{ Walker: {module.title} }};\n}})();\n"
