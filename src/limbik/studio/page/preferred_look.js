// Chooses the dark colours where the browser prefers them, and follows it when that changes.
(() => {
  if (window.limbikPreferredLook) return;
  window.limbikPreferredLook = true;
  const preference = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => {
    const label = [...document.querySelectorAll("label")].find((one) => one.textContent === "Dark");
    const box = label && document.getElementById(label.htmlFor);
    if (!box) requestAnimationFrame(follow);
    else if (box.checked !== preference.matches) box.click();
  };
  if (preference.matches) follow();
  preference.addEventListener("change", follow);
})();
