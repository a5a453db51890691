"""Reads MJCF, MuJoCo's format: bodies, frames, hinges, slides, sites, keyframes, with defaults, includes and settings.

What does not move anything (inertia, geoms, actuators, sensors) is left out; what makes bodies that the file does not
list (composite, flexcomp, replicate, attach) is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, isfinite, radians
from pathlib import Path
from typing import NamedTuple

from limbik.errors import FileError, did_you_mean, shown
from limbik.robots.description import MAX_LINKS, LinkSpec, RobotJoint, RobotSpec, SiteSpec
from limbik.robots.placements import (
    NO_ROTATION,
    ZERO,
    Placement,
    Quaternion4,
    about,
    compose,
    from_sequence,
    from_xy_axes,
    from_z_axis,
    rotate,
    unit,
)
from limbik.robots.xml_elements import MAX_DEPTH, MAX_ELEMENTS, Element, read_xml

WORLD = "world"
SKIPPED = {"inertial", "camera", "light", "plugin"}
REFUSED = {"composite", "flexcomp", "replicate", "attach"}
KINDS = ("hinge", "slide", "ball", "free")
DEFAULTED = ("joint", "site", "geom")  # the elements with defaults that are read
ORIENTATIONS = ("quat", "axisangle", "euler", "xyaxes", "zaxis")
MAIN = "main"


class Scope(NamedTuple):
    """Where an element stands: the body around it, the frames between, and the class that applies."""

    link: int
    frame: Placement
    child_class: str


def read_mjcf(root: Element) -> RobotSpec:
    """The robot that a <mujoco> element describes: "world" is its root."""
    expand_includes(root)
    reader = BodyReader(read_settings(root), root)
    for world in root.all("worldbody"):
        reader.read(world)
    if len(reader.links) < 2:
        root.fail("has no <body> in a <worldbody>")
    name, poses = root.attributes.get("model", ""), reader.poses(root)
    return RobotSpec(name, reader.links, reader.sites, poses=poses, has_world=True)


class BodyReader:
    """Walks through the bodies, in the file's order."""

    def __init__(self, settings: Settings, root: Element) -> None:
        self.settings = settings
        self.links = [LinkSpec(WORLD, -1, Placement(), root.alone())]
        self.places: dict[str, dict[str, SiteSpec]] = {"site": {}, "geom": {}}
        used = {"body": {WORLD}, "joint": set()}
        for element in root.descendants():
            if element.tag in used and "name" in element.attributes:
                used[element.tag].add(element.attributes["name"])
        self.reserved = used  # names in the file, which made-up ones must not repeat
        self.used: dict[str, set[str]] = {"body": {WORLD}, "joint": set()}
        # Of qpos, by the link: the names of joints; "" for those of balls and free joints.
        self.coordinates: dict[int, list[str]] = {}

    def read(self, world: Element) -> None:
        """Reads the bodies of a <worldbody>."""
        scope = Scope(0, Placement(), self.settings.known_class(world, "childclass") or MAIN)
        waiting = [(child, scope) for child in reversed(world.children)]
        while waiting:
            element, scope = waiting.pop()
            inner = self.enter(element, scope)
            if inner is not None:
                waiting.extend((child, inner) for child in reversed(element.children))

    def enter(self, element: Element, scope: Scope) -> Scope | None:
        """Reads an element; returns the scope of its children, where these are to be read."""
        if element.tag in ("body", "frame"):
            child_class = self.settings.known_class(element, "childclass") or scope.child_class
            place = compose(scope.frame, self.settings.place(element))
            if element.tag == "frame":
                return Scope(scope.link, place, child_class)
            return Scope(self.add_body(element, scope.link, place), Placement(), child_class)
        if element.tag == "joint":
            self.add_joint(self.settings.with_defaults(element, scope.child_class), scope)
        elif element.tag == "freejoint":
            self.add_free(element, scope.link)
        elif element.tag in ("site", "geom"):
            self.add_site(element, scope)
        elif element.tag in REFUSED:
            element.fail("is not read: it makes bodies; `mj_saveLastXML` writes the file with them")
        elif element.tag not in SKIPPED:
            element.fail("is not read within <body>; limbik knows body, frame, joint, freejoint, site, geom")
        return None

    def name(self, element: Element, kind: str, otherwise: str) -> str:
        """The name of an element, which must be new; one is made up where there is none."""
        name = element.attributes.get("name", "")
        if not name:
            number = 1
            name = otherwise
            while name in self.reserved[kind] or name in self.used[kind]:
                number += 1
                name = f"{otherwise}{number}"
        if name in self.used[kind]:
            element.fail(f"has the name of another {kind}")
        self.used[kind].add(name)
        return name

    def add_body(self, element: Element, parent: int, place: Placement) -> int:
        if len(self.links) >= MAX_LINKS:
            element.fail(f"exceeds the limit of {MAX_LINKS:,} bodies")
        name = self.name(element, "body", f"body{len(self.links)}")
        self.links.append(LinkSpec(name, parent, place, element.alone()))
        return len(self.links) - 1

    def add_joint(self, joint: Element, scope: Scope) -> None:
        link = self.links[scope.link]
        kind = joint.flag("type", KINDS, "hinge")
        if kind == "free":
            self.add_free(joint, scope.link)
            return
        if scope.link == 0 or link.floating:
            joint.fail("moves the world" if scope.link == 0 else "follows a free joint; a floating body has no other")
        name = self.name(joint, "joint", f"{link.name}_joint")
        coordinates = self.coordinates.setdefault(scope.link, [])
        if kind == "ball":
            link.held.append(name)
            coordinates += [""] * 4
            return
        coordinates.append(name)
        axis = unit(rotate(scope.frame.rotation, joint.vector("axis", (0.0, 0.0, 1.0))))
        if axis is None:
            joint.fail("has a zero axis")
        anchor = compose(scope.frame, Placement(joint.vector("pos", (0.0, 0.0, 0.0)))).position
        turns = kind == "hinge"
        reference = joint.number("ref", 0.0)
        reference = self.settings.angle(reference) if turns else reference
        limits = self.settings.limits(joint, turns)
        link.joints.append(RobotJoint(name, link.name, kind, axis, anchor, *limits, reference))

    def add_free(self, joint: Element, number: int) -> None:
        link = self.links[number]
        if number == 0 or link.parent != 0:
            joint.fail("frees a body within another; only bodies in <worldbody> can float")
        if link.joints or link.held or link.floating:
            joint.fail("is not the body's only joint")
        link.floating = True
        self.coordinates[number] = [""] * 7

    def add_site(self, element: Element, scope: Scope) -> None:
        """A named site, or a named sphere, is a place in which a limb can end; its size and look do not matter."""
        name = element.attributes.get("name", "")
        merged = self.settings.with_defaults(element, scope.child_class)
        if not name or "fromto" in merged.attributes or not (element.tag == "site" or _is_sphere(merged)):
            return
        places = self.places[element.tag]
        if name in places:
            element.fail("has the name of another one")
        places[name] = SiteSpec(name, scope.link, compose(scope.frame, self.settings.place(merged)))

    def poses(self, root: Element) -> dict[str, dict[str, float]]:
        """The values of joints in each named keyframe that has a number for each of the robot's coordinates."""
        names = [name for number in sorted(self.coordinates) for name in self.coordinates[number]]
        poses = {}
        for key in (key for keyframe in root.all("keyframe") for key in keyframe.all("key")):
            words = key.attributes.get("qpos", "").split()
            if key.attributes.get("name") and len(words) == len(names) and all(map(_is_number, words)):
                values = zip(names, map(float, words), strict=True)
                poses[key.attributes["name"]] = {name: value for name, value in values if name}
        return poses

    @property
    def sites(self) -> list[SiteSpec]:
        """Sites and spheres; of two with the same name, the site."""
        return list({**self.places["geom"], **self.places["site"]}.values())


