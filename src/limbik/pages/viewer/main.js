// Puts the page together, and draws when something has changed.

const NARROW = 520; // pixels, as in the style: narrower windows show no numbers at first
/** @type {Set<string>} */
const NOTHING = new Set();
const VIEWS = { overlay: "Overlay", beside: "Side by side" };

class Page {
  /** @param {Content} content @param {Numbers} numbers */
  constructor(content, numbers) {
    /** @type {HTMLCanvasElement} */
    this.canvas = element("stage");
    /** @type {number | null} */
    this.waiting = null;
    /** @type {number | null} */
    this.last = null;
    this.stage = new Stage(this.canvas, content, numbers);
    this.motions = content.motions.map((motion) => new Motion(motion, numbers));
    for (const motion of this.motions) this.stage.prepare(motion);
    const [motion] = this.motions;
    const duration = Math.max(...this.motions.map((each) => each.duration));
    this.changed = () => this.wake();
    this.stage.pose(motion, 0);
    const extent = this.stage.reach(motion, motion.centre(0));
    const { height } = this.stage;
    this.camera = new Camera(this.canvas, extent, content.azimuth, (x, z) => height.at(x, z), this.changed);
    this.timeline = new Timeline(motion, duration, this.changed);
    this.footer = /** @type {HTMLElement} */ (document.querySelector("footer"));
    /** @type {"overlay" | "beside" | "clip" | "compare"} */
    this.view = content.view;
    this.follow = true;
    this.camera.centre = motion.centre(0);
    /** @type {Set<string>} */
    this.shown = new Set(["planted", "prints", "arcs", "bars", ...(innerWidth > NARROW ? ["numbers"] : [])]);
    this.readouts = new Readouts(motion);
    /** @type {Drive | null} */
    this.drive = content.walker ? new Drive(this, content.walker, numbers) : null;
    this.film = new Film(this.canvas, this.timeline);
    this.controls(content);
    this.panel();
    this.keys = new Keys(this);
    new ResizeObserver(() => this.resize()).observe(document.body);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.resize());
    this.resize();
  }

  /** @param {Content} content */
  controls(content) {
    element("about").append(content.about);
    element("blocked").append(content.notes || "Blocked");
    element("follow").addEventListener("click", () => {
      this.follow = pressed(element("follow"), !this.follow);
      this.wake();
    });
    const view = element("view");
    view.hidden = this.motions.length < 2;
    element("legend").hidden = view.hidden || this.view !== "overlay";
    view.append(...Object.entries({ ...VIEWS, ...content.names }).map(([value, text]) => new Option(text, value)));
    view.value = this.view;
    for (const [name, text] of Object.entries(content.names)) {
      for (const place of document.querySelectorAll(`#tags .${name}`)) place.append(text);
      for (const place of document.querySelectorAll(`#legend .${name}`)) place.append(text.toLowerCase());
    }
    view.addEventListener("change", () => {
      this.view = view.value;
      element("legend").hidden = this.view !== "overlay";
      this.wake();
    });
    const still = this.timeline.duration === 0;
    element("time-line").hidden = still;
    for (const id of ["play", "back", "on", "clock", "speed", "loop", "follow"]) element(id).hidden = still;
    this.footer.hidden = still && this.motions.length < 2;
    element("picture").addEventListener("click", () => this.savePicture());
  }

  // The panel of overlays and keys. Overlays that need contacts are not offered where there are none.
  panel() {
    const { feet, plants } = this.motions[0];
    const stood = this.motions.some((motion) => motion.plants.length);
    for (const [name, text] of Object.entries(OVERLAYS)) {
      const [label, box] = [document.createElement("label"), document.createElement("input")];
      box.type = "checkbox";
      box.id = `show-${name}`;
      box.checked = this.shown.has(name);
      box.disabled = name === "numbers" ? this.timeline.duration === 0 : !stood;
      if (name === "bars" && (!plants.length || feet.length > MOST_ROWS)) box.disabled = true;
      box.addEventListener("change", () => this.switchOverlay(name));
      label.append(box, text);
      element("overlays").append(label);
    }
    element("show").addEventListener("click", () => this.openPanel(element("panel").hidden));
    this.canvas.addEventListener("pointerdown", () => this.openPanel(false));
  }

  /** @param {boolean} open */
  openPanel(open) {
    element("panel").hidden = !open;
    element("show").setAttribute("aria-expanded", String(open));
  }

  /** @param {string} name */
  switchOverlay(name) {
    const box = element(`show-${name}`);
    if (box.disabled) return;
    if (!this.shown.delete(name)) this.shown.add(name);
    box.checked = this.shown.has(name);
    this.resize();
  }

  // The next of the two motions or both.
  nextView() {
    const view = element("view");
    if (view.hidden) return;
    view.selectedIndex = (view.selectedIndex + 1) % view.options.length;
    view.dispatchEvent(new Event("change"));
  }

  // The picture as it is drawn now, at the window's full resolution.
  savePicture() {
    this.draw();
    this.canvas.toBlob((blob) => blob && keep(blob, "png"));
  }

  resize() {
    const ratio = Math.min(devicePixelRatio, 2);
    this.canvas.width = Math.round(this.canvas.clientWidth * ratio);
    this.canvas.height = Math.round(this.canvas.clientHeight * ratio);
    this.stage.recolour();
    const driving = this.drive?.active ?? false;
    this.timeline.drawContacts(this.shown.has("bars") && !driving);
    element("readouts").hidden = !this.shown.has("numbers") || this.timeline.duration === 0 || driving;
    this.wake();
  }

  // Asks for one more picture; nothing is drawn while nothing changes.
  wake() {
    this.waiting ??= requestAnimationFrame((now) => this.tick(now));
  }

  /** @param {number} now */
  tick(now) {
    this.waiting = null;
    const seconds = Math.min((now - (this.last ?? now)) / 1000, 0.25);
    const turning = this.keys.advance(seconds);
    const driving = this.drive?.active ?? false;
    if (driving) this.drive?.advance(seconds);
    if (this.timeline.playing) this.timeline.advance(seconds);
    this.last = this.timeline.playing || turning || driving ? now : null;
    if (turning || driving) this.wake();
    this.draw();
    if (this.shown.has("numbers") && !driving) this.readouts.show(this.timeline.time, now, !this.timeline.playing);
  }

  draw() {
    const { time } = this.timeline;
    if (this.follow) this.camera.centre = this.motions[0].centre(time);
    element("blocked").hidden = !this.motions[0].isBlocked(time);
    for (const motion of this.motions) {
      this.stage.pose(motion, Math.min(time, motion.duration));
      motion.sphere = { centre: motion.centre(time), radius: 1.1 * this.camera.radius };
    }
    this.stage.draw(this.camera, this.views(), this.drive?.active ? NOTHING : this.shown);
  }

  // The parts of the canvas, and which motions are seen there. raise: of what is seen, out of the controls' way.
  /** @returns {View[]} */
  views() {
    const { width, height } = this.canvas;
    const covered = (this.footer.offsetHeight / this.canvas.clientHeight) * height;
    const [clip, compare] = this.motions;
    for (const motion of this.motions) motion.ghost = this.view === "overlay" && motion === compare;
    element("tags").hidden = this.view !== "beside";
    if (this.view === "beside") return this.beside(width, height, covered);
    const motions = { overlay: this.motions, clip: [clip], compare: [compare] }[this.view];
    return [{ box: [0, 0, width, height], raise: covered / height, motions }];
  }

  // What the clip is compared with on the left in a wide window, else above.
  /** @param {number} width @param {number} height @param {number} covered @returns {View[]} */
  beside(width, height, covered) {
    const [clip, compare] = this.motions;
    const across = width > height;
    const tags = element("tags");
    tags.classList.toggle("across", across);
    tags.style.bottom = across ? "0" : `${this.footer.offsetHeight}px`;
    if (across) {
      const half = width >> 1;
      return [compare, clip].map((motion, k) => ({
        box: [k * half, 0, half, height], raise: covered / height, motions: [motion],
      }));
    }
    const lower = (height + covered) >> 1;
    return [
      { box: [0, lower, width, height - lower], raise: 0, motions: [compare] },
      { box: [0, 0, width, lower], raise: covered / lower, motions: [clip] },
    ];
  }
}

async function start() {
  if (!window.DecompressionStream) throw new Error("This browser is too old for this page.");
  const [content, numbers] = await read(element("numbers").textContent);
  const page = new Page(content, numbers);
  await page.stage.loadTextures(content, numbers);
  page.timeline.play(!matchMedia("(prefers-reduced-motion: reduce)").matches);
}

start().catch((error) => {
  element("fault").textContent = error.message;
  element("fault").hidden = false;
  console.error(error);
});
