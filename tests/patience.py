"""How long tests wait for other processes and pages: only something that hangs takes so long."""

PATIENCE = 180.0  # seconds
