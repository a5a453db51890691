"""Which joint of one figure is which of another: by name, or by its place in a limb or the trunk."""

from __future__ import annotations

from limbik.errors import LimbikError
from limbik.skeleton.limb_finding import NoLimbsError
from limbik.skeleton.naming import tokens
from limbik.skeleton.skeleton import Skeleton


def map_joints(own: Skeleton, figure: Skeleton) -> tuple[int, ...]:
    """The figure's joint for each one of `own`, -1 where it has none.

    Raises:
        LimbikError: The figures have neither names nor limbs in common.
    """
    names = {tokens(label): joint for joint, label in reversed(list(enumerate(figure.labels)))}
    found = [names.get(tokens(label), -1) for label in own.labels]
    if min(found) < 0:
        parts, others = (_parts(skeleton) for skeleton in (own, figure))
        found = [-1] * len(own)
        for part, joint in parts.items():
            if part in others:
                found[joint] = others[part]
    legs = {joint for limb in figure.limbs.values() if limb.kind == "leg" for joint in limb.joints}
    if len(legs & set(found)) < 3 or found[own.torso.pelvis] < 0:
        raise LimbikError(f"the figure's joints match none of {', '.join(own.names[:12])} …, by name or as limbs")
    return tuple(_in_order(figure, found))


def _parts(skeleton: Skeleton) -> dict[tuple[str, float], int]:
    """The joints by limb or trunk and the place in it; of limbs those that bend, of a spine some in the same place."""
    torso, found = skeleton.torso, dict[tuple[str, float], int]()
    try:
        limbs = skeleton.limbs
    except NoLimbsError:
        limbs = {}
    for name, limb in limbs.items():
        for k, joint in enumerate(limb.joints):
            found[name, k / (len(limb.joints) - 1)] = joint
        if limb.toes:
            found[f"{name} toes", 0.0] = limb.toes[0]
        above = int(skeleton.parents[limb.joints[0]])
        if limb.kind == "arm" and above >= 0 and above != torso.chest and skeleton.readings[above].side:
            found[f"{name} base", 0.0] = above
    found["pelvis", 0.0] = torso.pelvis
    if torso.spine:
        found["spine", 1.0] = torso.spine[-1]
        if len(torso.spine) > 1:
            found["spine", 0.0] = torso.spine[0]
    if torso.head is not None:
        found["head", 0.0] = torso.head
        if len(torso.neck) > 1:
            found["neck", 0.0] = torso.neck[0]
    return found


def _in_order(figure: Skeleton, found: list[int]) -> list[int]:
    """The joints, without repetitions."""
    seen: set[int] = set()
    return [-1 if joint in seen or seen.add(joint) else joint for joint in found]
