import { flowSteps } from "@carrel/contracts";
import { createContentClient } from "@carrel/egress";
import { afterAll, describe, expect, it } from "@jest/globals";
import { closeCodeInterpreter } from "../code-interpreter/run-code.ts";
import { testCall } from "../test-call.fixture.ts";
import type { FlowPorts } from "./block.ts";
import { listRequests } from "./flow-reach.ts";
import { FlowSecrets } from "./flow-secrets.ts";
import { createFlowTool, flowToolName } from "./flow-tool.ts";
import { noCredentials } from "./no-credentials.fixture.ts";
import { runFlow, type FlowOptions } from "./run-flow.ts";

afterAll(() => closeCodeInterpreter());

const ports: FlowPorts = {
  content: createContentClient(),
  model: {
    contextWindow: 8_000,
    ask: ({ text }) => Promise.resolve(`<${text}>`),
  },
  search: null,
  approve: () => Promise.resolve(true),
  admit: () => Promise.resolve(true),
  secrets: new FlowSecrets(noCredentials),
  findFlow: () => Promise.resolve(null),
};
const run = (steps: unknown[], more: Partial<FlowOptions> = {}) =>
  runFlow({
    flowId: null,
    steps: flowSteps.parse(steps),
    inputs: {},
    ports,
    signal: new AbortController().signal,
    ...more,
  });
const start = (variables: object) => ({
  type: "start",
  config: { variables: Object.entries(variables).map(([name, value]) => ({ name, value })) },
});
const say = (instruction: string, resultVariable = "", more: object = {}) => ({
  type: "llmInstruction",
  config: { instruction, resultVariable, ...more },
});
const loop = (config: object) => ({ type: "carrel-loop", config });
const when = (left: string, operator: string, right: string) => ({
  type: "carrel-condition",
  config: { left, operator, right, then: [say("yes", "r")], otherwise: [say("no", "r")] },
});

describe("a flow", () => {
  it("runs its blocks in order, with defaults for what isn't given", async () => {
    const steps = [start({ a: "1", b: "2" }), say("${a}${b}", "x"), say("${x}!", "y")];
    const outcome = await run(steps, { inputs: { b: "3" } });
    expect(outcome.variables).toEqual({ a: "1", b: "3", x: "<13>", y: "<<13>!>" });
    expect(outcome.output).toBe("<<13>!>");
    expect(outcome.steps.map(({ type, state }) => [type, state])).toEqual([
      ["start", "done"],
      ["llmInstruction", "done"],
      ["llmInstruction", "done"],
    ]);
  });

  it("returns its last result, or for a model those that blocks store", async () => {
    expect((await run([say("a"), say("b")])).output).toBe("<b>");
    expect((await run([say("a", "x"), say("b")], { returns: "all" })).output).toBe("x:\n<a>");
  });

  it("ends with the first direct output", async () => {
    const steps = [say("a"), say("b", "", { directOutput: true }), say("c")];
    const outcome = await run(steps);
    expect(outcome).toMatchObject({ output: "<b>", isDirect: true });
    expect(outcome.steps.map(({ state }) => state)).toEqual(["done", "done", "skipped"]);
  });

  it("starts from a block, with the variables of a run before", async () => {
    const steps = [say("a", "x"), { ...say("${x}", "y"), id: "second" }];
    const outcome = await run(steps, { from: "second", variables: { x: "kept" } });
    expect(outcome.variables).toEqual({ x: "kept", y: "<kept>" });
    expect(outcome.steps.map(({ state }) => state)).toEqual(["skipped", "done"]);
    expect((await run(steps, { from: "none" })).error?.fault?.code).toBe("flow.step-not-found");
  });

  it("starts within the branch of a condition, and continues after it", async () => {
    const branch = [say("a", "a"), { ...say("b ${x}", "b"), id: "inner" }];
    const steps = [
      say("first", "first"),
      {
        type: "carrel-condition",
        config: { left: "1", operator: "equals", right: "1", then: [say("no")], otherwise: branch },
      },
      say("last", "last"),
    ];
    const outcome = await run(steps, { from: "inner", variables: { x: "kept" } });
    expect(outcome.variables).toEqual({ x: "kept", b: "<b kept>", last: "<last>" });
    expect(outcome.steps.map(({ state }) => state)).toEqual([
      "skipped",
      "skipped",
      "done",
      "done",
      "done",
    ]);
  });

  it("starts at the loop that holds the block", async () => {
    const inner = { ...say("${item}", "x"), id: "inner" };
    const steps = [say("first"), loop({ list: "[1,2]", steps: [inner], resultVariable: "all" })];
    const outcome = await run(steps, { from: "inner" });
    expect(outcome.variables.all).toEqual(["<1>", "<2>"]);
    expect(outcome.steps[0]?.state).toBe("skipped");
  });

  it("ends if a person doesn't agree", async () => {
    const asked: string[][] = [];
    const steps = [
      start({ n: "3" }),
      { type: "carrel-approval", title: "Check", config: { question: "Send ${n}?", details: "d" } },
      say("sent", "x"),
    ];
    const approve = (isAgreed: boolean) => (question: string, details: string) => {
      asked.push([question, details]);
      return Promise.resolve(isAgreed);
    };
    const denied = await run(steps, { ports: { ...ports, approve: approve(false) } });
    expect(denied.error?.message).toBe("Check wasn't approved, so the flow ended.");
    expect(denied.steps.at(-1)).toMatchObject({ state: "denied", title: "Check" });
    expect(denied.variables).not.toHaveProperty("x");
    const agreed = await run(steps, { ports: { ...ports, approve: approve(true) } });
    expect(agreed.variables.x).toBe("<sent>");
    expect(asked).toEqual([
      ["Send 3?", "d"],
      ["Send 3?", "d"],
    ]);
  });
});

