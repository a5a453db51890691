"""The Walk tab: a creature that walks on any terrain."""
