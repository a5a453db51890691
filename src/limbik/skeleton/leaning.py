"""How far a pelvis moves and a spine bends for limbs to reach: the least of both, found by Newton's method.

The spine bends as one arc: its joints share one rotation evenly. Misses are weighed against movement by the method of
multipliers, which ends at the least movement without a miss, or, where there is none, at the least misses.

Plain loops over numbers: Numba compiles this text (`torso_kernel.py`), and Python runs it where Numba is missing.
"""

from math import cos, sin, sqrt

import numpy as np

from limbik.arrays import Array

# Weights of the square of movement relative to that of a miss: from one at which little moves, so that the least
# movement is found by continuing from none at all, to one at which little is missed.
FIRST_MOVEMENT_WEIGHT, LAST_MOVEMENT_WEIGHT, MIN_MOVEMENT_WEIGHT = 1.0, 1.01e-4, 1.01e-8
MOVEMENT_WEIGHT_FACTOR = 0.1
RANK_STIFFNESS_RATIO = 10.0  # weight of a miss, relative to one of the next rank
MAX_LEAN_RADIANS = 2.0  # of a chest
MULTIPLIER_PASSES, NEWTON_STEPS, STEP_TRIALS = 14, 30, 12  # at most: they end early
LEAN_DIFFERENCE_RADIANS = 1e-7  # between two leans whose gradients are compared
MIN_DAMPING = 1e-3  # the least damping of Newton's method where it needs any
ROUGH_STEP_METRES, LAST_STEP_METRES = 1e-3, 1e-7  # a step small enough to be the last: on the way, and at the end


def turn_by_share(share: float, lean: Array, x: float, y: float, z: float, out: Array) -> None:
    """Puts a vector, turned by a share of the lean (a rotation vector), into out[0], its derivative into out[1:]."""
    px, py, pz = share * lean[0], share * lean[1], share * lean[2]
    square = px * px + py * py + pz * pz
    if square < 1e-4:  # series: the quotients below lose digits
        a = 1.0 - square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0))
        b = 0.5 - square / 24.0 * (1.0 - square / 30.0 * (1.0 - square / 56.0))
        c = 1.0 / 6.0 - square / 120.0 * (1.0 - square / 42.0 * (1.0 - square / 72.0))
    else:
        angle = sqrt(square)
        a = sin(angle) / angle
        b = 2.0 * (sin(0.5 * angle) / angle) ** 2
        c = (1.0 - a) / square
    ux, uy, uz = py * z - pz * y, pz * x - px * z, px * y - py * x
    vx, vy, vz = py * uz - pz * uy, pz * ux - px * uz, px * uy - py * ux
    rx, ry, rz = x + a * ux + b * vx, y + a * uy + b * vy, z + a * uz + b * vz
    out[0, 0], out[0, 1], out[0, 2] = rx, ry, rz
    for k in range(3):
        ex, ey, ez = 1.0 * (k == 0), 1.0 * (k == 1), 1.0 * (k == 2)
        ux, uy, uz = py * ez - pz * ey, pz * ex - px * ez, px * ey - py * ex
        vx, vy, vz = py * uz - pz * uy, pz * ux - px * uz, px * uy - py * ux
        jx, jy, jz = ex + b * ux + c * vx, ey + b * uy + c * vy, ez + b * uz + c * vz
        out[1 + k, 0] = share * (jy * rz - jz * ry)
        out[1 + k, 1] = share * (jz * rx - jx * rz)
        out[1 + k, 2] = share * (jx * ry - jy * rx)


def share_of_turn(share: float, lean: Array, out: Array) -> None:
    """Puts a share of a rotation vector as a quaternion xyzw into `out` (4,)."""
    angle = share * sqrt(lean[0] * lean[0] + lean[1] * lean[1] + lean[2] * lean[2])
    factor = 0.5 * share if angle < 1e-9 else share * sin(0.5 * angle) / angle
    out[0], out[1], out[2], out[3] = factor * lean[0], factor * lean[1], factor * lean[2], cos(0.5 * angle)


