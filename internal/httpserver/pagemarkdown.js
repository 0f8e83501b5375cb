"use strict";
function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) made[key] = value; else made.setAttribute(key, value);
  }
  made.append(...children.filter(child => child !== null && child !== ""));
  return made;
}

// --- Markdown as elements ---
// Elements are made one by one, and all text is set as text: nothing of a note is read as HTML, and nothing is loaded. The work grows
// with the length of the text: a line is looked at once for each level it may be in, and past the bounds the rest stays as it is written.
const mostElements = 20000, mostLevels = 8, mostColumns = 64, longestParagraph = 20000, longestTarget = 2000, mostReferences = 1000;

const isBlank = line => !line.trim();
const isRule = line => /^(?:-{3,}|\*{3,}|_{3,})$/.test(line.length < 1000 ? line.replace(/[ \t]/g, "") : "");
const startsBlock = line => /^ {0,3}(?:#{1,6}(?:[ \t]|$)|>|`{3}|~{3}|[-*+][ \t]|1[.)][ \t])/.test(line) || isRule(line);

function indentOf(line) {
  let width = 0;
  for (let at = 0; line[at] === " " || line[at] === "\t"; at++) width += line[at] === "\t" ? 4 - width % 4 : 1;
  return width;
}

function outdent(line, wanted) {
  let width = 0, at = 0;
  for (; width < wanted && (line[at] === " " || line[at] === "\t"); at++) width += line[at] === "\t" ? 4 - width % 4 : 1;
  return " ".repeat(Math.max(0, width - wanted)) + line.slice(at);
}

function itemOf(line) {
  const found = /^[ \t]*([-*+]|\d{1,9}[.)])([ \t]+|$)(.*)$/.exec(line);
  if (!found || isRule(line)) return null;
  const indent = indentOf(line), gap = found[2].length > 4 ? 1 : Math.max(1, found[2].length);
  return { indent, column: indent + found[1].length + gap, text: found[3], start: /\d/.test(found[1]) ? parseInt(found[1], 10) : null };
}

