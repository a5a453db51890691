// A creature that walks in the page, as limbik exports it, wherever the reader sends it: by keys, by a click or a finger.

const ARRIVED = 0.5; // distance from where it was sent at which it has arrived, over the radius of what is seen of it
const CLICK = 6; // pixels that a pointer may move in a click
const REACH = 60; // how far away the ground can be clicked, over the camera's distance
/** @type {Record<string, [number, number]>} to the right, ahead */
const WAYS = {
  w: [0, 1], a: [-1, 0], s: [0, -1], d: [1, 0],
  ArrowUp: [0, 1], ArrowLeft: [-1, 0], ArrowDown: [0, -1], ArrowRight: [1, 0],
};

class Drive {
  /** @param {Page} page @param {PackedWalker} content @param {Numbers} numbers */
  constructor(page, content, numbers) {
    this.page = page;
    this.content = content;
    this.numbers = numbers;
    this.active = false;
    /** @type {Set<string>} */
    this.held = new Set();
    /** @type {Point | null} x and z of where it was sent, the latter as y */
    this.target = null;
    /** @type {Walking | null} */
    this.walker = null;
    this.spent = 0; // milliseconds that a step and a pose took last
    /** @type {Point | null} */
    this.pressed = null;
    const { canvas } = page;
    const pace = element("pace");
    pace.max = String(content.fastest);
    pace.min = String(0.1 * content.fastest);
    pace.value = String(content.cruise);
    const gait = element("gait");
    gait.append(...["Any gait", ...content.gaits].map((name) => new Option(name)));
    gait.addEventListener("change", () => this.walker?.keepTo(gait.selectedIndex - 1));
    this.steady = false; // keeps its heading, and walks backwards and sideways
    element("steady").addEventListener("click", () => this.keepHeading(!this.steady));
    element("drive").hidden = false;
    element("drive").addEventListener("click", () => this.switch(!this.active));
    document.addEventListener("keydown", (event) => this.down(event), { capture: true });
    document.addEventListener("keyup", (event) => this.lift(event));
    window.addEventListener("blur", () => this.held.clear());
    canvas.addEventListener("pointerdown", (event) => (this.pressed = { x: event.clientX, y: event.clientY }));
    canvas.addEventListener("pointerup", (event) => this.up(event));
  }

  // Begins or ends steering.
  /** @param {boolean} active */
  switch(active) {
    const { page } = this;
    this.active = pressed(element("drive"), active);
    this.target = null;
    page.timeline.play(!active);
    for (const id of ["time-line", "play", "back", "on", "clock", "speed", "loop", "follow", "show", "film"])
      element(id).hidden = active;
    for (const id of ["pace-label", "gait", "steady", "hint"]) element(id).hidden = !active;
    page.openPanel(false);
    if (active) this.begin();
    page.motions[0].live = active ? this : null;
    page.follow = pressed(element("follow"), true);
    page.canvas.focus();
    page.resize();
  }

  // Puts the creature where it is in the clip.
  begin() {
    const { page } = this;
    const [group] = page.motions[0].groups;
    page.stage.pose(page.motions[0], page.timeline.time);
    const frame = group.frames;
    this.walker ??= this.load();
    const yaw = Math.atan2(frame[2], frame[10]);
    this.walker.begin(frame[3], frame[11], yaw);
    const joints = group.parents.length;
    this.rotations = new Float32Array(4 * joints);
    this.translations = group.translations.slice(0, 3 * joints);
    this.pose();
  }

  // The script that `limbik export` writes, run once; and the ground that it asks.
  /** @returns {Walking} */
  load() {
    const { at, length } = this.content.script;
    const script = document.createElement("script");
    script.textContent = new TextDecoder().decode(this.numbers.bytes.subarray(at, at + length));
    document.head.append(script);
    const { positions, faces, middle, margin } = this.page.stage.ground;
    const surface = new Surface(positions, faces, middle, 0.3 * margin);
    this.surface = surface;
    return new globalThis.limbikWalk.Walker((x, z) => surface.height(x, z));
  }

  pose() {
    const walker = /** @type {Walking} */ (this.walker);
    walker.pose();
    this.place = walker.place;
    this.rotations?.set(walker.rotations);
    this.translations?.set(this.place);
  }

