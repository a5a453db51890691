"""A clip as a scene: its figures, ground, light, camera and marks, shared by pages, films and the studio."""
