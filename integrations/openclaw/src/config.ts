/** The plugin's settings, checked once. */

export type Config = {
  url: string;
  apiKey: string;
  agent: string | undefined;
  identity: "owner" | "sender";
  timeoutMs: number;
  autoRecall: boolean;
  capture: boolean;
};

/** Return the settings; address and key also come from the environment. Throws. */
export function parseConfig(
  given: Record<string, unknown> = {},
  environment: Record<string, string | undefined> = process.env,
): Config {
  const url = text(given.url) ?? environment.GOCLAW_URL ?? "http://127.0.0.1:8000";
  const apiKey = text(given.apiKey) ?? environment.GOCLAW_API_KEY ?? "";
  if (!/^https?:\/\//.test(url)) throw new Error(`url is no address: ${url}`);
  if (!apiKey) throw new Error("apiKey is missing, and so is GOCLAW_API_KEY");
  const identity = given.identity ?? "owner";
  if (identity !== "owner" && identity !== "sender") {
    throw new Error("identity is owner or sender");
  }
  const timeoutMs = given.timeoutMs ?? 15_000;
  if (typeof timeoutMs !== "number" || !(timeoutMs >= 100 && timeoutMs <= 60_000)) {
    throw new Error("timeoutMs goes from 100 to 60000");
  }
  return {
    url: url.replace(/\/+$/, ""),
    apiKey,
    agent: text(given.agent),
    identity,
    timeoutMs,
    autoRecall: given.autoRecall !== false,
    capture: given.capture !== false,
  };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() ? value.trim() : undefined;
}
