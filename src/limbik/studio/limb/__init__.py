"""The Limb tab: a limb that follows a gizmo."""
