"""Kernels that skin vertices and fill triangles.

Numba compiles these functions from their text alone (see `raster_kernels`), so they use only each other.

An image has four samples a pixel. Triangles are filled in homogeneous coordinates: a corner is (x w, y w, w, a), with x
and y in samples, to the right and down, and w its depth in front of the camera. An edge function is the triple product
of a sample's (x, y, 1) and the edge's corners. The three of them over their sum are barycentric weights, correct in
perspective; their sum over the triangle's own triple product is 1/w. Nothing is clipped where it passes the camera. A
sample keeps the surface of greatest a/w: a is 1 for the camera; for the sun, where w is 1, it is how near a corner is.
"""

from math import floor, inf

import numpy as np


def edges_of(corners, a, b, c):
    """A triangle's edge functions, each as factors of x and y and a constant, positive inside; and its triple product.

    The product is negative where the triangle is seen from its front. An edge that two triangles share has functions
    that are exact opposites, so that no sample falls between the two.
    """
    ax, ay, aw = corners[a, 0], corners[a, 1], corners[a, 2]
    bx, by, bw = corners[b, 0], corners[b, 1], corners[b, 2]
    cx, cy, cw = corners[c, 0], corners[c, 1], corners[c, 2]
    a0, a1, a2 = by * cw - bw * cy, bw * cx - bx * cw, bx * cy - by * cx
    b0, b1, b2 = cy * aw - cw * ay, cw * ax - cx * aw, cx * ay - cy * ax
    c0, c1, c2 = ay * bw - aw * by, aw * bx - ax * bw, ax * by - ay * bx
    whole = ax * a0 + ay * a1 + aw * a2
    if whole < 0.0:
        return -a0, -a1, -a2, -b0, -b1, -b2, -c0, -c1, -c2, whole
    return a0, a1, a2, b0, b1, b2, c0, c1, c2, whole


def extent_of(corners, a, b, c, near):
    """The bounds of a triangle beyond the near plane: least and greatest x, least and greatest y."""
    left, right, top, bottom = inf, -inf, inf, -inf
    last = c
    for corner in (a, b, c):
        depth, before = corners[corner, 2], corners[last, 2]
        if depth >= near:
            x, y = corners[corner, 0] / depth, corners[corner, 1] / depth
            left, right, top, bottom = min(left, x), max(right, x), min(top, y), max(bottom, y)
        if (depth >= near) != (before >= near):
            part = (near - before) / (depth - before)
            x = (corners[last, 0] + part * (corners[corner, 0] - corners[last, 0])) / near
            y = (corners[last, 1] + part * (corners[corner, 1] - corners[last, 1])) / near
            left, right, top, bottom = min(left, x), max(right, x), min(top, y), max(bottom, y)
        last = corner
    return left, right, top, bottom


def texel(levels, texels, level, column, row):
    """The rgba of a texel; textures repeat."""
    width, height = levels[level, 1], levels[level, 2]
    at = levels[level, 0] + row % height * width + column % width
    return texels[at, 0], texels[at, 1], texels[at, 2], texels[at, 3]


def look_up(levels, texels, level, u, v):
    """The linear rgba of a texture at (u, v), interpolated between the four texels around it."""
    x, y = u * levels[level, 1] - 0.5, v * levels[level, 2] - 0.5
    column, row = floor(x), floor(y)
    x, y = x - column, y - row
    p, q = texel(levels, texels, level, column, row), texel(levels, texels, level, column + 1, row)
    r, s = texel(levels, texels, level, column, row + 1), texel(levels, texels, level, column + 1, row + 1)
    a, b, c, d = (1.0 - x) * (1.0 - y), x * (1.0 - y), (1.0 - x) * y, x * y
    return (
        a * p[0] + b * q[0] + c * r[0] + d * s[0],
        a * p[1] + b * q[1] + c * r[1] + d * s[1],
        a * p[2] + b * q[2] + c * r[2] + d * s[2],
        a * p[3] + b * q[3] + c * r[3] + d * s[3],
    )


def is_inside(a0, ay, b0, by, c0, cy, x):
    """Whether a sample of a row lies in a triangle."""
    return a0 * x + ay >= 0.0 and b0 * x + by >= 0.0 and c0 * x + cy >= 0.0


