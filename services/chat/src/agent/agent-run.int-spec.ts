import { setTimeout as pause } from "node:timers/promises";
import { instancePrincipal, listTurns, readStep, type WorkspaceScope } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { jest } from "@jest/globals";
import { DataSource } from "typeorm";
import { z } from "zod";
import { failing, follow, offerTools, stepsOf, toolOf } from "../../test/agent-tools.ts";
import { ChatInstance } from "../../test/chat-instance.ts";
import { passageOf } from "../../test/factories/passage.ts";
import { textOf, wireFrames } from "../../test/received-frame.ts";
import { selectSources } from "../retrieval/earlier-sources.ts";
import { RunClock } from "./run-clock.ts";

let chat: ChatInstance;
let database: DataSource;
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
  database = await new DataSource({ type: "postgres", url: chat.database.url }).initialize();
});
afterAll(async () => {
  await database?.destroy();
  await chat?.stop();
});
afterEach(() => {
  chat.fixture.agents = { ...chat.fixture.agents, maxToolCalls: 10 };
});

const call = (name: string, input: Record<string, unknown> = {}) => ({
  toolCalls: [{ name, input }],
});
const turnOf = async (scope: WorkspaceScope) =>
  (await chat.request(listTurns, { slug: scope.workspace.slug }, scope)).turns.at(-1)!;
/** The messages of the last request to the model. */
const lastMessages = (): { role: string; content: unknown; tool_calls?: unknown }[] =>
  (chat.llm.requests.at(-1)!.body as { messages: [] }).messages;

const search = toolOf(
  "search",
  ({ query }, { nextSource }) => ({
    text: `[CONTEXT ${nextSource}]:\nFound ${String(query)}\n[END CONTEXT ${nextSource}]`,
    sources: selectSources([passageOf()]),
  }),
  { isUntrusted: true, object: (input) => String((input as { query: string }).query) },
);

