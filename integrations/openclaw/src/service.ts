/** What the plugin asks of the server, in the host's words. */

import { actorHeaders } from "./actor.ts";
import type { Client } from "./client.ts";
import type { Config } from "./config.ts";
import type { HostContext, ReadResult, SearchResult } from "./host.ts";

export const CORPORA = ["memory", "wiki", "all", "sessions"] as const;
export type Corpus = (typeof CORPORA)[number];

export type Found = {
  results: SearchResult[];
  mode: string;
  pending: number;
  degraded: { reason: string; action: string } | null;
};

export type Asked = {
  query: string;
  maxResults?: number | undefined;
  minScore?: number | undefined;
  corpus?: Corpus | undefined;
  signal?: AbortSignal | undefined;
};

type Hit = {
  id: string;
  path: string | null;
  line_start: number;
  line_end: number;
  score: number;
  parts: { similarity?: number | null; keyword?: number | null };
  snippet: string;
  citation: string;
};
type Message = { session: string; position: number; score: number; snippet: string };
type Passage = {
  id: string | null;
  path: string | null;
  text: string;
  line_start: number;
  line_end: number;
  total_lines: number;
};

const WIKI = ["wiki", "wikijs"];
const MEMORY = ["personal", "agent_notes", "global", "workspace", "db_cache"];
const RECORD_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export class Service {
  readonly config: Config;
  readonly client: Client;

  constructor(config: Config, client: Client) {
    this.config = config;
    this.client = client;
  }

  async search(context: HostContext, asked: Asked): Promise<Found> {
    if (asked.corpus === "sessions") return this.#searchSessions(context, asked);
    const scopes = asked.corpus === "wiki" ? WIKI : asked.corpus === "memory" ? MEMORY : [];
    type Answer = Omit<Found, "results"> & { results: Hit[] };
    const answer = await this.client.call<Answer>("POST", "/api/memory/search", {
      headers: actorHeaders(this.config, context),
      signal: asked.signal,
      body: { query: asked.query, max_results: asked.maxResults, min_score: asked.minScore, scopes },
    });
    return { ...answer, results: answer.results.map(fromHit) };
  }

  /** Read lines of a file, page or record; a missing one has no text. Lines count from 1. */
  async read(
    context: HostContext,
    place: { path: string; from?: number | undefined; lines?: number | undefined },
  ): Promise<ReadResult> {
    const path = place.path.replace(/#.*$/, "");
    const passage = await this.client.call<Passage>("GET", "/api/memory/get", {
      headers: actorHeaders(this.config, context),
      query: {
        ...(RECORD_ID.test(path) ? { id: path } : { path }),
        from: place.from,
        lines: place.lines,
      },
    });
    const goesOn = passage.line_end > 0 && passage.line_end < passage.total_lines;
    return {
      text: passage.text,
      path: passage.path ?? passage.id ?? place.path,
      from: passage.line_start,
      lines: passage.line_end ? passage.line_end - passage.line_start + 1 : 0,
      ...(goesOn ? { truncated: true, nextFrom: passage.line_end + 1 } : {}),
    };
  }

  async sync(context: HostContext, force: boolean): Promise<void> {
    await this.client.call("POST", "/api/workspace/sync", {
      headers: actorHeaders(this.config, context),
      body: { force, ...(this.config.agent ? { agent: this.config.agent } : {}) },
      timeoutMs: 60_000,
    });
  }

  async #searchSessions(context: HostContext, asked: Asked): Promise<Found> {
    type Answer = Omit<Found, "results"> & { results: Message[] };
    const answer = await this.client.call<Answer>("POST", "/api/sessions/search", {
      headers: actorHeaders(this.config, context),
      signal: asked.signal,
      body: { query: asked.query, max_results: asked.maxResults },
    });
    const found = answer.results.filter((message) => message.score >= (asked.minScore ?? 0));
    return { ...answer, results: found.map(fromMessage) };
  }
}

function fromHit(hit: Hit): SearchResult {
  return {
    path: hit.path ?? hit.id,
    startLine: hit.line_start,
    endLine: hit.line_end,
    score: hit.score,
    ...(typeof hit.parts.similarity === "number" ? { vectorScore: hit.parts.similarity } : {}),
    ...(typeof hit.parts.keyword === "number" ? { textScore: hit.parts.keyword } : {}),
    snippet: hit.snippet,
    source: "memory",
    citation: hit.citation,
  };
}

function fromMessage(message: Message): SearchResult {
  return {
    path: `sessions/${message.session}`,
    startLine: message.position,
    endLine: message.position,
    score: message.score,
    snippet: message.snippet,
    source: "sessions",
    citation: `sessions/${message.session}#${message.position}`,
  };
}
