// Keys for reviewers, and choosing many at once. Every page works without it.
// Never active while typing, with a modifier key, or when switched off in the user menu.
const find = (selector) => document.querySelector(selector);

function press(selector) {
  const target = find(selector);
  target?.click();
  return Boolean(target);
}

function reject() {
  const menu = find("[data-reject]");
  if (!menu) return false;
  menu.open = true;
  menu.querySelector("[data-reason]").focus();
  return true;
}

function openSource() {
  const row = document.activeElement?.closest("[data-hits] li");
  const link = row?.querySelector("[data-hit]") ?? find("[data-source]");
  link?.click();
  return Boolean(link);
}

const actions = {
  a: () => press("[data-approve]"),
  e: () => press("[data-edit-item]"),
  s: () => press("[data-skip]"),
  u: () => press("[data-undo]"),
  j: () => press("[data-next-item]"),
  k: () => press("[data-previous-item]"),
  r: reject,
  o: openSource,
};

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") return leave();
  if (document.documentElement.dataset.shortcuts === "off") return;
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.isContentEditable || event.target.closest("dialog")) return;
  if (event.target.matches("input:not([type=checkbox]), select, textarea")) return;
  if (actions[event.key]?.()) event.preventDefault();
});

function leave() {
  const menu = find("[data-reject][open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
}

// --- choosing all that carry no risk -------------------------------------------------
const all = find("[data-choose-all]");
const boxes = [...document.querySelectorAll("[data-bulk] [name=item]")];
if (all && boxes.length) {
  const box = all.querySelector("input");
  all.hidden = false;
  box.addEventListener("change", () => {
    for (const one of boxes) one.checked = box.checked;
  });
}

// A second press while a decision is under way would be about the next item.
for (const form of document.querySelectorAll(".decide form")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "1";
  });
}
