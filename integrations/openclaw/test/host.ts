/** A host that keeps what is registered, and can be asked as the real one would. */

import { register } from "../index.ts";
import type { Capability, HookHandler, HostApi, HostContext, Tool } from "../src/host.ts";

export class Host {
  readonly warnings: string[] = [];
  readonly hooks = new Map<string, HookHandler>();
  readonly #tools = new Map<string, (context: HostContext) => Tool>();
  capability: Capability | undefined;
  readonly parts: string[] = [];

  constructor(config: Record<string, unknown> = {}, { old = false } = {}) {
    const api: HostApi = {
      pluginConfig: config,
      logger: { info: () => {}, warn: (message) => this.warnings.push(message) },
      on: (hook, handler) => this.hooks.set(hook, handler),
      registerTool: (factory, { names }) => this.#tools.set(names[0]!, factory),
    };
    if (old) {
      api.registerMemoryPromptSection = () => this.parts.push("prompt");
      api.registerMemoryFlushPlan = () => this.parts.push("flush");
      api.registerMemoryRuntime = () => this.parts.push("runtime");
    } else {
      api.registerMemoryCapability = (capability) => {
        this.capability = capability;
      };
    }
    register(api);
  }

  get toolNames(): string[] {
    return [...this.#tools.keys()].sort();
  }

  tool(name: string, context: HostContext = {}): Tool {
    return this.#tools.get(name)!(context);
  }

  async use(name: string, params: Record<string, unknown>, context: HostContext = {}): Promise<any> {
    const answer = await this.tool(name, context).execute("call-1", params);
    return answer.details;
  }

  async fire(hook: string, event: Record<string, unknown>, context: HostContext = {}): Promise<any> {
    return this.hooks.get(hook)!(event, context);
  }

  async manager(): Promise<any> {
    const runtime = this.capability!.runtime as any;
    return runtime.getMemorySearchManager({ cfg: {}, agentId: "main" });
  }
}
