// Replaces every element with data-refresh="<seconds>" by its newer version from the
// same address, while the page is looked at and nothing in it has the focus. A version
// without data-refresh is the last one.
for (const element of document.querySelectorAll("[data-refresh][id]")) {
  const seconds = Number(element.dataset.refresh);
  const timer = setInterval(() => refresh(element, timer), seconds * 1000);
}

async function refresh(element, timer) {
  if (document.hidden || element.contains(document.activeElement)) return;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!answer.ok || answer.redirected) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const newer = page.getElementById(element.id);
    if (newer && !newer.dataset.refresh) clearInterval(timer);
    if (newer && newer.innerHTML !== element.innerHTML) {
      element.replaceChildren(...newer.childNodes);
    }
  } catch {
    // The server is away for a moment: the next round tries again.
  }
}
