// Goes from change to change: buttons, and the keys n and p.
const changes = [...document.querySelectorAll("[data-change]")];
const steps = document.querySelector("[data-change-steps]");
const first = document.querySelector("[data-first-change]");
const place = document.querySelector("[data-change-at]");
let here = -1;

function step(direction) {
  if (!changes.length) return;
  here = Math.min(Math.max(here + direction, 0), changes.length - 1);
  const row = changes[here];
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: "center" });
  place.textContent = `: at ${here + 1} of ${changes.length}`;
}

if (changes.length && steps) {
  steps.hidden = false;
  first.hidden = true;
  for (const button of steps.querySelectorAll("[data-step]")) {
    button.addEventListener("click", () => step(Number(button.dataset.step)));
  }
  document.addEventListener("keydown", (event) => {
    if (document.documentElement.dataset.shortcuts === "off") return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("input, select, textarea, dialog *")) return;
    if (event.key === "n") step(1);
    else if (event.key === "p") step(-1);
    else return;
    event.preventDefault();
  });
}
