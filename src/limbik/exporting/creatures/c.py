"""The walk of a creature as a C99 header, which C++ compiles, too."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from limbik.engines.stages import Record
from limbik.exporting.creatures.walker_source import SourceStage
from limbik.exporting.creatures.walker_writer import WalkerWriter
from limbik.exporting.languages.c import C

API = """/* Keeps a gait, a number of those in {NAME}_GAITS; -1: by the speed. */
static inline void {name}_keep_to({name}_walker *w, int gait) {{
  w->body[0].kept = gait;
  w->body[0].fastest = {NAME}_TOP_SPEEDS[gait < 0 ? {NAME}_GAIT_COUNT - 1 : gait];
}}

/* Turns the joints: writes rotations. */
static inline void {name}_pose({name}_walker *w) {{
  {name}_run_pose(w);
  for (int k = 0; k < {NAME}_JOINT_COUNT; k++) {{
    w->rotations[k][0] = w->joint[k].local_x;
    w->rotations[k][1] = w->joint[k].local_y;
    w->rotations[k][2] = w->joint[k].local_z;
    w->rotations[k][3] = w->joint[k].local_w;
  }}
}}

/* Sets the creature on the ground at x and z, facing yaw, radians from +z to +x. height: of the ground, metres. */
static inline void {name}_begin({name}_walker *w, {name}_height height, void *user, double x, double z, double yaw,
                                double beats, double idle_start, int gait) {{
  memset(w, 0, sizeof *w);
  w->height = height;
  w->user = user;
  w->body[0].place_x = x;
  w->body[0].place_z = z;
  w->body[0].yaw = yaw;
  w->body[0].beats = beats;
  w->body[0].idle = idle_start >= 0.0 ? 1.0 : 0.0;
  w->body[0].idle_start = idle_start >= 0.0 ? idle_start : 0.0;
  {name}_keep_to(w, gait);
{character}
  {name}_run_begin(w);
  {name}_pose(w);
}}

/* Moves on by some seconds, towards a velocity in the world, m/s; turn: radians/s, or NAN to face the velocity. */
static inline void {name}_step({name}_walker *w, double seconds, double velocity_x, double velocity_z, double turn) {{
  const double wanted = ceil(seconds * 60.0 - 1e-9);
  const int parts = wanted > 1.0 ? (int)wanted : 1;
  w->body[0].seconds = seconds / parts;
  w->body[0].velocity_x = velocity_x;
  w->body[0].velocity_z = velocity_z;
  w->body[0].faces = isnan(turn) ? 1.0 : 0.0;
  w->body[0].turn = isnan(turn) ? 0.0 : turn;
  for (int part = 0; part < parts; part++) {name}_run_step(w);
}}

/* Pushes the body: adds to its velocity, m/s in the world, at once. */
static inline void {name}_push({name}_walker *w, double velocity_x, double velocity_z) {{
  w->body[0].push_x = velocity_x;
  w->body[0].push_z = velocity_z;
  {name}_run_push(w);
}}

/* Whether it cannot go where it is asked to; whether it stands still. */
static inline int {name}_blocked(const {name}_walker *w) {{ return w->body[0].blocked > 0.5; }}
static inline int {name}_at_rest(const {name}_walker *w) {{ return w->body[0].running < 0.5; }}