describe("a run", () => {
  it("calls tools and answers from what they return, with citations", async () => {
    const tools = offerTools(search);
    const scope = chat.addWorkspace({ chatMode: "automatic" });
    chat.llm.next(
      { ...call("search", { query: "radiators" }), reply: "Let me look." },
      { reply: "It runs at 48 °C [1]." },
    );
    const { frames } = await chat.ask(scope, "How warm is it?");
    tools.restore();
    expect(textOf(frames)).toBe("Let me look.\n\nIt runs at 48 °C [1].");
    const step = {
      id: 1,
      at: "Let me look.".length,
      tool: "search",
      state: "done",
      object: "radiators",
      input: '{"query":"radiators"}',
      result: expect.stringContaining("Found radiators"),
    };
    expect(stepsOf(frames)).toMatchObject([step]);
    expect(wireFrames(frames).at(-2)).toMatchObject({ sources: [{ title: "survey.txt" }] });
    expect(await turnOf(scope)).toMatchObject({
      mode: "automatic",
      answer: "Let me look.\n\nIt runs at 48 °C [1].",
      steps: [step],
      sources: [{ title: "survey.txt" }],
    });
    expect(lastMessages().slice(-2)).toMatchObject([
      {
        role: "assistant",
        content: "Let me look.",
        tool_calls: [{ function: { name: "search", arguments: '{"query":"radiators"}' } }],
      },
      { role: "tool", content: expect.stringContaining("[CONTEXT 1]") },
    ]);
    // Nothing was searched before the model asked for it.
    expect(chat.fixture.searches.filter(({ query }) => query === "How warm is it?")).toEqual([]);
  });

  it("counts what each step used", async () => {
    const tools = offerTools(search);
    const scope = chat.addWorkspace({ chatMode: "automatic" });
    chat.llm.next(call("search", { query: "a" }), { reply: "Done." });
    const { chatId } = await chat.ask(scope, "Look.");
    tools.restore();
    const used = await database.query<{ input: string; n: string }[]>(
      "SELECT sum(input_tokens) AS input, count(*) AS n FROM chat.model_usage WHERE turn_id = $1",
      [chatId],
    );
    expect(used[0]!.n).toBe("2");
    expect((await turnOf(scope)).metrics!.prompt_tokens).toBe(Number(used[0]!.input));
  });

  it("records how long each reply took, without the calls before it", async () => {
    const tools = offerTools(toolOf("wait", async () => ({ text: await pause(1_500, "Done.") })));
    const scope = chat.addWorkspace({ chatMode: "automatic" });
    chat.llm.next(call("wait", { n: 1 }), call("wait", { n: 2 }), { reply: "Done." });
    const { chatId } = await chat.ask(scope, "Wait.");
    tools.restore();
    const used = await database.query<{ duration: number }[]>(
      "SELECT duration_ms AS duration FROM chat.model_usage WHERE turn_id = $1 ORDER BY id LIMIT 2",
      [chatId],
    );
    expect(used).toHaveLength(2);
    for (const { duration } of used) expect(duration).toBeLessThan(1_500);
  });

  it("counts names and descriptions of its tools as part of the window", async () => {
    const described = { ...search, name: "other", description: "word ".repeat(200_000) };
    const tools = offerTools(search, described);
    const scope = chat.addWorkspace({ chatMode: "automatic" });
    chat.llm.next(call("search", { query: "a" }), call("search", { query: "b" }), { reply: "Done." }); // prettier-ignore
    await chat.ask(scope, "Look.");
    tools.restore();
    // No room is left for the earlier one.
    expect(lastMessages().filter(({ role }) => role === "tool")).toMatchObject([
      { content: expect.stringContaining("Found b") },
    ]);
  });

  it("makes calls that only read at the same time, and numbers their sources in order", async () => {
    let running = 0;
    let most = 0;
    const slow = toolOf("slow", async ({ name }, { nextSource }) => {
      most = Math.max(most, ++running);
      await poll(() => most).toBe(2);
      running -= 1;
      return {
        text: `[CONTEXT ${nextSource}]:\n${String(name)}\n[END CONTEXT ${nextSource}]`,
        sources: selectSources([passageOf({ chunkId: String(name) })]),
      };
    });
    const tools = offerTools(slow);
    const scope = chat.addWorkspace({ chatMode: "automatic" });
    chat.llm.next(
      {
        toolCalls: [
          { name: "slow", input: { name: "one" } },
          { name: "slow", input: { name: "two" } },
        ],
      },
      { reply: "Both [1, 2]." },
    );
    const { frames } = await chat.ask(scope, "Look twice.");
    tools.restore();
    // What a step shows has the numbers of the answer's citations.
    expect(stepsOf(frames).map((step) => /CONTEXT (\d+)/.exec(step.result!)![1]).sort()).toEqual(["1", "2"]); // prettier-ignore
    const results = lastMessages()
      .filter(({ role }) => role === "tool")
      .map(({ content }) => String(content));
    const { sources } = await turnOf(scope);
    for (const [index, { id }] of sources.entries())
      expect(results.find((text) => text.includes(id))).toContain(`[CONTEXT ${index + 1}]`);
  });

  it("is a chat where a client brings its own tools, and for visitors", async () => {
    const tools = offerTools(search);
    const scope = chat.addWorkspace({ chatMode: "automatic" }, [passageOf()]);
    chat.llm.next({ reply: "Hello." });
    await chat.ask(scope, "Hi?", {
      overrides: { tools: [{ name: "own", description: "", inputSchema: { type: "object" } }] },
    });
    expect(await turnOf(scope)).toMatchObject({ mode: "chat" });
    const widget = { id: 84, host: null, address: null, username: null };
    const visitor = chat.as(scope, { kind: "widget", userId: null, role: "none", widget });
    chat.llm.next({ reply: "Hello." });
    const { frames } = await chat.ask(visitor, "@agent Hi?", {
      conversation: { channel: "widget", sessionId: "a", widgetId: 84 },
    });
    tools.restore();
    expect(frames.map(({ frame }) => frame.type)).not.toContain("generationAgent");
    expect(chat.llm.requests.at(-1)!.body).not.toHaveProperty("tools");
  });
});

