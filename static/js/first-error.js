// After a form came back with errors one goes on at the first field that has one: the
// keyboard is there, and a screen reader reads what is wrong.
const field = document.querySelector('main [aria-invalid="true"]:not([type="hidden"])');
field?.closest("details")?.setAttribute("open", "");
field?.focus();
