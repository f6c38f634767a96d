/** Calls of the server's REST API: one shape of failure, and never longer than allowed. */

import type { Config } from "./config.ts";

/** The server refused, or could not be reached; `action` says what would help. */
export class CallFailed extends Error {
  readonly status: number;
  readonly code: string;
  readonly action: string;

  constructor(message: string, status: number, code: string, action: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.action = action;
  }
}

export type Call = {
  headers: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
};

export class Client {
  readonly #config: Config;

  constructor(config: Config) {
    this.#config = config;
  }

  /** Return the answer's JSON. Throws CallFailed. */
  async call<T>(method: "GET" | "POST", path: string, call: Call): Promise<T> {
    const address = new URL(`${this.#config.url}${path}`);
    for (const [name, value] of Object.entries(call.query ?? {})) {
      if (value !== undefined) address.searchParams.set(name, String(value));
    }
    const timeout = AbortSignal.timeout(call.timeoutMs ?? this.#config.timeoutMs);
    const signal = call.signal ? AbortSignal.any([call.signal, timeout]) : timeout;
    let answer: Response;
    let text: string;
    try {
      answer = await fetch(address, {
        method,
        signal,
        headers: {
          ...call.headers,
          Authorization: `Bearer ${this.#config.apiKey}`,
          ...(call.body === undefined ? {} : { "Content-Type": "application/json" }),
        },
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      });
      text = await answer.text();
    } catch (error) {
      throw this.#unreachable(error);
    }
    if (!answer.ok) throw refusal(answer.status, text);
    return (text ? JSON.parse(text) : undefined) as T;
  }

  #unreachable(error: unknown): CallFailed {
    const late = error instanceof DOMException && error.name === "TimeoutError";
    return new CallFailed(
      late ? "The memory service does not answer in time." : "The memory service is not reachable.",
      0,
      late ? "timeout" : "unreachable",
      `Check that GoClaw Memory runs at ${this.#config.url}, then try again.`,
    );
  }
}

function refusal(status: number, text: string): CallFailed {
  let error: Record<string, unknown> = {};
  try {
    error = (JSON.parse(text) as { error?: Record<string, unknown> }).error ?? {};
  } catch {
    // no answer of ours: a proxy's page
  }
  const message = typeof error.message === "string" ? error.message : `HTTP ${status}`;
  const code = typeof error.code === "string" ? error.code : "error";
  const remedy = typeof error.remedy === "string" ? error.remedy : "";
  if (status === 429) {
    return new CallFailed("The memory service is busy.", status, code, remedy || "Try again in a minute.");
  }
  if (status === 401) {
    return new CallFailed(message, status, code, "Set a valid apiKey in the plugin's config.");
  }
  return new CallFailed(message, status, code, remedy || "Try again later.");
}
