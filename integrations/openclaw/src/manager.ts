/** The search manager that the host's own commands and pages use. */

import type {
  HostContext,
  Probe,
  ReadResult,
  SearchManager,
  SearchResult,
  Status,
} from "./host.ts";
import type { Service } from "./service.ts";

type Stats = {
  index: { pending: number; indexed: number; failed: number };
  records: { total: number; by_scope: Record<string, number> };
};

export class MemoryManager implements SearchManager {
  readonly #service: Service;
  readonly #agentId: string;
  #stats: Stats | undefined;

  constructor(service: Service, agentId: string) {
    this.#service = service;
    this.#agentId = agentId;
  }

  async search(
    query: string,
    options: Parameters<SearchManager["search"]>[1] = {},
  ): Promise<SearchResult[]> {
    const onlySessions = options.sources?.length === 1 && options.sources[0] === "sessions";
    const found = await this.#service.search(this.#context(options.sessionKey), {
      query,
      maxResults: options.maxResults,
      minScore: options.minScore,
      corpus: onlySessions ? "sessions" : "all",
      signal: options.signal,
    });
    return found.results;
  }

  async readFile(place: { relPath: string; from?: number; lines?: number }): Promise<ReadResult> {
    const { relPath: path, from, lines } = place;
    return this.#service.read(this.#context(), { path, from, lines });
  }

  /** Return what is known without asking; `refresh` asks. */
  status(): Status {
    const stats = this.#stats;
    return {
      backend: "builtin",
      provider: "goclaw-memory",
      sources: ["memory", "sessions"],
      files: stats?.records.by_scope.workspace ?? 0,
      chunks: stats?.records.total ?? 0,
      dirty: (stats?.index.pending ?? 0) > 0,
      fts: { enabled: true, available: stats !== undefined },
      vector: { enabled: true, available: stats !== undefined },
      custom: { url: this.#service.config.url, known: stats !== undefined, ...stats },
    };
  }

  async refresh(): Promise<void> {
    this.#stats = await this.#service.client.call<Stats>("GET", "/api/memory/stats", {
      headers: {},
    });
  }

  async sync(options: { force?: boolean } = {}): Promise<void> {
    await this.#service.sync(this.#context(), options.force ?? false);
    await this.refresh();
  }

  async probeEmbeddingAvailability(): Promise<Probe> {
    type Readiness = { checks: { model: { ok: boolean; detail: string } } };
    try {
      const ready = await this.#service.client.call<Readiness>("GET", "/readyz", { headers: {} });
      const model = ready.checks.model;
      return model.ok ? { ok: true } : { ok: false, error: model.detail };
    } catch (error) {
      return { ok: false, error: error instanceof Error ? error.message : String(error) };
    }
  }

  async probeVectorAvailability(): Promise<boolean> {
    return (await this.probeEmbeddingAvailability()).ok;
  }

  #context(sessionKey?: string): HostContext {
    return { agentId: this.#agentId, ...(sessionKey ? { sessionKey } : {}) };
  }
}
