"""Reads MJCF, MuJoCo's format: bodies, frames, hinges, slides, sites, keyframes, with defaults, includes and settings.

What does not move anything (inertia, geoms, actuators, sensors) is left out; what makes bodies that the file does not
list (composite, flexcomp, replicate, attach) is refused.
"""

from __future__ import annotations

from math import isfinite
from typing import NamedTuple

from limbik.robots.description import MOST_LINKS, LinkSpec, Placed, RobotJoint, RobotSpec, SiteSpec
from limbik.robots.mjcf_defaults import MAIN, Settings, read_settings
from limbik.robots.mjcf_includes import expand_includes
from limbik.robots.orientations import compose, rotate, unit
from limbik.robots.xml_elements import Element

WORLD = "world"
SKIPPED = {"inertial", "camera", "light", "plugin"}
REFUSED = {"composite", "flexcomp", "replicate", "attach"}
KINDS = ("hinge", "slide", "ball", "free")


class Scope(NamedTuple):
    """Where an element stands: the body around it, the frames between, and the class that applies."""

    link: int
    frame: Placed
    child_class: str


def read_mjcf(root: Element) -> RobotSpec:
    """The robot that a <mujoco> element describes: "world" is its root."""
    expand_includes(root)
    reader = Reader(read_settings(root), root)
    for world in root.all("worldbody"):
        reader.read(world)
    if len(reader.links) < 2:
        root.fail("has no <body> in a <worldbody>")
    return RobotSpec(root.attributes.get("model", ""), reader.links, reader.sites, poses=reader.poses(root))


class Reader:
    """Walks through the bodies, in the file's order."""

    def __init__(self, settings: Settings, root: Element) -> None:
        self.settings = settings
        self.links = [LinkSpec(WORLD, -1, Placed(), root.alone())]
        self.places: dict[str, dict[str, SiteSpec]] = {"site": {}, "geom": {}}
        used = {"body": {WORLD}, "joint": set()}
        for element in root.descendants():
            if element.tag in used and "name" in element.attributes:
                used[element.tag].add(element.attributes["name"])
        self.reserved = used  # names in the file, which made-up ones must not repeat
        self.used: dict[str, set[str]] = {"body": {WORLD}, "joint": set()}
        self.coordinates: dict[
            int, list[str]
        ] = {}  # of qpos, by the link: joints' names; "" for those of balls and free

    def read(self, world: Element) -> None:
        """Reads the bodies of a <worldbody>."""
        scope = Scope(0, Placed(), self.settings.known_class(world, "childclass") or MAIN)
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
            return Scope(self.add_body(element, scope.link, place), Placed(), child_class)
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

    def add_body(self, element: Element, parent: int, place: Placed) -> int:
        if len(self.links) >= MOST_LINKS:
            element.fail(f"exceeds the limit of {MOST_LINKS:,} bodies")
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
        anchor = compose(scope.frame, Placed(joint.vector("pos", (0.0, 0.0, 0.0)))).position
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