describe("conditions and loops", () => {
  it.each([
    ["a", "equals", "a", true],
    ["10", "equals", "10.0", true],
    ["a", "not-equals", "b", true],
    ["abc", "contains", "b", true],
    ['["x","y"]', "contains", "y", true],
    ["abc", "not-contains", "b", false],
    ["10", "greater", "9", true],
    ["2026-02-01", "less", "2026-10-01", true],
    ["", "greater", "-1", false],
    ["${nobody}", "is-empty", "", true],
    ["[]", "is-empty", "", true],
    ["0", "is-not-empty", "", true],
  ])("%s %s %s: %s", async (left, operator, right, holds) => {
    expect((await run([when(left, operator, right)])).variables.r).toBe(holds ? "<yes>" : "<no>");
  });

  it("collect each round's last result, and give the variable back", async () => {
    const outcome = await run(
      [
        loop({
          list: "${items}",
          itemVariable: "one",
          steps: [say("first"), say("${one.n}", "last")],
          resultVariable: "all",
          maxItems: 2,
        }),
      ],
      { variables: { items: [{ n: 1 }, { n: 2 }, { n: 3 }], one: "before" } },
    );
    expect(outcome.variables).toMatchObject({ all: ["<1>", "<2>"], one: "before", last: "<2>" });
  });

  it("need a list", async () => {
    const { error } = await run([{ ...loop({ list: "no" }), title: "Each" }]);
    expect(error?.message).toBe("Each needs a list, but got something else.");
  });
});

