/** What this plugin uses of the host. Structural, so that it loads in every version. */

export type Logger = {
  info(message: string): void;
  warn(message: string): void;
};

/** Where a call comes from; which of the fields are there depends on the host. */
export type HostContext = {
  agentId?: string;
  sessionKey?: string;
  sessionId?: string;
  trigger?: string;
  channel?: string;
  messageProvider?: string;
  messageChannel?: string;
  accountId?: string;
  agentAccountId?: string;
  senderId?: string;
  requesterSenderId?: string | null;
};

export type ToolResult = {
  content: Array<{ type: "text"; text: string }>;
  details: unknown;
};

export type Tool = {
  name: string;
  label: string;
  description: string;
  parameters: Record<string, unknown>;
  execute(
    toolCallId: string,
    params: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<ToolResult>;
};

export type SearchResult = {
  path: string;
  startLine: number;
  endLine: number;
  score: number;
  vectorScore?: number;
  textScore?: number;
  snippet: string;
  source: "memory" | "sessions";
  citation?: string;
};

export type ReadResult = {
  text: string;
  path: string;
  truncated?: boolean;
  from?: number;
  lines?: number;
  nextFrom?: number;
};

export type Status = {
  backend: "builtin";
  provider: string;
  files: number;
  chunks: number;
  dirty: boolean;
  sources: Array<"memory" | "sessions">;
  fts: { enabled: boolean; available: boolean };
  vector: { enabled: boolean; available: boolean };
  custom: Record<string, unknown>;
};

export type Probe = { ok: boolean; error?: string };

export type SearchManager = {
  search(
    query: string,
    options?: {
      maxResults?: number;
      minScore?: number;
      sessionKey?: string;
      sources?: string[];
      signal?: AbortSignal;
    },
  ): Promise<SearchResult[]>;
  readFile(place: { relPath: string; from?: number; lines?: number }): Promise<ReadResult>;
  status(): Status;
  sync(options?: { force?: boolean }): Promise<void>;
  probeEmbeddingAvailability(): Promise<Probe>;
  probeVectorAvailability(): Promise<boolean>;
};

export type Runtime = {
  getMemorySearchManager(params: {
    agentId: string;
  }): Promise<{ manager: SearchManager | null; error?: string }>;
  resolveMemoryBackendConfig(): { backend: "builtin" };
  authorizeSearchHits<T>(params: { hits: T[] }): Promise<T[]>;
  closeAllMemorySearchManagers(): Promise<void>;
};

export type Capability = {
  promptBuilder(params: { availableTools: Set<string> }): string[];
  flushPlanResolver(): null;
  runtime: Runtime;
};

export type HookHandler = (event: Record<string, unknown>, context: HostContext) => unknown;

export type HostApi = {
  pluginConfig?: Record<string, unknown>;
  logger: Logger;
  on(hook: string, handler: HookHandler): void;
  registerTool(
    factory: (context: HostContext) => Tool,
    options: { names: string[] },
  ): void;
  registerMemoryCapability?(capability: Capability): void;
  registerMemoryPromptSection?(builder: Capability["promptBuilder"]): void;
  registerMemoryFlushPlan?(resolver: Capability["flushPlanResolver"]): void;
  registerMemoryRuntime?(runtime: Runtime): void;
};