def fill(mesh, materials, corners, first, near, nearest, seen):
    """Fills triangles. nearest: (rows, columns), a/w. seen: face numbers from `first` on, the same shape, or (0, 0)."""
    # Numba counts references whenever an array is taken out of a tuple, so that is done once.
    faces, uvs, material_of = mesh.faces, mesh.uvs, mesh.materials
    cutoffs, colours = materials.cutoffs, materials.colours
    textures, firsts, levels, texels = materials.textures, materials.firsts, materials.levels, materials.texels
    height, width = nearest.shape
    keep = seen.size > 0
    for face in range(len(faces)):
        a, b, c = faces[face, 0], faces[face, 1], faces[face, 2]
        left, right, top, bottom = extent_of(corners, a, b, c, near)
        if not (right >= 0.0 and left <= width and bottom >= 0.0 and top <= height):
            continue
        left, right = int(max(left, 0.0)), int(min(right, width - 1.0))
        top, bottom = int(max(top, 0.0)), int(min(bottom, height - 1.0))
        a0, a1, a2, b0, b1, b2, c0, c1, c2, whole = edges_of(corners, a, b, c)
        if whole == 0.0:
            continue
        whole = abs(whole)
        a3, b3, c3 = corners[a, 3] / whole, corners[b, 3] / whole, corners[c, 3] / whole
        value_x = a0 * a3 + b0 * b3 + c0 * c3
        limit = 1.0 / near if min(corners[a, 2], corners[b, 2], corners[c, 2]) < near else inf
        over_a, over_b, over_c = 1.0 / a0, 1.0 / b0, 1.0 / c0
        material = material_of[face]
        cutoff, texture = cutoffs[material], textures[material]
        for row in range(top, bottom + 1):
            y = row + 0.5
            ay, by, cy = a1 * y + a2, b1 * y + b2, c1 * y + c2
            # The columns in which all three functions are positive, but for rounding: the ends are tested one by one.
            begin, end = left, right
            for slope, over, start in ((a0, over_a, ay), (b0, over_b, by), (c0, over_c, cy)):
                if slope > 0.0:
                    begin = max(begin, int(min(max(-start * over - 1.5, 0.0), width)))
                elif slope < 0.0:
                    end = min(end, int(min(max(-start * over + 1.0, -1.0), width)))
            while begin <= end and not is_inside(a0, ay, b0, by, c0, cy, begin + 0.5):
                begin += 1
            while begin <= end and not is_inside(a0, ay, b0, by, c0, cy, end + 0.5):
                end -= 1
            value_y = ay * a3 + by * b3 + cy * c3
            for column in range(begin, end + 1):
                value = np.float32(value_x * (column + 0.5) + value_y)
                if value <= nearest[row, column] or value > limit:
                    continue
                if cutoff > 0.0:
                    x = column + 0.5
                    i, j, k = a0 * x + ay, b0 * x + by, c0 * x + cy
                    opacity = colours[material, 3]
                    if texture >= 0:
                        u = (i * uvs[a, 0] + j * uvs[b, 0] + k * uvs[c, 0]) / (i + j + k)
                        v = (i * uvs[a, 1] + j * uvs[b, 1] + k * uvs[c, 1]) / (i + j + k)
                        opacity *= look_up(levels, texels, firsts[texture], u, v)[3]
                    if opacity < cutoff:
                        continue
                nearest[row, column] = value
                if keep:
                    seen[row, column] = first + face


def skin(positions, normals, joints, weights, matrices, places, facings):
    """Moves vertices (n, 3) and their normals by matrices (m, 3, 4): writes places and facings (n, 3)."""
    for vertex in range(len(positions)):
        total = 0.0
        for axis in range(3):
            places[vertex, axis] = facings[vertex, axis] = 0.0
        for one in range(4):
            weight = weights[vertex, one]
            if weight == 0.0:
                continue
            total += weight
            joint = joints[vertex, one]
            for axis in range(3):
                moved = matrices[joint, axis, 3]
                for k in range(3):
                    moved += matrices[joint, axis, k] * positions[vertex, k]
                    facings[vertex, axis] += weight * matrices[joint, axis, k] * normals[vertex, k]
                places[vertex, axis] += weight * moved
        for axis in range(3):
            places[vertex, axis] /= total if total != 0.0 else 1.0