def place_roots(shift: Array, lean: Array, spine: Array, roots: Array, carrier: Array, out: Array) -> None:
    """Puts where the roots of limbs are, and their derivatives by the lean, into `out` (roots, 4, 3).

    shift: (3,) of the pelvis. lean: (3,) of the chest. spine: (joints, 3) and roots: (roots, 3), where they are in the
    pose. carrier: (roots,), the joint that carries each: 0 is the pelvis, 1 the spine's first joint.
    """
    count = len(spine)
    above, part = np.zeros((4, 3)), np.empty((4, 3))
    for i in range(len(roots)):
        if carrier[i] == 0:
            for axis in range(3):
                out[i, 0, axis] = roots[i, axis] + shift[axis]
                out[i, 1, axis] = out[i, 2, axis] = out[i, 3, axis] = 0.0
    for k in range(1, count + 1):
        a = spine[k - 1]
        if k == 1:
            for axis in range(3):
                above[0, axis] = a[axis] + shift[axis]
        for i in range(len(roots)):
            if carrier[i] == k:
                b = roots[i]
                turn_by_share(k / count, lean, b[0] - a[0], b[1] - a[1], b[2] - a[2], part)
                for row in range(4):
                    for axis in range(3):
                        out[i, row, axis] = above[row, axis] + part[row, axis]
        if k < count:
            b = spine[k]
            turn_by_share(k / count, lean, b[0] - a[0], b[1] - a[1], b[2] - a[2], part)
            for row in range(4):
                for axis in range(3):
                    above[row, axis] += part[row, axis]


def excess(placed: Array, target: Array, outer: float, inner: float, normal: Array) -> float:
    """How far a root is from where its limb reaches the target; `normal` gets the direction away from there."""
    x, y, z = placed[0] - target[0], placed[1] - target[1], placed[2] - target[2]
    distance = sqrt(x * x + y * y + z * z)
    near = distance < 0.5 * (outer + inner)
    size = (-1.0 if near else 1.0) * max(distance, 1e-12)
    normal[0], normal[1], normal[2] = x / size, y / size, z / size
    return inner - distance if near else distance - outer


def lean_excess(y: Array, most: float) -> float:
    """How far the scaled lean, the second half of y (6,), is beyond the largest one."""
    return sqrt(y[3] * y[3] + y[4] * y[4] + y[5] * y[5]) - most


def cost(
    y: Array,
    movement: float,
    most: float,
    placed: Array,
    targets: Array,
    outer: Array,
    inner: Array,
    stiff: Array,
    duals: Array,
) -> float:
    """What Newton's method makes small: movement, and misses beyond the duals (multipliers), the last of the lean."""
    normal = np.empty(3)
    total = 0.0
    for k in range(6):
        total += movement * y[k] * y[k]
    beyond = lean_excess(y, most) + duals[len(outer)]
    if beyond > 0.0:
        total += stiff[len(outer)] * beyond * beyond
    for i in range(len(outer)):
        miss = excess(placed[i, 0], targets[i], outer[i], inner[i], normal) + duals[i]
        if miss > 0.0:
            total += stiff[i] * miss * miss
    return 0.5 * total


def cost_gradient(
    y: Array,
    movement: float,
    most: float,
    scale: Array,
    placed: Array,
    targets: Array,
    outer: Array,
    inner: Array,
    stiff: Array,
    duals: Array,
    out: Array,
) -> None:
    """Puts the derivative of the cost by y into `out` (6,)."""
    normal = np.empty(3)
    for k in range(6):
        out[k] = movement * y[k]
    beyond = lean_excess(y, most) + duals[len(outer)]
    if beyond > 0.0:
        pull = stiff[len(outer)] * beyond / lean_excess(y, 0.0)
        for k in range(3, 6):
            out[k] += pull * y[k]
    for i in range(len(outer)):
        pull = stiff[i] * (excess(placed[i, 0], targets[i], outer[i], inner[i], normal) + duals[i])
        if pull > 0.0:
            for k in range(3):
                bend = placed[i, 1 + k]
                out[k] += pull * scale[0] * normal[k]
                out[3 + k] += pull * scale[1] * (bend[0] * normal[0] + bend[1] * normal[1] + bend[2] * normal[2])


