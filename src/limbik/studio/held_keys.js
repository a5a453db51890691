// Tells the studio which steering keys are held. viser reports keys only as shortcuts of commands, when they go down, and
// moves its camera with the same ones: so they are caught before viser sees them, and told by shortcuts that no hand
// presses: with Ctrl and Alt for a key that goes down, and with Shift as well for one that is let go.
(() => {
  if (window.limbikHeldKeys) return;
  window.limbikHeldKeys = true;
  const KEYS = {
    KeyW: "W", ArrowUp: "W", KeyS: "S", ArrowDown: "S", KeyA: "A", ArrowLeft: "A", KeyD: "D", ArrowRight: "D",
  };
  const held = new Map();
  const tell = (key, down) =>
    document.body.dispatchEvent(
      new KeyboardEvent("keydown", { key, ctrlKey: true, altKey: true, shiftKey: !down, bubbles: true }),
    );
  const isHeld = (key) => [...held.values()].includes(key);
  const release = (code) => {
    const key = held.get(code);
    if (held.delete(code) && !isHeld(key)) tell(key, false);
  };
  const down = (event) => {
    const key = KEYS[event.code];
    const steering = document.querySelector("[data-limbik-held-keys]");
    const typing = event.target.closest?.("input, textarea, select, [role=slider], [contenteditable]");
    if (!key || !event.isTrusted || !steering || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    if (held.has(event.code)) return;
    const already = isHeld(key);
    held.set(event.code, key);
    if (!already) tell(key, true);
  };
  window.addEventListener("keydown", down, true);
  window.addEventListener("keyup", (event) => event.isTrusted && release(event.code), true);
  window.addEventListener("blur", () => [...held.keys()].forEach(release));
  // What was chosen from a list gives the keys back.
  window.addEventListener("click", (event) => {
    if (event.target.closest?.("[role=option]")) setTimeout(() => document.activeElement?.blur(), 0);
  });
})();
