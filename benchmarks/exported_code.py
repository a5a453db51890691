"""Exported code: a two-bone rotation solve in C, C#, JavaScript, beside limbik's own Numba batch and three.js.

`python benchmarks/exported_code.py` prints the tables of docs/export.md. It needs gcc, mono, node, and three.js
(npm install --no-package-lock --prefix tests/exporting/node). Times are the best of many interleaved rounds, one core.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import numpy as np
from report import machine, table
from timing import Effort, round_robin

import limbik

ROUNDS = 7
NODE = Path(__file__).parents[1] / "tests" / "exporting" / "node"
C = """
#include "two_link.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
enum { N = 4096 };
static REAL targets[3 * N];
static two_link_solution out[N];
int main(void) {
    const REAL pole[3] = {0, 0, 1}, origin[3] = {0, 0, 0};
    double best = 1e9, sum = 0;
    for (int i = 0; i < 3 * N; i++) targets[i] = (REAL)(rand() / (double)RAND_MAX - 0.5);
    for (int round = 0; round < 300; round++) {
        struct timespec a, b;
        clock_gettime(CLOCK_MONOTONIC, &a);
        for (int i = 0; i < N; i++) out[i] = two_link_solve(0.45, 0.42, targets + 3 * i, pole, origin);
        clock_gettime(CLOCK_MONOTONIC, &b);
        double ns = ((b.tv_sec - a.tv_sec) * 1e9 + (b.tv_nsec - a.tv_nsec)) / N;
        if (ns < best) best = ns;
        sum += out[round].first_rotation[0];
    }
    printf("%.2f\\n", best + 0 * sum);
    return 0;
}
"""
CSHARP = """
using System; using System.Diagnostics; using System.Globalization; using Limbik;
static class Program {
  static void Main() {
    const int n = 4096; var random = new Random(1); var t = new (REAL x, REAL y, REAL z)[n];
    var s = new TwoLink.Solution[n];
    for (int i = 0; i < n; i++)
      t[i] = ((REAL)(random.NextDouble() - 0.5), (REAL)(random.NextDouble() - 0.5), (REAL)(random.NextDouble() - 0.5));
    double best = 1e9;
    for (int round = 0; round < 100; round++) {
      var watch = Stopwatch.StartNew();
      for (int i = 0; i < n; i++) s[i] = TwoLink.Solve((REAL)0.45, (REAL)0.42, t[i], (0, 0, 1), (0, 0, 0));
      best = Math.Min(best, watch.Elapsed.TotalMilliseconds * 1e6 / n);
    }
    Console.WriteLine(best.ToString("F1", CultureInfo.InvariantCulture));
  }
}
"""
JS = """
import { solve } from "./two_link.js";
const n = 4096, some = () => Math.random() - 0.5;
const targets = Array.from({ length: n }, () => [some(), some(), some()]);
const pole = [0, 0, 1], origin = [0, 0, 0];
let best = 1e9, sum = 0;
for (let round = 0; round < 200; round++) {
  const start = performance.now();
  for (const target of targets) sum += solve(0.45, 0.42, target, pole, origin).firstRotation[0];
  best = Math.min(best, (performance.now() - start) * 1e6 / n);
}
console.log((best + 0 * sum).toFixed(1));
"""
PLAIN = ("-O2", "-ffp-contract=off")
NATIVE = (*PLAIN, "-fno-math-errno", "-march=native")
LOOP = ("-O3", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-march=native")


def printed(*command: str | Path) -> str:
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def programs(folder: Path) -> dict[str, list[str | Path]]:
    """What is measured: the name of each program and its command."""
    made: dict[str, list[str | Path]] = {}
    for dtype, real in (("float64", "double"), ("float32", "float")):
        place = folder / dtype
        place.mkdir()
        limbik.export("two-link", "c", answers=["rotations"], dtype=dtype).write(place / "two_link.h")
        (place / "main.c").write_text(C.replace("REAL", real))
        for name, flags in (("one by one", PLAIN), ("one by one, native", NATIVE), ("in a loop that vectorises", LOOP)):
            program = place / f"main-{len(flags)}"
            printed("gcc", *flags, place / "main.c", "-o", program, "-lm")
            made[f"C, {dtype}, {name}"] = [program]
        limbik.export("two-link", "csharp", answers=["rotations"], dtype=dtype).write(place / "TwoLink.cs")
        (place / "Main.cs").write_text(CSHARP.replace("REAL", real))
        printed("mcs", "-optimize+", place / "Main.cs", place / "TwoLink.cs", f"-out:{place / 'main.exe'}")
        made[f"C# on Mono, {dtype}"] = ["mono", "-O=all", place / "main.exe"]
    (folder / "package.json").write_text('{"type": "module"}')
    limbik.export("two-link", "js", answers=["rotations"]).write(folder / "two_link.js")
    (folder / "main.js").write_text(JS)
    made["JavaScript (node), float64"] = ["node", folder / "main.js"]
    return made


def batch_times(rows: int = 200_000) -> dict[str, float]:
    """Nanoseconds a limb of one core in limbik's own batch, for each number type."""
    arm, rng, found = limbik.TwoLink(0.45, 0.42), np.random.default_rng(0), {}
    for dtype in ("float64", "float32"):
        targets, pole = rng.uniform(-0.5, 0.5, (rows, 3)).astype(dtype), np.array([0, 0, 1], dtype)
        with limbik.warm_up():
            _ = arm.solve(targets, pole).rotations
        timed = round_robin({"": lambda given=(targets, pole): arm.solve(*given).rotations}, Effort(2.0))
        found[f"limbik's own Numba batch, {dtype}"] = timed[""]["cpu"] / rows * 1e9
    return found


def main() -> None:
    """Prints the tables."""
    with tempfile.TemporaryDirectory() as place:
        commands = programs(Path(place))
        best = dict.fromkeys(commands, float("inf"))
        for _ in range(ROUNDS):
            for name, command in commands.items():
                best[name] = min(best[name], float(printed(*command)))
    limbik.export("web").write(NODE / "node_modules" / "limbik-ik")
    lines = printed("node", NODE / "trial.js", "30").splitlines()
    print(f"Measured on: {machine()}; one core.\n")
    print(table([{"a two-bone rotation solve": name, "ns": time} for name, time in (best | batch_times()).items()]))
    rows = []
    for _, name, median, worst, time in (line.split() for line in lines if line.startswith("beside")):
        errors = {"median error": f"{float(median):.0e}", "largest error": f"{float(worst):.0e}"}
        rows.append({"bones of a three.js SkinnedMesh": name, "µs": float(time), **errors})
    print(f"\n{table(rows)}")


if __name__ == "__main__":
    main()
