"""The article's printed formulas beside the corrected ones, measured on random reachable targets.

Run it and it prints the table that stands in docs/mathematics.md, section "Errata of the article". Every number is a
median or a share over seeded samples, so it comes out the same on every machine. How each one is defined stands beside
the function that measures it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

import limbik

ARMS = 1_000_000
SAMPLES = 50_000
SCREENED = 5_000  # so many of them tell the good readings of the article from the bad; then all decide


@dataclass(frozen=True)
class Legs:
    """Random legs, each with a reachable target: what the article calls l1, l2, l3, P_T, E and E_y, with O at zero."""

    lengths: np.ndarray  # (samples, 3), uniform in [0.2, 1]
    ankle: np.ndarray  # P_T: direction uniform on the sphere, distance uniform in [|l1 − l2|, l1 + l2]
    up: np.ndarray  # E_y: uniform on the sphere

    @property
    def target(self) -> np.ndarray:
        """E = P_T + l3·E_y."""
        return self.ankle + self.lengths[:, 2:] * self.up

    def __getitem__(self, rows: slice) -> Legs:
        return Legs(self.lengths[rows], self.ankle[rows], self.up[rows])


def random_legs() -> Legs:
    """The sample of legs that the rows about three links are measured on."""
    rng = np.random.default_rng(2)
    lengths = rng.uniform(0.2, 1.0, (SAMPLES, 3))
    first, second, _ = lengths.T
    distance = rng.uniform(np.abs(first - second), first + second)
    directions = rng.normal(size=(2, SAMPLES, 3))
    directions /= np.linalg.norm(directions, axis=-1, keepdims=True)
    return Legs(lengths, distance[:, None] * directions[0], directions[1])


def turn(axis: str, angle: np.ndarray) -> np.ndarray:
    """Right-handed rotation matrices (samples, 3, 3) about a coordinate axis."""
    k = "xyz".index(axis)
    i, j = (k + 1) % 3, (k + 2) % 3
    out = np.zeros((len(angle), 3, 3))
    out[:, k, k] = 1.0
    out[:, i, i] = out[:, j, j] = np.cos(angle)
    out[:, j, i] = np.sin(angle)
    out[:, i, j] = -out[:, j, i]
    return out


def along(vectors: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Scalar products, row by row."""
    return np.sum(vectors * others, axis=-1)


def degrees_between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Angles between unit vectors, in degrees."""
    return np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), along(a, b)))


# --- 1: the cosine of θ_a


def first_angle() -> dict[str, float]:
    """Links uniform in [0.2, 2], d uniform in [|l1 − l2|, l1 + l2]; everything but the cosine as it should be.

    With θ_b right, the tip keeps its distance d and is off by the error of θ_a, on a circle around O.
    """
    rng = np.random.default_rng(1)
    first, second = rng.uniform(0.2, 2.0, (2, ARMS))
    d = rng.uniform(np.abs(first - second), first + second)
    printed = (d**2 + first**2 - second**2) / (2 * d * second)
    right = (d**2 + first**2 - second**2) / (2 * d * first)
    defined = np.abs(printed) <= 1
    off = np.arccos(printed[defined]) - np.arccos(np.clip(right[defined], -1, 1))
    return {
        "undefined": float(np.mean(~defined)),
        "miss": float(np.median(2 * d[defined] * np.abs(np.sin(off / 2)))),
    }


# --- 2: yaw and roll


@dataclass(frozen=True)
class Reading:
    """One way to read the article's five rotations. The first value of each field is what it prints."""

    hinges: int  # +1: rotate by θ_0, then −θ_1; −1: by −θ_0, then θ_1, which it says one may also do
    third: int  # the sign of θ_2
    roll: int  # the sign of β
    quarter: int  # quarter turns added to β
    own_axis: bool  # the base rolls about its own z, which the yaw has turned, or about the world's
    last_along: str  # which axis of the third joint's frame the last link lies along


READINGS = [Reading(*one) for one in product((1, -1), (-1, 1), (1, -1), (0, -1, 1), (True, False), ("y", "z"))]
PRINTED = READINGS[0]


