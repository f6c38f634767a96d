// Adds pasted, dropped and chosen files to the page, and puts links to them in the text.
import { replace } from "./wiki-format.js";

export class Files {
  // `ready()` resolves to the slug of the page, which has to exist by then.
  constructor(form, field, ready) {
    this.form = form;
    this.field = field;
    this.ready = ready;
    this.list = form.querySelector("[data-uploads]");
    field.addEventListener("paste", (event) => this.#onPaste(event));
    for (const name of ["dragover", "drop"]) {
      field.addEventListener(name, (event) => this.#onDrag(event));
    }
    field.addEventListener("dragleave", () => field.classList.remove("dropping"));
  }

  #onPaste(event) {
    const files = [...event.clipboardData.files];
    // Text copied from a spreadsheet or a document often brings a picture of itself.
    if (!files.length || event.clipboardData.types.includes("text/plain")) return;
    event.preventDefault();
    this.add(files);
  }

  #onDrag(event) {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    this.field.classList.toggle("dropping", event.type === "dragover");
    if (event.type === "drop") this.add([...event.dataTransfer.files]);
  }

  async add(files) {
    let slug;
    try {
      slug = await this.ready();
    } catch (error) {
      this.#row(files[0].name).fail(error.message);
      return;
    }
    for (const file of files) await this.#send(file, slug);
  }

  async #send(file, slug) {
    const name = nameOf(file);
    const row = this.#row(name);
    const most = Number(this.form.dataset.maxBytes);
    if (file.size > most) {
      row.fail(`It is larger than ${Math.round(most / 1024 ** 2)} MB, which is the most a file may have.`);
      return;
    }
    const mark = `[Adding ${name.replace(/[[\]]/g, "")} …]()`;
    const { selectionStart: at, selectionEnd: end } = this.field;
    replace(this.field, at, end, mark);
    try {
      const { markdown } = await this.#post(file, name, slug, row);
      this.#swap(mark, markdown);
      row.done();
    } catch (error) {
      this.#swap(mark, "");
      row.fail(error.message);
    }
  }

  // Replaces the mark where it is by now, and leaves the caret where the person is.
  #swap(mark, text) {
    const at = this.field.value.indexOf(mark);
    if (at < 0) return;
    const { selectionStart: start, selectionEnd: end } = this.field;
    replace(this.field, at, at + mark.length, text);
    const moved = (place) => {
      if (place >= at + mark.length) return place + text.length - mark.length;
      return place > at ? at + text.length : place;
    };
    this.field.setSelectionRange(moved(start), moved(end));
  }

  #post(file, name, slug, row) {
    const sent = new FormData();
    sent.set("file", file, name);
    sent.set("name", name);
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open("POST", `/api/memory/wiki/attachments?slug=${encodeURIComponent(slug)}`);
      request.setRequestHeader("X-CSRFToken", this.form.elements.csrfmiddlewaretoken.value);
      request.responseType = "json";
      request.upload.addEventListener("progress", (event) => row.progress(event));
      request.addEventListener("load", () => {
        const body = request.response;
        if (request.status === 201) return resolve(body);
        const { message, remedy } = body?.error ?? { message: "The server did not take it." };
        reject(new Error([message, remedy].filter(Boolean).join(" ")));
      });
      request.addEventListener("error", () => {
        reject(new Error("The server cannot be reached. Try again."));
      });
      request.send(sent);
    });
  }

  #row(name) {
    const row = document.createElement("li");
    const bar = document.createElement("progress");
    bar.max = 1;
    bar.value = 0;
    bar.setAttribute("aria-label", `Adding ${name}`);
    const text = document.createElement("span");
    text.append(name);
    row.append(text, bar);
    this.list.append(row);
    this.list.hidden = false;
    const tidy = () => {
      row.remove();
      this.list.hidden = !this.list.children.length;
    };
    return {
      progress: ({ loaded, total }) => {
        bar.value = total ? loaded / total : 0;
      },
      done: () => {
        bar.value = 1;
        setTimeout(tidy, 1500);
      },
      fail: (message) => {
        const close = document.createElement("button");
        close.type = "button";
        close.className = "link";
        close.append("Dismiss");
        close.addEventListener("click", tidy);
        row.className = "failed";
        row.setAttribute("role", "alert");
        row.replaceChildren(`${name}: ${message} `, close);
      },
    };
  }
}

function nameOf(file) {
  // What browsers call a pasted picture says nothing.
  if (file.name && file.name !== "image.png") return file.name;
  const now = new Date();
  const two = (number) => String(number).padStart(2, "0");
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  return `screenshot-${day}-${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}.png`;
}
