/** `memory_search` and `memory_get`, as models of the host know them. */

import { UnknownSender } from "./actor.ts";
import { CallFailed } from "./client.ts";
import type { HostContext, Tool, ToolResult } from "./host.ts";
import { CORPORA, type Corpus, type Service } from "./service.ts";

const corpus = (allowed: readonly string[]) => ({
  type: "string",
  enum: allowed,
  description: "Where to look; everything without it.",
});

export function searchTool(service: Service, context: HostContext): Tool {
  return {
    name: "memory_search",
    label: "Memory Search",
    description:
      "Search everything that is remembered: notes, facts, decisions, preferences, workspace" +
      " files and the wiki. Use it before you answer anything about people, projects, earlier" +
      " talks or how things are done. Each result has a path and a citation to quote. If it says" +
      " disabled, nothing was searched: say so, and do not conclude that nothing is known.",
    parameters: {
      type: "object",
      additionalProperties: false,
      required: ["query"],
      properties: {
        query: { type: "string", description: "What to find: a question or some words." },
        maxResults: { type: "integer", minimum: 1, maximum: 50 },
        minScore: { type: "number", minimum: 0, maximum: 1 },
        corpus: corpus(CORPORA),
      },
    },
    async execute(_id, params, signal) {
      const asked = {
        query: needed(params, "query"),
        maxResults: number(params, "maxResults"),
        minScore: number(params, "minScore"),
        corpus: corpusOf(params, CORPORA),
        signal,
      };
      try {
        return told(await service.search(context, asked));
      } catch (error) {
        return told(unavailable(error));
      }
    },
  };
}

const READABLE = ["memory", "wiki", "all"] as const;

export function getTool(service: Service, context: HostContext): Tool {
  return {
    name: "memory_get",
    label: "Memory Get",
    description:
      "Read lines of a result of memory_search: a workspace file, a wiki page or a record." +
      " Lines count from 1. Use it when a snippet is not enough.",
    parameters: {
      type: "object",
      additionalProperties: false,
      required: ["path"],
      properties: {
        path: { type: "string", description: "The path of a result." },
        from: { type: "integer", minimum: 1 },
        lines: { type: "integer", minimum: 1 },
        corpus: corpus(READABLE),
      },
    },
    async execute(_id, params) {
      const path = needed(params, "path");
      corpusOf(params, READABLE);
      const place = { path, from: number(params, "from"), lines: number(params, "lines") };
      try {
        return told(await service.read(context, place));
      } catch (error) {
        return told({ path, text: "", ...unavailable(error) });
      }
    },
  };
}

/** Return the answer where nothing could be looked up: never a plain empty list. */
export function unavailable(error: unknown): Record<string, unknown> {
  const failed = error instanceof CallFailed || error instanceof UnknownSender ? error : undefined;
  if (!failed) throw error;
  const action = failed instanceof CallFailed ? failed.action : "Ask in a chat where the sender is known.";
  return {
    results: [],
    disabled: true,
    unavailable: true,
    error: failed.message,
    warning: "Nothing was searched; do not conclude that nothing is known.",
    action,
  };
}

function told(details: unknown): ToolResult {
  return { content: [{ type: "text", text: JSON.stringify(details, null, 2) }], details };
}

function needed(params: Record<string, unknown>, name: string): string {
  const value = params[name];
  if (typeof value !== "string" || !value.trim()) throw new Error(`${name} is missing.`);
  return value;
}

function number(params: Record<string, unknown>, name: string): number | undefined {
  const value = params[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number" || !Number.isFinite(value)) throw new Error(`${name} is no number.`);
  return value;
}

function corpusOf<T extends string>(
  params: Record<string, unknown>,
  allowed: readonly T[],
): T | undefined {
  const value = params.corpus;
  if (value === undefined || value === null) return undefined;
  const found = allowed.find((name) => name === value);
  if (!found) throw new Error(`Unknown corpus; use one of ${allowed.join(", ")}.`);
  return found;
}

export type { Corpus };
