"""A figure whose ends follow targets: what it was, where its ends are to go, and what became of them."""

from __future__ import annotations

from limbik.arrays import Array
from limbik.rotations import normalized
from limbik.skeleton.pose import Pose
from limbik.skeleton.reach_ends import Reached, reach_ends


class DraggedRig:
    """One figure. Ends that were dragged stay at their targets until they are reset.

    Each solve begins with the pose as it was, so that the result depends on the targets alone, not on the way there.

    Attributes:
        start: The pose as it was.
        pose: The pose with its ends at their targets.
        joints: The numbers of the ends' joints, by name: hands, feet, pelvis, and chest and head where there are any.
        targets: The positions (3,) of the ends that were dragged, metres, by name.
        reached: The last solution; None where nothing was dragged.
    """

    pose: Pose
    targets: dict[str, Array]
    reached: Reached | None

    def __init__(self, start: Pose) -> None:
        torso = start.skeleton.torso
        self.joints = {name: limb.joints[-1] for name, limb in torso.ends.items()}
        self._along = {name: limb.joints[-2:] for name, limb in torso.ends.items()}
        if torso.head is not None:
            self.joints["head"] = torso.head
            self._along["head"] = torso.chest, torso.head
        if torso.spine:
            self.joints["chest"] = torso.chest
            self._along["chest"] = self._along["pelvis"] = torso.pelvis, torso.chest
        self.joints["pelvis"] = torso.pelvis
        self._held = {end.name for end in torso.standing}
        self.start = start
        self.reset()

    def reset(self) -> None:
        """Returns to the pose as it was."""
        self.pose, self.targets, self.reached = self.start, {}, None

    def drag(self, end: str, position: Array) -> None:
        """Sends an end to a position (3,); feet that were not dragged stay where they are."""
        self.targets[end] = position
        self.reached = reach_ends(self.start, {**self.targets})
        self.pose = self.reached.pose

    def holds(self, end: str) -> bool:
        """Whether an end stays in place without having been dragged."""
        return end in self._held and end not in self.targets

    def places(self) -> dict[str, Array]:
        """The positions (3,) of all ends, by name."""
        positions = self.pose.positions()
        return {end: positions[joint] for end, joint in self.joints.items()}

    def axes(self) -> dict[str, Array]:
        """The directions (3,) of the links that lead to hands and feet, of the spine and of the neck, by their ends."""
        positions = self.pose.positions()
        return {end: normalized(positions[tip] - positions[start]) for end, (start, tip) in self._along.items()}
