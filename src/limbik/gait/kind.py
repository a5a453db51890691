"""A creature as the parameters of the walk's programs, and its rows: which leg belongs to which segment, and so on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from limbik.arrays import Array
from limbik.engines.stages import Layout, Record, fields_of, size_of
from limbik.gait import ground_ahead, legs, posture
from limbik.gait.clock import NUMBERS
from limbik.gait.creature import Appendage, Creature, Gait
from limbik.gait.footholds import DIRECTIONS, STEP
from limbik.gait.joint_layout import JointLayout
from limbik.gait.leg_geometry import TOE_RATIO, knee_direction, reach_of, side_of_knee, toe_direction
from limbik.gait.records import (
    CHECKPOINTS,
    LOOK_SAMPLES,
    RING_PLACES,
    ChoiceShape,
    EndShape,
    FootprintShape,
    GaitShape,
    Kind,
    LegGait,
    LegShape,
    PartShape,
    SectionShape,
    SegmentShape,
    SpotShape,
    SpringShape,
    TrackShape,
)
from limbik.gait.secondary_motion import LEVER
from limbik.gait.steering import (
    BACKWARDS,
    FACING_RATE,
    GRAVITY,
    HOLD_STIFFNESS,
    STEERING_STIFFNESS,
    turning_circle,
)
from limbik.gait.swings import CHECKPOINT_PARTS

FAR_APART = 1e9  # metres
# Shift of weight while standing, at most: over the distance of the feet from the middle, and over the body's height.
SHIFT_WIDTH, SHIFT_HEIGHT = 0.25, 0.02
BESIDE = 0.7  # distance from the middle of feet that pass another leg, and step width, over those at rest
OVERLAP = 0.15  # distance along the body up to which tips are beside each other, over the leg's length, and the foot's
MIN_SPACING = 0.8  # distance that feet keep, over the least distance between them at rest
FINEST = 0.7, 0.06  # least distance of places that are looked at ahead, over a foot's radius, and over a leg's length
CURL = np.radians(200.0)  # greatest bend of a row of segments, all joints together
MAX_JOINT = np.radians(35.0)  # greatest bend of one joint between segments
UNBOUNDED = 1e9  # radians of lean
ANGLES = {"rock", "twist", "strike", "push", "drop", "arch", "lean"}

Row = Mapping[str, float | Sequence[float] | Array]


def layout_of(creature: Creature) -> Layout:
    """A creature's parameters and rows."""
    return _Maker(creature).layout()


def speeds_of(creature: Creature) -> Array:
    """(gaits,) Top speeds, m/s."""
    return np.array([gait.speed for gait in creature.gaits])


