/** OpenClaw plugin: the memory of a GoClaw Memory server, in the host's memory slot. */

import { Client } from "./src/client.ts";
import { parseConfig } from "./src/config.ts";
import { registerHooks } from "./src/hooks.ts";
import type { Capability, HostApi, Runtime } from "./src/host.ts";
import { MemoryManager } from "./src/manager.ts";
import { Service } from "./src/service.ts";
import { getTool, searchTool } from "./src/tools.ts";

const GUIDANCE = [
  "## Memory",
  "Before you answer anything about people, projects, earlier talks, decisions or how things" +
    " are done, search with memory_search; read more with memory_get. Cite what you use.",
  "",
];

export function register(api: HostApi): void {
  const config = parseConfig(api.pluginConfig);
  const service = new Service(config, new Client(config));
  const managers = new Map<string, MemoryManager>();
  const runtime: Runtime = {
    async getMemorySearchManager({ agentId }) {
      const manager = managers.get(agentId) ?? new MemoryManager(service, agentId);
      managers.set(agentId, manager);
      try {
        await manager.refresh();
        return { manager };
      } catch (error) {
        return { manager: null, error: error instanceof Error ? error.message : String(error) };
      }
    },
    resolveMemoryBackendConfig: () => ({ backend: "builtin" }),
    // The server shows a caller only what it may read.
    authorizeSearchHits: async ({ hits }) => hits,
    closeAllMemorySearchManagers: async () => managers.clear(),
  };
  registerCapability(api, {
    promptBuilder: ({ availableTools }) => (availableTools.has("memory_search") ? GUIDANCE : []),
    flushPlanResolver: () => null, // the server archives; no turn is spent on writing files
    runtime,
  });
  api.registerTool((context) => searchTool(service, context), { names: ["memory_search"] });
  api.registerTool((context) => getTool(service, context), { names: ["memory_get"] });
  registerHooks(api, service);
}

/** Take the memory slot; hosts before the capability know its parts only. */
function registerCapability(api: HostApi, capability: Capability): void {
  if (api.registerMemoryCapability) {
    api.registerMemoryCapability(capability);
    return;
  }
  api.registerMemoryPromptSection?.(capability.promptBuilder);
  api.registerMemoryFlushPlan?.(capability.flushPlanResolver);
  api.registerMemoryRuntime?.(capability.runtime);
}

export default {
  id: "goclaw-memory",
  name: "GoClaw Memory",
  description: "Memory, wiki and conversations of a GoClaw Memory server.",
  kind: "memory",
  register,
};