def _is_sphere(geom: Element) -> bool:
    return geom.attributes.get("type", "sphere") == "sphere" and "mesh" not in geom.attributes


def _is_number(word: str) -> bool:
    try:
        return isfinite(float(word))
    except ValueError:
        return False


# --- compiler settings and default classes: what an element's attributes are after both


@dataclass
class Settings:
    """What <compiler> and <default> say."""

    degrees: bool = True
    euler: str = "xyz"
    autolimits: bool = True
    classes: dict[str, dict[str, dict[str, str]]] = field(
        default_factory=lambda: {MAIN: {tag: {} for tag in DEFAULTED}}
    )

    def angle(self, value: float) -> float:
        """An angle of the file, in radians."""
        return radians(value) if self.degrees else value

    def with_defaults(self, element: Element, child_class: str) -> Element:
        """The element with the attributes of its class, or of the class that its body sets, where it has none."""
        own = element.attributes
        inherited = self.classes[self.known_class(element, "class") or child_class][element.tag]
        if any(name in own for name in ORIENTATIONS):
            inherited = {name: value for name, value in inherited.items() if name not in ORIENTATIONS}
        return Element(element.path, element.line, element.tag, {**inherited, **own})

    def known_class(self, element: Element, attribute: str) -> str:
        """The default class that an attribute names; "" where it is absent."""
        name = element.attributes.get(attribute, "")
        if name and name not in self.classes:
            element.fail(f"has the unknown {attribute} {shown(name)}{did_you_mean(name, self.classes)}")
        return name

    def place(self, element: Element) -> Placement:
        """The position and the rotation of a body, frame or site."""
        return Placement(element.vector("pos", ZERO), self._rotation(element))

    def _rotation(self, element: Element) -> Quaternion4:
        stated = [name for name in ORIENTATIONS if name in element.attributes]
        if not stated:
            return NO_ROTATION
        if len(stated) > 1:
            element.fail(f"has {' and '.join(stated)}; expected one orientation")
        found = self._read_rotation(element, stated[0])
        if found is None:
            element.fail(f"has {stated[0]}={shown(element.attributes[stated[0]])}, which is no orientation")
        return found

    def _read_rotation(self, element: Element, name: str) -> Quaternion4 | None:
        if name == "quat":
            w, x, y, z = element.vector(name, (1.0, 0.0, 0.0, 0.0))
            return unit((x, y, z, w))
        if name == "axisangle":
            *vector, angle = element.vector(name, (0.0, 0.0, 0.0, 0.0))
            axis = unit(tuple(vector))
            return None if axis is None else about(axis, self.angle(angle))
        if name == "euler":
            angles = element.vector(name, ZERO)
            return from_sequence(self.euler, tuple(self.angle(angle) for angle in angles))
        if name == "xyaxes":
            return from_xy_axes(element.vector(name, (0.0,) * 6))
        return from_z_axis(element.vector(name, ZERO))

    def limits(self, joint: Element, turns: bool) -> tuple[float, float]:
        """The limits of a joint with its defaults, in radians where it turns."""
        limited = joint.flag("limited", ("auto", "true", "false"), "auto")
        stated = joint.numbers("range", 2, 2, inf)
        if limited == "false":
            return -inf, inf
        if limited == "auto" and stated and not self.autolimits:
            joint.fail('has a range, but not limited, in a file whose compiler has autolimits="false"')
        lower, upper = stated or (0.0, 0.0)
        if lower >= upper:
            if limited == "true":
                joint.fail(f"has the range {lower:g} to {upper:g}; expected one whose first number is smaller")
            return -inf, inf
        return (self.angle(lower), self.angle(upper)) if turns else (lower, upper)


