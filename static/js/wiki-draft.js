// A draft of what is being written, kept in this browser until it is saved or thrown
// away. Storage may be refused or full: then there is none, and leaving still warns.
const DELAY = 600;
const NAMES = ["title", "slug", "body", "summary", "tags", "base_revision"];

export class Draft {
  constructor(form) {
    this.form = form;
    this.timer = 0;
    this.saved = this.#read();
  }

  get key() {
    const { user, slug } = this.form.dataset;
    const under = this.form.elements.under?.value ?? "";
    return `goclaw-wiki-draft:${user}:${slug || `new:${under}`}`;
  }

  #read() {
    const found = {};
    for (const name of NAMES) {
      const field = this.form.elements[name];
      if (field) found[name] = field.value;
    }
    return found;
  }

  get isDirty() {
    const now = this.#read();
    return ["title", "slug", "body", "tags"].some((name) => now[name] !== this.saved[name]);
  }

  // What the form holds is what the server has.
  isSaved() {
    clearTimeout(this.timer);
    this.saved = this.#read();
    this.forget();
  }

  keepSoon(then) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => then(this.keep()), DELAY);
  }

  // Returns whether there is a draft now.
  keep() {
    if (!this.isDirty) {
      this.forget();
      return false;
    }
    try {
      const draft = { ...this.#read(), time: Date.now() };
      localStorage.setItem(this.key, JSON.stringify(draft));
      return true;
    } catch {
      return false;
    }
  }

  forget() {
    try {
      localStorage.removeItem(this.key);
    } catch {
      // nothing to do
    }
  }

  // The draft of an earlier visit, if it says something else than the form.
  found() {
    try {
      const draft = JSON.parse(localStorage.getItem(this.key));
      if (!draft || typeof draft.body !== "string") return null;
      const differs = ["title", "body", "tags"].some(
        (name) => typeof draft[name] === "string" && draft[name] !== this.saved[name],
      );
      return differs ? draft : null;
    } catch {
      return null;
    }
  }

  // Puts a draft into the form. With its base, so that what others saved since is merged.
  restore(draft) {
    for (const name of NAMES) {
      const field = this.form.elements[name];
      if (field && typeof draft[name] === "string") field.value = draft[name];
    }
  }
}
