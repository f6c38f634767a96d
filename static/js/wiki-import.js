// Keeps the chosen file between the try and the import; without scripts it is
// chosen again.
const form = document.querySelector("[data-import]");

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const sent = new FormData(form, event.submitter);
  const buttons = [...form.querySelectorAll("button")];
  for (const button of buttons) button.disabled = true;
  try {
    const answer = await fetch(form.action, { method: "POST", body: sent });
    show(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch {
    // The browser says what is wrong with the connection.
    form.submit();
  } finally {
    for (const button of buttons) button.disabled = false;
  }
});

function show(page) {
  const newer = page.querySelector("[data-import]");
  if (!newer) return form.submit();
  for (const list of form.querySelectorAll(".errorlist")) list.remove();
  for (const list of newer.querySelectorAll(".errorlist")) form.prepend(list);
  const button = form.querySelector("[data-confirm]");
  const theirs = newer.querySelector("[data-confirm]");
  button.replaceChildren(...theirs.childNodes);
  button.hidden = theirs.hidden;
  const result = document.getElementById("import-result");
  result.replaceChildren(...page.getElementById("import-result").childNodes);
  (form.querySelector(".errorlist") ?? result).scrollIntoView({ block: "start" });
  result.focus({ preventScroll: true });
}

form?.addEventListener("change", () => {
  form.querySelector("[data-confirm]").hidden = true;
});
