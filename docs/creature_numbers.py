"""Measures walking creatures from the outside; prints tables of docs/walking.md: `python docs/creature_numbers.py`.

Everything is computed from positions of joints, and from rotations for the head, of walks on level ground; what
creatures climb, from where their feet stand in the end.
"""

from __future__ import annotations

import numpy as np

import limbik
from limbik.gait.creature import creature, preset_names

FPS, SECONDS, SETTLED = 60.0, 10.0, 240  # the first four seconds do not count


class Walked:
    """A walk at a speed, m/s, and a turning rate, degrees per second."""

    def __init__(self, name: str, speed: float, turn: float = 0.0, terrain: str = "plane", fps: float = FPS) -> None:
        walker = limbik.Walker(name, terrain)
        states = [walker.state]
        for _ in range(int(SECONDS * fps)):
            yaw = np.radians(walker.heading_degrees[0])
            walker.step(1.0 / fps, (speed * np.sin(yaw), speed * np.cos(yaw)), turn_degrees=turn)
            states.append(walker.state)
        self.clip = walker.clip(states, fps)[int(SETTLED * fps / FPS) :]
        self._places = self.clip.positions()
        self.yaw = np.radians(turn) * np.arange(len(self.clip)) / fps

    def at(self, joint: str) -> np.ndarray:
        """(frames, 3) Positions of a joint."""
        return self._places[:, self.clip.skeleton.index(joint)]

    def bend(self, first: str, middle: str, last: str) -> np.ndarray:
        """(frames,) Degrees by which a limb is bent at its middle joint; 0 is straight."""
        a, b = self.at(middle) - self.at(first), self.at(last) - self.at(middle)
        return np.degrees(
            np.arccos(np.clip((a * b).sum(-1) / np.linalg.norm(a, axis=-1) / np.linalg.norm(b, axis=-1), -1, 1))
        )

    def slope(self, joint: str, other: str) -> np.ndarray:
        """(frames,) Degrees by which the line from one joint to another rises."""
        line = self.at(other) - self.at(joint)
        return np.degrees(np.arctan2(line[:, 1], np.hypot(line[:, 0], line[:, 2])))

    def heading(self, right: str, left: str) -> np.ndarray:
        """(frames,) Degrees by which the line from a right to a left joint is turned, from its mean."""
        line = self.at(left) - self.at(right)
        found = np.unwrap(np.arctan2(-line[:, 2], line[:, 0]))
        return np.degrees(found - found.mean())

    def lean(self, low: str, high: str) -> tuple[np.ndarray, np.ndarray]:
        """(frames,) each: degrees by which the line between two joints leans forward, and to the left."""
        line = self.at(high) - self.at(low)
        root = self.at("body")
        ahead = np.gradient(root[:, [0, 2]], axis=0)
        ahead /= np.linalg.norm(ahead, axis=-1, keepdims=True)
        forward = (line[:, [0, 2]] * ahead).sum(-1)
        left = line[:, 0] * ahead[:, 1] - line[:, 2] * ahead[:, 0]
        return np.degrees(np.arctan2(forward, line[:, 1])), np.degrees(np.arctan2(left, line[:, 1]))


def half(values: np.ndarray) -> float:
    """Half the range of values: the amplitude of what swings."""
    return 0.5 * float(np.ptp(values))


