const $ = id => document.getElementById(id);
const debounceMs = 150, retryMs = 2000, shownHits = 20, snippetCharacters = 600, longText = 24000, mostTitles = 120;
const isNarrow = matchMedia("(max-width: 61.99rem)");
let asking = null, reading = null, timer = 0, known = Promise.resolve({}), terms = [], showsAll = false, lastQuery = null;

// Characters that reorder, hide or steer text are shown as that something is there.
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/gu;
const plain = text => String(text ?? "").replace(/\r\n?/g, "\n").replace(steering, "\ufffd");

class Refused extends Error {
  constructor(status, said) { super(said.error || "The server answered with an error."); Object.assign(this, { status, code: said.code, suggestion: said.suggestion }); }
}

async function ask(path, parameters, signal) {
  const given = parameters instanceof URLSearchParams ? [...parameters] : Object.entries(parameters), query = new URLSearchParams();
  for (const [name, value] of given) if (value !== undefined && value !== "") query.append(name, value);
  const token = sessionStorage.getItem("token");
  const answer = await fetch("/api/" + path + "?" + query, { signal, headers: token ? { Authorization: "Bearer " + token } : {} });
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(answer.status, said);
  return said;
}

function say(text, isDoubt = false) {
  $("said").textContent = plain(text);
  $("said").classList.toggle("doubt", isDoubt);
}

// explainFault tells what went wrong and what to do; it tries again where that helps.
function explainFault(fault, again) {
  if (fault.name === "AbortError") return;
  $("door").hidden = fault.status !== 401;
  if (fault.status === 401) {
    say(sessionStorage.getItem("token") ? "That was not the token of this server." : "A token is needed.", true);
    $("token").focus();
  } else if (fault.code === "index_building" || fault.code === "busy" || fault.code === "too_many_requests") {
    say(fault.code === "index_building" ? "The index is being built; this goes on by itself as soon as it is there." : "The server has much to do; trying again …");
    clearTimeout(timer);
    timer = setTimeout(again, retryMs);
  } else if (fault instanceof Refused) {
    say(fault.message + (fault.suggestion ? " — " + fault.suggestion : ""), true);
  } else if (fault instanceof TypeError) { // of fetch
    say("The server does not answer. Is `quarry serve` still running?", true);
  } else {
    say("This could not be shown: " + fault.message, true);
  }
}

// --- marking words ---
const fold = text => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function isTold(word, wanted) {
  if (word === wanted) return true;
  let same = 0;
  while (same < word.length && same < wanted.length && word[same] === wanted[same]) same++;
  return wanted.length > 3 && same >= Math.max(4, wanted.length - 2) && word.length <= wanted.length + 4;
}

function placesOf(text) {
  const places = [];
  const pairs = terms.filter(term => unspaced.test(term)), words = terms.filter(term => !unspaced.test(term));
  for (const match of text.matchAll(/[\p{L}\p{N}\p{M}_]+/gu)) {
    const word = fold(match[0]);
    if (words.some(term => isTold(word, term))) places.push([match.index, match.index + match[0].length]);
    for (const pair of pairs) {
      for (let at = match[0].indexOf(pair); at >= 0; at = match[0].indexOf(pair, at + 1)) places.push([match.index + at, match.index + at + pair.length]);
    }
  }
  return places.sort((one, other) => one[0] - other[0]);
}

function marked(text) {
  const out = document.createDocumentFragment();
  let done = 0;
  for (const [from, to] of placesOf(text)) {
    if (to <= done) continue;
    const start = Math.max(from, done);
    out.append(text.slice(done, start), element("mark", {}, text.slice(start, to)));
    done = to;
  }
  out.append(text.slice(done));
  return out;
}