class _Maker:
    def __init__(self, creature: Creature) -> None:
        self.creature = creature
        body = creature.body
        self.joints = JointLayout(creature)
        self.segments = body.segments
        self.follows = body.segments > 1 and body.spine == "following"
        self.sections = body.segments if self.follows else 1
        self.segment = np.array([leg.segment for leg in creature.legs])
        self.section = self.segment if self.follows else 0 * self.segment
        self.foothold = np.array([leg.foothold for leg in creature.legs], float)
        in_line = (0.5 * (self.segments - 1) - self.segment) * body.length
        self.along = 0.0 * in_line if self.follows else in_line
        self.near, self.far = np.array([reach_of(leg) for leg in creature.legs]).T
        self.last = np.array([leg.lengths[2] if len(leg.lengths) == 3 else 0.0 for leg in creature.legs])
        self.heel = np.array([leg.heel for leg in creature.legs])
        self.length = self.far + self.last
        self.left = np.sign(self.foothold[:, 0])
        self.leading = np.flatnonzero((self.segment == self.segment.min()) | (not self.follows))
        self.partner = _partners(creature)
        narrow = np.array([leg.knee in ("forward", "back") for leg in creature.legs])
        self.beside = narrow * BESIDE * np.abs(self.foothold[:, 0])
        self.paired = bool(self.beside.any() and (self.partner != np.arange(len(self.segment))).any())
        self.springs = [k for k, part in enumerate(creature.parts) if part.spring > 0.0]
        # The natural rate of the body's motions, that of a pendulum as long as the legs: large creatures are slow.
        self.tempo = float(np.sqrt(GRAVITY / creature.height))

    def layout(self) -> Layout:
        count = len(self.segment)
        tracks = len(self.leading) + len(ground_ahead.SIDES)
        counts = {
            "body": 1,
            "leg": count,
            "leg_gait": count * len(self.creature.gaits),
            "leg_other": count * (count - 1),
            "gait": len(self.creature.gaits),
            "section": self.sections,
            "end": self.sections + 1,
            "segment": self.segments,
            "spring": max(len(self.springs), 1),
            "joint": len(self.joints.names),
            "part": len(self.creature.parts),
            "choice": count * RING_PLACES,
            "choice_other": count * RING_PLACES * (count - 1),
            "spot": count * CHECKPOINTS,
            "track": tracks,
            "sample": LOOK_SAMPLES,
            "footprint": LOOK_SAMPLES * tracks,
        }
        rows: dict[type[Record], list[Row]] = {
            Kind: [self._kind()],
            LegShape: [self._leg(k) for k in range(count)],
            LegGait: [
                {"gait": g, "offset": gait.phases[k]}
                for k in range(count)
                for g, gait in enumerate(self.creature.gaits)
            ],
            GaitShape: [self._gait(k, gait) for k, gait in enumerate(self.creature.gaits)],
            SectionShape: self._sections(),
            EndShape: [{"index": k, "first": k == 0, "last": k == self.sections} for k in range(self.sections + 1)],
            SegmentShape: self._segments(),
            SpringShape: self._springs(),
            ChoiceShape: [
                {"direction": DIRECTIONS[k % 8], "ring": 1 + k // 8} for _ in range(count) for k in range(RING_PLACES)
            ],
            SpotShape: [
                {"part": part, "inner": 0 < k < CHECKPOINTS - 1}
                for _ in range(count)
                for k, part in enumerate(CHECKPOINT_PARTS)
            ],
            TrackShape: self._tracks(),
            FootprintShape: [
                {
                    "index": k,
                    "line": track >= len(self.leading),
                    "opens": track == 0,
                    "last": k == LOOK_SAMPLES - 1,
                    "windowed": track < len(self.leading) and k <= LOOK_SAMPLES - 1 - ground_ahead.SLOPE_SAMPLES,
                }
                for k in range(LOOK_SAMPLES)
                for track in range(tracks)
            ],
            PartShape: [
                self._part(sum(map(_moves, self.creature.parts[:k])), part)
                for k, part in enumerate(self.creature.parts)
            ],
        }
        return Layout(counts, {kind: _table(kind, ones) for kind, ones in rows.items()}, self._links(tracks))

    # --- parameters

    def _kind(self) -> Row:
        creature, body, height, tempo = self.creature, self.creature.body, self.creature.height, self.tempo
        speeds = speeds_of(creature)
        slow, fast = float(speeds[0]), float(speeds[-1])
        leading = self.leading
        stiffness = STEERING_STIFFNESS * tempo
        sprawls = all(leg.knee in ("up", "out") for leg in creature.legs)
        behind = ground_ahead.STRIDE * self.length[leading].max()
        return {
            "legs": len(self.segment),
            "sections": self.sections,
            "segments": self.segments,
            "follows": self.follows,
            "flexible": self.segments > 1 and not self.follows,
            "heeled": bool(self.heel.any()),
            "paired": self.paired,
            "rolls": any(gait.strike or gait.push for gait in creature.gaits),
            "tempo": tempo,
            "body_height": height,
            "length": body.length * (1 if self.follows else self.segments),
            "segment": body.length,
            "shift_width": min(SHIFT_WIDTH * float(np.abs(self.foothold[:, 0]).mean()), SHIFT_HEIGHT * height),
            "tilt": creature.tilt,
            "sloping": posture.SLOPE_LEAN * (1.0 - creature.tilt),
            "swinging": posture.ACCELERATION_LEAN / GRAVITY if creature.bank > 0.0 else 0.0,
            "banking": creature.bank / GRAVITY,
            "most_lean": posture.MAX_LEAN if creature.bank > 0.0 else UNBOUNDED,
            "steepest": np.tan(np.radians(creature.steepest)),
            "slow": slow,
            "hurrying": 1.0 / (fast - slow) if fast > slow else 0.0,
            "fastest": fast,
            "stiffness": stiffness,
            "hold_stiffness": HOLD_STIFFNESS * tempo,
            "facing": FACING_RATE * stiffness,
            "radius": np.hypot(self.foothold[:, 0], self.foothold[:, 1] + self.along).max(),
            "most_turn": np.radians(creature.turn),
            "circle": turning_circle(creature),
            "backwards": 1.0 if sprawls else BACKWARDS,
            "bend": min(MAX_JOINT, CURL / max(self.segments - 1, 1)),
            "foot": creature.foot,
            "apart": _apart(creature),
            "reach": self.length.max(),
            "front": 0.5 * body.length * (1 if self.follows else self.segments),
            "half_width": 0.5 * body.width,
            "belly": ground_ahead.BELLY * (height - 0.5 * body.thickness),
            "finest": max(FINEST[0] * creature.foot, FINEST[1] * self.length[leading].min()),
            "tolerance": ground_ahead.UNEVEN * creature.foot,
            "margin": creature.foot + TOE_RATIO * self.heel.max(),
            "behind": behind,
            "leading": len(leading),
            "wanders": any(part.wander for part in creature.parts),
        }

    def _leg(self, k: int) -> Row:
        leg, heeled = self.creature.legs[k], int(self.heel[k] > 0.0)
        three = len(leg.lengths) == 3
        far, last, lean = self.far[k], self.last[k], np.radians(leg.lean)
        near, full = max(legs.FOLDED[0] * self.near[k], legs.FOLDED[1] * far), legs.FULL[heeled] * far
        partner, count = self.partner[k], len(self.segment)
        apart = BESIDE * abs(self.foothold[k, 0] - self.foothold[partner, 0]) * (self.beside[k] > 0.0)
        front = np.sign(np.round(self.foothold[:, 1] - self.foothold[:, 1].mean(), 6))
        first, final = (self.segment == end for end in (self.segment.min(), self.segment.max()))
        gather = 0.5 * (final[k] / final.sum() - 1.0 * first[k] / first.sum())
        own = 1.0 / np.count_nonzero(self.segment == self.segment[k])
        return {
            "attachment": leg.attachment,
            "knee": knee_direction(leg),
            "foothold": leg.foothold,
            "toe": toe_direction(leg)[[0, 2]],
            "stance": (leg.foothold[0], leg.foothold[1] + self.along[k]),
            "lean": lean,
            "lean_sine": np.sin(lean),
            "lean_cosine": np.cos(lean),
            "heel": leg.heel,
            "last": last,
            "first": leg.lengths[0],
            "second": leg.lengths[1],
            "near": near,
            "full": full,
            "far": far,
            "length": self.length[k],
            "tolerated": legs.REACH_TOLERANCE * (far - full),
            "easy": legs.COMFORTABLE[heeled] * far,
            "tether_far": far + legs.HEEL_REACH * last * heeled,
            "tether_slack": legs.TETHER_SLACK * far,
            "natural": three and not leg.heel,
            "side": side_of_knee(leg, self.creature.height)[0],
            "outward": self.left[k],
            "apart": apart if apart else -FAR_APART,
            "beside": OVERLAP * (far + last) + (1.0 + TOE_RATIO) * leg.heel,
            "share": own,
            "section_share": own if self.follows else 1.0 / count,
            "hind": -front[k],
            "gather": gather,
            "heeled": bool(leg.heel),
            "two": not three,
            "three": three and not leg.heel,
        }

    def _gait(self, index: int, gait: Gait) -> Row:
        values = {**vars(gait), "slow": gait.cycle[0], "fast": gait.cycle[1]}
        numbers = {name: np.radians(values[name]) if name in ANGLES else values[name] for name in NUMBERS}
        last = index == len(self.creature.gaits) - 1
        return {"index": index, "last": last, "top": gait.speed, "aloft": _most_aloft(gait), **numbers}

    def _sections(self) -> list[Row]:
        if not self.follows:
            return [{"index": 0, "legged": True, "part": 0.0}]
        return [{"index": k, **self._legged(k)} for k in range(self.sections)]

    def _legged(self, k: int) -> Row:
        """Whether a segment has legs, and how far it is from its neighbour in front that has some to that behind."""
        before, after = self._neighbours(k)
        return {"legged": k in self.segment, "part": (k - before) / (after - before) if after > before else 0.0}

    def _neighbours(self, k: int) -> tuple[int, int]:
        legged = np.unique(self.segment)
        return int(legged[legged <= k].max(initial=legged[0])), int(legged[legged >= k].min(initial=legged[-1]))

    def _segments(self) -> list[Row]:
        last = self.segments - 1
        return [
            {
                "index": k,
                "front": 1.0 - 2.0 * k / last if last else 0.0,
                "gap": max(min(k + 1, last) - max(k - 1, 0), 1) * self.creature.body.length,
                **self._legged(k),
            }
            for k in range(self.segments)
        ]

    def _springs(self) -> list[Row]:
        lever = 1.0 / (LEVER * self.creature.height)
        rates = [2.0 * np.pi * self.creature.parts[k].spring for k in self.springs] or [1.0]
        return [{"rate": rate, "lever": lever} for rate in rates]

    def _tracks(self) -> list[Row]:
        feet = [
            {
                "line": False,
                "start": (self.foothold[k, 0], self.foothold[k, 1] + self.along[k]),
                "aside": 0.0,
                "step": STEP * self.length[k],
                "stride": ground_ahead.STRIDE * self.length[k],
            }
            for k in self.leading
        ]
        lines = [
            {"line": True, "start": (0.0, 0.0), "aside": side, "step": 1.0, "stride": 1.0}
            for side in ground_ahead.SIDES
        ]
        return [*feet, *lines]

    def _part(self, number: int, part: Appendage) -> Row:
        low, high = np.radians(part.bend)
        return {
            "number": number,
            **{axis: float(part.axis == axis) for axis in "xyz"},
            "swing": np.radians(part.swing),
            "lead": part.lead,
            "low": low,
            "high": high,
            "lean": part.lean,
            "breath": np.radians(part.breath),
            "wander": np.radians(part.wander),
            "shy": part.steady > 0.0,
            "steadies": part.steady > 0.0,
            "steady": part.steady,
            "look": np.radians(part.look),
            "sprung": float(part.spring > 0.0),
        }

    # --- rows that belong together

    def _links(self, tracks: int) -> dict[tuple[str, str], Array]:
        count, gaits = len(self.segment), len(self.creature.gaits)
        each = np.arange(count)
        others = np.array([[k for k in range(count) if k != leg] for leg in range(count)], int).reshape(
            count, count - 1
        )
        of_choice = np.repeat(each, RING_PLACES)
        spots = np.arange(count * CHECKPOINTS)
        place = spots % CHECKPOINTS
        section, segment, end = (np.arange(n) for n in (self.sections, self.segments, self.sections + 1))
        of_segment = segment if self.follows else 0 * segment
        ahead, behind = np.maximum(end - 1, 0), np.minimum(end, self.sections - 1)
        beyond = np.clip(np.where(end == 0, 1, end - 2), 0, self.sections - 1)
        index, track = np.divmod(np.arange(LOOK_SAMPLES * tracks), tracks)
        samples, lines = np.arange(LOOK_SAMPLES), len(self.leading)
        chains = self.joints.chains
        parts = self.creature.parts
        legs_by_name = {leg.name: k for k, leg in enumerate(self.creature.legs)}
        joint = {name: k for k, name in enumerate(self.joints.names)}
        part_joints = np.array([joint[part.name] for part in parts], int)
        spring_of = {k: number for number, k in enumerate(self.springs)}
        near = [self._neighbours(k) for k in range(self.segments)]
        legged, after = (np.array([one[k] for one in near]) for k in (0, 1))
        of_part = _segments_of_parts(self.creature)
        of_spring = np.array([of_part[k] for k in self.springs] or [0])
        sampled = {
            f"{name}": np.minimum(samples + k, LOOK_SAMPLES - 1)
            for k, name in enumerate(("", "second", "third", "fourth"))
        }
        found: dict[tuple[str, str], Array] = {
            ("leg", "section"): self.section,
            ("leg", "segment"): self.segment,
            ("leg", "partner"): self.partner,
            ("leg_gait", "leg"): np.repeat(each, gaits),
            ("leg_other", "foot"): np.repeat(each, count - 1),
            ("leg_other", "other"): others.ravel(),
            ("choice", "leg"): of_choice,
            ("choice", "foot"): of_choice,
            ("choice_other", "choice"): np.repeat(np.arange(count * RING_PLACES), count - 1),
            ("choice_other", "other"): others[of_choice].ravel(),
            ("spot", "leg"): spots // CHECKPOINTS,
            ("spot", "foot"): spots // CHECKPOINTS,
            ("spot", "before"): spots - (place > 0),
            ("spot", "after"): spots + (place < CHECKPOINTS - 1),
            ("section", "front"): section,
            ("section", "rear"): section + 1,
            ("section", "before"): np.maximum(section - 1, 0),
            ("section", "segment"): section if self.follows else 0 * section,
            ("section", "legged"): legged if self.follows else 0 * section,
            ("section", "after"): after if self.follows else 0 * section,
            ("end", "first"): 0 * end,
            ("end", "ahead"): ahead,
            ("end", "behind"): behind,
            ("end", "beyond"): beyond,
            ("segment", "section"): of_segment,
            ("segment", "front"): of_segment,
            ("segment", "rear"): of_segment + 1,
            ("segment", "ahead"): np.maximum(segment - 1, 0),
            ("segment", "behind"): np.minimum(segment + 1, self.segments - 1),
            ("segment", "first"): 0 * segment,
            ("segment", "legged"): legged,
            ("segment", "after"): after,
            ("segment", "joint"): segment,
            ("segment", "parent"): np.maximum(segment - 1, 0),
            ("body", "first"): np.zeros(1, int),
            ("body", "front"): np.zeros(1, int),
            ("body", "rear"): np.ones(1, int),
            ("spring", "segment"): of_spring,
            ("track", "leg"): np.append(self.leading, [0] * len(ground_ahead.SIDES)),
            ("footprint", "track"): track,
            ("footprint", "limits"): track,
            ("footprint", "after"): np.minimum(index + 1, LOOK_SAMPLES - 1) * tracks + track,
            ("footprint", "second"): np.minimum(index + 1, LOOK_SAMPLES - 1) * tracks + track,
            ("footprint", "third"): np.minimum(index + 2, LOOK_SAMPLES - 1) * tracks + track,
            ("footprint", "before"): np.maximum(index - 1, 0) * tracks + track,
            ("footprint", "earlier"): np.maximum(index - 2, 0) * tracks + track,
            ("footprint", "sample"): index,
            ("sample", "right"): samples * tracks + lines,
            ("sample", "middle"): samples * tracks + lines + 1,
            ("sample", "left"): samples * tracks + lines + 2,
            **{("sample", name): rows for name, rows in sampled.items() if name},
            ("leg", "hip"): np.array([chain[0] for chain in chains]),
            ("leg", "knee"): np.array([chain[1] for chain in chains]),
            ("leg", "ankle"): np.array([chain[2] for chain in chains]),
            ("leg", "tip"): np.array([chain[-1] for chain in chains]),
            ("part", "joint"): part_joints,
            ("part", "parent"): np.array([joint[part.parent] for part in parts], int),
            ("part", "leg"): np.array([legs_by_name.get(part.leg, 0) for part in parts], int),
            ("part", "spring"): np.array([spring_of.get(k, 0) for k in range(len(parts))], int),
        }
        return found


def _table(kind: type[Record], rows: Iterable[Row]) -> Array:
    """(rows, numbers) The fields of records of a type."""
    found = []
    for row in rows:
        fields = fields_of(kind)
        assert set(row) == set(fields), set(row) ^ set(fields)
        found.append(np.concatenate([np.ravel(np.asarray(row[name], float)) for name in fields]))
    return np.array(found).reshape(len(found), size_of(kind))


def _moves(part: Appendage) -> bool:
    moves = part.swing, *part.bend, part.lean, part.steady, part.look, part.wander, part.breath, part.spring
    return any(moves)


def _most_aloft(gait: Gait) -> int:
    """The greatest number of legs that a gait has in swing at once."""
    times = (np.arange(1000) + 0.5)[:, None] / 1000.0
    return int((((times - np.array(gait.phases)) % 1.0) > gait.duty).sum(axis=1).max())


def _apart(creature: Creature) -> float:
    """The distance that feet keep from one another: twice their radius, limited by their distance at rest."""
    places = np.array(
        [(leg.foothold[0], leg.foothold[1] - creature.body.length * leg.segment) for leg in creature.legs]
    )
    gaps = np.linalg.norm(places[:, None] - places, axis=-1)[~np.eye(len(places), dtype=bool)]
    return float(min(2.0 * creature.foot, MIN_SPACING * gaps.min(initial=np.inf)))


def _partners(creature: Creature) -> Array:
    """(legs,) Index of the leg on the other side of the same segment whose foot is nearest; its own where none is."""
    found = np.arange(len(creature.legs))
    for k, leg in enumerate(creature.legs):
        others = [
            (abs(one.foothold[1] - leg.foothold[1]), n)
            for n, one in enumerate(creature.legs)
            if one.segment == leg.segment and one.foothold[0] * leg.foothold[0] < 0.0
        ]
        found[k] = min(others)[1] if others else k
    return found


def _segments_of_parts(creature: Creature) -> list[int]:
    """The segment to which each part belongs, by way of its parents."""
    found = {"body": 0} | {f"body_{k + 1}": k for k in range(1, creature.body.segments)}
    for part in creature.parts:
        found[part.name] = found[part.parent]
    return [found[part.name] for part in creature.parts]
