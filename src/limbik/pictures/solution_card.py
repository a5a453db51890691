"""A solution as a notebook shows it: a card with a drawing of the pose, what became of the target, and the angles."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.errors import LimbikError
from limbik.limbs.solution import Solution, on_numpy
from limbik.limbs.status import Status
from limbik.pictures import words
from limbik.pictures.limb_scene import LimbScene, circle, last_link, radii, solve_inputs
from limbik.pictures.markup import Markup, faint, framed, heading, line, outcome, tag
from limbik.pictures.sketch import Sketch
from limbik.pictures.spatial_view import Plane, bending_plane, flattened
from limbik.pictures.summary import plain, summary
from limbik.rotations import rotate

FARTHEST = 1.7  # times the limb's length: a target that is further out is drawn there
VISIBLE = 0.02  # of the limb's length: poses that differ less look the same
# A look from the figure's right and a little above, so that forward is to the right, as in the bending plane.
RIGHT = np.array([0.64, 0.0, 0.77]) / np.hypot(0.64, 0.77)
ABOVE = np.radians(20.0)
SIGNS = {"link": "▬", "ghost": "▬", "cross": "✕", "arrow": "→", "region": "■"}  # in the legend


def card(solution: Solution) -> str:
    """HTML that shows a solution, or sums up a batch of them; quick for any number of rows."""
    try:
        with np.errstate(all="ignore"):
            return _single(plain(solution)) if solution.shape == () else summary(solution)
    except LimbikError as error:  # inputs that were changed since, or tensors without numbers
        return framed(heading(words.kind(solution), f"shape {solution.shape}"), outcome(str(error), good=False))


def _single(solution: Solution) -> Markup:
    shown = words.outcome(solution)
    lengths = ", ".join(f"{length:g}" for length in solution._groups["lengths"])
    head = heading(f"{words.kind(solution)} solution", f"lengths {lengths}"), outcome(shown, good=solution.reached)
    if solution.status is Status.INVALID:
        return framed(*head)
    return framed(*head, *_drawings(solution, shown), _angles(solution))


def _angles(solution: Solution) -> Markup:
    shown = [*zip(solution.angle_names, solution.degrees(), strict=True)]
    if "out_of_plane" in solution._program.report and solution.out_of_plane:
        shown.append(("out of plane", np.degrees(solution.out_of_plane)))
    cells = (tag("div", faint(name), tag("div", words.degrees(angle))) for name, angle in shown)
    return tag("div", *cells, style="display:flex;flex-wrap:wrap;gap:2px 22px;margin-top:6px")


def _drawings(solution: Solution, shown: str) -> list[Markup]:
    """The pose from the front, or in space and within its bending plane; and what the colours mean."""
    scene = _scene(solution)
    numbers = [scene.joints, scene.target, *scene.ghosts, scene.near, scene.far]
    if not all(np.isfinite(number).all() for number in numbers):
        return [line(faint("too large or too small to be drawn"))]
    rings = [circle(radius)[::3] for radius in (scene.far, scene.near) if radius > VISIBLE]
    if solution._program.name == "planar":
        seen = [tag("div", Sketch(scene, rings, axes=np.eye(2)).drawn(shown))]
    else:
        plane = bending_plane(scene.origin, rotate(solution.rotations[0], (1.0, 0.0, 0.0)))
        within = Sketch(flattened(plane, scene), rings)
        views = {
            "in space": _in_space(scene, plane, rings).drawn(shown),
            "within the bending plane": within.drawn("The same within the bending plane."),
        }
        centred = "text-align:center"
        seen = [tag("div", tag("div", faint(title), style=centred), drawn) for title, drawn in views.items()]
    return [tag("div", *seen, style="display:flex;flex-wrap:wrap;gap:8px 16px"), _legend(scene, _cut_short(solution))]


def _in_space(scene: LimbScene, plane: Plane, rings: list[Array]) -> Sketch:
    toward = np.array([-RIGHT[2], 0.0, RIGHT[0]])
    camera = Plane(scene.origin, RIGHT, np.array([0.0, np.cos(ABOVE), 0.0]) - np.sin(ABOVE) * toward)
    placed = [plane.place(ring) for ring in rings]
    floor = min(float(ring[:, 1].min()) for ring in [*placed, scene.joints])
    shadow = scene.joints * [1.0, 0.0, 1.0] + [0.0, floor, 0.0]
    flat = [camera.flat(ring) for ring in placed]
    return Sketch(flattened(camera, scene), flat, camera.flat(shadow), camera.turned(np.eye(3)))


def _scene(solution: Solution) -> LimbScene:
    """What there is to draw, around the limb's origin, in units of its length."""
    (goal, up, pole), unit = solve_inputs(solution), _length(solution)
    near, far = radii(solution)
    origin = solution.joints[0].astype(float)
    joints = (solution.joints - origin) / unit
    others = [(pose - origin) / unit for pose in _other_bend(solution)]
    ghosts = [pose for pose in others if np.abs(pose - joints).max() > VISIBLE]
    target = (goal - origin) / unit if not _cut_short(solution) else FARTHEST * _direction(goal - origin)
    up = last_link(joints, up)
    return LimbScene(joints, solution.joint_names, target, near / unit, far / unit, ghosts, up, pole)


def _length(solution: Solution) -> float:
    stretch = solution.stretch if solution._program.name == "two_link" else 1.0
    return sum(solution._groups["lengths"]) * stretch


def _cut_short(solution: Solution) -> bool:
    """Whether the target is too far out to be drawn where it is."""
    away = np.abs(solve_inputs(solution)[0] - solution.joints[0])
    largest = float(away.max())
    return largest > 0.0 and largest * float(np.linalg.norm(away / largest)) > FARTHEST * _length(solution)


def _direction(vector: Array) -> Array:
    scaled = vector / np.abs(vector).max()  # whose length cannot overflow
    return scaled / np.linalg.norm(scaled)


def _other_bend(solution: Solution) -> list[Array]:
    """The joints of the solution that bends the other way; none where the frame was given, by a track or a limit."""
    if getattr(solution._flags, "fixed_frame", False):
        return []
    bend, *rest = solution._groups["signs"]
    return [on_numpy(solution, signs=(-bend, *rest)).joints]


def _legend(scene: LimbScene, cut_short: bool) -> Markup:
    parts = (
        tag("span", tag("span", f"{SIGNS[kind]} ", style=f"color:{colour}"), faint(text))
        for kind, colour, text in scene.key("other bend", "target, further out" if cut_short else "target")
    )
    return tag("div", *parts, style="display:flex;flex-wrap:wrap;gap:0 14px;font-size:12px")
