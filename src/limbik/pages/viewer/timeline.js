// The clock, and the controls that belong to it.

const SPEEDS = [0.1, 0.25, 0.5, 1, 2];
const ICONS = { play: "M7 4v16l13-8z", pause: "M6 4h4v16H6zM14 4h4v16h-4z" };
const THUMB = 7; // pixels: half the width of the slider's thumb, as in the style
const MOST_ROWS = 64; // feet whose contacts can be told apart

/** @param {string} id @returns {any} one of the elements of page.html, of whatever kind it is */
const element = (id) => document.getElementById(id);

class Timeline {
  /** @param {Motion} motion @param {number} duration @param {() => void} changed */
  constructor(motion, duration, changed) {
    this.motion = motion;
    this.duration = duration;
    this.changed = changed;
    this.time = 0;
    this.speed = 1;
    this.loop = true;
    this.playing = false;
    this.scrub = element("scrub");
    this.scrub.max = duration;
    this.scrub.addEventListener("input", () => {
      this.play(false);
      this.go(Number(this.scrub.value));
    });
    /** @type {(() => void) | null} */
    this.atEnd = null; // what happens at the end, in place of the loop
    element("play").addEventListener("click", () => this.toggle());
    element("back").addEventListener("click", () => this.step(-1));
    element("on").addEventListener("click", () => this.step(1));
    element("loop").addEventListener("click", () => {
      this.loop = pressed(element("loop"), !this.loop);
    });
    const speed = element("speed");
    speed.append(...SPEEDS.map((value) => new Option(`${value}×`, String(value), value === 1, value === 1)));
    speed.addEventListener("change", () => (this.speed = Number(speed.value)));
    this.show();
  }

  toggle() {
    if (!this.playing && this.time >= this.duration) this.time = 0;
    this.play(!this.playing);
  }

  /** @param {boolean} playing */
  play(playing) {
    this.playing = playing && this.duration > 0;
    const button = element("play");
    button.setAttribute("aria-label", this.playing ? "Pause" : "Play");
    button.querySelector("path").setAttribute("d", this.playing ? ICONS.pause : ICONS.play);
    this.changed();
  }

  /** @param {number} time */
  go(time) {
    this.time = clamp(time, 0, this.duration);
    this.show();
    this.changed();
  }

  // To the frame that is so many frames away, paused.
  /** @param {number} frames */
  step(frames) {
    this.play(false);
    this.go((Math.round(this.time * this.motion.fps) + frames) / this.motion.fps);
  }

  /** @param {number} steps in the list of speeds */
  faster(steps) {
    const speed = element("speed");
    speed.selectedIndex = clamp(speed.selectedIndex + steps, 0, SPEEDS.length - 1);
    this.speed = Number(speed.value);
  }

  // Seconds of the world have gone by.
  /** @param {number} seconds */
  advance(seconds) {
    let time = this.time + seconds * this.speed;
    const ended = time >= this.duration;
    if (ended && this.loop && !this.atEnd) time %= this.duration;
    else if (ended) this.play(false);
    this.go(time);
    if (ended) this.atEnd?.();
  }

  show() {
    this.scrub.value = this.time;
    element("clock").textContent = `${this.time.toFixed(2)} / ${this.duration.toFixed(2)} s`;
    const part = this.time / (this.duration || 1);
    element("now").style.left = `calc(${THUMB}px + ${part} * (100% - ${2 * THUMB}px))`;
  }

  // A row for each foot, with a bar for each time that it stands.
  /** @param {boolean} shown */
  drawContacts(shown) {
    const { feet, plants } = this.motion;
    const canvas = element("contacts");
    canvas.hidden = element("now").hidden = !shown || !plants.length || feet.length > MOST_ROWS;
    if (canvas.hidden) return;
    canvas.title = `Planted feet, from the top: ${feet.join(", ")}`;
    const ratio = devicePixelRatio;
    const height = Math.min(7 * feet.length, 84);
    canvas.style.height = `${height}px`;
    const width = canvas.clientWidth;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const brush = canvas.getContext("2d");
    brush.scale(ratio, ratio);
    brush.fillStyle = getComputedStyle(canvas).getPropertyValue("--planted");
    const row = height / feet.length;
    const scale = (width - 2 * THUMB) / (this.duration || 1);
    for (const [foot, start, stop] of plants) {
      const [from, to] = [start, Math.min(stop, this.duration)].map((time) => THUMB + time * scale);
      brush.fillRect(from, foot * row, to - from, Math.max(row - 1.5, 1));
    }
  }
}

/** @param {HTMLElement} button @param {boolean} value */
function pressed(button, value) {
  button.setAttribute("aria-pressed", String(value));
  return value;
}
