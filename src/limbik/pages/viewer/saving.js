// What a reader can keep: the picture as it is, or a film of the motion, made by the browser.

const FILM_TYPES = ["video/mp4;codecs=avc1", "video/webm;codecs=vp9", "video/webm"];
const FILM_RATE = 60; // pictures per second, at most
const FILM_BITS = 10e6; // per second

/** @param {Blob} blob @param {string} suffix */
function keep(blob, suffix) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${document.title.replace(/[^\p{L}\p{N} ._-]+/gu, "_")}.${suffix}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

class Film {
  /** @param {HTMLCanvasElement} canvas @param {Timeline} timeline */
  constructor(canvas, timeline) {
    this.canvas = canvas;
    this.timeline = timeline;
    this.button = element("film");
    this.type = window.MediaRecorder && FILM_TYPES.find((type) => MediaRecorder.isTypeSupported(type));
    this.button.hidden = !this.type || timeline.duration === 0;
    /** @type {MediaRecorder | null} */
    this.recorder = null;
    this.button.addEventListener("click", () => this.toggle());
  }

  // Films the motion once, from its start to its end, at the speed that is chosen; a second press ends it earlier.
  toggle() {
    if (this.button.hidden) return;
    if (this.recorder) return this.stop();
    const { timeline } = this;
    /** @type {Blob[]} */
    const parts = [];
    const recorder = new MediaRecorder(this.canvas.captureStream(FILM_RATE), {
      mimeType: this.type,
      videoBitsPerSecond: FILM_BITS,
    });
    this.recorder = recorder;
    recorder.addEventListener("dataavailable", (event) => parts.push(event.data));
    recorder.addEventListener("stop", () => {
      const type = recorder.mimeType.split(";")[0];
      keep(new Blob(parts, { type }), type.split("/")[1]);
    });
    timeline.go(0);
    timeline.play(true);
    recorder.start();
    timeline.atEnd = () => this.stop();
    pressed(this.button, true);
    this.button.setAttribute("aria-label", "Stop and save the film");
  }

  stop() {
    this.recorder?.stop();
    this.recorder = null;
    this.timeline.atEnd = null;
    pressed(this.button, false);
    this.button.setAttribute("aria-label", "Save a film");
  }
}
