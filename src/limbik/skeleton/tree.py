"""A skeleton's joints as a tree of text."""

from __future__ import annotations

from limbik.skeleton.skeleton import Skeleton

INDENTED = 40  # the depth beyond which lines are not indented further: a long chain would be mostly blanks


def tree(skeleton: Skeleton, most: int | None = None) -> list[str]:
    """One line for each joint, indented below its parent; after `most` lines, one with the number of the others."""
    lines: list[str] = []
    waiting = [(root, 0) for root in reversed(skeleton.roots)]
    while waiting:
        if most is not None and len(lines) == most < len(skeleton):
            return [*lines, f"… and {len(skeleton) - most} more"]
        joint, depth = waiting.pop()
        lines.append("  " * min(depth, INDENTED) + (skeleton.names[joint] or f"(joint {joint})"))
        waiting.extend((child, depth + 1) for child in reversed(skeleton.children[joint]))
    return lines
