"""What each family of robot limbs asks of the joints' axes: which of them meet, and which are parallel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from limbik.engines import robot_programs as programs
from limbik.engines.programs import Program
from limbik.engines.robot_flags import NoFlags, RobotFlags, SphericalFlags, ThreeFlags, ThreeParallelFlags, TwoFlags

Pair = tuple[int, int]


@dataclass(frozen=True)
class Layout:
    """What a family asks of the axes, which are numbered from 0 in the order in which it is solved."""

    name: str
    program: Program
    flags: RobotFlags
    reverse: bool = False  # solved from tip to base
    meet: tuple[tuple[int, ...], ...] = ()
    parallel: tuple[tuple[int, ...], ...] = ()
    apart: tuple[Pair, ...] = ()  # axes that must not be parallel
    off: tuple[
        Pair, ...
    ] = ()  # an axis, and a joint (or one past the last: the tip) whose point it must not pass through
    up: float = 1.0  # which way along axis 1 the z axis of the family's frame points
    # What the closed form leaves to choose, or what completes it.
    free_parameter: Literal["", "swivel", "last joint", "virtual joint", "guess", "iterative"] = ""
    beside: Pair | None = None  # an axis, and a joint whose point it passes at a small distance
    nearly: bool = False  # an arm that misses the layout by centimetres belongs to it, too
    oriented: bool = True  # the tip's rotation is brought to the target's too

    @property
    def joints(self) -> int:
        """How many joints the formula takes."""
        return self.program.groups["axes"] // 3

    @property
    def has_swivel(self) -> bool:
        """Whether callers may choose a swivel: a limb of seven joints."""
        return self.free_parameter in ("swivel", "last joint")


def _pairs() -> Iterator[tuple[bool, bool, Pair, int, str]]:
    """Two parallel or meeting axes among three, in the order in which they are preferred."""
    for parallel, inner in ((True, True), (False, False), (True, False), (False, True)):
        kind = "parallel" if parallel else "intersecting"
        yield parallel, inner, (1, 2) if inner else (0, 1), 0 if inner else 2, kind


def _spherical(reverse: bool) -> Iterator[Layout]:
    end, rest = ("shoulder", "last") if reverse else ("wrist", "first")
    for parallel, inner, pair, other, kind in _pairs():
        yield Layout(
            f"6R, spherical {end}, two {kind} axes among the {rest} three",
            programs.SPHERICAL,
            SphericalFlags(reverse, parallel, inner),
            reverse,
            meet=((3, 4, 5),) if parallel else ((3, 4, 5), pair),
            parallel=(pair,) if parallel else (),
            apart=((3, 4), (4, 5), (other, 1) if parallel else pair),
            off=(pair if parallel else (other, 1), (2, 3)),
            up=1.0 if inner else -1.0,
        )


def _three_parallel(reverse: bool) -> Layout:
    return Layout(
        f"6R, three parallel axes, the {'first' if reverse else 'last'} two intersecting",
        programs.THREE_PARALLEL,
        ThreeParallelFlags(reverse),
        reverse,
        meet=((4, 5),),
        parallel=((1, 2, 3),),
        apart=((0, 1), (3, 4), (4, 5)),
        off=((1, 2), (2, 3)),
    )


def _three() -> Iterator[Layout]:
    for parallel, inner, pair, other, kind in _pairs():
        yield Layout(
            f"3R, the {'last' if inner else 'first'} two axes {kind}: position only",
            programs.THREE,
            ThreeFlags(parallel, inner),
            meet=() if parallel else (pair,),
            parallel=(pair,) if parallel else (),
            apart=((other, 1) if parallel else pair,),
            off=(pair if parallel else (other, 1), (2, 3)),
            up=1.0 if inner else -1.0,
            oriented=False,
        )


_TWO = [
    Layout(
        "2R, parallel axes: position only",
        programs.TWO,
        TwoFlags(True),
        parallel=((0, 1),),
        off=((0, 1), (1, 2)),
        oriented=False,
    ),
    Layout("2R: position only", programs.TWO, TwoFlags(False), apart=((0, 1),), off=((1, 2),), oriented=False),
]
_PLANAR = Layout("3R, parallel axes", programs.PLANAR_THREE, NoFlags(), parallel=((0, 1, 2),), off=((0, 1), (1, 2)))
_SWIVEL = Layout(
    "7R, spherical shoulder, elbow, spherical wrist",
    programs.SWIVEL,
    NoFlags(),
    meet=((0, 1, 2), (4, 5, 6)),
    apart=((0, 1), (1, 2), (4, 5), (5, 6)),
    off=((3, 0), (3, 4)),
    free_parameter="swivel",
)
_SPHERICAL = [*_spherical(False), *_spherical(True)]
_SIX = [_three_parallel(False), *_SPHERICAL, _three_parallel(True)]


def _with_last_joint_given(layout: Layout) -> Layout:
    name = layout.name.replace("6R", "7R, the last joint given")
    return replace(layout, name=name, program=programs.LOCKED, free_parameter="last joint")


def _with_one_axis_aside(layout: Layout) -> Layout:
    """Two axes of a spherical joint that meet, and a third that passes by."""
    what = "hip" if layout.reverse else "wrist"
    name = layout.name.replace(
        f"spherical {'shoulder' if layout.reverse else 'wrist'}", f"{what} of two intersecting axes and one aside"
    )
    meet = tuple((3, 4) if joints == (3, 4, 5) else joints for joints in layout.meet)
    name = f"{name}: one scalar, fixed steps"
    return replace(layout, name=name, program=programs.GUESSED, meet=meet, free_parameter="guess", beside=(5, 4))


def _nearly_exact(layout: Layout) -> Layout:
    return replace(layout, name=f"{layout.name}, nearly: fixed Newton steps", nearly=True)


def _with_virtual_joint(layout: Layout) -> Layout:
    name = layout.name.replace("6R", "5R, completed by a joint at the tip")
    return replace(layout, name=f"{name}: the position, and the nearest rotation", free_parameter="virtual joint")


# By the number of joints, in the order in which they are tried.
LAYOUTS: dict[int, list[Layout]] = {
    2: _TWO,
    3: [_PLANAR, *_three()],
    5: [_with_virtual_joint(layout) for layout in _SIX],
    6: [*_SIX, *(_with_one_axis_aside(layout) for layout in _SPHERICAL)],
    7: [_SWIVEL, *(_with_last_joint_given(layout) for layout in _SPHERICAL), _nearly_exact(_SWIVEL)],
}
