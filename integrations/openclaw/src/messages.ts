/** The host's messages as the server takes them. Pure. */

import { createHash } from "node:crypto";

export type Message = {
  role: "user" | "assistant" | "tool";
  content: string;
  client_id: string;
  created_at?: string;
  tool_calls?: Array<{ id: string; name: string; arguments: unknown }>;
  tool_name?: string;
  tool_call_id?: string;
};

type Part = { type?: string; text?: string; id?: string; name?: string; arguments?: unknown };
type HostMessage = {
  role?: string;
  content?: string | Part[];
  timestamp?: number;
  toolCallId?: string;
  toolName?: string;
};

/**
 * Return what people, the agent and its tools said, oldest first. The `client_id` is made
 * of what was said and when, so that a message that is sent twice is stored once.
 */
export function fromHost(messages: unknown): Message[] {
  const seen = new Map<string, number>();
  const found: Message[] = [];
  for (const given of Array.isArray(messages) ? (messages as HostMessage[]) : []) {
    const message = convert(given);
    if (!message) continue;
    const said = JSON.stringify([message, given.timestamp ?? null]);
    const times = seen.get(said) ?? 0;
    seen.set(said, times + 1);
    const digest = createHash("sha256").update(`${said}#${times}`).digest("hex");
    found.push({ ...message, client_id: digest.slice(0, 32) });
  }
  return found;
}

function convert(given: HostMessage): Omit<Message, "client_id"> | undefined {
  const parts = typeof given?.content === "string" ? [{ type: "text", text: given.content }] : given?.content;
  if (!Array.isArray(parts)) return undefined;
  const content = parts
    .filter((part): part is Part & { text: string } => part.type === "text" && !!part.text)
    .map((part) => part.text)
    .join("\n");
  const when = given.timestamp ? { created_at: new Date(given.timestamp).toISOString() } : {};
  if (given.role === "user" && content) return { role: "user", content, ...when };
  if (given.role === "assistant") {
    const calls = parts
      .filter((part) => part.type === "toolCall" && part.id && part.name)
      .map((part) => ({ id: part.id!, name: part.name!, arguments: part.arguments ?? {} }));
    if (!content && !calls.length) return undefined;
    return { role: "assistant", content, ...when, ...(calls.length ? { tool_calls: calls } : {}) };
  }
  if (given.role === "toolResult" && given.toolCallId) {
    const tool = { tool_call_id: given.toolCallId, tool_name: given.toolName ?? "" };
    return { role: "tool", content, ...when, ...tool };
  }
  return undefined;
}
