// What makes reading the wiki comfortable. Every page works without it.
import { suggestPages } from "./wiki-suggest.js";
import { tame } from "./wiki-text.js";

for (const field of document.querySelectorAll("[data-wiki-suggest]")) suggestPages(field);

// --- the tree opens one level at a time ---------------------------------------------
document.addEventListener("click", async (event) => {
  const twist = event.target.closest("a[data-branch]");
  if (!twist || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  await turn(twist);
});

document.addEventListener("keydown", (event) => {
  const twist = event.target.closest?.("a[data-branch]");
  if (twist && event.key === " ") {
    event.preventDefault();
    turn(twist);
  }
});

async function turn(twist) {
  const item = twist.closest("li");
  const open = item.querySelector(":scope > .branch");
  if (open) {
    open.hidden = !open.hidden;
  } else {
    const answer = await fetch(`${twist.href}&fragment=1`).catch(() => null);
    if (!answer?.ok || answer.redirected) return location.assign(twist.href);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const level = page.querySelector(".branch");
    if (!level) return;
    item.append(level);
    prepare(level);
  }
  const shown = item.querySelector(":scope > .branch");
  twist.setAttribute("aria-expanded", String(!shown.hidden));
}

function prepare(tree) {
  for (const twist of tree.querySelectorAll("a[data-branch]")) {
    twist.setAttribute("role", "button");
    twist.setAttribute("aria-expanded", String("open" in twist.dataset));
  }
}
for (const tree of document.querySelectorAll(".wiki-tree .branch")) prepare(tree);
const current = document.querySelector('.wiki-tree [aria-current="page"]');
const box = current?.closest(".wiki-tree");
if (box && current.offsetTop > box.clientHeight) box.scrollTop = current.offsetTop / 1.5;

// --- the table of contents follows the reader ---------------------------------------
const entries = new Map();
for (const link of document.querySelectorAll(".toc a")) {
  const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
  if (heading) entries.set(heading, link);
  link.addEventListener("click", () => {
    const toc = link.closest("[popover]");
    if (toc?.matches(":popover-open")) toc.hidePopover();
  });
}

function follow() {
  let here = null;
  for (const heading of entries.keys()) {
    if (heading.getBoundingClientRect().top > innerHeight / 4) break;
    here = heading;
  }
  for (const [heading, link] of entries) {
    if (heading === here) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}
if (entries.size) {
  let asked = false;
  addEventListener("scroll", () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      follow();
    });
  });
  follow();
}

// --- the text: links to headings, code to copy --------------------------------------
for (const heading of document.querySelectorAll("[data-prose] :is(h1, h2, h3, h4)[id]")) {
  const link = document.createElement("a");
  link.className = "anchor";
  link.href = `#${heading.id}`;
  link.setAttribute("aria-label", `Link to “${heading.textContent}”`);
  link.append("#");
  heading.append(link);
}

for (const text of document.querySelectorAll("[data-prose]")) tame(text);

if (navigator.clipboard) {
  for (const code of document.querySelectorAll("[data-prose] pre > code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy-code no-print";
    button.append("Copy");
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 2000);
    });
    const frame = document.createElement("div");
    frame.className = "code-frame";
    code.parentElement.replaceWith(frame);
    frame.append(code.parentElement, button);
  }
}

// --- menus and keys -----------------------------------------------------------------
for (const item of document.querySelectorAll("[data-print]")) {
  item.hidden = false;
  item.querySelector("button").addEventListener("click", () => print());
}

const menus = [...document.querySelectorAll("details.dropdown")];
document.addEventListener("click", (event) => {
  for (const menu of menus) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of menus) {
    if (menu.open && menu.contains(document.activeElement)) {
      menu.querySelector("summary").focus();
    }
    menu.open = false;
  }
});

document.addEventListener("keydown", (event) => {
  if (document.documentElement.dataset.shortcuts === "off" || event.key !== "e") return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.isContentEditable || event.target.matches("input, select, textarea, dialog *")) return;
  const edit = document.querySelector("[data-edit]");
  if (!edit) return;
  event.preventDefault();
  edit.click();
});
