// The page as it would be, by the server's own renderer, beside the text or in its place.
import { tame } from "./wiki-text.js";

const DELAY = 350;
const WIDE = matchMedia("(min-width: 70rem)");

export class Preview {
  constructor(form, field) {
    this.form = form;
    this.field = field;
    this.pane = form.querySelector("[data-preview-pane]");
    this.target = form.querySelector("[data-preview]");
    this.panes = form.querySelector("[data-panes]");
    this.buttons = [...form.querySelectorAll("[data-view]")];
    this.timer = 0;
    this.running = null;
    this.shown = null;
    for (const button of this.buttons) {
      button.addEventListener("click", () => this.view(button.dataset.view));
    }
    WIDE.addEventListener("change", () => this.view(this.fitting(this.now)));
    field.addEventListener("scroll", () => this.#follow());
    this.view(WIDE.matches ? "both" : "write");
  }

  fitting(view) {
    if (!WIDE.matches && view === "both") return "write";
    return view;
  }

  view(view) {
    this.now = view;
    this.panes.dataset.showing = view;
    this.pane.hidden = view === "write";
    for (const button of this.buttons) {
      button.setAttribute("aria-pressed", String(button.dataset.view === view));
    }
    if (view !== "write") this.#ask();
  }

  update() {
    if (this.now === "write") return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#ask(), DELAY);
  }

  async #ask() {
    const text = this.field.value;
    if (text === this.shown) return;
    this.running?.abort();
    this.running = new AbortController();
    const sent = new FormData();
    sent.set("csrfmiddlewaretoken", this.form.elements.csrfmiddlewaretoken.value);
    sent.set("slug", this.form.dataset.slug || this.form.elements.slug?.value || "");
    sent.set("body", text);
    try {
      const answer = await fetch(this.form.dataset.previewUrl, {
        method: "POST",
        body: sent,
        signal: this.running.signal,
      });
      if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
      // Cleaned by the server, as every page that is shown.
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      this.target.replaceChildren(...page.body.childNodes);
      tame(this.target);
      for (const link of this.target.querySelectorAll("a[href]")) link.target = "_blank";
      this.pane.classList.remove("stale");
      this.shown = text;
      this.#follow();
    } catch (error) {
      if (error.name !== "AbortError") this.pane.classList.add("stale");
    }
  }

  // Scrolls along with the text, by share of the way.
  #follow() {
    if (this.now !== "both") return;
    const way = this.field.scrollHeight - this.field.clientHeight;
    if (way <= 0) return;
    const share = this.field.scrollTop / way;
    this.pane.scrollTop = share * (this.pane.scrollHeight - this.pane.clientHeight);
  }
}
