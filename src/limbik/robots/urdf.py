"""Reads URDF: links, and joints with their origin, axis, limits and mimic.

What does not move anything (inertia, meshes, materials, transmissions, plugins) is left out.
"""

from __future__ import annotations

from math import inf

from limbik.errors import did_you_mean, shown
from limbik.robots.description import MAX_LINKS, MAX_LINKS_IN_A_ROW, LinkSpec, Mimic, RobotJoint, RobotSpec
from limbik.robots.placements import ZERO, Placement, from_sequence, unit
from limbik.robots.xml_elements import Element

KINDS = {"revolute": "hinge", "continuous": "hinge", "prismatic": "slide"}
WORLD = "world"
XACRO = "is xacro, not URDF: run `xacro FILE > robot.urdf` and load robot.urdf"


def read_urdf(root: Element) -> RobotSpec:
    """The robot that a <robot> element describes."""
    _refuse_xacro(root)
    links = _by_name(root.all("link"))
    joints = _by_name(root.all("joint"))
    if not links:
        root.fail("has no <link>")
    if len(links) > MAX_LINKS:
        root.fail(f"has {len(links):,} links; the limit is {MAX_LINKS:,}")
    above: dict[str, Element] = {}  # the joint above each link that has one
    below: dict[str, list[Element]] = {name: [] for name in links}
    for joint in joints.values():
        parent, child = (_link_of(joint, end, links) for end in ("parent", "child"))
        if child in above:
            joint.fail(
                f"moves link {shown(child)}, as joint {shown(above[child].word('name'))} does; expected one joint"
            )
        above[child] = joint
        below[parent].append(joint)
    roots = [name for name in links if name not in above]
    if len(roots) != 1:
        names = ", ".join(map(shown, roots[:5]))
        root.fail(
            f"has {len(roots)} links that no joint moves ({names}); expected one root" if roots else "is a circle"
        )
    specs = [LinkSpec(roots[0], -1, Placement(), links[roots[0]].alone())]
    depths = [1]
    waiting = [(joint, 0) for joint in reversed(below[roots[0]])]
    while waiting:
        joint, parent = waiting.pop()
        child = _link_of(joint, "child", links)
        specs.append(_link(joint, child, parent))
        depths.append(depths[parent] + 1)
        if depths[-1] > MAX_LINKS_IN_A_ROW:
            joint.fail(f"exceeds the limit of {MAX_LINKS_IN_A_ROW:,} links in a row")
        waiting.extend((one, len(specs) - 1) for one in reversed(below[child]))
    if len(specs) < len(links):
        found = {spec.name for spec in specs}
        lost = next(name for name in links if name not in found)
        above[lost].fail(f"is part of a circle of joints: link {shown(lost)} does not hang on {shown(roots[0])}")
    fixed = [name for name, joint in joints.items() if joint.word("type") == "fixed"]
    return RobotSpec(
        root.attributes.get("name", ""), specs, fixed=fixed, has_world=_is_world(roots[0], links[roots[0]])
    )


def _is_world(name: str, link: Element) -> bool:
    """Whether a root is no link, but what the robot stands in, to which its first link is fixed."""
    return name == WORLD and not link.children


def _refuse_xacro(root: Element) -> None:
    for element in root.descendants():
        if element.tag.startswith("xacro:"):
            element.fail(XACRO)
        if element.tag in ("link", "joint", "origin", "limit") and any("${" in v for v in element.attributes.values()):
            element.fail(XACRO)


def _by_name(elements: list[Element]) -> dict[str, Element]:
    found: dict[str, Element] = {}
    for element in elements:
        name = element.word("name")
        if name in found:
            element.fail(f"has the name of the <{element.tag}> on line {found[name].line}")
        found[name] = element
    return found


def _link_of(joint: Element, end: str, links: dict[str, Element]) -> str:
    element = joint.one(end)
    if element is None:
        joint.fail(f"has no <{end}>")
    name = element.word("link")
    if name not in links:
        element.fail(f"names a link that does not exist: {shown(name)}{did_you_mean(name, links)}")
    return name


def _link(joint: Element, child: str, parent: int) -> LinkSpec:
    """A link, and the joint that moves it."""
    kind = joint.word("type")
    origin = joint.one("origin")
    place = Placement()
    if origin is not None:
        rpy = origin.vector("rpy", ZERO)
        place = Placement(origin.vector("xyz", ZERO), from_sequence("XYZ", rpy))
    spec = LinkSpec(child, parent, place, joint.alone(), floating=kind == "floating")
    if spec.floating and parent > 0:
        joint.fail("is floating, but not below the root link; a robot has one base that floats")
    if kind in KINDS:
        spec.joints.append(_joint(joint, child, kind))
    elif kind == "planar":
        joint.fail("is planar, which limbik does not read; write two prismatic joints and a revolute one")
    elif kind not in ("fixed", "floating"):
        known = [*KINDS, "fixed", "floating"]
        joint.fail(f"has type={shown(kind)}; expected one of {', '.join(known)}{did_you_mean(kind, known)}")
    return spec


def _joint(joint: Element, child: str, kind: str) -> RobotJoint:
    element = joint.one("axis")
    axis = unit(element.vector("xyz", (1.0, 0.0, 0.0))) if element is not None else (1.0, 0.0, 0.0)
    if axis is None:
        joint.fail("has a zero axis")
    lower, upper = _limits(joint) if kind != "continuous" else (-inf, inf)
    name, velocity = joint.word("name"), _max_velocity(joint)
    return RobotJoint(name, child, KINDS[kind], axis, ZERO, lower, upper, 0.0, _mimic(joint), velocity)


def _limits(joint: Element) -> tuple[float, float]:
    """The limits; none where they are absent or both zero, which is how real files leave them out (as MuJoCo reads)."""
    limit = joint.one("limit")
    if limit is None:
        return -inf, inf
    lower, upper = (limit.number(name, 0.0, inf) for name in ("lower", "upper"))
    if lower > upper or lower == inf or upper == -inf:
        limit.fail(f"has lower={lower:g} and upper={upper:g}; expected lower ≤ upper")
    return (lower, upper) if lower or upper else (-inf, inf)


def _max_velocity(joint: Element) -> float:
    """The largest speed; none where it is absent, zero or negative, which is how real files leave it out."""
    limit = joint.one("limit")
    velocity = limit.number("velocity", 0.0, inf) if limit is not None else 0.0
    return velocity if velocity > 0.0 else inf


def _mimic(joint: Element) -> Mimic | None:
    mimic = joint.one("mimic")
    if mimic is None:
        return None
    return Mimic(mimic.word("joint"), mimic.number("multiplier", 1.0), mimic.number("offset", 0.0))
