"""Many clip files at once, on the cores of this machine or on a Ray cluster."""
