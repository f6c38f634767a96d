// What a person chooses for this browser only: theme, single-key shortcuts.
// Storage may be refused (private mode); then a choice holds for this page.
const root = document.documentElement;

function remember(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // nothing to do
  }
}

const themes = [...document.querySelectorAll("[data-theme-choice]")];

function showTheme() {
  const now = root.dataset.theme ?? "system";
  for (const button of themes) {
    button.setAttribute("aria-pressed", String(button.dataset.themeChoice === now));
  }
}

for (const button of themes) {
  button.addEventListener("click", () => {
    const theme = button.dataset.themeChoice;
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
    remember("goclaw-theme", theme === "system" ? null : theme);
    showTheme();
  });
}
showTheme();

const shortcuts = document.querySelector("[data-shortcut-switch]");
const help = document.querySelectorAll("[data-shortcut-help]");

function showShortcuts() {
  const on = root.dataset.shortcuts !== "off";
  if (shortcuts) shortcuts.checked = on;
  for (const element of help) element.hidden = !on;
}

shortcuts?.addEventListener("change", () => {
  if (shortcuts.checked) delete root.dataset.shortcuts;
  else root.dataset.shortcuts = "off";
  remember("goclaw-shortcuts", shortcuts.checked ? null : "off");
  showShortcuts();
});
showShortcuts();
