"""The time of `Walker.step` for one creature of each kind and for a crowd: `python benchmarks/creature_steps.py`.

A step of a sixtieth of a second, at half the top speed, after two thousand steps, so that kernels are loaded. Times are
those of the thread's processor, so that other programs on the machine matter less; the best of several rounds.
"""

from __future__ import annotations

from time import thread_time

import limbik
from limbik.bench.machine import machine, sentence

KINDS = ("biped", "quadruped", "hexapod", "spider", "centipede")
GROUNDS = ("plane", "hills")
WARM, STEPS, ROUNDS = 2000, 200, 8


def milliseconds(kind: str, ground: str, count: int = 1, warm: int = WARM, steps: int = STEPS) -> float:
    """The best time of one step."""
    walker = limbik.Walker(kind, ground, count=count)
    walker.step(1 / 60, velocity=(0.0, 0.5 * walker.fastest))
    for _ in range(warm):
        walker.step(1 / 60)
    rounds = []
    for _ in range(ROUNDS):
        started = thread_time()
        for _ in range(steps):
            walker.step(1 / 60)
        rounds.append((thread_time() - started) / steps)
    return 1e3 * min(rounds)


def main() -> None:
    """Prints a table."""
    print(f"Measured on: {sentence(machine())}.\n")
    print("| creature | " + " | ".join(GROUNDS) + " |\n| --- |" + " ---: |" * len(GROUNDS))
    for kind in KINDS:
        print(f"| {kind} | " + " | ".join(f"{milliseconds(kind, ground):.2f} ms" for ground in GROUNDS) + " |")
    crowd = [milliseconds("hexapod", ground, 1000, 60, 10) for ground in GROUNDS]
    print("| 1,000 hexapods | " + " | ".join(f"{one:.1f} ms" for one in crowd) + " |")


if __name__ == "__main__":
    main()