def hessian_by_shift(
    movement: float,
    scale: Array,
    placed: Array,
    targets: Array,
    outer: Array,
    inner: Array,
    stiff: Array,
    duals: Array,
    out: Array,
) -> None:
    """Puts the second derivative of the cost by the scaled shift into the first three rows and columns of `out`."""
    normal = np.empty(3)
    for k in range(3):
        for j in range(3):
            out[k, j] = movement if j == k else 0.0
    for i in range(len(outer)):
        pull = excess(placed[i, 0], targets[i], outer[i], inner[i], normal) + duals[i]
        if pull > 0.0:
            away = 0.0  # the distance from the target, negative where the root is too near
            for k in range(3):
                away += normal[k] * (placed[i, 0, k] - targets[i, k])
            bent = pull / away if abs(away) > 1e-12 else 1.0
            for k in range(3):
                for j in range(3):
                    part = normal[k] * normal[j]
                    out[k, j] += stiff[i] * scale[0] * scale[0] * (part + bent * ((1.0 if j == k else 0.0) - part))


def solve_symmetric(matrix: Array, right: Array) -> bool:
    """Replaces `right` by the solution of a system, `matrix` by its Cholesky factor; false if it is not definite."""
    n = len(right)
    for j in range(n):
        for k in range(j):
            matrix[j, j] -= matrix[j, k] * matrix[j, k]
        if not matrix[j, j] > 0.0:
            return False
        matrix[j, j] = sqrt(matrix[j, j])
        for i in range(j + 1, n):
            for k in range(j):
                matrix[i, j] -= matrix[i, k] * matrix[j, k]
            matrix[i, j] /= matrix[j, j]
    for i in range(n):
        for k in range(i):
            right[i] -= matrix[i, k] * right[k]
        right[i] /= matrix[i, i]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            right[i] -= matrix[k, i] * right[k]
        right[i] /= matrix[i, i]
    return True


def least_movement(
    wanted: Array,
    spine: Array,
    roots: Array,
    carrier: Array,
    targets: Array,
    outer: Array,
    inner: Array,
    ranks: Array,
    weights: Array,
    share: float,
    lean: Array,
) -> None:
    """Puts the lean (3,) of the chest, a rotation vector, with which limbs reach and least is moved into `lean`.

    share: of the chest in the movement, from 0 to 1. ranks: (limbs,). The other arguments are as in `place_roots` and
    `nearest_in_order`.
    """
    count = len(outer)
    y, duals, stiff, scale = np.zeros(6), np.zeros(count + 1), np.empty(count + 1), np.empty(2)
    placed, normal = np.empty((count, 4, 3)), np.empty(3)
    lever, last = 1e-9, ranks[count - 1]
    for i in range(count):
        stiff[i] = weights[i] * RANK_STIFFNESS_RATIO ** (last - ranks[i])
        if carrier[i] > 0:
            dx, dy, dz = roots[i, 0] - spine[0, 0], roots[i, 1] - spine[0, 1], roots[i, 2] - spine[0, 2]
            lever = max(lever, sqrt(dx * dx + dy * dy + dz * dz))
    stiff[count] = RANK_STIFFNESS_RATIO ** (last + 1)
    scale[0], scale[1] = sqrt(max(1.0 - share, 1e-4)), sqrt(max(share, 1e-4)) / lever
    most = MAX_LEAN_RADIANS / scale[1]
    movement = FIRST_MOVEMENT_WEIGHT
    for _ in range(MULTIPLIER_PASSES):
        descend(
            y, movement, most, wanted, spine, roots, carrier, targets, outer, inner, stiff, duals, scale, placed, lean
        )
        if movement > LAST_MOVEMENT_WEIGHT:
            movement *= MOVEMENT_WEIGHT_FACTOR
            continue
        changed = 0.0
        for i in range(count + 1):
            miss = lean_excess(y, most)
            if i < count:
                miss = excess(placed[i, 0], targets[i], outer[i], inner[i], normal)
            miss = max(duals[i] + miss, 0.0) - duals[i]
            changed = max(changed, abs(miss))
            duals[i] += miss
        if changed <= 1e-13 * lever:
            break
        if movement > MIN_MOVEMENT_WEIGHT:  # the duals are in proportion to it
            movement *= MOVEMENT_WEIGHT_FACTOR
            for i in range(count + 1):
                duals[i] *= MOVEMENT_WEIGHT_FACTOR


