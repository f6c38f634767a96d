// The editor: a plain form made comfortable.
import { caretPlace } from "./wiki-caret.js";
import { Draft } from "./wiki-draft.js";
import { Files } from "./wiki-files.js";
import { actions, continueList, indent, replace } from "./wiki-format.js";
import { Preview } from "./wiki-preview.js";
import { save, SaveError } from "./wiki-save.js";
import { below, findPages, Suggestions, whenTypingPauses } from "./wiki-suggest.js";

const form = document.querySelector("[data-editor]");
const field = form.elements.body;
const state = form.querySelector("[data-state]");
const notices = form.querySelector("[data-notices]");
const draft = new Draft(form);
const preview = new Preview(form, field);
let isLeaving = false;
let isComposedByKeyboard = false;

for (const element of document.querySelectorAll("[data-toolbar], [data-script-help], [data-view-switch]")) {
  element.hidden = false;
}

// --- saying things ------------------------------------------------------------------
function say(text) {
  state.textContent = text;
}

function notice(kind, text, ...parts) {
  const box = document.createElement("div");
  box.className = `notice ${kind}`;
  box.setAttribute("role", kind === "error" ? "alert" : "status");
  const inner = document.createElement("div");
  inner.append(text, ...parts.flatMap((part) => [" ", part]));
  box.append(inner);
  notices.replaceChildren(box);
  return box;
}

function button(text, action) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "link";
  made.append(text);
  made.addEventListener("click", action);
  return made;
}

// --- drafts -------------------------------------------------------------------------
const earlier = form.hasAttribute("data-conflict") ? null : draft.found();
if (earlier) {
  const when = new Date(earlier.time).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  const isOld = earlier.base_revision !== (form.elements.base_revision.value ?? "");
  const note = isOld ? " The page was changed since; saving puts both together." : "";
  const box = notice(
    "info",
    `There is a draft of ${when} in this browser that was not saved.${note}`,
    button("Go on with it", () => {
      draft.restore(earlier);
      box.remove();
      changed();
    }),
    button("Throw it away", () => {
      draft.forget();
      box.remove();
    }),
  );
}

function changed() {
  if (earlier && !draft.isDirty) return;
  preview.update();
  say(draft.isDirty ? "Not saved yet" : "");
  draft.keepSoon((isKept) => {
    if (isKept) say("Draft kept in this browser");
  });
}
form.addEventListener("input", changed);
addEventListener("pagehide", () => {
  if (!isLeaving && draft.isDirty) draft.keep();
});
addEventListener("beforeunload", (event) => {
  if (!isLeaving && draft.isDirty) event.preventDefault();
});
form.querySelector("[data-leave]")?.addEventListener("click", (event) => {
  if (!draft.isDirty) return;
  if (!confirm("Leave without saving? The draft is thrown away.")) {
    event.preventDefault();
    return;
  }
  isLeaving = true;
  draft.forget();
});

// --- saving -------------------------------------------------------------------------
let saving = null;

async function saveNow() {
  saving ??= send().finally(() => {
    saving = null;
  });
  return saving;
}

async function send() {
  say("Saving …");
  const sentBody = field.value;
  const saved = await save(form);
  form.dataset.slug = saved.slug;
  form.action = saved.edit_url;
  form.elements.base_revision.value = saved.revision;
  if (form.elements.slug) {
    form.elements.slug.value = saved.slug;
    form.elements.slug.readOnly = true;
    history.replaceState(null, "", saved.edit_url);
  }
  if (saved.body !== null && field.value === sentBody) field.value = saved.body;
  notices.replaceChildren();
  form.elements.summary.value = "";
  if (field.value === sentBody || saved.body !== null) draft.isSaved();
  return saved;
}

function onSaveError(error) {
  if (!(error instanceof SaveError)) throw error;
  say("Not saved");
  if (["edit_conflict", "page_gone"].includes(error.code)) {
    isLeaving = true;
    form.submit(); // the server shows both texts
    return;
  }
  if (error.code === "unauthenticated") {
    const link = document.createElement("a");
    link.href = form.dataset.loginUrl;
    link.target = "_blank";
    link.append("Sign in in a new tab");
    notice("warning", "You were signed out meanwhile. Your text is still here.", link, "and save again.");
    return;
  }
  notice("error", error.message);
  const faulty = form.elements[error.field];
  if (faulty?.type !== "hidden") faulty?.focus();
}

form.addEventListener("submit", async (event) => {
  if (event.submitter?.name === "preview") return;
  event.preventDefault();
  try {
    const saved = await saveNow();
    isLeaving = true;
    location.assign(saved.page_url);
  } catch (error) {
    onSaveError(error);
  }
});