def biped() -> list[tuple[str, str, str]]:
    """Rows of measure, value and what people do."""
    walk, run = Walked("biped", 1.3), Walked("biped", 3.2)
    bend, hill = Walked("biped", 3.2, 60.0), Walked("biped", 1.0, 0.0, "slope:10")
    knee, knee_run = (w.bend("left_leg_hip", "left_leg_knee", "left_leg_ankle") for w in (walk, run))
    pelvis, chest = walk.heading("right_leg_hip", "left_leg_hip"), walk.heading("right_shoulder", "left_shoulder")
    elbow, elbow_run = (w.bend("left_shoulder", "left_elbow", "left_hand") for w in (walk, run))
    body, place = walk.at("body"), walk.at("head")
    tilt = walk.slope("right_leg_hip", "left_leg_hip")
    banked = bend.lean("body", "chest")[1].mean()
    return [
        ("knee, walk at 1.3 m/s", f"{knee.min():.0f} to {knee.max():.0f}°", "5 to 60° [1]"),
        ("knee, run at 3.2 m/s", f"{knee_run.min():.0f} to {knee_run.max():.0f}°", "about 15 to 100° [2]"),
        ("rise and fall of the pelvis", f"{1e3 * np.ptp(body[:, 1]):.0f} mm", "about 45 mm [3]"),
        ("sway of the pelvis", f"{1e3 * np.ptp(body[:, 0]):.0f} mm", "about 45 mm [3]"),
        ("list of the pelvis", f"± {half(tilt):.1f}°", "± 5° [3]"),
        ("turn of the pelvis", f"± {half(pelvis):.1f}°", "± 4° [3]"),
        (
            "turn of the shoulders",
            f"± {half(chest):.1f}°, against it ({np.corrcoef(pelvis, chest)[0, 1]:+.2f})",
            "± 4° [4], against it",
        ),
        (
            "lean of the trunk, walk and run",
            f"{walk.lean('body', 'neck')[0].mean():.0f}°, {run.lean('body', 'neck')[0].mean():.0f}°",
            "2 to 5°, 5 to 12° [2]",
        ),
        ("lean uphill, 10°", f"{hill.lean('body', 'neck')[0].mean():.0f}°", "forward, more than on the level"),
        (
            "bank at 3.2 m/s and 60°/s",
            f"{banked:.0f}°",
            f"{np.degrees(np.arctan(3.2 * np.radians(60) / 9.81)):.0f}° balance it",
        ),
        ("elbow, walk and run", f"{elbow.mean():.0f}°, {elbow_run.mean():.0f}°", "10 to 40°, about 90° [2]"),
        ("pitch of the head, walk", f"± {half(walk.slope('head', 'crown')):.1f}°", "± 2 to 4° [5]"),
        ("rise and fall of the head", f"{1e3 * np.ptp(place[:, 1]):.0f} mm", "about 45 mm [5]"),
    ]


def quadruped() -> list[tuple[str, str, str]]:
    """Rows of measure, value and what dogs do."""
    walk, trot, gallop = (Walked("quadruped", speed) for speed in (0.85, 2.0, 4.0))

    def spine(w: Walked) -> np.ndarray:
        return w.slope("body_2", "body") - w.slope("tail", "body_3")

    fore, hind = (walk.heading(f"right_{leg}_hip", f"left_{leg}_hip") for leg in ("fore", "hind"))
    sideways = fore - hind
    rows = []
    for name, w in (("walk", walk), ("trot", trot), ("gallop", gallop)):
        chest, pelvis = w.at("body")[:, 1], w.at("body_3")[:, 1]
        rows.append(
            (
                f"bob of chest and pelvis, {name}",
                f"{1e3 * np.ptp(chest):.0f}, {1e3 * np.ptp(pelvis):.0f} mm",
                "1 to 5 cm [6]",
            )
        )
    rows += [
        ("bend of the spine to the side, walk", f"± {half(sideways):.1f}°", "a few degrees [7]"),
        ("flexion of the spine, gallop", f"{np.ptp(spine(gallop)):.0f}°", "tens of degrees [8]"),
        (
            "pitch of trunk and head, gallop",
            f"{np.ptp(gallop.slope('body_3', 'body')):.0f}°, {np.ptp(gallop.slope('head', 'nose')):.0f}°",
            "the head stays level",
        ),
        (
            "turn of the pelvis, walk",
            f"± {half(walk.heading('right_hind_hip', 'left_hind_hip')):.1f}°",
            "± 2 to 6° [7]",
        ),
    ]
    tails = [np.ptp(Walked("quadruped", 2.0, fps=fps).slope("tail", "tail_end")) for fps in (30.0, 60.0, 144.0)]
    rows.append(("tail up and down, trot, 30, 60, 144 Hz", ", ".join(f"{tail:.1f}°" for tail in tails), "the same"))
    return rows


