// What the toolbar and the keys do to the text. Every change goes through the browser's
// own editing, so that Undo takes it back.

export function replace(field, start, end, text, select = null) {
  field.focus();
  field.setSelectionRange(start, end);
  const done = text
    ? document.execCommand("insertText", false, text)
    : start === end || document.execCommand("delete");
  if (!done || field.value.slice(start, start + text.length) !== text) {
    field.setRangeText(text, start, end, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  if (select) field.setSelectionRange(start + select[0], start + select[1]);
}

function wrap(field, mark, placeholder) {
  const { selectionStart: start, selectionEnd: end, value } = field;
  const size = mark.length;
  const text = value.slice(start, end);
  const isWrapped = value.slice(start - size, start) === mark && value.slice(end, end + size) === mark;
  if (text && isWrapped) {
    replace(field, start - size, end + size, text, [0, text.length]);
  } else {
    const inner = text || placeholder;
    replace(field, start, end, mark + inner + mark, [size, size + inner.length]);
  }
}

function linesOf(field) {
  const { selectionStart, selectionEnd, value } = field;
  const start = value.lastIndexOf("\n", selectionStart - 1) + 1;
  const last = selectionEnd > selectionStart && value[selectionEnd - 1] === "\n" ? selectionEnd - 1 : selectionEnd;
  const found = value.indexOf("\n", last);
  const end = found < 0 ? value.length : found;
  return { start, end, lines: value.slice(start, end).split("\n") };
}

function eachLine(field, change) {
  const { start, end, lines } = linesOf(field);
  const text = lines.map(change).join("\n");
  const isOne = lines.length === 1;
  replace(field, start, end, text, isOne ? [text.length, text.length] : [0, text.length]);
}

const ITEM = /^(\s*)(?:([-*+])|(\d{1,9})([.)]))\s+(\[[ xX]\]\s+)?/;

function kindOf(line) {
  const item = ITEM.exec(line);
  if (!item) return "";
  if (item[5]) return "task";
  return item[2] ? "bullet" : "number";
}

const MARKERS = { task: () => "- [ ] ", bullet: () => "- ", number: (n) => `${n + 1}. ` };

// Makes the lines a list of that kind, or plain lines again if they are one.
function list(field, kind) {
  const { lines } = linesOf(field);
  const isText = (line) => Boolean(line.trim()) || lines.length === 1;
  const isAlready = lines.filter(isText).every((line) => kindOf(line) === kind);
  let n = 0;
  eachLine(field, (line) => {
    if (!isText(line)) return line;
    const bare = line.replace(ITEM, "").trimStart();
    return /^\s*/.exec(line)[0] + (isAlready ? "" : MARKERS[kind](n++)) + bare;
  });
}

function heading(field) {
  eachLine(field, (line) => {
    const found = /^(#{1,6})\s+/.exec(line);
    if (!found) return `## ${line}`;
    const bare = line.slice(found[0].length);
    return found[1].length < 4 ? `${found[1]}# ${bare}` : bare;
  });
}

function quote(field) {
  const { lines } = linesOf(field);
  const isQuoted = lines.every((line) => line.startsWith(">"));
  eachLine(field, (line) => (isQuoted ? line.replace(/^> ?/, "") : `> ${line}`));
}

function code(field) {
  const { selectionStart: start, selectionEnd: end, value } = field;
  const text = value.slice(start, end);
  if (!text.includes("\n")) return wrap(field, "`", "code");
  const before = start === 0 || value[start - 1] === "\n" ? "" : "\n";
  const block = `${before}\`\`\`\n${text.replace(/\n$/, "")}\n\`\`\`\n`;
  const at = before.length + 3;
  replace(field, start, end, block, [at, at]);
}

function link(field) {
  const { selectionStart: start, selectionEnd: end, value } = field;
  const text = value.slice(start, end);
  if (/^https?:\/\/\S+$/.test(text)) {
    replace(field, start, end, `[text](${text})`, [1, 5]);
  } else {
    const label = text || "text";
    const at = label.length + 3;
    replace(field, start, end, `[${label}](https://)`, [at, at + 8]);
  }
}

function table(field) {
  const { selectionStart: start, value } = field;
  const before = start === 0 ? "" : value.slice(0, start).endsWith("\n\n") ? "" : value[start - 1] === "\n" ? "\n" : "\n\n";
  const text = `${before}| Column | Column |\n|---|---|\n|  |  |\n`;
  replace(field, start, start, text, [before.length + 2, before.length + 8]);
}

export const actions = {
  bold: (field) => wrap(field, "**", "bold"),
  italic: (field) => wrap(field, "*", "italic"),
  code,
  heading,
  bullets: (field) => list(field, "bullet"),
  numbers: (field) => list(field, "number"),
  tasks: (field) => list(field, "task"),
  quote,
  link,
  table,
};

// Enter goes on with a list; on an empty item it ends the list. True when it did.
export function continueList(field) {
  const { selectionStart: at, selectionEnd, value } = field;
  if (at !== selectionEnd) return false;
  const start = value.lastIndexOf("\n", at - 1) + 1;
  const line = value.slice(start, at);
  const item = ITEM.exec(line) ?? /^(\s*)(>)\s?/.exec(line);
  if (!item) return false;
  if (line.length === item[0].length) {
    replace(field, start, at, "");
    return true;
  }
  const box = item[5] ? "[ ] " : "";
  const marker = item[3] ? `${Number(item[3]) + 1}${item[4]}` : item[2];
  replace(field, at, at, `\n${item[1]}${marker} ${box}`);
  return true;
}

// Tab moves list items in and out; anywhere else it is the browser's. True when it did.
export function indent(field, isOut) {
  const { selectionStart, selectionEnd } = field;
  const { start, end, lines } = linesOf(field);
  if (!lines.some((line) => ITEM.test(line))) return false;
  const changed = lines.map((line) => (isOut ? line.replace(/^ {1,2}/, "") : line ? `  ${line}` : line));
  const text = changed.join("\n");
  const moved = text.length - (end - start);
  if (moved === 0) return true;
  const firstMoved = changed[0].length - lines[0].length;
  const from = Math.max(start, selectionStart + firstMoved) - start;
  replace(field, start, end, text, [from, Math.max(from, selectionEnd + moved - start)]);
  return true;
}
