"""The Robot tab: a limb of a robot from its file, dragged by its tip."""
