"""What cannot be done is said, and nothing is lost; undo and Esc leave everything as it was."""

import sys
from types import SimpleNamespace

import bpy
import scenes


def said(operator, **options):
    """What an operator reports as an error, which Blender raises in scripts."""
    before = [(action.name, action.users) for action in bpy.data.actions]
    try:
        operator(**options)
    except RuntimeError as error:
        assert before == [(action.name, action.users) for action in bpy.data.actions], "an action was left behind"
        return str(error)
    return "nothing"


def legless():
    bpy.ops.object.armature_add()
    armature = bpy.context.object
    armature.pose.bones[0].location.x = 1.0
    armature.pose.bones[0].keyframe_insert("location", frame=1)
    armature.pose.bones[0].keyframe_insert("location", frame=9)
    return armature


class Window:
    """What a window adds to the background's context."""

    def __init__(self):
        self.window, self.window_manager, self.workspace = object(), self, None
        self.shown = []

    def __getattr__(self, name):
        return getattr(bpy.context, name)

    def event_timer_add(self, seconds, window):
        return "timer"

    def event_timer_remove(self, timer):
        assert timer == "timer"

    def progress_update(self, done):
        self.shown.append(done)

    def modal_handler_add(self, operator):
        pass

    def progress_begin(self, low, high):
        pass

    def progress_end(self):
        self.shown.append("end")


def operator_like(extension, kind):
    """An operator outside of Blender's own machinery."""

    class Stub(extension.work.Work):
        bl_label, with_footsteps = kind.bl_label, False
        work = kind.work
        _ground = getattr(kind, "_ground", None)

        def __init__(self):
            self.said = []

        def report(self, kinds, text):
            self.said.append(text)

    return Stub()


found = {}
extension = scenes.empty()
legs = legless()
found["no ground"] = said(bpy.ops.limbik.ground)
floor = scenes.slope(0)
scenes.activate(legs)
legs.limbik_ground.ground = floor
found["no legs"] = said(bpy.ops.limbik.ground)
legs.data.pose_position = "REST"
found["rest"] = said(bpy.ops.limbik.ground)
legs.data.pose_position = "POSE"
bpy.ops.object.mode_set(mode="EDIT")
found["edit mode"] = said(bpy.ops.limbik.ground)
bpy.ops.object.mode_set(mode="OBJECT")
legs.animation_data_clear()
found["no action"] = said(bpy.ops.limbik.ground)
found["no targets"] = said(bpy.ops.limbik.reach)
bpy.ops.object.empty_add()
lamp = bpy.context.object
scenes.activate(legs)
legs.limbik_ground.ground = lamp
legs.animation_data_create().action = bpy.data.actions.new("nothing")
found["no faces"] = said(bpy.ops.limbik.ground)
options = bpy.context.scene.limbik_walk
options.creature = "FILE"
found["no creature"] = said(bpy.ops.limbik.walk)
options.creature, options.gait = "spider", "gallop"
found["no gait"] = said(bpy.ops.limbik.walk)

extension = scenes.empty()
first = scenes.bvh("cmu_07_01", last=40)
second = scenes.bvh("cmu_16_15", last=40)
floor = scenes.slope(5)
action = first.animation_data.action
second.animation_data.action = action
if hasattr(action, "slots"):
    second.animation_data.action_slot = action.slots[0]
scenes.activate(first)
first.limbik_ground.ground = floor
found["no footsteps"] = said(bpy.ops.limbik.ground, with_footsteps=True)
bpy.ops.ed.undo_push(message="before")
assert bpy.ops.limbik.ground() == {"FINISHED"}
found["in use elsewhere"] = second.animation_data.action == action != first.animation_data.action
bpy.ops.ed.undo_push(message="after")
bpy.ops.ed.undo()
first = bpy.data.objects["cmu_07_01"]
found["undone"] = first.animation_data.action.name, sorted(one.name for one in bpy.data.actions)

floor = bpy.data.objects["Plane"]
scenes.activate(first)
window, operator = Window(), operator_like(extension, extension.ground.LIMBIK_OT_ground)
names = sorted(one.name for one in bpy.data.actions)
bpy.context.scene.frame_set(11)
assert operator.invoke(window, SimpleNamespace(type="LEFTMOUSE")) == {"RUNNING_MODAL"}
extension.work.SLICE_SECONDS = 0.0
for _ in range(5):
    assert operator.modal(window, SimpleNamespace(type="TIMER")) == {"RUNNING_MODAL"}
assert operator.modal(window, SimpleNamespace(type="MOUSEMOVE")) == {"RUNNING_MODAL"}
found["cancelled"] = list(operator.modal(window, SimpleNamespace(type="ESC")))
found["progress"] = window.shown
found["after Esc"] = (
    bpy.context.scene.frame_current,
    names == sorted(one.name for one in bpy.data.actions),
    operator.said,
)
window, operator = Window(), operator_like(extension, extension.ground.LIMBIK_OT_ground)
operator.invoke(window, None)
result = None
while "FINISHED" not in (result or ()):
    result = operator.modal(window, SimpleNamespace(type="TIMER"))
found["in slices"] = first.animation_data.action.name
with open("/proc/self/task/" + str(__import__("os").getpid()) + "/children") as children:
    found["children"] = children.read().split()
found["numba"] = "numba" in sys.modules
scenes.finish(found)