def read_settings(root: Element) -> Settings:
    """The settings of a file whose includes are expanded; sections may repeat, and later ones win."""
    settings = Settings()
    for compiler in root.all("compiler"):
        _read_compiler(compiler, settings)
    for default in root.all("default"):
        name = default.attributes.get("class", MAIN)
        _read_class(default, settings, settings.classes[MAIN])
        settings.classes.setdefault(name, settings.classes[MAIN])
    return settings


def _read_compiler(compiler: Element, settings: Settings) -> None:
    if compiler.flag("coordinate", ("local", "global"), "local") == "global":
        compiler.fail('has coordinate="global", which MuJoCo no longer reads either; expected "local"')
    if "angle" in compiler.attributes:
        settings.degrees = compiler.flag("angle", ("degree", "radian"), "degree") == "degree"
    if "autolimits" in compiler.attributes:
        settings.autolimits = compiler.flag("autolimits", ("true", "false"), "true") == "true"
    if "eulerseq" in compiler.attributes:
        settings.euler = compiler.attributes["eulerseq"]
        if len(settings.euler) != 3 or set(settings.euler.lower()) - set("xyz"):
            compiler.fail(f"has eulerseq={shown(settings.euler)}; expected three letters of xyzXYZ")


def _read_class(default: Element, settings: Settings, own: dict[str, dict[str, str]]) -> None:
    """Reads a class's own elements, then the classes within it, which start from a copy of it."""
    waiting = [(default, own)]
    while waiting:
        element, attributes = waiting.pop()
        for child in element.children:
            if child.tag in DEFAULTED:
                attributes[child.tag].update(child.attributes)
        for child in element.all("default"):
            name = child.word("class")
            if name in settings.classes:
                child.fail(f"has the name of another class: {shown(name)}")
            settings.classes[name] = {tag: dict(values) for tag, values in attributes.items()}
            waiting.append((child, settings.classes[name]))


# --- the contents of included files in the place of <include>; never those of a file outside the main file's folder


def expand_includes(root: Element) -> Element:
    """The root with every <include> replaced; each file is read once.

    As in MuJoCo, a path is relative to the main file's folder; a file that is not there is looked for beside the file
    that includes it.
    """
    folder = root.path.parent
    seen = {_resolve(root, root.path)}
    count = 0
    waiting = [(root, 1)]
    while waiting:
        element, depth = waiting.pop()
        count += len(element.children)
        if depth > MAX_DEPTH:
            element.fail(f"is nested more than {MAX_DEPTH} deep")
        if count > MAX_ELEMENTS:
            element.fail(f"exceeds the limit of {MAX_ELEMENTS:,} elements, included files together")
        while any(child.tag == "include" for child in element.children):
            element.children = [
                one
                for child in element.children
                for one in (_elements_of(child, folder, seen) if child.tag == "include" else [child])
            ]
        waiting.extend((child, depth + 1) for child in element.children)
    return root


def _elements_of(include: Element, folder: Path, seen: set[Path]) -> list[Element]:
    name = include.word("file")
    places = [_resolve(include, parent / name) for parent in (folder, include.path.parent)]
    path = next((place for place in places if _exists(place)), places[0])
    if not path.is_relative_to(_resolve(include, folder)):
        include.fail(f"names {shown(name)}, outside the file's folder; copy it there to have it read")
    if path in seen:
        include.fail(f"names {shown(name)} again; a file is included once")
    seen.add(path)
    try:
        return read_xml(path).children
    except FileError as error:
        include.fail(f"names a file that cannot be read: {error}")


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a folder that may not be read, a name too long
        return False


def _resolve(element: Element, path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):  # a name too long, a circle of links, an odd character
        element.fail(f"names {shown(str(path))}, which is not a path")
