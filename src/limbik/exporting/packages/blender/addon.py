"""limbik in Blender: feet on the ground, creatures that walk, motion on any rig, several ends at once."""

import bpy

from . import footsteps, ground, panel, reach, retarget, walk

MODULES = (footsteps, ground, walk, retarget, reach, panel)


def register():
    """Blender calls this when the extension is enabled."""
    for module in MODULES:
        for one in module.CLASSES:
            bpy.utils.register_class(one)
    for module in MODULES:
        for (owner, name), group in getattr(module, "GROUPS", {}).items():
            setattr(owner, name, bpy.props.PointerProperty(type=group))


def unregister():
    """Blender calls this when the extension is disabled."""
    for module in reversed(MODULES):
        for owner, name in getattr(module, "GROUPS", {}):
            delattr(owner, name)
        for one in reversed(module.CLASSES):
            bpy.utils.unregister_class(one)
