import {
  activateTurn,
  cancelGeneration,
  decideStep,
  instancePrincipal,
  listTurns,
  type RunStep,
  type TurnWire,
  type WorkspaceScope,
} from "@carrel/contracts";
import { DataSource } from "typeorm";
import { offerTools, stepsOf, toolOf } from "../../test/agent-tools.ts";
import { ChatInstance } from "../../test/chat-instance.ts";
import { passageOf } from "../../test/factories/passage.ts";
import { textOf } from "../../test/received-frame.ts";
import { selectSources } from "../retrieval/earlier-sources.ts";

let chat: ChatInstance;
let database: DataSource;
let tools: ReturnType<typeof offerTools>;
const made: string[] = [];
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica({ CARREL_AGENT_WAIT_SECONDS: "30" });
  database = await new DataSource({ type: "postgres", url: chat.database.url }).initialize();
  tools = offerTools(
    toolOf(
      "search",
      ({ query }, { nextSource }) => {
        made.push(`search ${String(query)}`);
        return {
          text: `[CONTEXT ${nextSource}]:\nFound ${String(query)}\n[END CONTEXT ${nextSource}]`,
          sources: selectSources([passageOf()]),
        };
      },
      { isUntrusted: true },
    ),
    toolOf(
      "send",
      ({ to }) => {
        made.push(`send ${String(to)}`);
        return { text: "Sent." };
      },
      {
        effect: "send",
        approval: "when-tainted",
        isRepeatable: false,
        describe: (input) => ({
          destination: String((input as { to?: unknown }).to),
          details: [],
        }),
      },
    ),
  );
});
afterAll(async () => {
  tools?.restore();
  await database?.destroy();
  await chat?.stop();
});
beforeEach(() => {
  made.length = 0;
});

const call = (name: string, input: Record<string, unknown>) => ({ toolCalls: [{ name, input }] });
const turnsOf = async (scope: WorkspaceScope): Promise<TurnWire[]> =>
  (await chat.request(listTurns, { slug: scope.workspace.slug }, scope)).turns;
const isWaiting = ({ frame }: { frame: Record<string, unknown> }): boolean =>
  frame.type === "generationStep" && (frame.step as RunStep).state === "waiting";

/** An answer of three steps, two of which came with one reply. */
async function answerInSteps() {
  const scope = chat.addWorkspace({ chatMode: "automatic" });
  chat.llm.next(
    { ...call("search", { query: "a" }), reply: "First a." },
    {
      toolCalls: [
        { name: "search", input: { query: "b" } },
        { name: "search", input: { query: "c" } },
      ],
      reply: "Then both.",
    },
    { reply: "Found all [1]." },
  );
  const { chatId } = await chat.ask(scope, "Look.");
  made.length = 0;
  return { scope, chatId };
}
const retry = (scope: WorkspaceScope, replaces: number, fromStep: number) =>
  chat.ask(scope, "Anything", { replaces, fromStep });

