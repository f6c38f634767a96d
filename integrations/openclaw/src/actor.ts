/** On whose behalf a call is made: what the host knows, as the server's headers. */

import type { Config } from "./config.ts";
import type { HostContext } from "./host.ts";

/** Nobody can be named who the call would act for; it is not made as somebody else. */
export class UnknownSender extends Error {}

/**
 * Return the headers of a call. Throws UnknownSender where every sender is a person of
 * their own and the host does not say who this is.
 */
export function actorHeaders(config: Config, context: HostContext): Record<string, string> {
  const run = runOf(context);
  const headers: Record<string, string> = {
    "X-GoClaw-Run": run,
    "X-GoClaw-Conversation": isShared(context) ? "shared" : "direct",
  };
  if (config.identity === "sender" && run === "chat") {
    const channel = context.messageChannel ?? context.channel ?? context.messageProvider;
    const account = context.agentAccountId ?? context.accountId ?? "default";
    const sender = context.requesterSenderId ?? context.senderId;
    if (!channel || !sender) throw new UnknownSender("The host does not say who is speaking.");
    headers["X-GoClaw-Identity"] = `${channel}:${account}:${sender}`;
  }
  return headers;
}

/** Return the kind of run: `cron` for what nobody asked for, `webhook` for outside input. */
export function runOf(context: HostContext): "chat" | "cron" | "webhook" {
  const parts = partsOf(context);
  if (context.trigger === "webhook" || parts.includes("hook")) return "webhook";
  if (context.trigger === "cron" || context.trigger === "heartbeat") return "cron";
  return parts.includes("cron") ? "cron" : "chat";
}

/** Say whether more than one person may read the conversation. */
export function isShared(context: HostContext): boolean {
  const parts = partsOf(context);
  return parts.includes("group") || parts.includes("channel") || parts.includes("room");
}

/** Return the words of a session key that say where it is: `agent:<id>:<channel>:<kind>:…`. */
function partsOf(context: HostContext): string[] {
  const parts = (context.sessionKey ?? "").toLowerCase().split(":");
  return parts[0] === "agent" ? parts.slice(2, 4) : parts.slice(0, 2);
}
