// Buttons with data-copy="<id of a field>" copy that field's text.
for (const button of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copy);
    field.select();
    await navigator.clipboard.writeText(field.value);
    field.closest(".field").querySelector("[data-copied]").hidden = false;
  });
}
