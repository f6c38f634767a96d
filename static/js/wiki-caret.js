// Where the caret of a text area is in the window: a hidden copy of the text, measured.
const COPIED = [
  "boxSizing", "width", "fontFamily", "fontSize", "fontWeight", "letterSpacing",
  "lineHeight", "paddingTop", "paddingRight", "paddingBottom", "paddingLeft",
  "borderTopWidth", "borderRightWidth", "borderBottomWidth", "borderLeftWidth",
  "tabSize", "overflowWrap", "textIndent",
];

export function caretPlace(field, at) {
  const look = getComputedStyle(field);
  const copy = document.createElement("div");
  for (const name of COPIED) copy.style[name] = look[name];
  copy.style.position = "absolute";
  copy.style.visibility = "hidden";
  copy.style.whiteSpace = "pre-wrap";
  copy.style.insetBlockStart = "0";
  copy.append(field.value.slice(0, at));
  const mark = document.createElement("span");
  mark.append("​");
  copy.append(mark);
  document.body.append(copy);
  const box = field.getBoundingClientRect();
  const line = Number.parseFloat(look.lineHeight) || 20;
  const top = box.top + mark.offsetTop - field.scrollTop;
  const place = { left: box.left + mark.offsetLeft, top: top + line + 4, above: top - 4 };
  copy.remove();
  return place;
}
