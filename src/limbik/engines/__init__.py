"""What formulas run on: plain floats, NumPy, Numba; and the choice among them."""