def standing() -> list[tuple[str, str, str]]:
    """Rows of what creatures do that stand."""
    rows = []
    for name in preset_names():
        w = Walked(name, 0.0)
        moved = np.ptp(w.clip.positions(), axis=0).max(axis=-1)
        feet = moved[list(w.clip.feet)].max()
        rows.append(
            (
                f"{name} for 6 s",
                f"body {1e3 * moved[0]:.1f} mm, most {1e3 * moved.max():.0f} mm, feet {1e3 * feet:.1f} mm",
                "breathing 12 to 20 a minute [9]" if name == "biped" else "",
            )
        )
    return rows


def gets_up(name: str, terrain: limbik.terrains.Terrain, way: float, top: float) -> bool:
    """Whether a creature that goes a way, metres, in eight times the usual time, has all its feet at a height then."""
    kind = creature(name)
    walker = limbik.Walker(name, terrain, secondary=False)
    for _ in range(round(8.0 * way / kind.cruise * 30.0)):
        walker.step(1.0 / 30.0, (0.0, kind.cruise), turn_degrees=0.0)
        if walker.places[0, 2] > way:
            break
    return bool(walker.footholds[0, :, 1].min() > top - 1e-3)


def ramp(degrees: float, start: float) -> limbik.terrains.Function:
    """A slope that begins at a distance, metres."""
    return limbik.terrains.Function(lambda x, z: np.tan(np.radians(degrees)) * np.maximum(z - start, 0.0))


def climbing() -> list[tuple[str, str, str, str]]:
    """Rows of the stairs that suit a creature, the highest and the steepest that it climbs, and what it says of it.

    The flights have four steps, half a leg deep. Steps get higher by 1 % of a leg and slopes steeper by 1°, from three
    quarters of what the creature says on, until it does not get up.
    """
    rows = []
    for name in preset_names():
        kind = creature(name)
        leg = min(sum(one.lengths) for one in kind.legs)
        length = kind.body.segments * kind.body.length + 1.5 * leg
        suited = limbik.Walker(name, "stairs").terrain
        rise, run = 0.75 * kind.highest_step, 0.5 * leg
        while gets_up(
            name,
            limbik.terrains.Stairs(rise + 0.01 * leg, run, start=suited.start, steps=4),
            suited.start + 4.0 * run + length,
            4.0 * (rise + 0.01 * leg),
        ):
            rise += 0.01 * leg
        steepest = round(0.75 * kind.steepest)
        while gets_up(name, ramp(steepest + 1, suited.start), suited.start + 2.0 * length, 0.1 * length):
            steepest += 1
        rows.append(
            (
                name,
                f"{suited.rise:g} by {suited.run:g} m",
                f"{rise:.2g} m (about {kind.highest_step:.2g} m)",
                f"{steepest}° ({kind.steepest:g}°)",
            )
        )
    return rows


def table(title: str, rows: list[tuple[str, str, str]]) -> None:
    """Prints a table."""
    print(f"\n| {title} | limbik | nature |\n| --- | --- | --- |")
    for row in rows:
        print("| " + " | ".join(row) + " |")


def main() -> None:
    """Prints every table."""
    table("of a biped", biped())
    table("of a quadruped", quadruped())
    table("of those that stand", standing())
    print("\n| creature | stairs that suit it | highest step climbed (`highest_step`) | steepest slope (`steepest`) |")
    print("| --- | --- | --- | --- |", *("| " + " | ".join(row) + " |" for row in climbing()), sep="\n")
    print("\ntop speeds, m/s:", ", ".join(f"{name} {creature(name).speed:g}" for name in preset_names()))


if __name__ == "__main__":
    main()
