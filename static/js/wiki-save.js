// Saves without leaving the page, and survives what can go wrong: an old token, a
// session that has ended, a server that is away. The text stays where it is.

export class SaveError extends Error {
  constructor(message, { code = "", field = "" } = {}) {
    super(message);
    this.code = code;
    this.field = field;
  }
}

export async function save(form, extra = {}) {
  let answer = await post(form, extra);
  if (answer.status === 403 && !isJson(answer)) {
    // Signed in again in another tab: the token of this form is of the old session.
    await renewToken(form);
    answer = await post(form, extra);
  }
  if (isJson(answer)) {
    const body = await answer.json();
    if (answer.ok) return body;
    const { message, remedy, code, field } = body.error;
    throw new SaveError([message, remedy].filter(Boolean).join(" "), { code, field });
  }
  throw new SaveError("The server did not take it. Your text is still here: try again.");
}

function post(form, extra) {
  const sent = new FormData(form);
  for (const [name, value] of Object.entries(extra)) sent.set(name, value);
  return ask(form.action, { method: "POST", body: sent });
}

async function ask(address, options = {}) {
  const headers = { Accept: "application/json", ...options.headers };
  try {
    return await fetch(address, { ...options, headers });
  } catch {
    throw new SaveError("The server cannot be reached. Your text is still here: try again.", {
      code: "offline",
    });
  }
}

function isJson(answer) {
  return (answer.headers.get("Content-Type") ?? "").includes("application/json");
}

export async function renewToken(form) {
  const answer = await ask(form.action, { headers: { Accept: "text/html" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const token = page.querySelector("form[data-editor] [name=csrfmiddlewaretoken]");
  if (answer.redirected && new URL(answer.url).pathname === form.dataset.loginUrl) {
    throw new SaveError("You are signed out.", { code: "unauthenticated" });
  }
  if (token) form.elements.csrfmiddlewaretoken.value = token.value;
}