def printed_plane_angles(legs: Legs) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """θ_y, θ_0 and θ_1 as the article gives them, but with the cosine of θ_a corrected."""
    first, second, _ = legs.lengths.T
    x, y, z = legs.ankle.T
    level = np.hypot(x, z)
    d = np.hypot(level, y)
    inner = np.arccos(np.clip((d**2 + first**2 - second**2) / (2 * d * first), -1, 1))
    outer = np.arccos(np.clip((first**2 + second**2 - d**2) / (2 * first * second), -1, 1))
    return np.arctan2(x, z), inner - np.arctan2(y, level), np.pi - outer


def printed_pose(legs: Legs, reading: Reading) -> tuple[np.ndarray, np.ndarray]:
    """Tip and direction of the last link after the article's rotations 1 to 5."""
    yaw, theta_0, theta_1 = printed_plane_angles(legs)
    base = turn("y", yaw)
    hip, knee = reading.hinges * theta_0, -reading.hinges * theta_1
    third = base @ turn("x", hip + knee)
    theta_2 = np.arctan2(along(third[:, :, 2], legs.up), along(third[:, :, 1], legs.up))
    beta = np.arctan2(along(base[:, :, 1], legs.up), along(base[:, :, 0], legs.up)) + reading.quarter * np.pi / 2
    roll = turn("z", reading.roll * beta)
    base = base @ roll if reading.own_axis else roll @ base
    thigh = base @ turn("x", hip)
    shank = base @ turn("x", hip + knee)
    foot = base @ turn("x", hip + knee + reading.third * theta_2)
    first, second, last = (legs.lengths[:, k : k + 1] for k in range(3))
    direction = foot[:, :, "xyz".index(reading.last_along)]
    return first * thigh[:, :, 2] + second * shank[:, :, 2] + last * direction, direction


def measured(legs: Legs, reading: Reading) -> dict[str, float]:
    """Medians over the legs: the tip's miss, the same as a share of the limb's length, and the foot's tilt."""
    tip, direction = printed_pose(legs, reading)
    miss = np.linalg.norm(tip - legs.target, axis=-1)
    return {
        "miss": float(np.median(miss)),
        "share": float(np.median(miss / legs.lengths.sum(-1))),
        "tilt": float(np.median(degrees_between(direction, legs.up))),
    }


def best_reading(legs: Legs) -> Reading:
    """The reading whose median miss is least."""
    promising = sorted(READINGS, key=lambda reading: measured(legs[:SCREENED], reading)["miss"])[:4]
    return min(promising, key=lambda reading: measured(legs, reading)["miss"])


# --- 3: θ_2 before the roll


def last_angle(legs: Legs) -> dict[str, float]:
    """The foot's tilt with the right yaw, roll, hip and knee (limbik's), and θ_2 found before or after the roll."""
    yaw, roll, hip, knee, _ = limbik.ThreeLink(*legs.lengths.T).solve(legs.target, legs.up).angles.T
    unrolled = turn("y", yaw) @ turn("x", hip + knee)
    rolled = turn("y", yaw) @ turn("z", roll) @ turn("x", hip + knee)

    def tilt(frame: np.ndarray, sign: int) -> np.ndarray:
        theta_2 = np.arctan2(along(frame[:, :, 2], legs.up), along(frame[:, :, 1], legs.up))
        foot = rolled @ turn("x", sign * theta_2)
        return degrees_between(foot[:, :, 1], legs.up)

    before = tilt(unrolled, +1)
    return {
        "before": float(np.median(before)),
        "often": float(np.percentile(before, 95)),
        "negative": float(np.median(tilt(rolled, -1))),
        "right": float(tilt(rolled, +1).max()),
    }


# --- 4: the other bend


def other_bend(legs: Legs) -> dict[str, float]:
    """How far the ankle is from P_T with the hinges turned by θ_0, −θ_1, and by −θ_0, θ_1; no roll in either."""
    yaw, theta_0, theta_1 = printed_plane_angles(legs)
    arm = limbik.TwoLink(*legs.lengths.T[:2])

    def miss(sign: int) -> float:
        angles = np.stack([yaw, np.zeros_like(yaw), sign * theta_0, -sign * theta_1], -1)
        return float(np.median(np.linalg.norm(arm.forward(angles)[:, -1] - legs.ankle, axis=-1)))

    return {"one": miss(+1), "other": miss(-1)}


