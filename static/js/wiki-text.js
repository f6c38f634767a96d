// Rendered text: what is wider than its column scrolls by itself, by keyboard as well.
export function tame(root) {
  for (const table of root.querySelectorAll("table")) {
    const frame = document.createElement("div");
    frame.className = "table-scroll";
    table.replaceWith(frame);
    frame.append(table);
  }
  for (const wide of root.querySelectorAll("pre, .table-scroll")) {
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
  }
}
