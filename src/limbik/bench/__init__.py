"""`limbik bench`: how fast the limbs are, beside a memory copy, eager NumPy and the peers, all in one run."""
