"""Every panel, drawn into a layout that checks the names of properties, operators and icons."""

from types import SimpleNamespace

import bpy
import scenes

ICONS = {item.identifier for item in bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items}


class Layout:
    """Takes what Blender's layouts take."""

    def __init__(self, drawn):
        self.drawn = drawn

    def _part(self, **options):
        return Layout(self.drawn)

    row = column = split = _part

    def label(self, text="", icon="NONE"):
        assert icon in ICONS, icon
        self.drawn.append(text)

    def prop(self, owner, name, text=None):
        assert name in owner.bl_rna.properties, name
        self.drawn.append(owner.bl_rna.properties[name].name if text is None else text)

    def prop_enum(self, owner, name, value, text="", icon="NONE"):
        assert icon in ICONS and value in owner.bl_rna.properties[name].enum_items, (icon, value)

    def operator(self, name, text="", icon="NONE"):
        assert icon in ICONS, icon
        kind = getattr(bpy.ops.limbik, name.removeprefix("limbik.")).get_rna_type()
        self.drawn.append(text or kind.name)
        return SimpleNamespace()

    def operator_menu_enum(self, name, enum, icon="NONE"):
        assert icon in ICONS and enum in getattr(bpy.ops.limbik, name.removeprefix("limbik.")).get_rna_type().properties


def drawn(extension):
    """What each panel shows that is shown at all."""
    found = {}
    for kind in extension.panel.CLASSES:
        if getattr(kind, "poll", lambda context: True)(bpy.context):
            kind.draw(SimpleNamespace(layout=Layout(found.setdefault(kind.bl_label, []))), bpy.context)
    return found


extension = scenes.empty()
found = {"nothing": drawn(extension)}
source = scenes.bvh("cmu_07_01", last=40)
floor = scenes.slope(4)
scenes.activate(source)
found["armature"] = drawn(extension)
source.limbik_ground.ground = floor
assert bpy.ops.limbik.ground() == {"FINISHED"}
found["grounded"] = drawn(extension)
target = scenes.bvh("cmu_16_15", last=40)
scenes.activate(target)
target.limbik_retarget.source = source
assert bpy.ops.limbik.find_map() == {"FINISHED"}
found["mapped"] = drawn(extension)
bpy.context.scene.limbik_walk.creature, bpy.context.scene.limbik_walk.seconds = "hexapod", 0.5
assert bpy.ops.limbik.walk() == {"FINISHED"}
found["walker"] = drawn(extension)
scenes.finish(found)
