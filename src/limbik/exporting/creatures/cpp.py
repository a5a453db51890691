"""The walk of a creature as a C++14 header: the C header in a namespace, with a class around it."""

from __future__ import annotations

from limbik.exporting.creatures.c import CWalker
from limbik.exporting.languages.cpp import Cpp

CLASS = """
/// A creature that walks.
class Walker {{
 public:
  using Height = std::function<double(double x, double z)>;

  /// height: of the ground at x and z, metres.
  explicit Walker(Height height) : height_(std::move(height)) {{}}

  /// Sets the creature on the ground at x and z, facing yaw, radians from +z to +x; gait: to keep, or -1.
  void begin(double x = 0, double z = 0, double yaw = 0, double beats = 0, double idle_start = 0, int gait = -1) {{
    {name}_begin(&state_, &Walker::ask, this, x, z, yaw, beats, idle_start, gait);
  }}

  /// Moves on by some seconds, towards a velocity in the world, m/s; turn: radians/s, or NAN to face the velocity.
  void step(double seconds, double velocity_x, double velocity_z, double turn = NAN) {{
    state_.user = this;
    {name}_step(&state_, seconds, velocity_x, velocity_z, turn);
  }}

  void keep_to(int gait) {{ {name}_keep_to(&state_, gait); }}
  void push(double velocity_x, double velocity_z) {{ {name}_push(&state_, velocity_x, velocity_z); }}
  void pose() {{ {name}_pose(&state_); }}
  void contacts(int (&found)[{NAME}_FOOT_COUNT]) const {{ {name}_contacts(&state_, found); }}
  bool blocked() const {{ return {name}_blocked(&state_) != 0; }}
  bool at_rest() const {{ return {name}_at_rest(&state_) != 0; }}
  const {name}_walker &state() const {{ return state_; }}

 private:
  static double ask(double x, double z, void *walker) {{ return static_cast<Walker *>(walker)->height_(x, z); }}

  Height height_;
  {name}_walker state_;
}};
"""


class CppWalker(CWalker):
    """A header."""

    language = Cpp
    suffix = ".hpp"

    def text(self) -> str:
        name, upper = self.name, self.name.upper()
        text = super().text().replace("#include <math.h>\n#include <string.h>\n", f"OPEN {name}\n")
        includes = [f"#include <{one}>" for one in ("cmath", "cstring", "functional", "limits", "utility")]
        opening = [*includes, "", f"namespace {name} {{", "using std::ceil;", "using std::isnan;", "using std::memset;"]
        text = text.replace(f"OPEN {name}\n", "\n".join([*opening, ""]))
        closing = CLASS.format(name=name, NAME=upper) + f"\n}}  // namespace {name}\n"
        return text.replace("\n#endif\n", closing + "\n#endif\n")
