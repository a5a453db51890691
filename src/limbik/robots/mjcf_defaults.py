"""MJCF's compiler settings and default classes: what an element's attributes are after both."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, radians

from limbik.errors import did_you_mean, shown
from limbik.robots.description import UNTURNED, ZERO, Placed, Quaternion4
from limbik.robots.orientations import about, from_sequence, from_xy_axes, from_z_axis, unit
from limbik.robots.xml_elements import Element

DEFAULTED = ("joint", "site", "geom")  # the elements with defaults that are read
ORIENTATIONS = ("quat", "axisangle", "euler", "xyaxes", "zaxis")
MAIN = "main"


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

    def place(self, element: Element) -> Placed:
        """The position and the rotation of a body, frame or site."""
        return Placed(element.vector("pos", ZERO), self._rotation(element))

    def _rotation(self, element: Element) -> Quaternion4:
        stated = [name for name in ORIENTATIONS if name in element.attributes]
        if not stated:
            return UNTURNED
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
