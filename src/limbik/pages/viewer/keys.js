// The keyboard: what each key does, and the list of them that a reader can open.

const TURNS_PER_SECOND = 1.6; // radians, while a key is held
const ZOOMS_PER_SECOND = 1.2; // factor e, while a key is held
const TAP = 0.06; // seconds that a short press counts for
const HELP = [
  ["Space", "Play or pause"],
  ["← →", "Previous or next frame"],
  ["↑ ↓", "Faster or slower"],
  ["Home, End", "To the start or the end"],
  ["W A S D", "Turn the view"],
  ["+ −", "Nearer or farther"],
  ["F, L", "Follow; loop"],
  ["R", "Back to the first view"],
  ["1 to 6", "Switch what is shown"],
  ["P, V", "Save a picture; a film"],
];
const STEERED = ["G, Shift", "Steer; keep the heading; Escape ends it"];
const COMPARED = ["B", "The one motion, the other, or both"];
/** @type {Record<string, [number, number, number]>} turn left, turn up, come nearer */
const HELD = { a: [-1, 0, 0], d: [1, 0, 0], w: [0, 1, 0], s: [0, -1, 0], "+": [0, 0, 1], "=": [0, 0, 1], "-": [0, 0, -1] };

class Keys {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    /** @type {Set<string>} */
    this.held = new Set();
    const { timeline, camera } = page;
    /** @type {Record<string, () => void>} */
    this.actions = {
      " ": () => timeline.toggle(),
      ArrowLeft: () => timeline.step(-1),
      ArrowRight: () => timeline.step(1),
      ArrowUp: () => timeline.faster(1),
      ArrowDown: () => timeline.faster(-1),
      Home: () => timeline.go(0),
      End: () => timeline.go(timeline.duration),
      r: () => camera.reset(),
      ...Object.fromEntries(Object.entries({ f: "follow", g: "drive", l: "loop", p: "picture", v: "film", "?": "show" }).map(
        ([key, id]) => [key, () => element(id).hidden || element(id).click()],
      )),
      b: () => page.nextView(),
      Escape: () => page.openPanel(false),
      ...Object.fromEntries(Object.keys(OVERLAYS).map((name, k) => [String(k + 1), () => page.switchOverlay(name)])),
    };
    document.addEventListener("keydown", (event) => this.down(event));
    document.addEventListener("keyup", (event) => this.held.delete(event.key.toLowerCase()));
    window.addEventListener("blur", () => this.held.clear());
    const rows = [...HELP, ...(page.drive ? [STEERED] : []), ...(page.motions.length > 1 ? [COMPARED] : [])];
    element("keys").append(...rows.flatMap(([key, text]) => [made("dt", key), made("dd", text)]));
  }

  /** @param {KeyboardEvent} event */
  down(event) {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.ctrlKey || event.metaKey || event.altKey || isTheirs(/** @type {Element} */ (event.target), key)) return;
    if (HELD[key]) {
      this.held.add(key);
      if (!event.repeat) this.advance(TAP); // even if it is let go before the next picture
      this.page.wake();
    } else if (this.actions[key]) {
      event.preventDefault();
      this.actions[key]();
    }
  }

  // Turns the view for as long as keys are held; whether any are.
  /** @param {number} seconds */
  advance(seconds) {
    const { camera } = this.page;
    for (const key of this.held) {
      const [left, up, nearer] = HELD[key].map((each) => each * seconds);
      camera.orbit(TURNS_PER_SECOND * left, TURNS_PER_SECOND * up);
      camera.nearer(Math.exp(-ZOOMS_PER_SECOND * nearer));
    }
    return this.held.size > 0;
  }
}

// Whether a control that has the focus wants a key for itself.
/** @param {Element} target @param {string} key */
function isTheirs(target, key) {
  const control = target.closest?.("select, button, input");
  if (!control) return false;
  return control.matches("select") || (!control.matches("[type=range]") && (key === " " || key === "Enter"));
}

/** @param {string} tag @param {string} text */
function made(tag, text) {
  const found = document.createElement(tag);
  found.textContent = text;
  return found;
}
