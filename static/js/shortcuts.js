// "/" goes to the search field, "j" and "k" walk through a list of records, "?" tells
// which keys this page has.
// Never active while typing, with a modifier key, or when switched off in the user menu.
const typing = (target) =>
  target.isContentEditable ||
  target.matches("input:not([type=checkbox]), select, textarea");

function focusSearch() {
  const field =
    document.querySelector("main [data-search]") ??
    document.querySelector("[data-search]");
  field?.focus();
  field?.select();
  return Boolean(field);
}

function step(direction) {
  const links = [...document.querySelectorAll("[data-hits] [data-hit]")];
  if (!links.length) return false;
  const here = links.findIndex((link) =>
    link.closest("li").contains(document.activeElement),
  );
  const next = here < 0 ? 0 : here + direction;
  const link = links[Math.min(Math.max(next, 0), links.length - 1)];
  link.focus();
  link.closest("li").scrollIntoView({ block: "nearest" });
  return true;
}

function showKeys() {
  const help = document.querySelector("[data-keys]");
  for (const row of help.querySelectorAll("[data-key-of]")) {
    row.hidden = !document.querySelector(row.dataset.keyOf);
  }
  help.showModal();
  return true;
}

const actions = {
  "/": focusSearch,
  j: () => step(1),
  k: () => step(-1),
  "?": showKeys,
};

document.addEventListener("keydown", (event) => {
  if (document.documentElement.dataset.shortcuts === "off") return;
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  if (event.target.closest("dialog")) return;
  if (actions[event.key]?.()) event.preventDefault();
});
