"""What formulas run on: plain floats, NumPy, Numba, torch, JAX and Triton; and the choice among them."""
