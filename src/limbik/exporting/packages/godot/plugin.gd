@tool
extends EditorPlugin
# The nodes are global classes: they appear in the "Add child node" dialog, below SkeletonModifier3D.
