import { cancelGeneration, listTurns, type RunStep } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { DataSource } from "typeorm";
import { offerTools, stepsOf, toolOf } from "../../test/agent-tools.ts";
import { ChatInstance } from "../../test/chat-instance.ts";
import { textOf, wireFrames, type ReceivedFrame } from "../../test/received-frame.ts";

let chat: ChatInstance;
let database: DataSource;
let tools: ReturnType<typeof offerTools>;
const sent: unknown[] = [];
let hanging = 0;
const hang = (signal: AbortSignal): Promise<never> => {
  hanging += 1;
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => {
      hanging -= 1;
      reject(signal.reason as Error);
    });
  });
};
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
  database = await new DataSource({ type: "postgres", url: chat.database.url }).initialize();
  tools = offerTools(
    toolOf("look", () => ({ text: "Nothing." })),
    toolOf("slow", (_, { signal }) => hang(signal)),
    toolOf("mail", (input) => ({ text: String(sent.push(input)) }), {
      effect: "send",
      approval: "always",
      isRepeatable: false,
    }),
    toolOf("ask", async (_, { ask }) => {
      await ask([{ kind: "input", question: "Why?", inputType: "text", placeholder: "" }]);
      return { text: "asked" };
    }),
  );
});
afterAll(async () => {
  tools?.restore();
  await database?.destroy();
  await chat?.stop();
});

const call = (name: string) => ({ toolCalls: [{ name, input: {} }] });
const stateIs =
  (state: RunStep["state"]) =>
  ({ frame }: ReceivedFrame): boolean =>
    frame.type === "generationStep" && (frame.step as RunStep).state === state;

/** Tokens of the prompts of an answer, as they were recorded. */
const usedBy = async (turnId: number): Promise<number[]> =>
  (
    await database.query<{ input: number }[]>(
      "SELECT input_tokens AS input FROM chat.model_usage WHERE turn_id = $1 ORDER BY id",
      [turnId],
    )
  ).map(({ input }) => input);

/** Presses Stop once the answer is as far as `isThere` says, and returns how it ended. */
async function stopWhen(
  behaviours: Parameters<typeof chat.llm.next>,
  isThere: (generationId: string) => Promise<unknown>,
) {
  const scope = chat.addWorkspace({ chatMode: "automatic" });
  chat.llm.next(...behaviours);
  const { generationId } = await chat.start(scope, "Do it.");
  await isThere(generationId);
  const asked = chat.llm.requests.length;
  expect(await chat.request(cancelGeneration, { id: generationId }, scope)).toEqual({
    success: true,
  });
  const frames = await chat.read(generationId);
  expect(wireFrames(frames).at(-1)).toMatchObject({ type: "finalizeResponseStream" });
  await poll(() => chat.llm.openStreams()).toBe(0);
  expect(chat.llm.requests.length).toBe(asked);
  const { turns } = await chat.request(listTurns, { slug: scope.workspace.slug }, scope);
  expect(turns).toMatchObject([{ state: "cancelled", error: null, answer: textOf(frames) }]);
  return { turn: turns[0]!, steps: stepsOf(frames) };
}
const reading =
  (until: (frame: ReceivedFrame) => boolean) =>
  (generationId: string): Promise<unknown> =>
    chat.read(generationId, { until });

describe("Stop", () => {
  it("ends an answer before its first token", async () => {
    const before = chat.llm.openStreams();
    const { turn } = await stopWhen([{ tokens: 10, hang: 0 }], () =>
      poll(() => chat.llm.openStreams()).toBe(before + 1),
    );
    expect(turn.answer).toBe("");
    expect(turn.steps ?? []).toEqual([]);
  });

  it("ends the call of a tool", async () => {
    const { turn } = await stopWhen([{ ...call("slow"), reply: "A moment." }], () =>
      poll(() => hanging).toBe(1),
    );
    await poll(() => hanging).toBe(0);
    expect(turn).toMatchObject({ answer: "A moment.", steps: [{ state: "stopped" }] });
    // The reply's use was recorded with its step.
    const used = await usedBy(turn.id);
    expect(used.filter((tokens) => tokens > 0)).toHaveLength(1);
    expect(turn.metrics!.prompt_tokens).toBe(used[0]);
  });

  it("ends the wait for an approval, without the call", async () => {
    const { turn } = await stopWhen([call("mail")], reading(stateIs("waiting")));
    expect(turn.steps).toMatchObject([{ state: "stopped" }]);
    expect(sent).toEqual([]);
  });

  it("ends the wait for an answer to a question", async () => {
    const { turn } = await stopWhen([call("ask")], reading(stateIs("waiting")));
    expect(turn.steps).toMatchObject([{ state: "stopped" }]);
  });

  it("keeps the steps and the text so far while the answer after them is written", async () => {
    const { turn, steps } = await stopWhen(
      [call("look"), { tokens: 20_000, delayMs: 20 }],
      reading(({ frame }) => frame.type === "textResponseChunk"),
    );
    expect(turn.answer).toMatch(/^The /);
    expect(turn.steps).toMatchObject([{ state: "done" }]);
    expect(steps).toMatchObject([{ state: "done" }]);
    // The stopped reply's prompt is estimated, and its step's isn't counted again.
    const [first, last] = await usedBy(turn.id);
    expect(last).toBeGreaterThan(0);
    expect(last).not.toBe(first);
  });
});