// fenceOf is the mark that opens a block of code, and what is said of it.
function fenceOf(line) {
  const found = /^[ \t]*(`{3,}|~{3,})(.*)$/.exec(line);
  return found && !(found[1][0] === "`" && found[2].includes("`")) ? { mark: found[1], about: found[2].trim() } : null;
}

// cellsOf are the cells of a table's row.
function cellsOf(line) {
  const cells = [""], row = line.trim().replace(/^\|/, "");
  for (let at = 0; at < row.length; at++) {
    if (row[at] === "\\" && row[at + 1] === "|") { cells[cells.length - 1] += "|"; at++; continue; }
    if (row[at] !== "|") cells[cells.length - 1] += row[at];
    else if (cells.length < mostColumns && at < row.length - 1) cells.push("");
  }
  return cells.map(cell => cell.trim());
}

function alignmentsOf(line) {
  if (line === undefined || line.length > 4000 || !line.includes("-") || !/^[ \t|:-]+$/.test(line)) return null;
  const cells = cellsOf(line);
  if (!cells.every(cell => /^:?-+:?$/.test(cell))) return null;
  return cells.map(cell => cell.endsWith(":") ? (cell.startsWith(":") ? "center" : "right") : "");
}

// webAddress is a target on the web or of a mail, and null for any other kind.
function webAddress(target) {
  if (!/^(?:https?:\/\/|mailto:)/i.test(target)) return null;
  try {
    const url = new URL(target);
    return ["http:", "https:", "mailto:"].includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

// pairsOf tells for each opening bracket where it closes, in one pass.
function pairsOf(text) {
  const pairs = new Map(), open = { "]": [], ")": [] };
  for (let at = 0; at < text.length; at++) {
    const mark = text[at];
    if (mark === "\\") at++;
    else if (mark === "[") open["]"].push(at);
    else if (mark === "(") open[")"].push(at);
    else if (mark in open && open[mark].length) pairs.set(open[mark].pop(), at);
  }
  return pairs;
}

// runOf is a run of marks of emphasis: whether it may open or close, by what stands on both sides.
function runOf(text, at) {
  const mark = text[at];
  let end = at;
  while (text[end] === mark) end++;
  const before = at > 0 ? text[at - 1] : " ", after = end < text.length ? text[end] : " ";
  const isSpace = one => /\s/.test(one), isMark = one => /[\p{P}\p{S}]/u.test(one);
  const left = !isSpace(after) && (!isMark(after) || isSpace(before) || isMark(before));
  const right = !isSpace(before) && (!isMark(before) || isSpace(after) || isMark(after));
  const run = { mark, end, length: end - at, opens: left, closes: right };
  if (mark === "_") Object.assign(run, { opens: left && (!right || isMark(before)), closes: right && (!left || isMark(after)) });
  if ((mark === "~" || mark === "=") && run.length !== 2) run.opens = run.closes = false;
  return run;
}

// trimCode takes off the blank on both sides that lets code begin or end with a backtick.
function trimCode(code) {
  const line = code.replace(/\n/g, " ");
  return line.startsWith(" ") && line.endsWith(" ") && !isBlank(line) ? line.slice(1, -1) : line;
}

const emphases = { "*": "em", "_": "em", "**": "strong", "__": "strong", "~~": "del", "==": "mark" };

// Emphasis keeps what is open in a line of text: a frame for each mark that may close yet.
class Emphasis {
  constructor(make, show) { Object.assign(this, { make, show, frames: [{ mark: "", nodes: [] }] }); }
  add(...nodes) { this.frames.at(-1).nodes.push(...nodes); }
  // flatten takes the last frame for plain text.
  flatten() {
    const frame = this.frames.pop();
    this.add(this.show(frame.mark), ...frame.nodes);
  }
  take(run) {
    let left = run.length;
    while (run.closes && left > 0) {
      const at = this.frames.findLastIndex(frame => frame.mark[0] === run.mark && frame.mark.length <= left);
      if (at < 1) break;
      while (this.frames.length - 1 > at) this.flatten();
      const { mark, nodes } = this.frames.pop();
      this.add(this.make(emphases[mark], mark === "==" ? { className: "own" } : {}, ...nodes));
      left -= mark.length;
    }
    while (run.opens && left > 0 && this.frames.length <= mostLevels) {
      const mark = run.mark.repeat(Math.min(left, 2));
      this.frames.push({ mark, nodes: [] });
      left -= mark.length;
    }
    if (left > 0) this.add(this.show(run.mark.repeat(left)));
  }
  end() {
    while (this.frames.length > 1) this.flatten();
    return this.frames[0].nodes;
  }
}

// Markdown makes elements of a text. show makes a node of text; addressOf gives the address of a note by the target of a link, null where
// it leads nowhere; isBare leaves links out, isLoose takes the end of a line for a space.
class Markdown {
  constructor({ show, addressOf = () => null, isBare = false, isLoose = false }) {
    Object.assign(this, { show, addressOf, isBare, isLoose, left: mostElements, references: new Map() });
    this.make = (name, properties, ...children) => { this.left--; return element(name, properties, ...children); };
  }

  // render takes what stands between --- at the start for properties if the text is the start of a note.
  render(text, isStart = false) {
    let lines = text.split("\n");
    const out = document.createDocumentFragment(), end = isStart && /^---[ \t]*$/.test(lines[0]) ? lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)[ \t]*$/.test(line)) : -1;
    if (end > 0) {
      if (end > 1) out.append(this.make("details", { className: "properties" }, this.make("summary", {}, "Properties"), this.make("pre", {}, this.show(lines.slice(1, end).join("\n")))));
      lines = lines.slice(end + 1);
    }
    for (const line of lines) {
      const found = this.references.size < mostReferences && /^ {0,3}\[([^\]^][^\]]{0,200})\]:[ \t]+<?([^\s<>]{1,2000})>?/.exec(line);
      if (found) this.references.set(found[1].toLowerCase(), found[2]);
    }
    out.append(...this.blocks(lines, 0));
    return out;
  }

  blocks(lines, level) {
    const out = [];
    for (let at = 0; at < lines.length;) {
      if (this.left <= 0 || level > mostLevels) {
        out.push(this.make("pre", { className: "rest" }, this.show(lines.slice(at).join("\n"))));
        break;
      }
      at = isBlank(lines[at]) ? at + 1 : this.block(lines, at, level, out);
    }
    return out;
  }

  // block adds what starts at a line, and gives the line after it.
  block(lines, at, level, out) {
    const line = lines[at], heading = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(line);
    if (fenceOf(line)) return this.code(lines, at, out);
    if (heading) {
      out.push(this.heading(heading[1].length, (heading[2] || "").replace(/(?:^|[ \t])#+[ \t]*$/, "")));
      return at + 1;
    }
    if (isRule(line)) {
      out.push(this.make("hr", {}));
      return at + 1;
    }
    if (/^ {0,3}>/.test(line)) return this.quote(lines, at, level, out);
    if (itemOf(line)) return this.list(lines, at, level, out);
    if (line.trim() === "$$") return this.until(lines, at, one => one.trim() === "$$", out);
    if (line.includes("|") && alignmentsOf(lines[at + 1])) return this.table(lines, at, out);
    if (indentOf(line) >= 4) {
      let end = at;
      while (end < lines.length && indentOf(lines[end]) >= 4) end++;
      out.push(this.make("pre", { tabIndex: 0 }, this.show(lines.slice(at, end).map(one => outdent(one, 4)).join("\n"))));
      return end;
    }
    return this.paragraph(lines, at, out);
  }

  heading(level, text) { return this.make("h" + Math.min(6, level + 2), { dir: "auto", className: "level" + level }, ...this.inline(text.trim())); }

  // until shows lines as they are, to one that closes them.
  until(lines, at, closes, out) {
    let end = at + 1;
    while (end < lines.length && !closes(lines[end])) end++;
    out.push(this.make("pre", { tabIndex: 0 }, this.make("code", {}, this.show(lines.slice(at + 1, end).join("\n")))));
    return end + 1;
  }

  code(lines, at, out) {
    const { mark, about } = fenceOf(lines[at]), indent = indentOf(lines[at]), inside = [];
    let end = at + 1;
    for (; end < lines.length; end++) {
      const closing = lines[end].trim();
      if (closing.startsWith(mark) && /^(?:`+|~+)$/.test(closing)) break;
      inside.push(outdent(lines[end], indent));
    }
    const language = /^[\w+#.-]{1,20}/.exec(about);
    out.push(this.make("pre", { tabIndex: 0, ...(language ? { title: language[0] } : {}) }, this.make("code", {}, this.show(inside.join("\n")))));
    return end + 1;
  }

  quote(lines, at, level, out) {
    const inside = [];
    for (; at < lines.length && !isBlank(lines[at]); at++) {
      const isQuoted = /^ {0,3}>/.test(lines[at]);
      if (!isQuoted && (startsBlock(lines[at]) || isBlank(inside.at(-1)))) break;
      inside.push(isQuoted ? lines[at].replace(/^ {0,3}> ?/, "") : lines[at]);
    }
    const callout = /^\[!([\w -]{1,40})\]([-+]?)(?:[ \t]+(.*))?$/.exec(inside[0]);
    if (!callout) {
      out.push(this.make("blockquote", {}, ...this.blocks(inside, level + 1)));
      return at;
    }
    const kind = callout[1].trim(), title = this.make(callout[2] ? "summary" : "p", { className: "kind" }, ...(callout[3] ? [this.make("b", {}, kind), " ", ...this.inline(callout[3])] : [this.make("b", {}, kind)]));
    out.push(this.make(callout[2] ? "details" : "div", { className: "callout", ...(callout[2] === "+" ? { open: true } : {}) }, title, ...this.blocks(inside.slice(1), level + 1)));
    return at;
  }

  list(lines, at, level, out) {
    const first = itemOf(lines[at]), isOrdered = first.start !== null, items = [];
    for (let next = at; next < lines.length && (this.left > 0 || !items.length);) {
      const item = itemOf(lines[next]);
      if (!item || item.indent < first.indent || (item.start !== null) !== isOrdered) break;
      const { body, end } = this.itemLines(lines, next, item);
      items.push(this.item(body, level));
      at = next = end;
      while (next < lines.length && isBlank(lines[next])) next++;
    }
    out.push(this.make(isOrdered ? "ol" : "ul", isOrdered && first.start !== 1 ? { start: first.start } : {}, ...items));
    return at;
  }

  // itemLines are the lines of an item, without its mark and what they are indented by.
  itemLines(lines, at, item) {
    const body = [item.text];
    for (at++; at < lines.length; at++) {
      let next = at;
      while (next < lines.length && isBlank(lines[next])) next++;
      if (next === lines.length) break;
      const isInside = indentOf(lines[next]) > item.indent;
      if (!isInside && (next > at || itemOf(lines[next]) || startsBlock(lines[next]))) break;
      for (; at < next; at++) body.push("");
      body.push(isInside ? outdent(lines[at], Math.min(item.column, indentOf(lines[at]))) : lines[at]);
    }
    return { body, end: at };
  }

  item(body, level) {
    const task = /^\[(.)\](?:[ \t]+(.*))?$/u.exec(body[0]), isLoose = body.some((line, at) => at > 0 && isBlank(body[at - 1]) && !isBlank(line) && indentOf(line) === 0);
    if (task) body[0] = task[2] || "";
    const nodes = this.blocks(body, level + 1).flatMap(node => !isLoose && node.nodeName === "P" ? [...node.childNodes] : [node]);
    if (!task) return this.make("li", { dir: "auto" }, ...nodes);
    const isDone = task[1] !== " ";
    return this.make("li", { dir: "auto", className: "task" }, this.make("input", { type: "checkbox", disabled: true, checked: isDone, "aria-label": isDone ? "done" : "to do" }), " ", ...nodes);
  }

  table(lines, at, out) {
    const alignments = alignmentsOf(lines[at + 1]);
    const row = (line, name) => this.make("tr", {}, ...cellsOf(line).slice(0, alignments.length).map((cell, column) =>
      this.make(name, { dir: "auto", ...(alignments[column] ? { className: alignments[column] } : {}) }, ...this.inline(cell))));
    const head = row(lines[at], "th"), rows = [];
    for (at += 2; at < lines.length && this.left > 0 && lines[at].includes("|") && !isBlank(lines[at]); at++) rows.push(row(lines[at], "td"));
    out.push(this.make("div", { className: "table", tabIndex: 0 }, this.make("table", {}, this.make("thead", {}, head), this.make("tbody", {}, ...rows))));
    return at;
  }

  paragraph(lines, at, out) {
    const inside = [];
    for (; at < lines.length && !isBlank(lines[at]); at++) {
      const under = inside.length ? /^ {0,3}(?:(=+)|-{2,})[ \t]*$/.exec(lines[at]) : null;
      if (under) {
        out.push(this.heading(under[1] ? 1 : 2, inside.join("\n")));
        return at + 1;
      }
      if (inside.length && (startsBlock(lines[at]) || lines[at].includes("|") && alignmentsOf(lines[at + 1]))) break;
      inside.push(lines[at].trimStart());
    }
    out.push(this.make("p", { dir: "auto" }, ...this.inline(inside.join("\n").trimEnd())));
    return at;
  }

  // inline makes nodes of the text of a paragraph, a heading or a cell.
  inline(text, isInLink = false) {
    if (text.length > longestParagraph) return [this.show(text)];
    const special = /[\\`$![<#\n^]|\*+|_+|~+|=+|https?:\/\//g, emphasis = new Emphasis(this.make, this.show), pairs = pairsOf(text), failed = new Set();
    let done = 0;
    for (let found; this.left > 0 && (found = special.exec(text));) {
      const at = found.index, isRun = "*_~=".includes(found[0][0]), run = isRun ? runOf(text, at) : null;
      if (isRun && !run.opens && !run.closes) continue;
      const token = isRun ? null : this.token(text, at, { pairs, failed, isInLink });
      if (!isRun && !token) continue;
      if (done < at) emphasis.add(this.show(text.slice(done, at)));
      if (isRun) emphasis.take(run); else emphasis.add(...token.nodes);
      done = special.lastIndex = isRun ? run.end : token.end;
    }
    if (done < text.length) emphasis.add(this.show(text.slice(done)));
    return emphasis.end();
  }

  // token is what starts at a character that may mean something: its nodes and where it ends; null where it is text.
  token(text, at, state) {
    switch (text[at]) {
      case "\\": return this.escape(text, at);
      case "`": return this.codeSpan(text, at, state.failed);
      case "$": return this.match(/\$\$([^$]{1,1000})\$\$/y, text, at, found => this.make("span", { className: "math" }, this.show(found[1].trim()))) || this.match(/\$(?! )([^$\n]{0,300}[^\s$\\])\$(?!\d)/y, text, at, found => this.make("span", { className: "math" }, this.show(found[1])));
      case "\n": return { end: at + 1, nodes: [this.isLoose && !text.slice(Math.max(0, at - 2), at).endsWith("  ") ? this.show(" ") : this.make("br", {})] };
      case "<": return this.match(/<((?:https?:\/\/|mailto:)[^\s<>]{1,2000})>/y, text, at, found => state.isInLink ? this.show(found[1]) : this.link(found[1], [this.show(found[1])]));
      case "^": return at > 0 && !/\s/.test(text[at - 1]) ? null : this.match(/\^[A-Za-z0-9-]{1,100}(?=[ \t]*(?:\n|$))/y, text, at, found => this.make("span", { className: "anchor" }, this.show(found[0])));
      case "#": return state.isInLink || at > 0 && !/[\s(,]/.test(text[at - 1]) ? null : this.match(/#([\p{L}\p{N}_\/-]{0,100}[\p{L}_][\p{L}\p{N}_\/-]{0,100})/uy, text, at, found => this.tag(found[1]));
      case "h": return state.isInLink || at > 0 && /[\p{L}\p{N}_]/u.test(text[at - 1]) ? null : this.address(text, at);
      default: return this.bracket(text, at, state);
    }
  }

  match(pattern, text, at, make) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    return found && { end: pattern.lastIndex, nodes: [make(found)] };
  }

  escape(text, at) {
    if (text[at + 1] === "\n") return { end: at + 2, nodes: [this.make("br", {})] };
    return at + 1 < text.length && /[!-\/:-@[-`{-~]/.test(text[at + 1]) ? { end: at + 2, nodes: [this.show(text[at + 1])] } : null;
  }

  codeSpan(text, at, failed) {
    let open = at;
    while (text[open] === "`") open++;
    const mark = text.slice(at, open), literal = { end: open, nodes: [this.show(mark)] };
    if (failed.has(mark)) return literal;
    for (let from = open; (from = text.indexOf(mark, from)) >= 0;) {
      let end = from;
      while (text[end] === "`") end++;
      if (end - from === mark.length) return { end, nodes: [this.make("code", {}, this.show(trimCode(text.slice(open, from))))] };
      from = end;
    }
    failed.add(mark);
    return literal;
  }

  // address is one that stands in the text as it is, without what ends the sentence.
  address(text, at) {
    const found = /^https?:\/\/[^\s<>|"`]+/.exec(text.slice(at, at + longestTarget));
    if (!found) return null;
    let address = found[0].replace(/[.,;:!?'*_~]{1,10}$/, "");
    if (address.endsWith(")") && !address.includes("(")) address = address.slice(0, -1);
    return { end: at + address.length, nodes: [this.link(address, [this.show(address)])] };
  }

  tag(name) {
    return this.isBare ? this.make("span", { className: "link" }, this.show("#" + name)) : this.make("a", { href: "#" + new URLSearchParams({ q: "tag:" + name }) }, this.show("#" + name));
  }

  // bracket is a link or an image, which is not loaded: what is said of it is shown, with its address.
  bracket(text, at, state) {
    const isImage = text[at] === "!", open = isImage ? at + 1 : at, close = state.pairs.get(open);
    if (text[open] !== "[" || close === undefined || state.isInLink && !isImage) return null;
    if (text[open + 1] === "[" && state.pairs.get(open + 1) === close - 1) return this.wikilink(text.slice(open + 2, close - 1), close + 1, isImage);
    const label = text.slice(open + 1, close), to = text[close + 1] === "(" ? state.pairs.get(close + 1) : undefined;
    if (to !== undefined && to - close < longestTarget) {
      const found = /^(?:<([^<>\n]*)>|(\S*))(?:\s.*)?$/s.exec(text.slice(close + 2, to).trim());
      if (found) return { end: to + 1, nodes: [this.linkOrImage(found[1] ?? found[2], label, isImage, state.isInLink)] };
    }
    if (/^\^[^\s\]]{1,60}$/.test(label)) return { end: close + 1, nodes: [this.make("sup", {}, this.show(label.slice(1)))] };
    const end = text[close + 1] === "[" ? state.pairs.get(close + 1) : undefined;
    const target = this.references.get((end !== undefined && end > close + 2 && end - close < 300 ? text.slice(close + 2, end) : label).slice(0, 300).toLowerCase());
    return target ? { end: (end ?? close) + 1, nodes: [this.linkOrImage(target, label, isImage, state.isInLink)] } : null;
  }

  linkOrImage(target, label, isImage, isInLink) {
    const nodes = isImage ? [this.show("[image: " + (label || target.replace(/^.*\//, "")).slice(0, 300) + "]")] : this.inline(label, true);
    return isInLink ? this.make("span", {}, ...nodes) : this.link(target, nodes.length ? nodes : [this.show(target)]);
  }

  wikilink(inside, end, isEmbedded) {
    if (inside.length > longestTarget || inside.includes("\n")) return null;
    const [target, ...alias] = inside.split("|"), said = this.show((alias.join("|") || target.replace(/^#+\^?/, "").replace(/#+\^?/g, " › ")).trim());
    const isNote = !/\.(?:png|jpe?g|gif|svg|webp|avif|bmp|pdf|mp3|mp4|m4a|wav|webm|ogg|mov)$/i.test(target.trim());
    if (isEmbedded && !isNote) return { end, nodes: [this.make("span", { className: "dead" }, this.show("[file: " + target.trim() + "]"))] };
    return { end, nodes: [this.link(target.trim(), [said])] };
  }

  link(target, nodes) {
    if (this.isBare) return this.make("span", { className: "link" }, ...nodes);
    const web = webAddress(target), note = web || /^[a-z][a-z0-9+.-]*:/i.test(target) ? null : this.addressOf(target);
    if (web) return this.make("a", { href: web, rel: "noopener noreferrer", target: "_blank", title: web.slice(0, 300) }, ...nodes);
    return note ? this.make("a", { href: note }, ...nodes) : this.make("span", { className: "dead", title: "leads nowhere" }, ...nodes);
  }
}