  /** @param {KeyboardEvent} event */
  down(event) {
    const key = named(event);
    if (!this.active || event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === "Escape") this.switch(false);
    else if (key === "Shift") return event.repeat || this.keepHeading(true);
    else if (!WAYS[key]) return;
    else this.held.add(key);
    this.target = null;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.page.wake();
  }

  /** @param {KeyboardEvent} event */
  lift(event) {
    this.held.delete(named(event));
    if (this.active && event.key === "Shift") this.keepHeading(false);
  }

  /** @param {boolean} steady */
  keepHeading(steady) {
    this.steady = pressed(element("steady"), steady);
  }

  // A click sends the creature to where the ground was clicked.
  /** @param {PointerEvent} event */
  up(event) {
    const from = this.pressed;
    this.pressed = null;
    if (!this.active || !from || Math.hypot(event.clientX - from.x, event.clientY - from.y) > CLICK) return;
    this.target = this.clicked(event.clientX, event.clientY) ?? this.target;
    this.page.wake();
  }

  // Where a ray from the eye through a place of the window first meets the ground.
  /** @param {number} x @param {number} y @returns {Point | null} */
  clicked(x, y) {
    const { camera, canvas } = this.page;
    const surface = /** @type {Surface} */ (this.surface);
    const [{ box, raise }] = this.page.views();
    const aspect = box[2] / box[3];
    const { eye } = camera.look(aspect, raise);
    const back = unit(plus(eye, plus(camera.centre, camera.shift), -1));
    const right = unit(cross([0, 1, 0], back));
    const up = cross(back, right);
    const across = TANGENT * aspect * ((2 * x) / canvas.clientWidth - 1);
    const upward = TANGENT * (1 - (2 * y) / canvas.clientHeight - raise);
    const ray = plus(plus(plus([0, 0, 0], right, across), up, upward), back, -1);
    const step = 0.01 * camera.distance;
    for (let way = 0; way < REACH * camera.distance; way += step) {
      const [px, py, pz] = plus(eye, ray, way);
      const height = surface.height(px, pz);
      if (height > VOID && py <= height) return { x: px, y: pz };
    }
    return null;
  }

  // Seconds of the world have gone by.
  /** @param {number} seconds */
  advance(seconds) {
    const walker = /** @type {Walking} */ (this.walker);
    const started = performance.now();
    const [x, z] = this.velocity();
    if (seconds > 0) walker.step(seconds, x, z, this.steady || !(x || z) ? 0 : NaN);
    this.pose();
    this.spent = performance.now() - started;
    this.report();
  }

  // For those who look at the page with a program: where the creature is, and how long its step took.
  report() {
    const { dataset } = this.page.canvas;
    dataset.place = this.place?.map((each) => each.toFixed(3)).join(" ");
    dataset.yaw = this.walker?.body[0].yaw.toFixed(4);
    dataset.spent = this.spent.toFixed(2);
  }

  // Where to and how fast, m/s: as keys are held, as seen in the window, or towards where it was sent.
  /** @returns {[number, number]} */
  velocity() {
    const speed = Number(element("pace").value);
    const { azimuth, radius } = this.page.camera;
    let [right, ahead] = [0, 0];
    for (const key of this.held) [right, ahead] = [right + WAYS[key][0], ahead + WAYS[key][1]];
    const size = Math.hypot(right, ahead);
    if (size) {
      const [sine, cosine] = [Math.sin(azimuth), Math.cos(azimuth)];
      return [(speed * (right * cosine - ahead * sine)) / size, (-speed * (right * sine + ahead * cosine)) / size];
    }
    if (!this.target || !this.place) return [0, 0];
    const [x, z] = [this.target.x - this.place[0], this.target.y - this.place[2]];
    const far = Math.hypot(x, z);
    const near = ARRIVED * radius;
    if (far < 0.2 * near) this.target = null;
    const slower = (speed * Math.min(far / near, 1)) / (far || 1);
    return [x * slower, z * slower];
  }

  get blocked() {
    return this.walker?.blocked ?? false;
  }
}

/** @param {KeyboardEvent} event */
const named = (event) => (event.key.length === 1 ? event.key.toLowerCase() : event.key);
