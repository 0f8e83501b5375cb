// Runs the scenarios of the conformance suite and the inspector against a server: check.mjs QUARRY VAULT SCENARIOS SUITE
import { spawn, spawnSync } from "node:child_process";
import { readFileSync, readdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";

const [quarry, vault, scenariosFile, suite] = process.argv.slice(2);
const bin = name => join(suite, "node_modules", ".bin", name);
const stopWithinMs = 5000, announceWithinMs = 20000, runWithinMs = 120000;
let faults = 0, passed = 0;

function fault(text) { faults++; console.log("fault: " + text); }

function readScenarios() {
  const list = { run: [], leave: new Map(), known: new Map() };
  for (const line of readFileSync(scenariosFile, "utf8").split(/\r?\n/)) {
    const [kind, name, ...rest] = line.trim().split(/\s+/);
    if (!kind || kind.startsWith("#")) continue;
    if (kind === "run") list.run.push(name);
    else if (kind === "leave" && rest.length) list.leave.set(name, rest.join(" "));
    else if (kind === "known" && rest.length > 1) list.known.set(name + " " + rest[0], rest.slice(1).join(" "));
    else fault("scenarios.txt: " + line);
  }
  return list;
}

function run(command, args) {
  const done = spawnSync(command, args, { encoding: "utf8", timeout: runWithinMs, maxBuffer: 64 << 20 });
  return { code: done.status, out: done.stdout || "", talk: (done.stderr || "") + (done.error ? String(done.error) : "") };
}

async function startServer() {
  const server = spawn(quarry, ["mcp", "--vault", vault, "--http", "127.0.0.1:0"], { stdio: ["ignore", "inherit", "pipe"] });
  let talk = "";
  const url = await new Promise((found, failed) => {
    setTimeout(() => failed(new Error("the server announced no address: " + talk)), announceWithinMs).unref();
    server.on("exit", code => failed(new Error("the server ended with " + code + ": " + talk)));
    server.stderr.on("data", text => {
      talk += text;
      const at = talk.match(/MCP at (http:\/\/\S+\/mcp)/);
      if (at) found(at[1]);
    });
  });
  return { server, url };
}

// stopServer tells the server to end as systems do, and asks that it does so in time and in order.
async function stopServer(server) {
  const started = Date.now();
  const code = await new Promise(ended => {
    server.removeAllListeners("exit");
    server.on("exit", ended);
    setTimeout(() => { server.kill("SIGKILL"); }, 2 * stopWithinMs).unref();
    server.kill("SIGTERM");
  });
  if (code !== 0 || Date.now() - started > stopWithinMs) fault(`SIGTERM: ended with ${code} after ${Date.now() - started} ms`);
}

function conformance(url, list) {
  const listed = run(bin("conformance"), ["list", "--server"]).out.split("\n").map(line => line.match(/^\s*-\s+(\S+)/)?.[1]).filter(Boolean);
  if (!listed.length) fault("the suite lists no scenarios");
  for (const name of listed) if (!list.run.includes(name) && !list.leave.has(name)) fault(`scenario ${name} is not in scenarios.txt`);
  for (const name of [...list.run, ...list.leave.keys()]) if (!listed.includes(name)) fault(`the suite has no scenario ${name}`);
  for (const [name, reason] of list.leave) console.log(`left out: ${name}: ${reason}`);
  for (const name of list.run) {
    const dir = mkdtempSync(join(suite, "results-")) // goes with the suite;
    const done = run(bin("conformance"), ["server", "--url", url, "--scenario", name, "-o", dir]);
    const results = readdirSync(dir, { recursive: true }).filter(file => file.endsWith("checks.json"));
    if (results.length !== 1) { fault(`${name}: no results: ${done.talk.slice(-500)}`); continue; }
    scenario(name, JSON.parse(readFileSync(join(dir, results[0]), "utf8")), list.known);
  }
}

function scenario(name, checks, known) {
  let good = 0;
  for (const check of checks) {
    const reason = known.get(name + " " + check.id);
    if (check.status === "SUCCESS") good++;
    if (check.status !== "FAILURE" && check.status !== "WARNING") continue;
    if (check.details?.untestable === true) console.log(`untestable: ${name}: ${check.id}`);
    else if (reason) console.log(`known: ${name}: ${check.id}: ${reason}`);
    else fault(`${name}: ${check.id}: ${check.status}: ${check.errorMessage || check.description}`);
  }
  passed += good;
  if (!good) fault(`${name}: nothing was checked`);
  console.log(`ran: ${name}: ${good} of ${checks.length} checks passed`);
}

const toolArguments = {
  obsidian_search: ["query=how do refresh tokens rotate", "limit=3"],
  obsidian_read_note: ["file_path=Backups"],
  obsidian_list_notes: ["limit=3"],
  obsidian_get_context: ["topic=refresh tokens"],
  obsidian_links: ["note=Backups"],
};
const promptArgument = "refresh tokens";

function inspector(name, target) {
  const ask = (method, ...more) => {
    const done = run(bin("inspector"), ["--cli", "--format", "json", "--method", method, ...more, ...target]);
    const talk = done.talk.split("\n").filter(line => line.trim() && !/^quarry: serving|Debugger|ExperimentalWarning/.test(line)).join("\n");
    if (done.code !== 0 || talk) { fault(`inspector, ${name}: ${method} ${more.join(" ")}: exit code ${done.code}: ${talk.slice(0, 600)}`); return {}; }
    passed++;
    try { return JSON.parse(done.out).result || {}; } catch { fault(`inspector, ${name}: ${method}: no JSON: ${done.out.slice(0, 200)}`); return {}; }
  };
  const tools = ask("tools/list", "--strict").tools || [];
  if (tools.length < Object.keys(toolArguments).length) fault(`inspector, ${name}: ${tools.length} tools`);
  for (const tool of tools) {
    if (!toolArguments[tool.name]) { fault(`no arguments for the tool ${tool.name} in check.mjs`); continue; }
    const answer = ask("tools/call", "--tool-name", tool.name, ...toolArguments[tool.name].flatMap(pair => ["--tool-arg", pair]));
    if (!answer.content?.length || !answer.structuredContent) fault(`inspector, ${name}: ${tool.name} has no content`);
  }
  const resources = ask("resources/list").resources || [];
  if (!resources.length) fault(`inspector, ${name}: no resources`);
  for (const resource of resources.slice(0, 3)) ask("resources/read", "--uri", resource.uri);
  for (const template of ask("resources/templates/list").resourceTemplates || []) ask("resources/read", "--uri", template.uriTemplate.replace(/\{[^}]*\}/, "Backups"));
  const prompts = ask("prompts/list").prompts || [];
  if (!prompts.length) fault(`inspector, ${name}: no prompts`);
  for (const prompt of prompts) {
    ask("prompts/get", "--prompt-name", prompt.name, ...(prompt.arguments || []).filter(one => one.required).flatMap(one => ["--prompt-args", `${one.name}=${promptArgument}`]));
  }
  console.log(`ran: inspector over ${name}: ${tools.length} tools, ${resources.length} resources, ${prompts.length} prompts`);
}

const list = readScenarios();
const { server, url } = await startServer();
try {
  conformance(url, list);
  inspector("HTTP", ["--transport", "http", "--server-url", url]);
  inspector("HTTP, newest revision", ["--protocol-era", "modern", "--transport", "http", "--server-url", url]);
} finally {
  await stopServer(server);
}
inspector("stdio", ["--", quarry, "mcp", "--quiet", "--vault", vault, "--db", process.env.QUARRY_DB]);
console.log(`${passed} checks and calls passed, ${faults} faults`);
process.exitCode = faults ? 1 : 0;