describe("a retry from a step", () => {
  it("keeps the steps before it, without making their calls again, and goes on", async () => {
    const { scope, chatId } = await answerInSteps();
    chat.llm.next(call("search", { query: "d" }), { reply: "Found d [2]." });
    const { frames, chatId: newId } = await retry(scope, chatId, 2);
    expect(made).toEqual(["search d"]);
    expect(stepsOf(frames).map(({ id, input }) => [id, input])).toEqual([
      [1, '{"query":"a"}'],
      [2, '{"query":"d"}'],
    ]);
    expect(textOf(frames)).toBe("First a.\n\nFound d [2].");
    const [turn] = await turnsOf(scope);
    expect(turn).toMatchObject({
      id: newId,
      question: "Look.",
      mode: "automatic",
      siblings: [chatId, newId],
      siblingQuestions: [0, 0],
      sources: [{ title: "survey.txt" }, { title: "survey.txt" }],
      steps: [{ at: 8 }, { at: 8 }],
    });
    // The model goes on from the kept result.
    const { messages } = chat.llm.requests.at(-2)!.body as { messages: { content: string }[] };
    expect(messages.at(-1)!.content).toContain("Found a");
    await chat.request(activateTurn, { slug: scope.workspace.slug, chatId }, scope);
    expect((await turnsOf(scope))[0]!.steps).toHaveLength(3);
  });

  it("keeps the calls before it that came with the same reply", async () => {
    const { scope, chatId } = await answerInSteps();
    chat.llm.next({ reply: "Enough." });
    const { frames } = await retry(scope, chatId, 3);
    expect(made).toEqual([]);
    expect(stepsOf(frames)).toHaveLength(2);
    expect(textOf(frames)).toBe("First a.\n\nThen both.\n\nEnough.");
    const { messages } = chat.llm.requests.at(-1)!.body as {
      messages: { role: string; tool_calls?: unknown[] }[];
    };
    expect(messages.slice(2).map(({ role, tool_calls: calls }) => [role, calls?.length])).toEqual([
      ["assistant", 1],
      ["tool", undefined],
      ["assistant", 1],
      ["tool", undefined],
    ]);
  });

  it("of the first one begins anew", async () => {
    const { scope, chatId } = await answerInSteps();
    chat.llm.next({ reply: "I know." });
    const { frames } = await retry(scope, chatId, 1);
    expect([stepsOf(frames), textOf(frames)]).toEqual([[], "I know."]);
  });

  it("counts only what the new version used", async () => {
    const { scope, chatId } = await answerInSteps();
    chat.llm.next({ reply: "Enough." });
    const { chatId: newId } = await retry(scope, chatId, 2);
    const [used] = await database.query<{ input: string; n: string }[]>(
      "SELECT sum(input_tokens) AS input, count(*) AS n FROM chat.model_usage WHERE turn_id = $1",
      [newId],
    );
    expect(used!.n).toBe("1");
    expect((await turnsOf(scope))[0]!.metrics!.prompt_tokens).toBe(Number(used!.input));
  });

  it("is tainted by the steps it keeps, and asks again what was allowed for the answer", async () => {
    const scope = chat.addWorkspace({ chatMode: "automatic" });
    chat.llm.next(
      call("search", { query: "a" }),
      call("send", { to: "a" }),
      call("send", { to: "b" }),
    );
    const first = await chat.start(scope, "Send it.");
    const decide = async (id: string, step: number, decision: "run" | "denied") => {
      await chat.read(id, { until: (frame) => isWaiting(frame) && (frame.frame.step as RunStep).id === step }); // prettier-ignore
      await chat.request(decideStep, { id, step, decision }, scope);
    };
    await decide(first.generationId, 2, "run");
    await chat.read(first.generationId, {
      until: (frame) => isWaiting(frame) && (frame.frame.step as RunStep).id === 3,
    });
    await chat.request(cancelGeneration, { id: first.generationId }, scope);
    await chat.read(first.generationId);
    expect(made).toEqual(["search a", "send a"]);
    chat.llm.next(call("send", { to: "a", again: true }), { reply: "Done." });
    const second = await chat.start(scope, "", { replaces: first.chatId, fromStep: 3 });
    await decide(second.generationId, 3, "denied");
    const frames = await chat.read(second.generationId);
    expect(stepsOf(frames).at(-1)).toMatchObject({
      state: "denied",
      approval: { reason: "untrusted", destination: "a" },
    });
    expect(made).toEqual(["search a", "send a"]);
  });

  it("needs an answer that has ended, the step, and its owner", async () => {
    const { scope, chatId } = await answerInSteps();
    const missing = { code: "turn.step-not-found" };
    await expect(retry(scope, chatId, 9)).rejects.toMatchObject(missing);
    await expect(chat.ask(scope, "Look.", { fromStep: 1 })).rejects.toMatchObject(missing);
    const other = chat.as(scope, { ...instancePrincipal, kind: "user", userId: 7, role: "admin" });
    await expect(retry(other, chatId, 2)).rejects.toMatchObject({ kind: "NOT_FOUND" });
    chat.llm.next(call("search", { query: "a" }), call("send", { to: "a" }));
    const running = await chat.start(scope, "Send it.");
    await chat.read(running.generationId, { until: isWaiting });
    await expect(retry(scope, running.chatId, 1)).rejects.toMatchObject(missing);
    await chat.request(cancelGeneration, { id: running.generationId }, scope);
    await chat.read(running.generationId);
    expect(await turnsOf(scope)).toHaveLength(2);
  });
});