async function saveAndStay() {
  if (!form.reportValidity()) return;
  try {
    const saved = await saveNow();
    say(saved.message);
    preview.update();
  } catch (error) {
    onSaveError(error);
  }
}

// --- files --------------------------------------------------------------------------
const files = new Files(form, field, async () => {
  if (form.dataset.slug) return form.dataset.slug;
  if (!form.elements.title.value.trim()) {
    form.elements.title.focus();
    throw new Error("Give the page a title first: files belong to a page.");
  }
  const { slug, message } = await saveNow();
  say(`${message} Now files can be added.`);
  return slug;
});
const chooser = form.querySelector("[data-file-input]");
chooser.addEventListener("change", () => {
  files.add([...chooser.files]);
  chooser.value = "";
});

// --- toolbar and keys ---------------------------------------------------------------
const commands = {
  ...actions,
  file: () => chooser.click(),
  page: () => {
    const { selectionStart: start, selectionEnd: end, value } = field;
    const text = value.slice(start, end).replace(/[[\]|\n]/g, " ").trim();
    replace(field, start, end, `[[${text}`);
    suggestLink();
  },
};
form.querySelector("[data-toolbar]").addEventListener("click", (event) => {
  const pressed = event.target.closest("[data-do]");
  if (pressed) commands[pressed.dataset.do](field);
});

const KEYS = { b: "bold", i: "italic", e: "code", k: "link" };
form.addEventListener("keydown", (event) => {
  const isControl = (event.ctrlKey || event.metaKey) && !event.altKey;
  if (!isControl || event.shiftKey) return;
  const key = event.key.toLowerCase();
  if (key === "s") saveAndStay();
  else if (key === "enter") form.requestSubmit(form.querySelector("[data-save]"));
  else if (KEYS[key] && event.target === field) commands[KEYS[key]](field);
  else return;
  event.preventDefault();
});

field.addEventListener("keydown", (event) => {
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    isComposedByKeyboard = true; // the next Tab leaves the field
    return;
  }
  const leaves = isComposedByKeyboard;
  if (event.key !== "Shift") isComposedByKeyboard = false;
  if (event.key === "Enter" && !event.shiftKey && continueList(field)) event.preventDefault();
  if (event.key === "Tab" && !leaves && indent(field, event.shiftKey)) event.preventDefault();
});

// --- suggestions: pages after [[, tags ----------------------------------------------
const OPEN = /\[\[([^[\]|\n]{0,100})$/;
const links = new Suggestions(field, ({ slug, title }) => {
  const at = field.selectionStart;
  const typed = OPEN.exec(field.value.slice(0, at));
  if (!typed) return;
  const rest = field.value.slice(at).startsWith("]]") ? at + 2 : at;
  const last = slug.split("/").at(-1);
  const label = title && title.toLowerCase() !== last ? `|${title.replace(/[[\]|]/g, " ")}` : "";
  replace(field, at - typed[0].length, rest, `[[${slug}${label}]]`);
});
const suggestLink = whenTypingPauses(async (isLatest) => {
  const typed = OPEN.exec(field.value.slice(0, field.selectionStart));
  if (!typed || field.selectionStart !== field.selectionEnd) return links.close();
  const found = typed[1].trim() ? await findPages(typed[1]) : [];
  if (isLatest() && document.activeElement === field) {
    links.show(found, caretPlace(field, field.selectionStart), true);
  }
}, 80);
field.addEventListener("input", () => suggestLink());
field.addEventListener("click", () => links.close());

const tagField = form.elements.tags;
let known = null;
const tagList = new Suggestions(tagField, ({ label }) => {
  tagField.value = tagField.value.replace(/[^,\s]*$/, `${label}, `);
  changed();
});
tagField.addEventListener("input", async () => {
  const typed = /[^,\s]*$/.exec(tagField.value)[0];
  known ??= fetch("/api/memory/wiki/tags")
    .then((answer) => (answer.ok ? answer.json() : { results: [] }))
    .catch(() => ({ results: [] }));
  const { results } = await known;
  const given = tagField.value.split(/[\s,]+/);
  const found = results.filter(({ name }) => typed && name.startsWith(typed) && !given.includes(name));
  const items = found.slice(0, 8).map(({ name, pages }) => ({ label: name, note: String(pages) }));
  tagList.show(items, below(tagField));
});

// --- a new page's address follows its title -----------------------------------------
const address = form.elements.slug;
if (address && !address.value) {
  const under = form.elements.under.value;
  const title = form.elements.title;
  title.addEventListener("input", () => {
    const name = title.value.normalize("NFC").toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "");
    address.placeholder = under ? `${under}/${name}` : name;
  });
}

if (!form.elements.title.value) form.elements.title.focus();