def descend(
    y: Array,
    movement: float,
    most: float,
    wanted: Array,
    spine: Array,
    roots: Array,
    carrier: Array,
    targets: Array,
    outer: Array,
    inner: Array,
    stiff: Array,
    duals: Array,
    scale: Array,
    placed: Array,
    lean: Array,
) -> None:
    """Changes `y` (6,), the scaled movement of pelvis and chest, and with it `placed` and `lean`, to the least cost."""
    trial, y_new, step, shift = np.empty(placed.shape), np.empty(6), np.empty(6), np.empty(3)
    down, other, curvature, matrix = np.empty(6), np.empty(6), np.empty((6, 6)), np.empty((6, 6))
    apply_movement(y, scale, wanted, spine, roots, carrier, shift, lean, placed)
    value, damping = cost(y, movement, most, placed, targets, outer, inner, stiff, duals), 0.0
    for _ in range(NEWTON_STEPS):
        cost_gradient(y, movement, most, scale, placed, targets, outer, inner, stiff, duals, down)
        hessian_by_shift(movement, scale, placed, targets, outer, inner, stiff, duals, curvature)
        for k in range(3, 6):  # by the lean, the derivative of the gradient is a difference
            before = y[k]
            y[k] = before + LEAN_DIFFERENCE_RADIANS / scale[1]
            apply_movement(y, scale, wanted, spine, roots, carrier, shift, lean, trial)
            cost_gradient(y, movement, most, scale, trial, targets, outer, inner, stiff, duals, other)
            y[k] = before
            for j in range(6):
                curvature[k, j] = (other[j] - down[j]) * scale[1] / LEAN_DIFFERENCE_RADIANS
                if j < 3:
                    curvature[j, k] = curvature[k, j]
        new = np.inf
        for _ in range(STEP_TRIALS):
            for k in range(6):
                step[k] = -down[k]
                for j in range(6):
                    matrix[k, j] = 0.5 * (curvature[k, j] + curvature[j, k])
                matrix[k, k] += damping
            if solve_symmetric(matrix, step):
                for k in range(6):
                    y_new[k] = y[k] + step[k]
                apply_movement(y_new, scale, wanted, spine, roots, carrier, shift, lean, trial)
                new = cost(y_new, movement, most, trial, targets, outer, inner, stiff, duals)
                if new <= value:
                    break
            damping = max(10.0 * damping, MIN_DAMPING)
        if not new <= value:
            break
        damping = 0.1 * damping if damping > MIN_DAMPING else 0.0
        moved = 0.0
        for k in range(6):
            moved = max(moved, abs(y_new[k] - y[k]))
            y[k] = y_new[k]
        value = new
        for i in range(len(placed)):
            for row in range(4):
                for axis in range(3):
                    placed[i, row, axis] = trial[i, row, axis]
        if moved < (ROUGH_STEP_METRES if movement > LAST_MOVEMENT_WEIGHT else LAST_STEP_METRES):
            break
    apply_movement(y, scale, wanted, spine, roots, carrier, shift, lean, placed)


def apply_movement(
    y: Array,
    scale: Array,
    wanted: Array,
    spine: Array,
    roots: Array,
    carrier: Array,
    shift: Array,
    lean: Array,
    placed: Array,
) -> None:
    """Fills shift, lean and placed roots from the scaled movement `y`."""
    for k in range(3):
        shift[k] = wanted[k] + scale[0] * y[k]
        lean[k] = scale[1] * y[3 + k]
    place_roots(shift, lean, spine, roots, carrier, placed)
