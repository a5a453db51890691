// Vectors are arrays of three numbers; matrices are arrays of sixteen, columns first, as WebGL has them.

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b @param {number} times @returns {Vector} */
const plus = (a, b, times = 1) => [a[0] + times * b[0], a[1] + times * b[1], a[2] + times * b[2]];
/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
/** @param {Vector} a @param {Vector} b */
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
/** @param {number} value @param {number} low @param {number} high */
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/** @param {Vector} a @returns {Vector} */
function unit(a) {
  const length = Math.hypot(...a) || 1;
  return a.map((value) => value / length);
}

/** @param {Matrix} a @param {Matrix} b @returns {Matrix} */
function product(a, b) {
  const out = new Array(16).fill(0);
  for (let column = 0; column < 4; column++)
    for (let row = 0; row < 4; row++)
      for (let k = 0; k < 4; k++) out[4 * column + row] += a[4 * k + row] * b[4 * column + k];
  return out;
}

// From the world into the frame of an eye that looks at a target.
/** @param {Vector} eye @param {Vector} target @returns {Matrix} */
function looking(eye, target) {
  const back = unit(plus(eye, target, -1));
  const right = unit(cross([0, 1, 0], back));
  const up = cross(back, right);
  return [
    right[0], up[0], back[0], 0,
    right[1], up[1], back[1], 0,
    right[2], up[2], back[2], 0,
    -dot(right, eye), -dot(up, eye), -dot(back, eye), 1,
  ];
}

// raise: by how much of half the height the picture's middle lies above the window's.
/**
 * @param {number} tangent
 * @param {number} aspect
 * @param {number} near
 * @param {number} far
 * @param {number} raise
 * @returns {Matrix}
 */
function perspective(tangent, aspect, near, far, raise) {
  const depth = near - far;
  return [
    1 / (tangent * aspect), 0, 0, 0,
    0, 1 / tangent, 0, 0,
    0, -raise, (near + far) / depth, -1,
    0, 0, (2 * near * far) / depth, 0,
  ];
}

// What lies within `radius` of the eye's axis, and up to `depth` before it.
/** @param {number} radius @param {number} depth @returns {Matrix} */
function parallel(radius, depth) {
  return [1 / radius, 0, 0, 0, 0, 1 / radius, 0, 0, 0, 0, -2 / depth, 0, 0, 0, -1, 1];
}
