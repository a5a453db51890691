"""Any clip on any terrain: feet planted, the pelvis following, and a report that proves it."""
