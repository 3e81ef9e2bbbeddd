import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  confirmPlugin,
  createFlow,
  decideStep,
  flowSteps,
  instancePrincipal,
  togglePlugin,
  type PluginPermissions,
  type Principal,
  type RunStep,
  type WorkspaceScope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { stepsOf } from "../../test/agent-tools.ts";
import { ChatInstance } from "../../test/chat-instance.ts";
import { installFiles, pluginFiles } from "../../test/plugin-files.ts";
import type { ReceivedFrame } from "../../test/received-frame.ts";

const scope = { principal: instancePrincipal, workspace: null } as never;
const member: Principal = { kind: "user", userId: 7, role: "default" };

let chat: ChatInstance;
let host = "";
const received: string[] = [];
/** Ends the request that waits. */
let release: () => void = () => undefined;
const server = createServer((request, response) => {
  received.push(`${request.method} ${request.url}`);
  if (request.url === "/slow") release = () => response.end("late");
  else response.end("31 degrees");
});
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  chat = await ChatInstance.start();
  await chat.startReplica({ CARREL_LINK_ALLOW: "127.0.0.1" });
  chat.fixture.agents = { ...chat.fixture.agents, skills: [], rules: {} };
  await chat.tellAgentSettings();
});
afterAll(async () => {
  await chat?.stop();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});
beforeEach(() => {
  received.length = 0;
});

async function add(
  hubId: string,
  code: string,
  permissions: Partial<PluginPermissions> = {},
  manifest: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const { hash } = await installFiles(chat, scope, pluginFiles({ hubId, code, manifest }));
  await chat.request(
    confirmPlugin,
    { hubId, hash, permissions: { hosts: [], storage: false, secrets: [], ...permissions } },
    scope,
  );
  await chat.request(togglePlugin, { hubId, active: true }, scope);
}

const agents = (principal: Principal = instancePrincipal): WorkspaceScope =>
  chat.as(chat.addWorkspace({ chatMode: "automatic" }), principal);
interface Offered {
  name: string;
  description: string;
  parameters: unknown;
}
async function offered(toolSwitches: Record<string, boolean> = {}): Promise<Offered[]> {
  chat.llm.next({ reply: "Hello." });
  await chat.ask(agents(member), "Hi?", { overrides: { toolSwitches } });
  const { tools = [] } = chat.llm.requests.at(-1)!.body as { tools?: { function: Offered }[] };
  return tools.map((tool) => tool.function);
}
const names = async (switches?: Record<string, boolean>): Promise<string[]> =>
  (await offered(switches)).map(({ name }) => name);
const isWaiting = ({ frame }: ReceivedFrame): boolean =>
  frame.type === "generationStep" && (frame.step as RunStep).state === "waiting";