describe("limits", () => {
  it("of time", async () => {
    const ask = ({ signal }: { signal: AbortSignal }) =>
      new Promise<string>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error));
      });
    const waiting = { ...ports, model: { contextWindow: 8_000, ask } };
    const outcome = await run([say("x")], { ports: waiting, milliseconds: 30 });
    expect(outcome.error?.fault?.code).toBe("flow.timed-out");
    const approve = () => new Promise<boolean>((done) => setTimeout(() => done(true), 400));
    const asks = { type: "carrel-approval", config: { question: "?" } };
    const asked = await run([asks, start({})], { ports: { ...ports, approve }, milliseconds: 200 });
    expect(asked.error).toBeNull();
    const stop = new AbortController();
    const running = run([say("x")], { ports: waiting, signal: stop.signal });
    stop.abort(new Error("stopped"));
    await expect(running).rejects.toThrow("stopped");
  });

  it("of what variables hold", async () => {
    const ask = () => Promise.resolve("x".repeat(600_000));
    const large = { ...ports, model: { contextWindow: 8_000, ask } };
    const { error } = await run([say("a", "x"), { ...say("b", "y"), title: "Second" }], {
      ports: large,
    });
    expect(error?.message).toBe(
      "Second returned too much: a flow's variables can have at most 1 MB.",
    );
  });

  it("of rounds within rounds", async () => {
    const items = Array.from({ length: 100 }, (_, n) => n);
    const inner = loop({ list: "${items}", steps: [start({})] });
    const { error, steps } = await run([loop({ list: "${items}", steps: [inner] })], {
      variables: { items },
    });
    expect(error?.fault).toMatchObject({
      code: "flow.too-many-rounds",
      params: { limit: 5_000 },
    });
    expect(steps.length).toBeLessThanOrEqual(500);
  });

  it("of flows that run themselves", async () => {
    const again = { type: "carrel-flow", config: { flowId: "self", inputs: [] } };
    const self = flowSteps.parse([again]);
    const { error } = await run([again], {
      ports: { ...ports, findFlow: () => Promise.resolve({ name: "Self", steps: self }) },
    });
    expect(error?.message).toContain("at most 5 levels deep");
  });
});

describe("a flow in a flow", () => {
  it("has variables of its own, and its direct output is the result", async () => {
    const inner = flowSteps.parse([
      start({ who: "nobody" }),
      say("Hi ${who}${secret}", "x", { directOutput: true }),
      say("never", "z"),
    ]);
    const findFlow = (id: string) =>
      Promise.resolve(id === "one" ? { name: "One", steps: inner } : null);
    const call = (flowId: string) => ({
      type: "carrel-flow",
      config: {
        flowId,
        inputs: [{ name: "who", value: "${name}" }],
        resultVariable: "greeting",
      },
    });
    const steps = [start({ name: "Ada", secret: "s" }), call("one"), say("${greeting}", "y")];
    const { variables } = await run(steps, { ports: { ...ports, findFlow } });
    expect(variables).toEqual({
      name: "Ada",
      secret: "s",
      greeting: "<Hi Ada${secret}>",
      y: "<<Hi Ada${secret}>>",
    });
    const missing = await run([call("two")], { ports: { ...ports, findFlow } });
    expect(missing.error?.message).toBe("Flow failed: This flow doesn't exist.");
  });
});