describe("a model that errs", () => {
  const strict = toolOf("strict", () => ({ text: "fine" }), {
    input: z.object({ count: z.number() }),
  });
  const ask = async (...behaviours: Parameters<typeof chat.llm.next>) => {
    const scope = chat.addWorkspace({ chatMode: "automatic" });
    chat.llm.next(...behaviours);
    const { frames } = await chat.ask(scope, "Do it.");
    return { frames, steps: stepsOf(frames), text: textOf(frames) };
  };
  let tools: ReturnType<typeof offerTools>;
  beforeAll(() => {
    tools = offerTools(
      strict,
      toolOf("broken", () => failing("It is closed.")),
      toolOf("bug", () => {
        throw new TypeError("undefined is not a function");
      }),
      toolOf("long", () => ({ text: "word ".repeat(20_000) })),
    );
  });
  afterAll(() => tools.restore());

  it("reads what is wrong with its input, and may correct it", async () => {
    const { steps, text } = await ask(
      call("strict", { count: "many" }),
      call("strict", { count: 3 }),
      { reply: "Done." },
    );
    expect(steps).toMatchObject([
      { state: "failed", fault: { code: "tool.input-invalid" } },
      { state: "done" },
    ]);
    expect(text).toBe("Done.");
  });

  it("may no longer call tools after its third invalid input", async () => {
    const { steps } = await ask(
      call("strict", { count: "a" }),
      call("strict", { count: "b" }),
      call("strict", { count: "c" }),
      { reply: "I can't." },
    );
    expect(steps).toHaveLength(3);
    expect(chat.llm.requests.at(-1)!.body).toMatchObject({ tool_choice: "none" });
  });

  it("reads that there is no such tool, that it failed, and nothing about faults of ours", async () => {
    const { steps } = await ask(call("nothing"), call("broken"), call("bug"), { reply: "Sorry." });
    expect(steps).toMatchObject([
      {
        state: "failed",
        fault: { code: "tool.unknown" },
        result: expect.stringContaining("strict"),
      },
      { state: "failed", result: "It is closed." },
      { state: "failed", fault: { code: "tool.failed" }, result: "The tool failed." },
    ]);
  });

  it("is kept from making the same call for ever", async () => {
    const again = call("strict", { count: 1 });
    const { steps, text } = await ask(again, again, again, again, again, { reply: "It is fine." });
    expect(steps.map(({ state }) => state)).toEqual(["done", "done", "failed", "failed", "failed"]);
    expect(steps[2]).toMatchObject({ fault: { code: "tool.repeated" } });
    expect(text).toBe("It is fine.");
  });

  it("isn't kept from calls with other input, written as JSON within JSON", async () => {
    const strictly = (count: number) => ({
      toolCalls: [{ name: "strict", input: JSON.stringify({ count }) as never }],
    });
    const { steps } = await ask(strictly(1), strictly(2), strictly(3), call("strict", { count: 3 }), strictly(3), { reply: "Done." }); // prettier-ignore
    expect(steps.map(({ state }) => state)).toEqual(["done", "done", "done", "done", "failed"]);
  });

  it("may make a call again that failed", async () => {
    const again = call("broken");
    const { steps } = await ask(again, again, again, { reply: "Closed." });
    expect(steps.map(({ result }) => result)).toEqual(Array(3).fill("It is closed."));
  });

  it("stops at the limit of calls, which a notice says", async () => {
    chat.fixture.agents = { ...chat.fixture.agents, maxToolCalls: 2 };
    const scope = chat.addWorkspace({ chatMode: "automatic" });
    await chat.tellAgentSettings();
    chat.llm.next(
      { toolCalls: [1, 2, 3].map((count) => ({ name: "strict", input: { count } })) },
      { reply: "Partly." },
    );
    const { frames } = await chat.ask(scope, "Do it.");
    expect(stepsOf(frames)).toHaveLength(2);
    expect(frames.map(({ frame }) => frame)).toContainEqual({
      type: "generationNotice",
      notice: { code: "notice.tool-limit", params: { limit: 2 } },
    });
  });

  it("stops at the limit of time, which a notice says", async () => {
    const late = jest.spyOn(RunClock.prototype, "milliseconds", "get").mockReturnValue(20 * 60_000);
    const { frames, steps } = await ask({ reply: "Partly." });
    late.mockRestore();
    expect(steps).toEqual([]);
    expect(chat.llm.requests.at(-1)!.body).toMatchObject({ tool_choice: "none" });
    expect(frames.map(({ frame }) => frame)).toContainEqual({
      type: "generationNotice",
      notice: { code: "notice.time-limit", params: { minutes: 20 } },
    });
  });

  it("is asked for the answer if it stops without a word after its last call", async () => {
    const { text } = await ask(call("strict", { count: 1 }), { reply: "" }, { reply: "Here." });
    expect(text).toBe("Here.");
    expect(lastMessages().at(-1)).toMatchObject({
      role: "user",
      content: "Now answer the question.",
    });
  });

  it("keeps its steps if it never answers, which a notice says", async () => {
    const { frames, steps } = await ask(call("strict", { count: 1 }), { reply: "" }, { reply: "" });
    expect(steps).toHaveLength(1);
    expect(frames.map(({ frame }) => frame)).toContainEqual({
      type: "generationNotice",
      notice: { code: "notice.agent-without-answer" },
    });
  });

  it("reads a result that is longer than its window in parts", async () => {
    const { steps } = await ask(call("long"), call("read-result", { step: 1, part: 2 }), {
      reply: "Read.",
    });
    const [first, second] = lastMessages()
      .filter(({ role }) => role === "tool")
      .map(({ content }) => String(content));
    expect(first).toMatch(/This is part 1 of \d+\. To read on, call read-result with step 1/);
    expect(second).toMatch(/\[Part 2 of \d+\./);
    expect(steps).toMatchObject([{ state: "done" }, { state: "done" }]);
  });

  it("may write its call as text, which then isn't shown", async () => {
    const { steps, frames } = await ask(
      { reply: 'One moment. <tool_call>{"name":"strict","arguments":{"count":4}}</tool_call>' },
      { reply: "Four." },
    );
    expect(steps).toMatchObject([{ state: "done", input: '{"count":4}' }]);
    // Some readers can't withdraw what they have shown.
    expect(follow(frames)).toEqual({ text: "One moment. \n\nFour.", generationRewinds: 0 });
  });

  it("whose provider fails in the middle keeps the steps so far", async () => {
    const { frames, steps } = await ask(call("strict", { count: 1 }), { status: 400 });
    expect(steps).toMatchObject([{ state: "done" }]);
    expect(wireFrames(frames).map(({ type }) => type)).toContain("abort");
  });
});

it("steps of others look like missing ones", async () => {
  const tools = offerTools(search);
  const scope = chat.addWorkspace({ chatMode: "automatic" });
  chat.llm.next(call("search", { query: "mine" }), { reply: "Done." });
  const { generationId } = await chat.ask(scope, "Look.");
  tools.restore();
  const read = (who: WorkspaceScope) => chat.request(readStep, { id: generationId, step: 1 }, who);
  expect(await read(scope)).toMatchObject({ input: '{"query":"mine"}' });
  const other = chat.as(scope, { ...instancePrincipal, kind: "user", userId: 7, role: "default" });
  await expect(read(other)).rejects.toMatchObject({ code: "generation.not-found" });
});
