"""What goes into an exported function and what comes out of it: named numbers, vectors and rotations.

Below, the inputs and answers of each limb, with the names and notes that exported code shows.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Item:
    """One named input, output or field. Names are in snake case; a language respells them."""

    name: str
    note: str = ""
    size: int = 1  # how many numbers it consists of
    kind: str = "number"  # number, vector, quaternion, status, flag, index (a whole number) or record
    fields: tuple[Item, ...] = ()  # of a record
    record: str = ""  # the name of a record's type, in snake case

    @property
    def parts(self) -> list[str]:
        """A name for each of its numbers."""
        if self.kind == "record":
            return [part for field in self.fields for part in field.parts]
        return [self.name] if self.size == 1 else [f"{self.name}_{axis}" for axis in "xyzw"[: self.size]]


STATUSES = ("reached", "too_far", "too_near", "limited", "invalid")  # by their numbers


def number(name: str, note: str) -> Item:
    """One number."""
    return Item(name, note)


def vector(name: str, note: str, size: int = 3) -> Item:
    """A vector of 2 or 3 components."""
    return Item(name, note, size, "vector")


def quaternion(name: str, note: str) -> Item:
    """A rotation, xyzw."""
    return Item(name, note, 4, "quaternion")


def index(name: str, note: str) -> Item:
    """A whole number."""
    return Item(name, note, 1, "index")


def record(name: str, note: str, record: str, fields: tuple[Item, ...]) -> Item:
    """A struct of other items."""
    return Item(name, note, sum(field.size for field in fields), "record", fields, record)


# --- the limbs

LENGTHS = {
    2: (number("first", "length of the first link"), number("second", "length of the second link")),
    3: (
        number("first", "length of the first link, hip to knee"),
        number("second", "length of the second link, knee to ankle"),
        number("last", "length of the last link, ankle to tip"),
    ),
}
CHORDS = (
    number("shortest", "shortest distance between the ends of the first two links, as a fraction of their length"),
    number("longest", "longest such distance; chord_range computes both from the limits of the middle joint"),
)
MIDDLE_LIMITS = (
    number("middle_low", "smallest bend of the middle joint, radians, 0 to pi: 0 is straight"),
    number("middle_high", "largest bend of the middle joint, radians, 0 to pi: pi is folded"),
)
LAST_LIMITS = (
    number("last_low", "smallest bend of the last joint, radians, -pi to pi: 0 is straight"),
    number("last_high", "largest bend of the last joint, radians: positive the way the knee bends"),
)

BEND = {
    "planar": number("bend", "+1: the elbow lies left of the ray from origin to target, -1: right of it"),
    "two_link": number("bend", "+1: the middle joint lies towards the pole, -1: away from it"),
    "three_link": number(
        "bend", "+1: the knee lies on the side of up across the line from origin to ankle, -1: on the other"
    ),
}
TWIST = number("twist", "turns the middle joint about the line from origin to target, radians")
EXTENSION = (
    number("soften", "fraction of the limb's length at which soft reach begins, in (0, 1]; 1: off"),
    number("stretch", "largest factor by which the links may lengthen, 1 or more; 1: off"),
)
HINT = vector("hint", "direction in which the knee should lie where up does not decide")
DIRECTION = vector("direction", "of the last link, of any length")
BRANCH_SIGNS = (
    number("axis", "+1: the hinge axis by the rule that the base faces the ankle, -1: the opposite one"),
    number("upper", "+1: roll within a quarter turn, -1: over the top"),
)
TURN_RATE = number(
    "turn_rate", "degrees that the bending plane may turn for each degree that the target turns, such as 5"
)


def goals(limb: str) -> tuple[Item, ...]:
    """Where a limb reaches, and where it is attached."""
    size = 2 if limb == "planar" else 3
    target = vector("target", "where the tip goes", size)
    origin = vector("origin", "where the limb is attached", size)
    if limb == "planar":
        return target, origin
    if limb == "two_link":
        return target, vector("pole", "direction of any length: the middle joint lies on its side"), origin
    return target, vector("up", "direction of the last link, of any length; zero leaves it free"), origin


ANSWERS: dict[str, dict[str, tuple[Item, ...]]] = {
    "planar": {
        "joints": (
            vector("root", "where the limb is attached", 2),
            vector("elbow", "the middle joint", 2),
            vector("tip", "the end", 2),
        ),
        "angles": (
            number("first_angle", "of the first link from +x, radians, counter-clockwise"),
            number("second_angle", "of the second link from the first"),
        ),
    },
    "two_link": {
        "joints": (
            vector("root", "where the limb is attached"),
            vector("middle", "the middle joint"),
            vector("tip", "the end"),
        ),
        "rotations": (
            quaternion("first_rotation", "of the first link in the world, xyzw: +z along the link, +x its hinge"),
            quaternion("second_rotation", "of the second link"),
        ),
        "angles": (
            number("yaw", "about y, radians; the chain is Ry Rz Rx Rx"),
            number("roll", "about z"),
            number("first_angle", "first hinge about x"),
            number("second_angle", "second hinge about x"),
        ),
    },
    "three_link": {
        "joints": (
            vector("root", "where the limb is attached"),
            vector("knee", "the joint between the first two links"),
            vector("ankle", "the joint before the last link"),
            vector("tip", "the end"),
        ),
        "rotations": (
            quaternion("first_rotation", "of the first link in the world, xyzw: +z along the link, +x its hinge"),
            quaternion("second_rotation", "of the second link"),
            quaternion("last_rotation", "of the last link"),
        ),
        "angles": (
            number("yaw", "about y, radians; the chain is Ry Rz Rx Rx Rx"),
            number("roll", "about z"),
            number("first_angle", "hip about x"),
            number("second_angle", "knee about x"),
            number("last_angle", "ankle about x"),
        ),
    },
}


def chain_lengths(links: int) -> tuple[Item, ...]:
    """The lengths of a chain with so many links, as inputs."""
    return tuple(number(f"length_{k}", f"length of link {k}") for k in range(1, links + 1))


def chain_answers(links: int) -> dict[str, tuple[Item, ...]]:
    """The answers of a chain with so many links."""
    turns = "of link {} in the world, xyzw: +z along the link, +x its hinge"
    return {
        "joints": (
            vector("root", "where the chain is attached"),
            *(vector(f"joint_{k}", f"between links {k} and {k + 1}") for k in range(1, links)),
            vector("tip", "the end"),
        ),
        "rotations": tuple(quaternion(f"rotation_{k}", turns.format(k)) for k in range(1, links + 1)),
        "angles": (
            number("yaw", "about y, radians; the chain is Ry Rz Rx Rx ..."),
            number("roll", "about z"),
            *(number(f"hinge_{k}", f"hinge of link {k} about x") for k in range(1, links + 1)),
        ),
    }


REPORT = {
    "status": Item("status", "0 reached, 1 too far, 2 too near, 3 held back by a joint limit, 4 invalid", 1, "status"),
    "residual": number("residual", "distance from tip to target"),
    "up_error": number("up_error", "angle between the last link and up, radians"),
    "singular": Item("singular", "whether nothing decided the bending plane, so that a default was taken", 1, "flag"),
    "stretch": number("stretch", "factor by which the links are lengthened"),
    "out_of_plane": number("out_of_plane", "angle of the last link out of the bending plane, radians"),
}
STATE = (
    vector("aim", "unit vector from origin to tip or ankle"),
    vector("side", "unit vector on whose side the middle joint lies"),
    vector("guide", "the pole or up that the bending plane follows"),
    vector("hinge", "axis of the hinge"),
)
STATES = {
    "follow": STATE,
    "follow_position": (
        *STATE,
        vector("last_direction", "of the last link"),
        vector("onward", "from origin to target"),
    ),
    "follow_limits": (
        *STATE,
        number("middle_bend", "of the middle joint"),
        number("last_bend", "of the last joint"),
        number("foot", "angle of the last link in the bending plane"),
        number("distance", "of the requested ankle, as a fraction of the first two links"),
    ),
}
