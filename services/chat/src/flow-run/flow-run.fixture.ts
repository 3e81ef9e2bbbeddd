import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  createFlow,
  flowSteps,
  getFlowRun,
  shareFlow,
  startFlowRun,
  type FlowRunState,
  type FlowRunWire,
  type Principal,
  type Scope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import type { ChatInstance } from "../../test/chat-instance.ts";

export const scopeOf = (principal: Principal): Scope => ({ principal, workspace: null });
const sessionId = "6c8f4a1e-58a4-4a5c-9d28-2d7c7c0d7f01";
export const person = (userId: number, role: "admin" | "default"): Principal => ({
  kind: "user",
  userId,
  role,
  sessionId,
  provenAt: Date.now() + 3_600_000,
});

/** A server that notes what it gets. */
export class Site {
  readonly received: string[] = [];
  url = "";
  private readonly server: Server;
  /** Requests to /slow wait for it. */
  release: () => void = () => undefined;
  private gate: Promise<void> = Promise.resolve();

  constructor() {
    this.server = createServer((request, response) => {
      this.received.push(`${request.method} ${request.url}`);
      const reply = (): void => {
        if (!response.destroyed)
          response.writeHead(200, { "content-type": "application/json" }).end('{"n":1}');
      };
      if (request.url?.startsWith("/slow")) void this.gate.then(reply);
      else reply();
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((done) => this.server.listen(0, "127.0.0.1", done));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  hold(): void {
    this.gate = new Promise((resolve) => {
      this.release = resolve;
    });
  }

  count(request: string): number {
    return this.received.filter((each) => each === request).length;
  }

  async stop(): Promise<void> {
    this.release();
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}

export const start = (variables: Record<string, string> = {}) => ({
  type: "start",
  config: { variables: Object.entries(variables).map(([name, value]) => ({ name, value })) },
});
export const say = (instruction: string, resultVariable = "said") => ({
  type: "llmInstruction",
  config: { instruction, resultVariable },
});
export const call = (method: string, url: string, responseVariable = "reply") => ({
  type: "apiCall",
  config: { url, method, responseVariable },
});
export const approval = { type: "carrel-approval", id: "ok", config: { question: "Go on?" } };

/** Flows and runs of an admin, who is user 1. */
export class FlowRunClient {
  readonly admin = scopeOf(person(1, "admin"));

  constructor(private readonly chat: ChatInstance) {
    chat.fixture.hasAccounts = true;
    chat.fixture.admins.add(1);
  }

  request: ChatInstance["request"] = (operation, input, scope, key) =>
    this.chat.request(operation, input, scope, key);

  async create(steps: object[], o: { shared?: boolean; name?: string } = {}): Promise<string> {
    const { id } = await this.chat.request(
      createFlow,
      { name: o.name ?? "Flow", steps: flowSteps.parse(steps) },
      this.admin as never,
    );
    if (o.shared === true)
      await this.chat.request(shareFlow, { id, shared: true }, this.admin as never);
    return id;
  }

  async run(flowId: string, inputs: Record<string, string> = {}, as = this.admin): Promise<string> {
    const { id } = await this.chat.request(startFlowRun, { id: flowId, inputs }, as as never);
    return id;
  }

  get(id: string, as = this.admin): Promise<FlowRunWire> {
    return this.chat.request(getFlowRun, { id }, as as never);
  }

  /** Waits until the run is in the state. */
  async reach(id: string, state: FlowRunState, timeoutMs = 30_000): Promise<FlowRunWire> {
    await poll(async () => (await this.get(id)).state, { timeoutMs }).toBe(state);
    return this.get(id);
  }
}
