// A list of suggestions below a field, with the keyboard: arrows, Enter, Escape.
// What it shows comes from others: it is only ever put in as text.
let count = 0;

export class Suggestions {
  // `pick(item)` is called with what was chosen; items are {label, note, …}.
  constructor(field, pick) {
    this.field = field;
    this.pick = pick;
    this.items = [];
    this.active = -1;
    this.list = document.createElement("ul");
    this.list.className = "suggestions";
    this.list.id = `suggestions-${++count}`;
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", "Suggestions");
    this.list.hidden = true;
    document.body.append(this.list);
    field.setAttribute("aria-autocomplete", "list");
    field.setAttribute("aria-controls", this.list.id);
    field.addEventListener("keydown", (event) => this.#onKey(event), true);
    field.addEventListener("blur", () => this.close());
    addEventListener("resize", () => this.close());
  }

  get isOpen() {
    return !this.list.hidden;
  }

  // Shows items at a point of the window; the first is chosen by Enter if `eager`.
  show(items, { left, top, width = 0, above = top }, eager = false) {
    this.items = items;
    this.active = eager && items.length ? 0 : -1;
    this.list.replaceChildren(...items.map((item, n) => this.#option(item, n)));
    this.list.hidden = !items.length;
    this.#expanded();
    if (!items.length) return;
    this.list.style.minInlineSize = `${width}px`;
    const { offsetHeight: height, offsetWidth } = this.list;
    const fits = top + height < innerHeight;
    this.list.style.top = `${fits ? top : Math.max(0, above - height)}px`;
    this.list.style.left = `${Math.max(8, Math.min(left, innerWidth - offsetWidth - 8))}px`;
    this.#mark();
  }

  close() {
    this.list.hidden = true;
    this.#expanded();
    this.field.removeAttribute("aria-activedescendant");
  }

  #expanded() {
    // Only a combobox may say that it is expanded; a text area is none.
    if (this.field.getAttribute("role") === "combobox") {
      this.field.setAttribute("aria-expanded", String(this.isOpen));
    }
  }

  #option(item, n) {
    const option = document.createElement("li");
    option.id = `${this.list.id}-${n}`;
    option.setAttribute("role", "option");
    option.append(item.label);
    if (item.note) {
      const note = document.createElement("span");
      note.className = "mono small muted";
      note.append(item.note);
      option.append(" ", note);
    }
    option.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      this.#choose(n);
    });
    return option;
  }

  #mark() {
    [...this.list.children].forEach((option, n) => {
      option.setAttribute("aria-selected", String(n === this.active));
      if (n === this.active) option.scrollIntoView({ block: "nearest" });
    });
    const option = this.list.children[this.active];
    if (option) this.field.setAttribute("aria-activedescendant", option.id);
    else this.field.removeAttribute("aria-activedescendant");
  }

  #choose(n) {
    const item = this.items[n];
    this.close();
    this.pick(item);
  }

  #onKey(event) {
    if (!this.isOpen || event.isComposing) return;
    const last = this.items.length - 1;
    if (event.key === "ArrowDown") this.active = this.active < last ? this.active + 1 : 0;
    else if (event.key === "ArrowUp") this.active = this.active > 0 ? this.active - 1 : last;
    else if (event.key === "Escape") this.close();
    else if (event.key === "Enter" && this.active >= 0) this.#choose(this.active);
    else if (event.key === "Tab" && this.active >= 0 && !event.shiftKey) this.#choose(this.active);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (this.isOpen) this.#mark();
  }
}

// Below a one-line field.
export function below(field) {
  const box = field.getBoundingClientRect();
  return { left: box.left, top: box.bottom + 4, width: box.width, above: box.top - 4 };
}

// Calls `ask` with what was typed last, once typing pauses; older answers are dropped.
export function whenTypingPauses(ask, delay = 120) {
  let timer = 0;
  let latest = 0;
  return (...typed) => {
    clearTimeout(timer);
    const turn = ++latest;
    timer = setTimeout(() => ask(() => turn === latest, ...typed), delay);
  };
}

export async function findPages(text) {
  const query = new URLSearchParams({ query: text.slice(0, 200), limit: "8" });
  try {
    const answer = await fetch(`/api/memory/wiki/suggest?${query}`);
    if (!answer.ok) return [];
    const { results } = await answer.json();
    return results.map(({ slug, title }) => ({ slug, title, label: title, note: slug }));
  } catch {
    return []; // the server is away: no suggestions
  }
}

// A search field that suggests pages and goes to the one that is chosen.
export function suggestPages(field) {
  field.setAttribute("role", "combobox");
  field.setAttribute("aria-expanded", "false");
  const list = new Suggestions(field, ({ slug }) => {
    location.assign(`/wiki/${slug.split("/").map(encodeURIComponent).join("/")}`);
  });
  const ask = whenTypingPauses(async (isLatest, text) => {
    const found = text.trim() ? await findPages(text) : [];
    if (isLatest() && document.activeElement === field) list.show(found, below(field));
  });
  field.addEventListener("input", () => ask(field.value));
}
