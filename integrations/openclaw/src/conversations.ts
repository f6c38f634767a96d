/** Conversations as the server's sessions: appended to as they go, closed in time. */

import { actorHeaders } from "./actor.ts";
import type { HostContext } from "./host.ts";
import { fromHost, type Message } from "./messages.ts";
import type { Service } from "./service.ts";

const AT_ONCE = 200;
const MOST_KNOWN = 500;

type Known = { id: string; sent: Set<string> };

export class Conversations {
  readonly #service: Service;
  readonly #known = new Map<string, Known>();

  constructor(service: Service) {
    this.#service = service;
  }

  /** Append what the server does not have yet. Throws CallFailed, UnknownSender. */
  async append(context: HostContext, messages: unknown): Promise<void> {
    const all = fromHost(messages);
    const known = all.length ? await this.#open(context) : undefined;
    if (!known) return;
    const waiting = all.filter((message) => !known.sent.has(message.client_id));
    for (let start = 0; start < waiting.length; start += AT_ONCE) {
      await this.#send(context, known, waiting.slice(start, start + AT_ONCE));
    }
  }

  /** Append what is left and say that the conversation is over, so that it is learned from. */
  async close(context: HostContext, messages: unknown): Promise<void> {
    await this.append(context, messages);
    const name = nameOf(context);
    const known = name ? this.#known.get(name) : undefined;
    if (!known) return;
    const headers = actorHeaders(this.#service.config, context);
    await this.#service.client.call("POST", `/api/sessions/${known.id}/close`, { headers, body: {} });
  }

  async #send(context: HostContext, known: Known, messages: Message[]): Promise<void> {
    await this.#service.client.call("POST", `/api/sessions/${known.id}/messages`, {
      headers: actorHeaders(this.#service.config, context),
      body: { messages },
    });
    for (const message of messages) known.sent.add(message.client_id);
  }

  async #open(context: HostContext): Promise<Known | undefined> {
    const name = nameOf(context);
    if (!name) return undefined;
    const there = this.#known.get(name);
    if (there) return there;
    const { agent } = this.#service.config;
    const session = await this.#service.client.call<{ id: string }>("POST", "/api/sessions", {
      headers: actorHeaders(this.#service.config, context),
      body: { conversation: name, ...(agent ? { agent } : {}) },
    });
    const known = { id: session.id, sent: new Set<string>() };
    this.#known.set(name, known);
    if (this.#known.size > MOST_KNOWN) this.#known.delete([...this.#known.keys()][0]!);
    return known;
  }
}

/** Return the host's name of the conversation: a new one after each reset. */
function nameOf(context: HostContext): string | undefined {
  return (context.sessionId ?? context.sessionKey)?.slice(0, 200);
}
