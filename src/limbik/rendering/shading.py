"""Kernels that colour pixels from the faces that their samples see: ground, bodies, sky; compiled as in `filling`."""

from math import floor, log2, sqrt

import numpy as np

from limbik.rendering.filling import edges_of, look_up

BLOCK_TEXELS = 16  # texels of the shadow map, across and down, that are tested together first


def smoothstep(low, high, x):
    """From 0 at low to 1 at high."""
    part = min(max((x - low) / (high - low), 0.0), 1.0)
    return part * part * (3.0 - 2.0 * part)


def level_of(uvs, a, b, c, levels, first, count, pixels):
    """The mipmap level for a triangle that would cover this many pixels."""
    u, v = uvs[b, 0] - uvs[a, 0], uvs[b, 1] - uvs[a, 1]
    s, t = uvs[c, 0] - uvs[a, 0], uvs[c, 1] - uvs[a, 1]
    texels = abs(u * t - v * s) * levels[first, 1] * levels[first, 2]
    if not texels > pixels:
        return first
    return first + min(int(0.5 * log2(texels / max(pixels, 1e-9)) + 0.5), count - 1)


def visible_sun(light, shadows, coarse, x, y, z):
    """The visible part of the sun at a place, 0 to 1: the mean of nine texels of the shadow map around it.

    coarse: the shadow map in blocks, each with the greatest nearness of it and of the blocks around.
    """
    size = len(shadows)
    right, down, towards = light.right, light.down, light.towards
    u = right[0] * x + right[1] * y + right[2] * z + right[3] - 0.5
    v = down[0] * x + down[1] * y + down[2] * z + down[3] - 0.5
    if not (light.box[0] < u < light.box[1] and light.box[2] < v < light.box[3]):
        return 1.0
    near = towards[0] * x + towards[1] * y + towards[2] * z + towards[3] + light.bias
    column, row = int(u), int(v)
    if coarse[row // BLOCK_TEXELS, column // BLOCK_TEXELS] <= near:
        return 1.0
    s, t = u - column, v - row
    total = 0.0
    for i in range(4):
        across = 0.0
        at = row - 1 + i
        if shadows[at, column - 1] <= near:
            across += 1.0 - s
        if shadows[at, column] <= near:
            across += 1.0
        if shadows[at, column + 1] <= near:
            across += 1.0
        if shadows[at, column + 2] <= near:
            across += s
        total += across * (1.0 - t if i == 0 else t if i == 3 else 1.0)
    edge = min(u, size - u, v, size - v)
    share = total / 9.0
    return share if edge > 0.1 * size else 1.0 + (share - 1.0) * smoothstep(0.0, 0.1, edge / size)


def light_surface(light, shadows, coarse, red, green, blue, x, y, z, p, q, r):
    """A colour at a place (x, y, z) with the normal (p, q, r), lit; and the visible part of the sun."""
    sky, lit = 0.5 + 0.5 * q, 0.0
    sun = light.sun[0] * p + light.sun[1] * q + light.sun[2] * r
    if sun > 0.0:
        lit = visible_sun(light, shadows, coarse, x + light.offset * p, y + light.offset * q, z + light.offset * r)
        sun *= lit
    else:
        sun = 0.0
    below, above, rays = light.below, light.above, light.sunlight
    return (
        red * (below[0] + (above[0] - below[0]) * sky + rays[0] * sun),
        green * (below[1] + (above[1] - below[1]) * sky + rays[1] * sun),
        blue * (below[2] + (above[2] - below[2]) * sky + rays[2] * sun),
        lit,
    )


def display(table, part):
    """A linear colour component as displayed, 0 to 255. table: displayed values for components from 0 to 1."""
    return table[int(min(max(part, 0.0), 1.0) * (len(table) - 1) + 0.5)]


def grid_opacity(x, z, wide_x, wide_z, often):
    """Opacity of the grid at a place on the ground. wide: extent of a pixel there. often: lines a metre."""
    x, z, wide_x, wide_z = x * often, z * often, max(wide_x * often, 1e-6), max(wide_z * often, 1e-6)
    x, z = abs(x - floor(x + 0.5)), abs(z - floor(z + 0.5))
    found = 0.0
    if x < 1.4 * wide_x and wide_x < 0.5:
        found = (1.0 - smoothstep(0.4, 1.4, x / wide_x)) * (1.0 - smoothstep(0.15, 0.5, wide_x))
    if z < 1.4 * wide_z and wide_z < 0.5:
        found = max(found, (1.0 - smoothstep(0.4, 1.4, z / wide_z)) * (1.0 - smoothstep(0.15, 0.5, wide_z)))
    return found


def set_rows(form, first, count, values, edges, a, b, c):
    """Rows of a form, from `first` on, for vertex attributes (n, count)."""
    for axis in range(count):
        i, j, k = values[a, axis], values[b, axis], values[c, axis]
        for factor in range(3):
            form[first + axis, factor] = edges[factor] * i + edges[3 + factor] * j + edges[6 + factor] * k


def set_form(form, places, normals, uvs, colours, corners, a, b, c):
    """How a triangle's attributes change over the image: rows of factors of x and y and a constant.

    Row 0 is the sum of the edge functions, by which all others are divided; then come place, normal, uv and colour.
    Returns the triple product.
    """
    edges = edges_of(corners, a, b, c)
    for factor in range(3):
        form[0, factor] = edges[factor] + edges[3 + factor] + edges[6 + factor]
    set_rows(form, 1, 3, places, edges, a, b, c)
    set_rows(form, 4, 3, normals, edges, a, b, c)
    set_rows(form, 7, 2, uvs, edges, a, b, c)
    set_rows(form, 9, 3, colours, edges, a, b, c)
    return edges[9]


def evaluate(form, row, x, y):
    """A row of a form at a sample, not divided yet."""
    return form[row, 0] * x + form[row, 1] * y + form[row, 2]


def pixel_extent(form, axis, place, by):
    """The extent of a pixel, two samples wide and high, along an axis. by: 1 over the form's first row."""
    across = form[1 + axis, 0] - place * form[0, 0]
    down = form[1 + axis, 1] - place * form[0, 1]
    return 2.0 * by * (abs(across) + abs(down))


def ground_colour(form, squares, light, shadows, coarse, table, sky, x, y):
    """The displayed colour of the ground at a sample (x, y); it fades into the sky."""
    by = 1.0 / evaluate(form, 0, x, y)
    place_x, place_y, place_z = by * evaluate(form, 1, x, y), by * evaluate(form, 2, x, y), by * evaluate(form, 3, x, y)
    beyond_x = max(abs(place_x - squares.middle[0]) - squares.middle[2] + squares.margin, 0.0)
    beyond_z = max(abs(place_z - squares.middle[1]) - squares.middle[3] + squares.margin, 0.0)
    beyond = sqrt(beyond_x * beyond_x + beyond_z * beyond_z)
    if beyond >= squares.margin:
        return sky[0], sky[1], sky[2]
    p, q, r = evaluate(form, 4, x, y), evaluate(form, 5, x, y), evaluate(form, 6, x, y)
    scale = 1.0 / sqrt(p * p + q * q + r * r)
    if q < 0.0:
        scale = -scale
    p, q, r = p * scale, q * scale, r * scale
    wide_x, wide_z = pixel_extent(form, 0, place_x, by), pixel_extent(form, 2, place_z, by)
    drawn = squares.thin * grid_opacity(place_x, place_z, wide_x, wide_z, squares.often)
    drawn = max(drawn, squares.thick * grid_opacity(place_x, place_z, wide_x, wide_z, 0.2 * squares.often))
    red, green, blue = squares.colour[0], squares.colour[1], squares.colour[2]
    slope = smoothstep(0.02, 0.3, 1.0 - q)
    red, green, blue = (
        red + slope * (squares.steep[0] - red),
        green + slope * (squares.steep[1] - green),
        blue + slope * (squares.steep[2] - blue),
    )
    flat = smoothstep(0.0005, 0.01, 1.0 - q)  # level ground would be all line
    if flat > 0.0:
        wide_y = pixel_extent(form, 1, place_y, by)
        drawn = max(drawn, squares.contour * flat * grid_opacity(place_y, 0.25, wide_y, 1.0, squares.contours))
    if by * evaluate(form, 7, x, y) > 0.5:  # painted
        drawn = 0.0
        red, green, blue = by * evaluate(form, 9, x, y), by * evaluate(form, 10, x, y), by * evaluate(form, 11, x, y)
    if drawn > 0.0:
        drawn *= smoothstep(0.3, 0.7, q)  # steep faces have no lines: they would be all line
        red += (squares.line[0] - red) * drawn
        green += (squares.line[1] - green) * drawn
        blue += (squares.line[2] - blue) * drawn
    red, green, blue, _ = light_surface(light, shadows, coarse, red, green, blue, place_x, place_y, place_z, p, q, r)
    red, green, blue = display(table, red), display(table, green), display(table, blue)
    if beyond > 0.1 * squares.margin:
        thin = smoothstep(0.1, 1.0, beyond / squares.margin)
        red, green, blue = red + thin * (sky[0] - red), green + thin * (sky[1] - green), blue + thin * (sky[2] - blue)
    return red, green, blue


def body_colour(form, whole, eye, red, green, blue, shine, light, shadows, coarse, table, x, y):
    """The displayed colour of a body at a sample (x, y). whole: the face's triple product.

    shine: strength and exponent of the highlight.
    """
    by = 1.0 / evaluate(form, 0, x, y)
    place_x, place_y, place_z = by * evaluate(form, 1, x, y), by * evaluate(form, 2, x, y), by * evaluate(form, 3, x, y)
    p, q, r = evaluate(form, 4, x, y), evaluate(form, 5, x, y), evaluate(form, 6, x, y)
    scale = 1.0 / max(sqrt(p * p + q * q + r * r), 1e-30)
    if whole > 0.0:
        scale = -scale  # seen from behind
    p, q, r = p * scale, q * scale, r * scale
    s, t, u = eye[0] - place_x, eye[1] - place_y, eye[2] - place_z
    away = 1.0 / sqrt(s * s + t * t + u * u)
    s, t, u = away * s, away * t, away * u
    towards = p * s + q * t + r * u
    red, green, blue, lit = light_surface(light, shadows, coarse, red, green, blue, place_x, place_y, place_z, p, q, r)
    rim, sun = light.rim * (1.0 - max(towards, 0.0)) ** 3, 0.0
    if lit > 0.0:
        s, t, u = s + light.sun[0], t + light.sun[1], u + light.sun[2]
        half = max(p * s + q * t + r * u, 0.0) / sqrt(s * s + t * t + u * u)
        sun = lit * shine[0] * half ** shine[1]
    red, green, blue = red + sun * light.sunlight[0], green + sun * light.sunlight[1], blue + sun * light.sunlight[2]
    return display(table, red + rim), display(table, green + rim), display(table, blue + rim)


def shade(ground, squares, body, materials, corners, light, shadows, coarse, table, sky, eye, seen, nearest, picture):
    """Colours an image (rows, columns, 3) from the faces that its samples see.

    corners: of the ground and of the bodies. sky: (rows, 3), displayed. The ground is coloured once a pixel, unless its
    depths differ there; bodies once for each face.
    """
    ground_places, ground_normals, ground_uvs, ground_faces = ground.places, ground.normals, ground.uvs, ground.faces
    ground_paint, paint, shines = ground.colours, body.colours, materials.shines
    places, normals, uvs, faces, material_of = body.places, body.normals, body.uvs, body.faces, body.materials
    colours, textures, firsts, counts = materials.colours, materials.textures, materials.firsts, materials.counts
    levels, texels = materials.levels, materials.texels
    ground_corners, body_corners = corners
    grounds = len(ground_faces)
    form, last, whole = np.empty((12, 3)), -1, 0.0  # of the last face: the next sample often sees the same
    for row in range(picture.shape[0]):
        above = sky[row, 0], sky[row, 1], sky[row, 2]
        for column in range(picture.shape[1]):
            red, green, blue = 0.0, 0.0, 0.0
            under, depth = above, -1.0
            before, within = above, -1
            for sample in range(4):
                y, x = 2 * row + sample // 2, 2 * column + sample % 2
                face = seen[y, x]
                if face < 0:
                    red, green, blue = red + above[0], green + above[1], blue + above[2]
                elif face < grounds:
                    if abs(nearest[y, x] - depth) > 0.05 * depth:
                        depth = nearest[y, x]
                        if face != last:
                            last = face
                            a, b, c = ground_faces[face, 0], ground_faces[face, 1], ground_faces[face, 2]
                            set_form(
                                form, ground_places, ground_normals, ground_uvs, ground_paint, ground_corners, a, b, c
                            )
                        under = ground_colour(form, squares, light, shadows, coarse, table, above, x + 0.5, y + 0.5)
                    red, green, blue = red + under[0], green + under[1], blue + under[2]
                else:
                    if face != within:
                        within = face
                        a, b, c = faces[face - grounds, 0], faces[face - grounds, 1], faces[face - grounds, 2]
                        if face != last:
                            last = face
                            whole = set_form(form, places, normals, uvs, paint, body_corners, a, b, c)
                        material = material_of[face - grounds]
                        by = 1.0 / evaluate(form, 0, x + 0.5, y + 0.5)
                        p = colours[material, 0] * by * evaluate(form, 9, x + 0.5, y + 0.5)
                        q = colours[material, 1] * by * evaluate(form, 10, x + 0.5, y + 0.5)
                        r = colours[material, 2] * by * evaluate(form, 11, x + 0.5, y + 0.5)
                        if textures[material] >= 0:
                            u, v = by * evaluate(form, 7, x + 0.5, y + 0.5), by * evaluate(form, 8, x + 0.5, y + 0.5)
                            first, count = firsts[textures[material]], counts[textures[material]]
                            pixels = 0.25 * abs(whole) / (abs(whole) * by) ** 3
                            level = level_of(uvs, a, b, c, levels, first, count, pixels)
                            textured = look_up(levels, texels, level, u, v)
                            p, q, r = p * textured[0], q * textured[1], r * textured[2]
                        shine = shines[material, 0], shines[material, 1]
                        before = body_colour(
                            form, whole, eye, p, q, r, shine, light, shadows, coarse, table, x + 0.5, y + 0.5
                        )
                    red, green, blue = red + before[0], green + before[1], blue + before[2]
            picture[row, column, 0] = int(0.25 * red + 0.5)
            picture[row, column, 1] = int(0.25 * green + 0.5)
            picture[row, column, 2] = int(0.25 * blue + 0.5)


def stamp(marks, boxes, style, ground, corners, seen, picture):
    """Draws round marks (n, 6) on the ground: places, radii, opacities, and 1 for a planted foot or 0 for a footprint.

    boxes: (n, 4), the pixels they cover.
    """
    places, normals, uvs, paint, faces = ground.places, ground.normals, ground.uvs, ground.colours, ground.faces
    grounds = len(faces)
    form, last = np.empty((12, 3)), -1
    for mark in range(len(marks)):
        radius, strength = marks[mark, 3], marks[mark, 4]
        for row in range(boxes[mark, 2], boxes[mark, 3]):
            for column in range(boxes[mark, 0], boxes[mark, 1]):
                count, face, x, y = 0, -1, 0, 0
                for sample in range(4):
                    at_y, at_x = 2 * row + sample // 2, 2 * column + sample % 2
                    if 0 <= seen[at_y, at_x] < grounds:
                        count, face, x, y = count + 1, seen[at_y, at_x], at_x, at_y
                if face < 0:
                    continue
                if face != last:
                    last = face
                    a, b, c = faces[face, 0], faces[face, 1], faces[face, 2]
                    set_form(form, places, normals, uvs, paint, corners, a, b, c)
                by = 1.0 / evaluate(form, 0, x + 0.5, y + 0.5)
                p, q = by * evaluate(form, 1, x + 0.5, y + 0.5), by * evaluate(form, 2, x + 0.5, y + 0.5)
                r = by * evaluate(form, 3, x + 0.5, y + 0.5)
                wide_x, wide_z = pixel_extent(form, 0, p, by), pixel_extent(form, 2, r, by)
                p, q, r = p - marks[mark, 0], q - marks[mark, 1], r - marks[mark, 2]
                away = sqrt(p * p + q * q + r * r) / radius
                soft = max((abs(p) * wide_x + abs(r) * wide_z) / max(away * radius * radius, 1e-12), 1e-6)
                if away > 1.0 + soft:
                    continue
                disc = 1.0 - smoothstep(1.0 - 0.5 * soft, 1.0 + 0.5 * soft, away)
                ring = disc * smoothstep(style.ring - 0.5 * soft, style.ring + 0.5 * soft, away)
                solid = 0.25 * count * strength * max(style.ring_opacity * ring, style.disc_opacity * disc)
                if marks[mark, 5] == 0.0:
                    solid = 0.25 * count * strength * (1.0 - smoothstep(0.2, 1.0, away))
                for part in range(3):
                    under = picture[row, column, part]
                    goal = style.colour[part] if marks[mark, 5] > 0.0 else style.print_shade * under
                    picture[row, column, part] = int(under + solid * (goal - under) + 0.5)