// snippet is the part of a passage around the first words that were looked for, from the start of a block or a line where one is near.
function snippet(whole) {
  const text = plain(whole).trim();
  let from = 0;
  if (text.length > snippetCharacters) {
    const first = placesOf(text)[0]?.[0] ?? 0, block = text.lastIndexOf("\n\n", first) + 2, line = text.lastIndexOf("\n", first) + 1;
    if (first > 160) from = block > 1 && first - block < 300 ? block : line > 0 && first - line < 300 ? line : text.lastIndexOf(" ", first - 80) + 1;
  }
  const isInCode = (text.slice(0, from).match(/^[ \t]*(?:```|~~~)/gm) || []).length % 2 === 1;
  const isCut = from + snippetCharacters < text.length, shown = text.slice(from, from + snippetCharacters);
  const end = isCut ? Math.max(shown.lastIndexOf("\n"), shown.lastIndexOf(" "), snippetCharacters - 80) : shown.length;
  const starts = from > 0 && text[from - 1] !== "\n" ? "… " : "";
  return new Markdown({ show: marked, isBare: true }).render((isInCode ? "```\n" : "") + starts + shown.slice(0, end) + (isCut ? " …" : ""));
}

// --- searching ---
const lines = (from, to) => from === to ? "line " + from : "lines " + from + "–" + to;
const count = (n, thing) => n.toLocaleString("en") + " " + thing + (n === 1 ? "" : "s");
// sureness is told where there is room for doubt alone: of what is sure a number tells nothing.
const sureness = score => score >= 0.9 ? "" : score >= 0.5 ? "likely" : score >= 0.1 ? "doubtful" : "hardly what you look for";

function addressOf(query, note, from, to) {
  const parts = new URLSearchParams();
  if (query) parts.set("q", query);
  if (note) parts.set("n", note);
  if (from) parts.set("l", from + "-" + to);
  return "#" + parts;
}

function showHits(answer) {
  const said = {
    ok: (answer.results.length === shownHits ? "The best " : "") + count(answer.results.length, "passage") + ".",
    weak: "Your notes may not speak of this. The nearest passages:",
    nothing_relevant: answer.results.length ? "Your notes do not seem to speak of this. The nearest passages, such as they are:" : "Your notes do not seem to speak of this. Try other words.",
    no_results: "Nothing has all the words that are required. Try fewer of them.",
    empty_index: "The index is empty. Are there notes in the folder? `quarry index` takes them in, and `quarry status` tells what was left out.",
  };
  const filtered = "no passage passes the filters", main = answer.notices.find(notice => notice.startsWith(filtered));
  const isUnknown = answer.notices.some(notice => notice.startsWith("no note has the ")); // it names the filter
  say(main ? "N" + (isUnknown ? filtered : main).slice(1) + (isUnknown ? ":" : ".") : said[answer.status] || answer.status, answer.status !== "ok");
  const filters = main ? [] : (answer.plan?.filters || []).filter(filter => !lastQuery.includes(filter));
  $("notices").replaceChildren(...answer.notices.filter(notice => notice !== main && !notice.startsWith("nothing relevant was found")).map(noticeOf),
    ...(filters.length ? [element("li", {}, "Filters: " + plain(filters.join(" · ")))] : []));
  $("more").hidden = !(answer.status === "nothing_relevant" && !answer.results.length);
  $("hits").replaceChildren(...answer.results.map(hitOf));
  for (const text of document.querySelectorAll(".hit .text")) text.classList.toggle("long", text.scrollHeight > text.clientHeight + 4);
}

// noticeOf makes what may have been meant by a filter something to click.
function noticeOf(notice) {
  const meant = meantBy(notice, lastQuery);
  if (!meant) return element("li", {}, plain(notice));
  return element("li", {}, plain(meant.said), ...meant.others.flatMap(({ value, query }, at) => [at > 0 ? " or " : "", element("a", { href: addressOf(query) }, plain(value))]), "?");
}

function hitOf(hit) {
  const section = hit.heading_path.filter(part => part !== hit.title).join(" › ");
  const how = [
    hit.via ? (hit.via.direction === "back" ? "links to " : "linked from ") + plain(hit.via.path) : "",
    hit.updated ? "updated " + plain(hit.updated) : "", hit.tags.slice(0, 5).map(tag => "#" + plain(tag)).join(" "),
    hit.stale ? "changed since it was indexed" : "",
    hit.duplicates ? "also in " + plain(hit.duplicates.join(", ")) : "",
  ].filter(Boolean).join(" · "), sure = hit.via ? "" : sureness(hit.score);
  return element("li", {}, element("a", { className: "hit", href: addressOf(lastQuery, hit.file_path, hit.line_start, hit.line_end) },
    element("strong", { dir: "auto" }, marked(plain(hit.title))),
    element("span", { className: "where" }, plain(hit.file_path) + (section ? " › " + plain(section) : "") + " · " + lines(hit.line_start, hit.line_end)),
    element("div", { className: "text", dir: "auto" }, snippet(hit.chunk_text)),
    how || sure ? element("span", { className: "how" }, element("span", { className: hit.score < 0.5 ? "doubtful" : "" }, sure), sure && how ? " · " + how : how) : null));
}

async function search() {
  clearTimeout(timer);
  const query = $("query").value.trim();
  if (query !== lastQuery) showsAll = false;
  lastQuery = query;
  asking?.abort();
  asking = new AbortController();
  const signal = asking.signal;
  try {
    if (!query) return await showRecent(signal);
    const answer = await ask("search", { query, limit: shownHits, max_tokens: 8000, explain: true, all: showsAll || undefined }, signal);
    if (signal.aborted) return;
    $("door").hidden = $("recent").hidden = true;
    terms = [...new Set((answer.plan?.terms || []).flatMap(term => fold(term.text).split(/\s+/)).filter(Boolean))];
    showHits(answer);
    markCurrent();
  } catch (fault) {
    if (!signal.aborted) explainFault(fault, search);
  }
}

async function showRecent(signal) {
  const list = await ask("notes", { sort: "updated", limit: 10 }, signal);
  if (signal.aborted) return;
  terms = [];
  $("door").hidden = $("more").hidden = true;
  $("notices").replaceChildren();
  $("recent").hidden = !list.notes.length;
  say(list.notes.length ? "" : "There is no note here yet. Write one into the folder, and run `quarry index`.");
  $("hits").replaceChildren(...list.notes.map(note => element("li", {}, element("a", { className: "hit", href: addressOf("", note.file_path) },
    element("strong", { dir: "auto" }, plain(note.title)), element("span", { className: "where" }, plain(note.file_path) + (note.updated ? " · updated " + plain(note.updated) : ""))))));
  markCurrent();
}

// --- reading ---
function place() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const [from, to] = (parts.get("l") || "").split("-").map(Number);
  return { query: parts.get("q") || "", note: parts.get("n") || "", from: from > 0 ? from : 0, to: to >= from ? to : from };
}

function markCurrent() {
  for (const link of document.querySelectorAll(".hit")) {
    if (location.hash && link.hash === location.hash) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current");
  }
}

function closeNote() {
  reading?.abort();
  $("reader").hidden = true;
  document.body.classList.remove("reading");
  markCurrent();
}

async function openNote(at) {
  reading?.abort();
  reading = new AbortController();
  const signal = reading.signal;
  try {
    const address = at.from ? at.note + ":" + at.from + ":" + (at.to - at.from + 1) : at.note;
    const answer = await ask("note", { file_path: address, max_tokens: 50000 }, signal);
    const links = await ask("links", { note: answer.results[0].file_path, max_tokens: 50000 }, signal).catch(fault => { if (fault.name === "AbortError") throw fault; return null; });
    const titles = await titlesOf(answer.results[0].file_path, links, signal);
    if (signal.aborted) return;
    showNote(at, answer.results[0], { links, titles, isLoose: (await known).dialect !== "obsidian" });
  } catch (fault) {
    if (!signal.aborted) { closeNote(); explainFault(fault, () => openNote(at)); }
  }
}

// titlesOf asks for the titles of a note and of those around it, by their paths: the first of many, and none where that fails.
async function titlesOf(path, links, signal) {
  const parameters = new URLSearchParams({ limit: "1000", include_archived: "true" });
  const around = links ? [...links.out.map(link => link.resolved), ...links.back.map(link => link.source), ...links.related.map(note => note.path)] : [];
  for (const one of new Set([path, ...around].filter(Boolean).slice(0, mostTitles))) {
    const pattern = one.replace(/[*?[\]{}\\!]|^-/g, "?");
    if (pattern.replace(/[?/.]/g, "").length > 0 && String(parameters).length < 12000) parameters.append("path", pattern);
  }
  const list = await ask("notes", parameters, signal).catch(fault => { if (fault.name === "AbortError") throw fault; return { notes: [] }; });
  return new Map(list.notes.map(note => [note.file_path, note.title]));
}

const nameOf = path => path.replace(/^.*\//, "").replace(/\.md$/i, "");

// targetsOf gives the address for the target of a link as the note has it, by what the server says of the links: null where it leads nowhere.
function targetsOf(path, links) {
  const decode = target => { try { return decodeURIComponent(target); } catch { return target; } };
  const key = target => decode(target).normalize("NFC").toLowerCase().replace(/\.md$/, "");
  const known = new Map((links?.out || []).filter(link => link.resolved && !link.hidden && link.state !== "external").map(link => [key(plain(link.target)), link.resolved]));
  return target => {
    const at = target.indexOf("#"), name = at < 0 ? target : target.slice(0, at), part = at < 0 ? "" : "#" + decode(target.slice(at + 1));
    const note = name ? known.get(key(name)) : path;
    return note ? addressOf(lastQuery, note + (part.length > 1 ? part : "")) : null;
  };
}

function showNote(at, part, { links, titles, isLoose }) {
  const text = plain(part.text), reader = $("reader"), title = plain(titles.get(part.file_path) || nameOf(part.file_path));
  const actions = element("nav", { "aria-label": "The note" }, element("button", { type: "button", onclick: leaveNote }, "← Close"));
  if (at.from || at.note.includes("#")) actions.append(element("button", { type: "button", onclick: () => go(addressOf(lastQuery, part.file_path)) }, "Whole note"));
  known.then(state => {
    if (state.isObsidian) actions.append(element("a", { href: "obsidian://open?vault=" + encodeURIComponent(state.vault) + "&file=" + encodeURIComponent(part.file_path) }, "Open in Obsidian"));
  });
  const markdown = new Markdown({ show: text.length > longText ? text => text : marked, addressOf: targetsOf(part.file_path, links), isLoose });
  const body = element("div", { className: "note", dir: "auto" }, markdown.render(text, part.line_start <= 1));
  const first = body.querySelector(":scope > .properties")?.nextElementSibling || body.firstElementChild;
  if (first?.className === "level1" && first.textContent.trim() === title.trim()) first.remove();
  reader.replaceChildren(
    element("h2", { dir: "auto" }, title),
    element("span", { className: "where" }, plain(part.file_path) + (part.line_end ? " · " + lines(part.line_start, part.line_end) : "")),
    actions, body,
    part.truncated ? element("p", { className: "doubtful" }, "It is longer than what is shown here.") : "",
    ...(part.notices || []).map(notice => element("p", { className: "where" }, plain(notice))),
    ...(links ? linkLists(links, titles) : []));
  reader.hidden = false;
  document.body.classList.add("reading");
  reader.scrollTop = 0;
  markCurrent();
  if (isNarrow.matches) scrollTo(0, 0);
  reader.focus({ preventScroll: true });
}

function linkLists(links, titles) {
  const unique = (list, key) => [...new Map(list.map(item => [key(item), item])).values()];
  const toNote = (path, extra = "") => element("li", {}, element("a", { href: addressOf(lastQuery, path), title: plain(path), dir: "auto" }, plain(titles.get(path) || nameOf(path))), extra ? element("span", { className: "line" }, " " + extra) : "");
  const out = unique(links.out.filter(link => !link.hidden && link.state !== "external" && link.resolved !== links.note), link => link.resolved || link.target).map(link => link.resolved
    ? toNote(link.resolved) : element("li", {}, plain(link.target), element("span", { className: "doubtful" }, " leads nowhere")));
  const back = unique(links.back, link => link.source).map(link => toNote(link.source, "line " + link.line));
  const near = links.related.slice(0, 8).map(note => toNote(note.path));
  return [["Links to", out, "It links to no other note."], ["Linked from", back, "No note links to it."], ["Near to it, without a link", near, ""]].flatMap(([title, items, none]) =>
    items.length ? [element("h3", {}, title), element("ul", { className: "links" }, ...items)] : none ? [element("h3", {}, title), element("p", { className: "where" }, none)] : []);
}

function go(hash) { location.hash = hash; }

function leaveNote() {
  const at = place();
  history.pushState(null, "", addressOf(lastQuery) === "#" ? location.pathname : addressOf(lastQuery));
  closeNote();
  const last = at.note && [...document.querySelectorAll(".hit")].find(link => new URLSearchParams(link.hash.slice(1)).get("n") === at.note);
  (last || $("query")).focus();
}

async function follow() {
  const at = place();
  if (at.query !== ($("query").value.trim()) || lastQuery === null) {
    $("query").value = at.query;
    await search();
  }
  if (at.note) await openNote(at); else closeNote();
}

// --- events ---
$("query").addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(() => {
    if ($("reader").hidden === false && isNarrow.matches) closeNote();
    const query = $("query").value.trim();
    history.replaceState(null, "", query ? addressOf(query) : location.pathname);
    search();
  }, debounceMs);
});
$("form").addEventListener("submit", event => {
  event.preventDefault();
  if ($("query").value.trim() !== lastQuery) search(); else document.querySelector(".hit")?.click();
});
$("all").addEventListener("click", () => { showsAll = true; search(); });
$("door").addEventListener("submit", event => {
  event.preventDefault();
  sessionStorage.setItem("token", $("token").value.trim());
  $("token").value = "";
  start();
});
addEventListener("hashchange", follow);
addEventListener("popstate", follow);
addEventListener("keydown", event => {
  const hits = [...document.querySelectorAll(".hit")], at = hits.indexOf(document.activeElement), isTyping = document.activeElement === $("query");
  if (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping && document.activeElement.tagName !== "INPUT" || event.key === "k" && (event.ctrlKey || event.metaKey)) {
    $("query").focus(); $("query").select();
  } else if (event.key === "ArrowDown" && hits.length && (isTyping || at >= 0 || document.activeElement === document.body)) {
    hits[Math.min(at + 1, hits.length - 1)].focus();
  } else if (event.key === "ArrowUp" && at >= 0) {
    (at > 0 ? hits[at - 1] : $("query")).focus();
  } else if (event.key === "Escape" && !$("reader").hidden) {
    leaveNote();
  } else if (event.key === "Escape" && isTyping && $("query").value) {
    $("query").value = ""; $("query").dispatchEvent(new Event("input"));
  } else {
    return;
  }
  event.preventDefault();
});

async function showState() {
  try {
    const state = await ask("status", {});
    $("vault").textContent = "· " + plain(state.vault);
    document.title = plain(state.vault) + " · quarry";
    $("state").textContent = plain([count(state.notes, "note") + ", " + count(state.chunks, "passage"), state.indexing ? "the index is being brought up to date" : "",
      state.stale && !state.indexing ? count(state.stale, "file") + " changed since the last run of `quarry index`" : "", ...state.notices].filter(Boolean).join(" · "));
    const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
    return { vault: state.vault, dialect: state.dialect, isObsidian: isHere && state.dialect === "obsidian" };
  } catch {
    return {}; // what was asked beside it has told why
  }
}

function start() {
  lastQuery = null;
  known = showState();
  follow();
}
start();
