"""From how many rows on, and after what time, one way of computing is faster than another, as measured on x86."""

# Batches
NUMBA_WAIT_MIN_ROWS = 100_000  # a call with so many rows waits for Numba and its kernel
FLOATS_MAX_ROWS = 40  # up to here, plain floats row by row are faster than NumPy
ZEROED_MAX_ROWS = 100  # up to here, it takes less time to clear all memory than what a kernel does not write
NUMPY_BLOCK_ROWS = 16_384  # that NumPy computes together: many, but temporaries stay in the processor's cache
NUMBA_BLOCK_ROWS = 512  # that a kernel computes together; one with a rare case among them is computed again in full
CHECKSUM_BLOCK_ROWS = 16_384  # that a kernel computes before their inputs are summed, which are in the cache then

# Tracks and skeletons
NUMBA_STEPS_MIN_ROWS = 128  # from here on, a kernel that is ready is faster than NumPy
FLOATS_MAX_TRACKS = 20  # up to so many limbs, plain floats limb by limb are faster than NumPy

# Formulas over rows (`row_formulas.py`)
FLOATS_MAX_FORMULA_ROWS = 14  # up to here, plain floats row by row are faster than NumPy
SMALL_KERNEL_MAX_ROWS = 160  # up to here, what is done around a kernel of `numba_engine` takes longer than the kernel

# Threads: a part with fewer rows does not pay for waking one
ROWS_PER_THREAD = 32_768
ROBOT_ROWS_PER_THREAD = 4096  # a robot's row takes ten times as long as one of other limbs
TRACK_LIMBS_PER_THREAD = 512
PARTS_PER_THREAD = 4  # a thread that is done takes the next part, so that a busy core delays nobody

# Kernels
KERNEL_MAX_LINKS = 24  # the time to compile grows with the length of a trace, to some seconds here
KERNEL_MAX_JOINTS = 16  # of a robot's chain, likewise
KERNEL_MIN_SECONDS = 0.03  # of work without a kernel, or a group of them, after which it is requested
KERNEL_OF_GROUP_MIN_SECONDS = 0.0002  # that one of a group must have taken of these
