// A document with as much as the page's Markdown needs. It takes Markdown from standard input and prints the elements as lines; with
// an argument, their count and how deep they lie alone.
const escaped = text => JSON.stringify(text).slice(1, -1);
class Node {
  constructor(nodeName) { Object.assign(this, { nodeName, childNodes: [] }); }
  append(...nodes) {
    for (const node of nodes) {
      if (node?.nodeName === "FRAGMENT") this.childNodes.push(...node.childNodes.splice(0)); else this.childNodes.push(typeof node === "object" ? node : String(node));
    }
  }
  setAttribute(name, value) { this[name] = value; }
}
class Made extends Node {
  constructor(name) {
    super(name.toUpperCase());
    for (const known of ["className", "href", "rel", "target", "title", "dir", "tabIndex", "start", "type", "checked", "disabled", "open"]) this[known] = "";
  }
}
globalThis.document = { createElement: name => new Made(name), createDocumentFragment: () => new Node("FRAGMENT") };

function print(node, indent) {
  if (typeof node === "string") return indent + '"' + escaped(node) + '"\n';
  const properties = Object.entries(node).filter(([name, value]) => !["nodeName", "childNodes", "dir", "tabIndex"].includes(name) && value !== "" && value !== false);
  return indent + node.nodeName.toLowerCase() + properties.map(([name, value]) => " " + name + "=" + escaped(String(value))).join("") + "\n" + node.childNodes.map(child => print(child, indent + "  ")).join("");
}

function measure(node) {
  const found = { elements: 0, depth: 0, characters: 0, names: new Set(), targets: new Set() };
  for (const waiting = [[node, 0]]; waiting.length;) {
    const [one, depth] = waiting.pop();
    if (typeof one === "string") { found.characters += one.length; continue; }
    found.elements++;
    found.depth = Math.max(found.depth, depth);
    found.names.add(one.nodeName.toLowerCase());
    if (one.href) found.targets.add(one.href.slice(0, 12));
    for (const child of one.childNodes) waiting.push([child, depth + 1]);
  }
  return JSON.stringify({ ...found, names: [...found.names].sort(), targets: [...found.targets].sort() });
}

const text = require("node:fs").readFileSync(0, "utf8");
const addressOf = target => /^(?:clay|glaze\.md)(?:#|$)/i.test(target) ? "#n=" + encodeURIComponent(target) : null;
const made = new Markdown({ show: one => one, addressOf, isBare: process.argv.includes("bare"), isLoose: true }).render(text, true);
process.stdout.write(process.argv.includes("measure") ? measure(made) : made.childNodes.map(node => print(node, "")).join(""));
