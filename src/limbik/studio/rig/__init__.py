"""The Rig tab: a character, dragged by its hands, feet, head and pelvis."""
