"""The measurements that docs/mathematics.md quotes outside its errata: `python docs/measurements.py` prints them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import limbik

SAMPLES = 4_000
SHORTFALLS = tuple(10.0**-k for k in range(2, 15, 2))


def miss_near_the_rims() -> list[tuple[str, tuple[float, ...], list[float], list[float]]]:
    """For stretched and folded arms: distances from the rim, worst miss of arccos's angles, worst miss of limbik's.

    Links uniform in [0.2, 2]; targets in every direction, one to three times the given distance from the rim, which is
    a fraction of the reach; the miss is that of forward kinematics of the angles, over the reach.
    """
    out = []
    for title in ("near full stretch", "near full fold"):
        by_arccos, by_half = [], []
        for shortfall in SHORTFALLS:
            both = _misses(title.endswith("stretch"), shortfall)
            by_arccos.append(both[0])
            by_half.append(both[1])
        out.append((title, SHORTFALLS, by_arccos, by_half))
    return out


def _misses(stretched: bool, shortfall: float) -> tuple[float, float]:
    rng = np.random.default_rng(3)
    first, second = rng.uniform(0.2, 2.0, (2, SAMPLES))
    reach = first + second
    off = reach * shortfall * rng.uniform(1.0, 3.0, SAMPLES)
    wanted = reach - off if stretched else np.abs(first - second) + off
    turn = rng.uniform(-np.pi, np.pi, SAMPLES)
    target = np.stack([wanted * np.cos(turn), wanted * np.sin(turn)], -1)
    inside = wanted < reach
    arm = limbik.PlanarTwoLink(first, second)
    d = np.hypot(*target.T)
    inner = np.arccos(np.clip((d**2 + first**2 - second**2) / (2 * d * first), -1, 1))
    outer = np.arccos(np.clip((first**2 + second**2 - d**2) / (2 * first * second), -1, 1))
    angles = np.stack([np.arctan2(target[:, 1], target[:, 0]) + inner, outer - np.pi], -1)

    def worst(joint_angles: np.ndarray) -> float:
        miss = np.linalg.norm(arm.forward(joint_angles)[:, -1] - target, axis=-1) / reach
        return float(miss[inside].max())

    return worst(angles), worst(arm.solve(target).angles)


@dataclass(frozen=True)
class PastTheSingularity:
    """What becomes of the bending plane while `up` sweeps past the aim, solved frame by frame and tracked."""

    sweep: np.ndarray  # degrees
    plane: dict[str, np.ndarray]  # the plane's angle about the aim, degrees, unwrapped
    lean: dict[str, np.ndarray]  # out_of_plane, radians
    longest: dict[str, str]  # the largest turn of the plane in one frame, degrees
    exact: bool  # whether every frame of both is reached, with `up` as asked


def path_past_the_singularity() -> PastTheSingularity:
    """The ankle stays; `up` sweeps from −30° to 30° in steps of half a degree, passing the aim at 1°."""
    leg = limbik.ThreeLink(0.45, 0.42, 0.12)
    sweep = np.linspace(-30, 30, 121)
    a, off = np.radians(sweep), np.radians(1.0)
    ups = np.stack([np.full_like(a, np.sin(off)), -np.cos(off) * np.cos(a), np.cos(off) * np.sin(a)], -1)
    targets = np.array([0.0, -0.7, 0.0]) + 0.12 * ups
    poses = {"solve": leg.solve(targets, ups), "track": leg.track(targets, ups)}
    planes = {}
    for name, pose in poses.items():
        knee = pose.joints[:, 1]
        planes[name] = np.degrees(np.unwrap(np.arctan2(knee[:, 0], knee[:, 2])))
    return PastTheSingularity(
        sweep,
        planes,
        {name: pose.out_of_plane for name, pose in poses.items()},
        {name: f"{np.abs(np.diff(plane)).max():.1f}°" for name, plane in planes.items()},
        all(bool(pose.reached.all()) and float(pose.up_error.max()) < 1e-12 for pose in poses.values()),
    )


@dataclass(frozen=True)
class ThroughTheHole:
    """Where the tip goes while the target crosses the disc that the folded arm cannot enter."""

    near: float
    far: float
    targets: np.ndarray  # (frames, 2)
    tips: dict[str, np.ndarray]
    longest: dict[str, str]  # the longest step of the tip in one frame


def through_the_hole() -> ThroughTheHole:
    """Links 0.5 and 0.25: nothing within 0.25 of the origin. The target crosses in steps of 0.015, 0.03 off centre."""
    arm = limbik.TwoLink(0.5, 0.25)
    x = np.linspace(-0.45, 0.45, 61)
    targets = np.stack([x, np.full_like(x, 0.03), np.zeros_like(x)], -1)
    poses = {"solve": arm.solve(targets), "track": arm.track(targets)}
    tips = {name: pose.joints[:, -1, :2] for name, pose in poses.items()}
    steps = {name: np.linalg.norm(np.diff(tip, axis=0), axis=-1) for name, tip in tips.items()}
    longest = {name: f"{step.max():.3f}" for name, step in steps.items()}
    return ThroughTheHole(0.25, 0.75, targets[:, :2], tips, longest)


def figures() -> dict[str, str]:
    """Every number that the document quotes, as it is printed."""
    (_, _, stretch_arccos, stretch_half), (_, _, fold_arccos, fold_half) = miss_near_the_rims()
    sweep, hole = path_past_the_singularity(), through_the_hole()
    assert sweep.exact
    return {
        "worst miss of arccos near full stretch": _above(stretch_arccos[-1], 1e-9),
        "worst miss of arccos near full fold": _above(fold_arccos[-1], 1e-9),
        "worst miss of limbik near either rim": _below(max(stretch_half + fold_half), 2e-15),
        "largest turn of the plane in a frame, solve": sweep.longest["solve"],
        "largest turn of the plane in a frame, track": sweep.longest["track"],
        "largest lean out of the plane, track": f"{np.degrees(np.abs(sweep.lean['track']).max()):.1f}°",
        "longest step of the tip through the hole, solve": hole.longest["solve"],
        "longest step of the tip through the hole, track": hole.longest["track"],
    }


def _above(value: float, bound: float) -> str:
    """A rounding error, told by what it passes or stays under: its digits differ from machine to machine."""
    return f"above {bound:g}".replace("e-0", "e−") if value > bound else f"{value:.1e}"


def _below(value: float, bound: float) -> str:
    return f"below {bound:g}".replace("e-", "e−") if value < bound else f"{value:.1e}"


if __name__ == "__main__":
    for what, number in figures().items():
        print(f"{what:50s} {number}")