/* Of each foot, tips first, then heels and ends of toes, whether it is on the ground. */
static inline void {name}_contacts(const {name}_walker *w, int contacts[{NAME}_FOOT_COUNT]) {{
{contacts}
}}
"""


class CWalker(WalkerWriter):
    """A header."""

    language = C
    suffix = ".h"

    def times(self, count: int, lines: Iterable[str]) -> list[str]:
        return self.block(f"for (int row = 0; row < {count}; row++)", lines)

    def _type(self, kind: type[Record]) -> str:
        return f"{self.name}_{self.table_name(kind).lower()}"

    def _field(self, part: str) -> str:
        return self.lang.local(part)

    def record(self, kind: type[Record]) -> list[str]:
        about = self.comment((kind.__doc__ or "").split("\n")[0])
        fields = self.wrapped(self._field(part) for part in self.source.fields(kind))
        return [
            *about,
            "typedef struct {",
            "  double",
            *self.indented(self.indented(fields)),
            "  ;",
            f"}} {self._type(kind)};",
            "",
        ]

    def access(self, parameter: str, part: str) -> str:
        return f"{self.lang.local(parameter)}->{self._field(part)}"

    def head(self, stage: SourceStage) -> list[str]:
        parameters = [
            f"{'const ' if kind.fixed else ''}{self._type(kind)} *{self.lang.local(name)}"
            for name, kind in stage.kinds.items()
        ]
        return [
            *self.comment(stage.summary),
            *self.lang.wrap(f"static inline void {self.name}_do_{stage.name}", parameters, " {"),
        ]

    def row(self, kind: type[Record], row: str) -> str:
        return f"&{self._rows(kind)}[{row}]"

    def _rows(self, kind: type[Record]) -> str:
        return f"{self.name.upper()}_{self.table_name(kind)}" if kind.fixed else f"w->{self.table_name(kind).lower()}"

    def linked(self, rows: str, parameter: str, row: str) -> str:
        return f"{self.name.upper()}_{self.link_name(rows, parameter)}[{row}]"

    def called(self, stage: SourceStage, arguments: Sequence[str]) -> str:
        return f"{self.name}_do_{stage.name}({', '.join(arguments)});"

    def number(self, kind: type[Record], row: str, part: str) -> str:
        return f"{self._rows(kind)}[{row}].{self._field(part)}"

    def height(self, x: str, z: str) -> str:
        return f"w->height({x}, {z}, w->user)"

    def text(self) -> str:
        source, name, upper = self.source, self.name, self.name.upper()
        lines = [
            *self.lang.comment_lines([*self.about, *C.notes]),
            f"#ifndef {upper}_WALKER_H",
            f"#define {upper}_WALKER_H",
        ]
        lines += ["#include <math.h>", "#include <string.h>", "", *self._constants()]
        lines += ["/* The height of the ground at x and z, metres. */"]
        lines += [f"typedef double (*{name}_height)(double x, double z, void *user);", ""]
        for kind in source.records:
            lines += self.record(kind)
        for kind in source.records:
            if kind.fixed:
                lines += self._table(kind)
        for link in source.links:
            rows = source.layout.links[link].tolist()
            lines += [f"static const int {upper}_{self.link_name(*link)}[{len(rows)}] = {{"]
            lines += [*self.indented(self.wrapped(map(str, rows))), "};"]
        lines += [
            "",
            "/* A creature that walks. */",
            f"typedef struct {name}_walker {{",
            f"  {name}_height height;",
            "  void *user;",
        ]
        lines += [f"  double rotations[{upper}_JOINT_COUNT][4];  /* local, xyzw */"]
        for kind in source.records:
            if not kind.fixed:
                lines.append(
                    f"  {self._type(kind)} {self.table_name(kind).lower()}[{source.layout.counts[kind.rows]}];"
                )
        lines += [f"}} {name}_walker;", ""]
        for stage in source.stages:
            lines += [*self.head(stage), *self.indented(self.statements(stage)), "}", ""]
        for program, steps in source.programs.items():
            lines += [
                f"static inline void {name}_run_{program}({name}_walker *w) {{",
                *self.indented(self.steps(steps)),
                "}",
                "",
            ]
        character = [f"  w->character[0].{self._field(part)} = 1.0;" for part in source.fields(self._character())]
        contacts = [f"  contacts[{k}] = {one};" for k, one in enumerate(self.contacts())]
        api = API.format(name=name, NAME=upper, character="\n".join(character), contacts="\n".join(contacts))
        return "\n".join(lines) + "\n" + api + "\n#endif\n"

    def contacts(self) -> list[str]:
        """Of each foot, whether it is on the ground."""
        joints = self.source.joints
        parts = [(leg, "tip") for leg in range(len(joints.chains))]
        parts += [(leg, "heel") for leg in joints.heels] + [(leg, "toe") for leg in joints.toes]
        return [f"w->leg[{leg}].{end}_contact > 0.5" for leg, end in parts]

    def _character(self) -> type[Record]:
        return next(kind for kind in self.source.records if kind.__name__ == "Character")

    def _constants(self) -> list[str]:
        joints, creature, upper = self.source.joints, self.source.creature, self.name.upper()
        places = (f"{{{', '.join(self.literal(float(one)) for one in place)}}}" for place in joints.translations)
        tables = [
            ("static const char *const", "JOINTS", "JOINT_COUNT", map(json.dumps, joints.names)),
            ("static const int", "PARENTS", "JOINT_COUNT", map(str, joints.parents)),
            ("static const int", "FEET", "FOOT_COUNT", map(str, joints.feet)),
            ("static const char *const", "GAITS", "GAIT_COUNT", (json.dumps(gait.name) for gait in creature.gaits)),
            ("static const double", "TOP_SPEEDS", "GAIT_COUNT", (self.literal(gait.speed) for gait in creature.gaits)),
        ]
        lines = [
            "/* Joints: names, parents, places in their parents' frames, metres; joints of the feet; gaits; m/s. */",
            f"enum {{ {upper}_JOINT_COUNT = {len(joints.names)}, {upper}_FOOT_COUNT = {len(joints.feet)},",
            f"       {upper}_GAIT_COUNT = {len(creature.gaits)} }};",
        ]
        for kind, name, count, values in tables:
            lines += [f"{kind} {upper}_{name}[{upper}_{count}] = {{", *self.indented(self.wrapped(values)), "};"]
        lines += [f"static const double {upper}_TRANSLATIONS[{upper}_JOINT_COUNT][3] = {{"]
        lines += [*self.indented(self.wrapped(places)), "};"]
        return [*lines, f"static const double {upper}_CRUISE = {self.literal(creature.cruise)};", ""]

    def _table(self, kind: type[Record]) -> list[str]:
        rows = self.source.rows(kind)
        lines = [f"static const {self._type(kind)} {self._rows(kind)}[{len(rows)}] = {{"]
        for row in rows:
            lines += ["  {", *self.indented(self.indented(self.wrapped(self.literal(value) for value in row))), "  },"]
        return [*lines, "};", ""]
