// An eye that circles a target; dragging turns it, the wheel or two fingers bring it nearer or shift it.

const TANGENT = Math.tan(0.5 * LOOKS.field); // of half the field of view
const [LOWEST, STEEPEST] = [-0.1, 1.5]; // elevations, radians

class Camera {
  // extent: how far from the centre there is something to see, level and upright. first: the direction in which the eye
  // is at first. ground: how high it is.
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {[number, number]} extent
   * @param {number} first
   * @param {(x: number, z: number) => number} ground
   * @param {() => void} changed
   */
  constructor(canvas, extent, first, ground, changed) {
    this.canvas = canvas;
    this.extent = extent;
    this.radius = Math.hypot(...extent);
    this.first = first;
    this.ground = ground;
    this.changed = changed;
    this.centre = [0, 0, 0]; // whom to follow
    /** @type {Map<number, Point>} */
    this.pointers = new Map();
    this.distance = 1;
    this.azimuth = this.elevation = 0;
    this.zoom = 1;
    this.shift = [0, 0, 0];
    this.reset();
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.pointers.delete(event.pointerId));
    canvas.addEventListener("pointercancel", (event) => this.pointers.delete(event.pointerId));
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("dblclick", () => this.reset());
  }

  reset() {
    this.azimuth = this.first;
    this.elevation = LOOKS.elevation;
    this.zoom = 1;
    this.shift = [0, 0, 0];
    this.changed();
  }

  // How far away the eye has to be to see an upright cylinder of the extent, from any side: its width, and its height.
  /** @param {number} aspect @param {number} raise */
  fitting(aspect, raise) {
    const [level, tall] = [this.extent[0], LOOKS.room * this.extent[1]];
    const [rise, ahead] = [Math.sin(LOOKS.elevation), Math.cos(LOOKS.elevation)];
    const across = level * Math.hypot(ahead, 1 / (TANGENT * aspect));
    const upright = level * ahead - tall * rise + (level * rise + tall * ahead) / (TANGENT * (1 - raise));
    return Math.max(across, upright);
  }

  // Where the eye is, and the matrix from the world to a window, of which the lower part `raise` is covered.
  /** @param {number} aspect @param {number} raise */
  look(aspect, raise) {
    this.distance = this.zoom * this.fitting(aspect, raise);
    const level = Math.cos(this.elevation);
    const away = [level * Math.sin(this.azimuth), Math.sin(this.elevation), level * Math.cos(this.azimuth)];
    const target = plus(this.centre, this.shift);
    const eye = this.cleared(target, plus(target, away, this.distance));
    const lens = perspective(TANGENT, aspect, 0.02 * this.distance, this.distance + 200 * this.radius, raise);
    const back = unit(plus(eye, target, -1));
    const gaze = { back: back[1], up: Math.hypot(back[0], back[2]), raise };
    return { eye, gaze, view: product(lens, looking(eye, target)) };
  }

  // The eye, raised until the ground neither hides the feet below the target nor comes near.
  /** @param {Vector} target @param {Vector} eye */
  cleared(target, eye) {
    const above = LOOKS.clearance * this.radius;
    const foot = target[1] - this.extent[1];
    let height = eye[1];
    for (let part = 0.3; part <= 1.05; part += 0.07) {
      const low = this.ground(target[0] + part * (eye[0] - target[0]), target[2] + part * (eye[2] - target[2]));
      height = Math.max(height, foot + (low + above * part - foot) / part);
    }
    return [eye[0], height, eye[2]];
  }

  /** @param {PointerEvent} event */
  down(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  /** @param {PointerEvent} event */
  move(event) {
    const last = this.pointers.get(event.pointerId);
    if (!last) return;
    const [x, y] = [event.clientX - last.x, event.clientY - last.y];
    if (this.pointers.size > 1) this.pinch(event, last, x, y);
    else if (event.buttons & 2 || event.shiftKey) this.pan(x, y);
    else this.turn(x, y);
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.changed();
  }

  /** @param {number} x @param {number} y */
  turn(x, y) {
    this.orbit(-0.006 * x, 0.006 * y);
  }

  // Turns the eye about its target, radians.
  /** @param {number} around @param {number} up */
  orbit(around, up) {
    this.azimuth += around;
    this.elevation = clamp(this.elevation + up, LOWEST, STEEPEST);
  }

  /** @param {number} x @param {number} y */
  pan(x, y) {
    const scale = (2 * TANGENT * this.distance) / this.canvas.clientHeight;
    const right = [Math.cos(this.azimuth), 0, -Math.sin(this.azimuth)];
    this.shift = plus(plus(this.shift, right, -x * scale), [0, 1, 0], y * scale);
  }

  // One of two fingers moved: their distance zooms, and their middle shifts.
  /** @param {PointerEvent} event @param {Point} last @param {number} x @param {number} y */
  pinch(event, last, x, y) {
    const [, other] = [...this.pointers].find(([id]) => id !== event.pointerId) ?? [0, last];
    /** @param {Point} point */
    const gap = (point) => Math.hypot(point.x - other.x, point.y - other.y) || 1;
    this.nearer(gap(last) / gap({ x: event.clientX, y: event.clientY }));
    this.pan(0.5 * x, 0.5 * y);
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 30 : 1;
    this.nearer(Math.exp(0.0012 * clamp(event.deltaY * lines, -200, 200)));
    this.changed();
  }

  /** @param {number} factor */
  nearer(factor) {
    this.zoom = clamp(this.zoom * factor, 0.15, 12);
  }
}
