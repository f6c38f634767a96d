// Runs before the first paint, so that a chosen theme never flashes the other one.
// Loaded as a plain blocking script in <head>.
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  try {
    const theme = localStorage.getItem("goclaw-theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    if (localStorage.getItem("goclaw-shortcuts") === "off") root.dataset.shortcuts = "off";
  } catch {
    // Storage refused (private mode): the system's theme, shortcuts on.
  }
})();
