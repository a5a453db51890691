// Puts the page together, and draws when something has changed.

const VIEWS = { overlay: "Overlay", beside: "Side by side", clip: "After", compare: "Before" };

class Page {
  constructor(content, numbers) {
    this.canvas = element("stage");
    this.stage = new Stage(this.canvas, content, numbers);
    this.takes = content.takes.map((take) => new Take(take, numbers));
    for (const take of this.takes) this.stage.prepare(take);
    const [take] = this.takes;
    const duration = Math.max(...this.takes.map((each) => each.duration));
    this.changed = () => this.wake();
    this.stage.pose(take, 0);
    const radius = Math.max(take.radius, this.stage.reach(take, take.centre(0)));
    this.camera = new Camera(this.canvas, radius, content.heading, this.changed);
    this.timeline = new Timeline(take, duration, this.changed);
    this.footer = document.querySelector("footer");
    this.view = "overlay";
    this.follow = true;
    this.camera.centre = take.centre(0);
    this.controls(content);
    new ResizeObserver(() => this.resize()).observe(document.body);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.resize());
    this.resize();
  }

  controls(content) {
    element("about").append(content.about);
    element("follow").addEventListener("click", () => {
      this.follow = pressed(element("follow"), !this.follow);
      this.wake();
    });
    const view = element("view");
    view.hidden = element("legend").hidden = this.takes.length < 2;
    view.append(...Object.entries(VIEWS).map(([value, text]) => new Option(text, value)));
    view.addEventListener("change", () => {
      this.view = view.value;
      element("legend").hidden = this.view !== "overlay";
      this.wake();
    });
    const still = this.timeline.duration === 0;
    element("time-line").hidden = still;
    for (const id of ["play", "clock", "speed", "loop", "follow"]) element(id).hidden = still;
    this.footer.hidden = still && this.takes.length < 2;
  }

  resize() {
    const ratio = Math.min(devicePixelRatio, 2);
    this.canvas.width = Math.round(this.canvas.clientWidth * ratio);
    this.canvas.height = Math.round(this.canvas.clientHeight * ratio);
    this.stage.recolour();
    this.timeline.drawContacts();
    this.wake();
  }

  // Asks for one more picture; nothing is drawn while nothing changes.
  wake() {
    this.waiting ??= requestAnimationFrame((now) => this.tick(now));
  }

  tick(now) {
    this.waiting = null;
    const seconds = Math.min((now - (this.last ?? now)) / 1000, 0.25);
    this.last = this.timeline.playing ? now : null;
    if (this.timeline.playing) this.timeline.advance(seconds);
    this.draw();
  }

  draw() {
    const { time } = this.timeline;
    if (this.follow) this.camera.centre = this.takes[0].centre(time);
    for (const take of this.takes) {
      this.stage.pose(take, Math.min(time, take.duration));
      take.sphere = { centre: take.centre(time), radius: 1.1 * this.camera.radius };
    }
    this.stage.draw(this.camera, this.views());
  }

  // The parts of the canvas, and which takes are seen there. raise: of what is seen, out of the controls' way.
  views() {
    const { width, height } = this.canvas;
    const covered = (this.footer.offsetHeight / this.canvas.clientHeight) * height;
    const [clip, compare] = this.takes;
    for (const take of this.takes) take.ghost = this.view === "overlay" && take === compare;
    element("tags").hidden = this.view !== "beside";
    if (this.view === "beside") return this.beside(width, height, covered);
    const takes = { overlay: this.takes, clip: [clip], compare: [compare] }[this.view];
    return [{ box: [0, 0, width, height], raise: covered / height, takes }];
  }

  // Before on the left in a wide window, else above.
  beside(width, height, covered) {
    const [clip, compare] = this.takes;
    const across = width > height;
    const tags = element("tags");
    tags.classList.toggle("across", across);
    tags.style.bottom = across ? "0" : `${this.footer.offsetHeight}px`;
    if (across) {
      const half = width >> 1;
      return [compare, clip].map((take, k) => ({
        box: [k * half, 0, half, height], raise: covered / height, takes: [take],
      }));
    }
    const lower = (height + covered) >> 1;
    return [
      { box: [0, lower, width, height - lower], raise: 0, takes: [compare] },
      { box: [0, 0, width, lower], raise: covered / lower, takes: [clip] },
    ];
  }
}

async function start() {
  if (!window.DecompressionStream) throw new Error("This browser is too old for this page.");
  const [content, numbers] = await read(element("numbers").textContent);
  const page = new Page(content, numbers);
  await page.stage.loadPictures(content, numbers);
  page.timeline.play(!matchMedia("(prefers-reduced-motion: reduce)").matches);
}

start().catch((error) => {
  element("fault").textContent = error.message;
  element("fault").hidden = false;
  console.error(error);
});
