/** The plugin against a real server, whose address and key are in the environment. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { actorHeaders, isShared, runOf } from "../src/actor.ts";
import { parseConfig } from "../src/config.ts";
import { fromHost } from "../src/messages.ts";
import { Host } from "./host.ts";

const { GOCLAW_URL, GOCLAW_API_KEY, GOCLAW_GATEWAY_KEY } = process.env;
const offline = !GOCLAW_URL || !GOCLAW_API_KEY;
const live = { skip: offline && "needs GOCLAW_URL and GOCLAW_API_KEY" };
const DIRECT = { sessionKey: "agent:main:main", sessionId: `s-${process.pid}` };
const GROUP = { sessionKey: "agent:main:telegram:group:-100", sessionId: `g-${process.pid}` };

async function api(path: string, body?: unknown, key = GOCLAW_API_KEY): Promise<any> {
  const answer = await fetch(`${GOCLAW_URL}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  assert.ok(answer.ok, await answer.clone().text());
  return answer.json();
}

// --- without a server -----------------------------------------------------------------

test("the manifest names the tools that are registered", () => {
  const file = new URL("../openclaw.plugin.json", import.meta.url);
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  const host = new Host({ apiKey: "gck_x" });
  assert.deepEqual([...manifest.contracts.tools].sort(), host.toolNames);
  assert.equal(manifest.kind, "memory");
  assert.deepEqual(
    Object.keys(manifest.configSchema.properties).sort(),
    Object.keys(parseConfig({ apiKey: "gck_x" })).sort(),
  );
});

test("a host before the capability gets its parts", () => {
  assert.deepEqual(new Host({ apiKey: "gck_x" }, { old: true }).parts, ["prompt", "flush", "runtime"]);
});

test("settings that make no sense are refused by name", () => {
  assert.throws(() => parseConfig({}, {}), /apiKey/);
  assert.throws(() => parseConfig({ apiKey: "k", url: "nas" }, {}), /url/);
  assert.throws(() => parseConfig({ apiKey: "k", identity: "all" }, {}), /identity/);
  assert.throws(() => parseConfig({ apiKey: "k", timeoutMs: 1 }, {}), /timeoutMs/);
  assert.equal(parseConfig({}, { GOCLAW_API_KEY: "k", GOCLAW_URL: "http://nas:8000/" }).url, "http://nas:8000");
});

test("session keys say what kind of run and conversation it is", () => {
  for (const [sessionKey, run, shared] of [
    ["agent:main:main", "chat", false],
    ["agent:main:telegram:direct:4711", "chat", false],
    ["agent:main:whatsapp:group:120@g.us", "chat", true],
    ["agent:main:discord:channel:7", "chat", true],
    ["agent:main:cron:nightly", "cron", false],
    ["cron:nightly", "cron", false],
    ["hook:github", "webhook", false],
    ["agent:group:main", "chat", false],
  ] as const) {
    assert.equal(runOf({ sessionKey }), run, sessionKey);
    assert.equal(isShared({ sessionKey }), shared, sessionKey);
  }
  assert.equal(runOf({ sessionKey: "agent:main:main", trigger: "heartbeat" }), "cron");
});

test("where senders are people, an unknown one is nobody", async () => {
  const config = parseConfig({ apiKey: "gck_x", identity: "sender" });
  const known = { sessionKey: "agent:main:main", messageChannel: "telegram", requesterSenderId: "7" };
  assert.equal(actorHeaders(config, known)["X-GoClaw-Identity"], "telegram:default:7");
  const host = new Host({ apiKey: "gck_x", identity: "sender" });
  const answer = await host.use("memory_search", { query: "x" }, { sessionKey: "agent:main:main" });
  assert.equal(answer.disabled, true);
  assert.ok(answer.action);
});

test("a service that is away is not an empty memory", async () => {
  const host = new Host({ apiKey: "gck_x", url: "http://127.0.0.1:9" });
  const answer = await host.use("memory_search", { query: "x" });
  assert.deepEqual(answer.results, []);
  assert.equal(answer.disabled, true);
  assert.equal(answer.unavailable, true);
  assert.match(answer.action, /127\.0\.0\.1:9/);
  const read = await host.use("memory_get", { path: "memory/a.md" });
  assert.equal(read.disabled, true);
  const { manager, error } = await host.manager();
  assert.equal(manager, null);
  assert.match(error, /not reachable/);
  assert.equal(await host.fire("before_prompt_build", { prompt: "hi" }, DIRECT), undefined);
  await host.fire("agent_end", { messages: [{ role: "user", content: "hi" }] }, DIRECT);
  assert.equal(host.warnings.length, 2);
});

test("an unknown corpus is refused", async () => {
  const host = new Host({ apiKey: "gck_x" });
  await assert.rejects(host.use("memory_search", { query: "x", corpus: "web" }), /corpus/);
  await assert.rejects(host.use("memory_get", { path: "x", corpus: "sessions" }), /corpus/);
  await assert.rejects(host.use("memory_search", {}), /query/);
});

test("messages of the host keep calls, results and times", () => {
  const said = fromHost([
    { role: "user", content: "What is the level?", timestamp: 1_770_000_000_000 },
    {
      role: "assistant",
      content: [
        { type: "text", text: "I look." },
        { type: "toolCall", id: "c1", name: "gauge", arguments: { at: "Steg" } },
      ],
    },
    { role: "toolResult", toolCallId: "c1", toolName: "gauge", content: [{ type: "text", text: "4.2" }] },
    { role: "user", content: [{ type: "image", data: "…" }] },
    { role: "custom", content: "x" },
    { role: "user", content: "again" },
    { role: "user", content: "again" },
  ]);
  assert.deepEqual(said.map((message) => message.role), ["user", "assistant", "tool", "user", "user"]);
  assert.equal(said[0]!.created_at, "2026-02-02T02:40:00.000Z");
  assert.deepEqual(said[1]!.tool_calls, [{ id: "c1", name: "gauge", arguments: { at: "Steg" } }]);
  assert.equal(said[2]!.tool_call_id, "c1");
  assert.equal(new Set(said.map((message) => message.client_id)).size, 5);
  assert.deepEqual(fromHost(undefined), []);
});

// --- with one ----------------------------------------------------------------------

test("what is remembered is found and read", live, async () => {
  const made = await api("/api/memory/records", { scope: "personal", content: "The quokka is called Bert." });
  const host = new Host();
  const found = await host.use("memory_search", { query: "quokka", minScore: 0 }, DIRECT);
  const hit = found.results.find((one: any) => one.path === made.id);
  assert.equal(hit.snippet, "The quokka is called Bert.");
  assert.deepEqual([hit.startLine, hit.endLine, hit.source], [1, 1, "memory"]);
  const read = await host.use("memory_get", { path: hit.citation }, DIRECT);
  assert.equal(read.text, "The quokka is called Bert.");
  const wiki = await host.use("memory_search", { query: "quokka", corpus: "wiki" }, DIRECT);
  assert.deepEqual(wiki.results, []);
});

test("a group is shown nothing personal", live, async () => {
  await api("/api/memory/records", { scope: "personal", content: "The wombat is called Tilda." });
  const host = new Host();
  const query = { query: "wombat", minScore: 0 };
  assert.equal((await host.use("memory_search", query, DIRECT)).results.length, 1);
  assert.equal((await host.use("memory_search", query, GROUP)).results.length, 0);
});

test("the manager searches, reads, syncs and reports", live, async () => {
  const { manager, error } = await new Host().manager();
  assert.equal(error, undefined);
  await manager.sync({ force: true });
  assert.ok((await manager.search("quokka", { maxResults: 1, minScore: 0 })).length <= 1);
  assert.deepEqual(await manager.readFile({ relPath: "memory/none.md", from: 1, lines: 5 }), {
    text: "",
    path: "memory/none.md",
    from: 0,
    lines: 0,
  });
  const status = manager.status();
  assert.equal(status.backend, "builtin");
  assert.equal(status.custom.known, true);
  assert.equal(typeof (await manager.probeEmbeddingAvailability()).ok, "boolean");
  assert.equal(typeof (await manager.probeVectorAvailability()), "boolean");
});

test("memory comes into the prompt", live, async () => {
  await api("/api/memory/records", { scope: "personal", content: "Bert the quokka sleeps at noon.", kind: "preference" });
  const host = new Host();
  const added = await host.fire("before_prompt_build", { prompt: "When does the quokka sleep?" }, DIRECT);
  assert.match(`${added.appendSystemContext ?? ""}${added.prependContext ?? ""}`, /sleeps at noon/);
  assert.deepEqual(host.warnings, []);
});

test("a conversation is stored once and closed before it is lost", live, async () => {
  const host = new Host();
  const first = [{ role: "user", content: "The alarm at Steg is at 4.2 m.", timestamp: 1_770_000_000_000 }];
  const all = [...first, { role: "assistant", content: "Noted.", timestamp: 1_770_000_001_000 }];
  await host.fire("agent_end", { messages: first, success: true }, DIRECT);
  await host.fire("agent_end", { messages: all, success: true }, DIRECT);
  await host.fire("before_compaction", { messageCount: 2, messages: all }, DIRECT);
  // Another process of the host, which does not know what was sent.
  await new Host().fire("before_reset", { messages: all, reason: "new" }, DIRECT);
  await host.fire("session_end", { sessionId: DIRECT.sessionId, messageCount: 2 }, { agentId: "main", ...DIRECT });
  assert.deepEqual(host.warnings, []);
  const opened = await api("/api/sessions", { conversation: DIRECT.sessionId });
  const stored = await api(`/api/sessions/${opened.id}/messages`);
  assert.deepEqual(
    stored.results.map((message: any) => message.content),
    ["The alarm at Steg is at 4.2 m.", "Noted."],
  );
  const found = await host.use("memory_search", { query: "alarm Steg", corpus: "sessions" }, DIRECT);
  assert.equal(found.results[0].source, "sessions");
});

test("a scheduled run has no conversation", live, async () => {
  const host = new Host();
  const context = { sessionKey: "agent:main:cron:nightly", sessionId: `cron-${process.pid}` };
  await host.fire("agent_end", { messages: [{ role: "user", content: "run" }] }, context);
  assert.deepEqual(host.warnings, []);
  const sessions = await api("/api/sessions");
  assert.ok(!sessions.results.some((one: any) => one.conversation === context.sessionId));
});

test("each sender has a memory of their own", { skip: offline || !GOCLAW_GATEWAY_KEY }, async () => {
  const host = new Host({ apiKey: GOCLAW_GATEWAY_KEY, identity: "sender" });
  const as = (requesterSenderId: string) => ({ ...DIRECT, messageChannel: "telegram", requesterSenderId });
  for (const sender of ["1", "2"]) {
    const added = await host.fire("before_prompt_build", { prompt: "hello" }, { ...as(sender), senderId: sender });
    assert.notEqual(added, undefined);
  }
  const found = await host.use("memory_search", { query: "quokka", minScore: 0 }, as("1"));
  assert.deepEqual(found.results, []);
});

test("a wrong key is said to be one", live, async () => {
  const answer = await new Host({ apiKey: "gck_wrong" }).use("memory_search", { query: "x" }, DIRECT);
  assert.equal(answer.disabled, true);
  assert.match(answer.action, /apiKey/);
});
