/** What happens by itself: recall before a prompt, capture after a turn, flush in time. */

import { actorHeaders, runOf } from "./actor.ts";
import { Conversations } from "./conversations.ts";
import type { HostApi, HostContext } from "./host.ts";
import type { Service } from "./service.ts";

const RECALL_WITHIN_MS = 5_000;

export function registerHooks(api: HostApi, service: Service): void {
  const { config } = service;
  if (config.autoRecall) {
    api.on("before_prompt_build", (event, context) => recall(api, service, event, context));
  }
  if (!config.capture) return;
  const conversations = new Conversations(service);
  const whenever = (work: (context: HostContext, messages: unknown) => Promise<void>) =>
    async (event: Record<string, unknown>, context: HostContext) => {
      if (runOf(context) !== "chat") return; // nobody's conversation
      try {
        await work({ ...keysOf(event), ...context }, event.messages);
      } catch (error) {
        api.logger.warn(`goclaw-memory: a conversation was not stored: ${reason(error)}`);
      }
    };
  api.on("agent_end", whenever((context, messages) => conversations.append(context, messages)));
  for (const hook of ["before_reset", "before_compaction", "session_end"]) {
    api.on(hook, whenever((context, messages) => conversations.close(context, messages)));
  }
}

/** Return what the server puts into the prompt; a turn never waits long or fails for it. */
async function recall(
  api: HostApi,
  service: Service,
  event: Record<string, unknown>,
  context: HostContext,
): Promise<Record<string, string> | undefined> {
  type Memory = { session: string; message: string };
  const { agent } = service.config;
  try {
    const memory = await service.client.call<Memory>("POST", "/api/memory/context", {
      headers: actorHeaders(service.config, context),
      body: { message: String(event.prompt ?? ""), ...(agent ? { agent } : {}) },
      timeoutMs: Math.min(RECALL_WITHIN_MS, service.config.timeoutMs),
    });
    return {
      ...(memory.session ? { appendSystemContext: memory.session } : {}),
      ...(memory.message ? { prependContext: memory.message } : {}),
    };
  } catch (error) {
    api.logger.warn(`goclaw-memory: nothing was recalled: ${reason(error)}`);
    return undefined;
  }
}

function keysOf(event: Record<string, unknown>): HostContext {
  const { sessionId, sessionKey } = event;
  return {
    ...(typeof sessionId === "string" ? { sessionId } : {}),
    ...(typeof sessionKey === "string" ? { sessionKey } : {}),
  };
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
