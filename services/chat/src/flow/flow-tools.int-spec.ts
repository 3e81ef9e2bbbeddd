import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  answerStep,
  createFlow,
  decideStep,
  flowSteps,
  instancePrincipal,
  saveLegacyFlow,
  shareFlow,
  toggleFlow,
  type Principal,
  type RunStep,
  type WorkspaceScope,
} from "@carrel/contracts";
import { stepsOf } from "../../test/agent-tools.ts";
import { ChatInstance } from "../../test/chat-instance.ts";
import { textOf } from "../../test/received-frame.ts";

const member: Principal = { kind: "user", userId: 7, role: "default" };
const scope = { principal: instancePrincipal, workspace: null } as never;

let chat: ChatInstance;
let site = "";
const received: string[] = [];
const server = createServer((request, response) => {
  received.push(`${request.method} ${request.url}`);
  response.writeHead(200, { "content-type": "application/json" }).end('{"max":31}');
});
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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

const agents = (principal: Principal = instancePrincipal): WorkspaceScope =>
  chat.as(chat.addWorkspace({ chatMode: "automatic" }), principal);
interface Offered {
  function: { name: string; description: string; parameters: unknown };
}
async function offered(
  as: Principal = instancePrincipal,
  toolSwitches: Record<string, boolean> = {},
): Promise<Offered["function"][]> {
  chat.llm.next({ reply: "Hello." });
  await chat.ask(agents(as), "Hi?", { overrides: { toolSwitches } });
  const { tools } = chat.llm.requests.at(-1)!.body as { tools: Offered[] };
  return tools.map((tool) => tool.function);
}
const named = async (...o: Parameters<typeof offered>): Promise<string[]> =>
  (await offered(...o)).map(({ name }) => name);

const create = (name: string, steps: object[]) =>
  chat.request(
    createFlow,
    { name, description: `About ${name}.`, steps: flowSteps.parse(steps) },
    scope,
  );
const start = {
  type: "start",
  config: { variables: [{ name: "city", value: "Rome", description: "Where" }] },
};
const weather = (more: object = {}) => ({
  type: "apiCall",
  config: { url: `${site}/\${city}`, responseVariable: "weather", ...more },
});