describe("a flow as a tool", () => {
  const id = "0b2c6bb4-1d0a-4c59-9a5e-5d2f0f3f6c10";
  const toolOf = (steps: unknown[], find = (_: string) => null as never) =>
    createFlowTool(
      { id, name: "Weather", description: "Tells the weather.", steps: flowSteps.parse(steps) },
      "weather",
      { ...ports, find, credentials: noCredentials },
    );
  const api = (config: object) => ({
    type: "apiCall",
    config: { url: "https://a.example", ...config },
  });

  it.each([
    ["Get the Weather!", "get_the_weather"],
    ["Überblick", "uberblick"],
    ["天气", "flow_0b2c6bb4"],
    ["x".repeat(80), "x".repeat(64)],
  ])("named %s is called %s", (name, expected) => {
    expect(flowToolName({ id, name })).toBe(expected);
  });

  it.each([
    ["a model's instruction", [say("x")], "none", false, "never"],
    [
      "a constant page",
      [{ type: "webScraping", config: { url: "https://a.example" } }],
      "fetch",
      true,
      "when-tainted",
    ],
    ["a constant GET", [api({})], "fetch", true, "when-tainted"],
    [
      "a variable in an address",
      [api({ url: "https://a.example/${x}" })],
      "send",
      true,
      "when-tainted",
    ],
    [
      "a variable in a header",
      [api({ headers: [{ key: "k", value: "${x}" }] })],
      "send",
      true,
      "when-tainted",
    ],
    ["a POST", [api({ method: "POST" })], "send", true, "when-tainted"],
    [
      "a POST in a loop",
      [loop({ steps: [api({ method: "POST" })] })],
      "send",
      true,
      "when-tainted",
    ],
    ["a search", [{ type: "carrel-search", config: { query: "x" } }], "none", true, "never"],
  ])("can do what its blocks can: %s", (_what, steps, effect, isUntrusted, approval) => {
    const tool = toolOf(steps);
    expect(tool).toMatchObject({ skill: `@@flow_${id}`, effect, isUntrusted, approval });
    expect(tool.isRepeatable).toBe(effect !== "send");
  });

  it("shows each destination with the values that would be sent, except those of headers", () => {
    const inner = flowSteps.parse([api({ url: "https://c.example/${q}", method: "DELETE" })]);
    const tool = toolOf(
      [
        start({ city: "Rome" }),
        {
          ...api({
            url: "https://a.example/${city}?r=${result}",
            method: "POST",
            body: '{"c":"${city}"}',
            headers: [{ key: "k", value: "v" }],
          }),
          title: "Report",
        },
        { type: "carrel-flow", config: { flowId: "f", inputs: [{ name: "q", value: "${city}" }] } },
        { type: "webScraping", config: { url: "https://${host}/" } },
      ],
      () => inner as never,
    );
    expect(tool.describe!({ city: "Oslo" })).toEqual({
      destination: "https://a.example, https://c.example, https://${host}/",
      details: [
        {
          label: "Report",
          value:
            'POST https://a.example/Oslo?r=${result}\nk: ••••••••\ncontent-type: ••••••••\n\n{"c":"Oslo"}',
        },
        { label: "API call", value: "DELETE https://c.example/Oslo" },
        { label: "Web scraping", value: "GET https://${host}/" },
      ],
    });
  });

  it("may leave out https:// in addresses of pages only, as when it runs", () => {
    const url = "a.example/x";
    const steps = flowSteps.parse([api({ url }), { type: "webScraping", config: { url } }]);
    expect(listRequests(steps, {}, () => null).map(({ origin }) => origin)).toEqual([
      null,
      "https://a.example",
    ]);
  });

  it("asks the person before it goes to an address that nobody knew", async () => {
    const tool = toolOf([
      { type: "carrel-transform", config: { input: "evil.example", resultVariable: "host" } },
      { type: "apiCall", config: { url: "https://${host}/?q=1" } },
    ]);
    const questions: string[] = [];
    const call = {
      ...testCall(),
      ask: (asked: { question: string }[]) => {
        questions.push(...asked.map(({ question }) => question));
        return Promise.resolve([null]);
      },
    };
    await expect(tool.run({}, call)).rejects.toThrow("API call wasn't approved");
    expect(questions).toEqual([
      expect.stringMatching(/^API call in the flow Weather .* GET request to evil\.example, /),
    ]);
    expect(tool.effect).toBe("send");
  });

  it("takes the start's variables, and returns a direct output as final", async () => {
    const tool = toolOf([
      {
        type: "start",
        config: {
          variables: [
            { name: "city", value: "Rome", description: "Where" },
            { name: "day", value: "" },
            { name: "__proto__", value: "x" },
          ],
        },
      },
      say("${city}", "", { directOutput: true }),
    ]);
    const input = (tool.input as import("zod").ZodType).parse({});
    expect(input).toEqual({ city: "Rome" });
    expect(await tool.run(input, testCall())).toEqual({ text: "<Rome>", isFinal: true });
  });
});