describe("plugins as tools of agents", () => {
  it("have the name of their hubId, their parameters and examples", async () => {
    await add(
      "get_weather",
      'return "warm"',
      {},
      {
        examples: [{ prompt: "How warm is it?", call: '{"city":"Rome"}' }],
        entrypoint: {
          file: "handler.js",
          params: {
            city: { description: "Where", type: "string" },
            days: { type: "number", description: "" },
            unit: { type: "string", enum: ["C", "F"] },
          },
        },
      },
    );
    const found = (await offered()).find(({ name }) => name === "get_weather");
    expect(found).toEqual({
      name: "get_weather",
      description: 'Describes get_weather.\nExamples:\n- How warm is it?: {"city":"Rome"}',
      parameters: {
        type: "object",
        properties: {
          city: { type: "string", description: "Where" },
          days: { type: "number" },
          unit: { type: "string", enum: ["C", "F"] },
        },
        additionalProperties: false,
      },
    });
    // A flow of the same name gives way.
    await chat.request(
      createFlow,
      {
        name: "Get weather",
        steps: flowSteps.parse([{ type: "start", config: { variables: [] } }]),
      },
      scope,
    );
    expect((await names()).filter((name) => name.startsWith("get_weather"))).toEqual([
      "get_weather",
    ]);
  });

  it("are switched off for all, for a thread, or by a rule", async () => {
    await add("switched", 'return ""');
    expect(await names()).toContain("switched");
    expect(await names({ "@@switched": false })).not.toContain("switched");
    chat.fixture.agents = { ...chat.fixture.agents, rules: { "@@switched": "forbid" } };
    await chat.tellAgentSettings();
    expect(await names()).not.toContain("switched");
    chat.fixture.agents = { ...chat.fixture.agents, rules: {} };
    await chat.tellAgentSettings();
    await chat.request(togglePlugin, { hubId: "switched", active: false }, scope);
    expect(await names()).not.toContain("switched");
  });

  it("run, show what they do, and taint the run with what they return", async () => {
    await add(
      "lookup",
      'this.introspect("Looking it up"); return "The code is 17 in " + input.city;',
    );
    await add("noting", "await this.storage.set('city', input.city); return 'noted'", {
      storage: true,
    });
    chat.llm.next({ toolCalls: [{ name: "lookup", input: { city: "Rome" } }] });
    chat.llm.next({ toolCalls: [{ name: "noting", input: { city: "17" } }] });
    chat.llm.next({ reply: "It is 17." });
    const asker = agents(member);
    const { generationId } = await chat.start(asker, "What is the code?");
    const waiting = await chat.read(generationId, { until: isWaiting });
    expect(stepsOf(waiting)).toMatchObject([
      {
        tool: "lookup",
        skill: "@@lookup",
        state: "done",
        object: "Rome",
        result: "The code is 17 in Rome",
        approval: null,
      },
      {
        tool: "noting",
        approval: {
          reason: "untrusted",
          destination: null,
          details: [{ label: "city", value: "17" }],
        },
      },
    ]);
    const decision = { id: generationId, step: 2, decision: "once" } as const;
    await chat.request(decideStep, decision, asker);
    expect(stepsOf(await chat.read(generationId))).toMatchObject([
      { state: "done" },
      { state: "done", result: "noted" },
    ]);
  });

  it("send only once the person has approved it, with its hosts", async () => {
    const code = `this.introspect("Asking the station"); return (await fetch("http://${host}/slow")).text();`;
    await add("station", code, { hosts: [host] });
    chat.llm.next({ toolCalls: [{ name: "station", input: { city: "Oslo" } }] });
    chat.llm.next({ reply: "31." });
    const asker = agents();
    const { generationId } = await chat.start(asker, "How warm is it in Oslo?");
    const [step] = stepsOf(await chat.read(generationId, { until: isWaiting }));
    expect(step!.approval).toMatchObject({
      reason: "outside",
      destination: host,
      details: [{ label: "city", value: "Oslo" }],
    });
    expect(received).toEqual([]);
    const decision = { id: generationId, step: 1, decision: "once" } as const;
    await chat.request(decideStep, decision, asker);
    const running = await chat.read(generationId, {
      until: ({ frame }) =>
        frame.type === "generationStep" && (frame.step as RunStep).note === "Asking the station",
    });
    expect(stepsOf(running)).toMatchObject([{ state: "running" }]);
    await poll(() => received).toEqual(["GET /slow"]);
    release();
    expect(stepsOf(await chat.read(generationId))).toMatchObject([
      { state: "done", result: "late", note: null },
    ]);
  });

  it("fail alone: the model is told, and answers", async () => {
    await add("failing", "throw new Error('no such station')");
    chat.llm.next({ toolCalls: [{ name: "failing", input: {} }] });
    chat.llm.next({ reply: "I don't know." });
    const { frames } = await chat.ask(agents(), "How warm is it?");
    expect(stepsOf(frames)).toMatchObject([
      {
        state: "failed",
        fault: {
          code: "plugin.failed",
          params: { plugin: "The failing", reason: "Error: no such station" },
        },
      },
    ]);
  });
});