describe("flows as tools of agents", () => {
  it("are everyone's if an existing client saved them, until they are switched off", async () => {
    const { flow } = await chat.request(
      saveLegacyFlow,
      { name: "Get weather", config: { description: "Tells it.", steps: [start, weather()] } },
      scope,
    );
    const { uuid } = flow;
    const found = (await offered(member)).find(({ name }) => name === "get_weather")!;
    expect(found).toMatchObject({
      description: "Tells it.",
      parameters: {
        properties: { city: { type: "string", description: "Where", default: "Rome" } },
      },
    });
    expect(await named(member, { [`@@flow_${uuid}`]: false })).not.toContain("get_weather");
    await chat.request(toggleFlow, { id: uuid, active: false }, scope);
    expect(await named(instancePrincipal)).not.toContain("get_weather");
  });

  it("are the admins' until they are shared, with names of their own", async () => {
    const { id } = await create("Two words", [start]);
    await create("Two, words!", [start]);
    expect(await named()).toEqual(expect.arrayContaining(["two_words", "two_words_2"]));
    expect(await named(member)).not.toContain("two_words");
    await chat.request(shareFlow, { id, shared: true }, scope);
    const theirs = await named(member);
    expect(theirs).toContain("two_words");
    expect(theirs).not.toContain("two_words_2");
    chat.fixture.agents = { ...chat.fixture.agents, rules: { [`@@flow_${id}`]: "forbid" } };
    await chat.tellAgentSettings();
    expect(await named(member)).not.toContain("two_words");
    chat.fixture.agents = { ...chat.fixture.agents, rules: {} };
    await chat.tellAgentSettings();
  });

  it("run, and the model answers with what they return", async () => {
    await create("City weather", [start, weather()]);
    chat.llm.next({ toolCalls: [{ name: "city_weather", input: { city: "Oslo" } }] });
    chat.llm.next({ reply: "31 degrees." });
    const { frames } = await chat.ask(agents(), "How warm is it in Oslo?");
    expect(received).toEqual(["GET /Oslo"]);
    expect(stepsOf(frames)).toMatchObject([
      {
        tool: "city_weather",
        skill: expect.stringMatching(/^@@flow_/),
        state: "done",
        object: "City weather",
        result: 'weather:\n{"max":31}',
      },
    ]);
    expect(JSON.stringify(chat.llm.requests.at(-1)!.body)).toContain("max");
  });

  it("write a direct output as the answer, and end the run", async () => {
    const direct = {
      type: "carrel-transform",
      config: { input: "It is [3] **${city}**.", directOutput: true },
    };
    await create("Say it", [start, direct]);
    chat.llm.next({ reply: "One moment.", toolCalls: [{ name: "say_it", input: {} }] });
    const before = chat.llm.requests.length;
    const { frames } = await chat.ask(agents(), "Say it.");
    expect(textOf(frames)).toBe("One moment.\n\nIt is [3] **Rome**.");
    expect(chat.llm.requests).toHaveLength(before + 1);
    expect(stepsOf(frames)).toMatchObject([{ tool: "say_it", state: "done" }]);
  });

  it.each([
    ["Yes", ["POST /Rome"], "done"],
    ["No", [], "failed"],
  ])("ask the person: %s", async (answer, requests, state) => {
    const name = `Book ${answer}`;
    const approval = {
      type: "carrel-approval",
      title: "Check",
      config: { question: "Book ${city}?", details: "It costs money." },
    };
    await create(name, [start, approval, weather({ method: "POST" })]);
    const tool = name.toLowerCase().replace(" ", "_");
    chat.llm.next({ toolCalls: [{ name: tool, input: {} }] });
    chat.llm.next({ reply: "Well." });
    const asker = agents();
    const { generationId } = await chat.start(asker, "Book it.");
    const waiting = await chat.read(generationId, {
      until: ({ frame }) =>
        frame.type === "generationStep" && (frame.step as RunStep).state === "waiting",
    });
    expect(stepsOf(waiting)[0]!.form!.questions).toMatchObject([
      { kind: "choice", question: "Book Rome?\n\nIt costs money.", options: ["Yes", "No"] },
    ]);
    expect(received).toEqual([]);
    await chat.request(answerStep, { id: generationId, step: 1, answers: [answer] }, asker);
    const frames = await chat.read(generationId);
    expect(received).toEqual(requests);
    expect(stepsOf(frames)).toMatchObject([{ state }]);
  });

  it("show where they send what, once the run has read content of others", async () => {
    await create("Tell", [start, weather({ method: "POST", body: '{"to":"${city}"}' })]);
    await create("Look", [start, { type: "apiCall", config: { url: `${site}/constant` } }]);
    chat.llm.next({ toolCalls: [{ name: "look", input: {} }] });
    chat.llm.next({ toolCalls: [{ name: "tell", input: { city: "Oslo" } }] });
    chat.llm.next({ reply: "I couldn't." });
    const asker = agents();
    const { generationId } = await chat.start(asker, `Look at ${site}/constant and tell.`);
    const waiting = await chat.read(generationId, {
      until: ({ frame }) =>
        frame.type === "generationStep" && (frame.step as RunStep).state === "waiting",
    });
    const step = stepsOf(waiting).at(-1)!;
    expect(step).toMatchObject({
      tool: "tell",
      approval: {
        reason: "untrusted",
        destination: `${site}/`,
        details: [
          {
            label: "API call",
            value: `POST ${site}/Oslo\ncontent-type: ••••••••\n\n{"to":"Oslo"}`,
          },
        ],
      },
    });
    const decision = { id: generationId, step: step.id, decision: "denied" } as const;
    await chat.request(decideStep, decision, asker);
    await chat.read(generationId);
    expect(received).toEqual(["GET /constant"]);
  });
});