# --- ours


def ours(legs: Legs) -> dict[str, float]:
    """The worst miss and tilt of all eight solutions of 5,000 legs: limbik's angles, through forward kinematics."""
    legs = legs[:SCREENED]
    leg = limbik.ThreeLink(*legs.lengths.T)
    joints = leg.forward(leg.branches(legs.target, legs.up).angles)
    last = (joints[..., 3, :] - joints[..., 2, :]) / legs.lengths[:, 2:]
    miss = np.linalg.norm(joints[..., 3, :] - legs.target, axis=-1)
    return {"miss": float(miss.max()), "tilt": float(degrees_between(last, np.broadcast_to(legs.up, last.shape)).max())}


def below(value: float, bound: float) -> str:
    """A rounding error, told by what it stays under: its digits differ from machine to machine."""
    return f"below {bound:g}".replace("e-", "e−") if value < bound else f"{value:.1e}"


def figures() -> dict[str, str]:
    """Every number of the table, as it is printed."""
    legs = random_legs()
    cosine = first_angle()
    printed = measured(legs, PRINTED)
    best = measured(legs, best_reading(legs))
    third = last_angle(legs)
    bend = other_bend(legs)
    right = ours(legs)
    return {
        "cosine undefined": f"{100 * cosine['undefined']:.1f} %",
        "cosine miss": f"{cosine['miss']:.3f}",
        "readings": f"{len(READINGS)}",
        "printed miss": f"{printed['miss']:.2f}",
        "printed tilt": f"{printed['tilt']:.0f}°",
        "best miss": f"{best['miss']:.2f}",
        "best share": f"{100 * best['share']:.0f} %",
        "best tilt": f"{best['tilt']:.0f}°",
        "before tilt": f"{third['before']:.0f}°",
        "often tilt": f"{third['often']:.0f}°",
        "negative tilt": f"{third['negative']:.0f}°",
        "right tilt": below(third["right"], 1e-11) + "°",
        "one miss": below(bend["one"], 1e-14),
        "other miss": f"{bend['other']:.2f}",
        "our miss": below(right["miss"], 1e-14),
        "our tilt": below(right["tilt"], 1e-11) + "°",
    }


ROWS = (
    ("1", "share of reachable targets whose printed cosine lies outside [−1, 1]", "cosine undefined"),
    ("1", "median miss of the others (links 0.2 to 2)", "cosine miss"),
    ("2", "median miss with rotations 1 to 5 as printed (links 0.2 to 1)", "printed miss"),
    ("2", "median tilt of the last link with them", "printed tilt"),
    ("2", "number of readings (signs, axes, order) tried", "readings"),
    ("2", "median miss of the best of them", "best miss"),
    ("2", "the same, as a share of the limb's length", "best share"),
    ("2", "median tilt of the last link in that reading", "best tilt"),
    ("3", "median tilt, all else right, θ_2 found before the roll", "before tilt"),
    ("3", "the same, exceeded by one target in twenty", "often tilt"),
    ("3", "median tilt, all else right, θ_2 found after the roll but applied as −θ_2", "negative tilt"),
    ("3", "worst tilt, θ_2 found after the roll and applied as it is", "right tilt"),
    ("4", "median miss of the ankle with θ_0, −θ_1", "one miss"),
    ("4", "median miss of the ankle with −θ_0, θ_1", "other miss"),
    ("—", "limbik: worst miss, all eight solutions of 5,000 legs", "our miss"),
    ("—", "limbik: worst tilt of the last link", "our tilt"),
)


def table() -> str:
    """The table, in Markdown."""
    numbers = figures()
    lines = ["| erratum | measured | result |", "| --- | --- | --- |"]
    return "\n".join(lines + [f"| {number} | {what} | {numbers[name]} |" for number, what, name in ROWS])


if __name__ == "__main__":
    print(f"random reachable targets: {ARMS:,} for the first two rows, {SAMPLES:,} for the others\n")
    print(table())
    print(f"\nthe best reading: {best_reading(random_legs())}")
