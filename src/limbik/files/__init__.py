"""Files that people have: one module a format."""
