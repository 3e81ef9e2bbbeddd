import { readFileSync } from "node:fs";
import { listTurns } from "@carrel/contracts";
import { ChatInstance } from "../../test/chat-instance.ts";
import { textOf, wireFrames } from "../../test/received-frame.ts";

// What people see of the streams of compatible servers that are unlike OpenAI's
// (`*.fixture.ts` in libs/providers/src has all shapes).

let chat: ChatInstance;
beforeAll(async () => {
  chat = await ChatInstance.start();
  delete chat.fixture.values.GenericOpenAiTokenLimit;
  await chat.startReplica();
});
afterAll(() => chat.stop());

const chunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const alpha = chunk({ content: "Alpha " });
const omega = chunk({ content: "Omega." });
const stop = chunk({}, "stop");
const done = "data: [DONE]\n\n";
const call = {
  index: 0,
  id: "t1",
  type: "function",
  function: { name: "lookup", arguments: "{}" },
};

interface Seen {
  /** The stored answer. */
  answer?: string;
  /** Defaults to the stored answer. */
  streamed?: string;
  error?: RegExp;
  notice?: string;
}

async function ask(body: string, contentType = "text/event-stream") {
  chat.llm.behave({ raw: { body, contentType } });
  const scope = chat.addWorkspace();
  const { frames } = await chat.ask(scope, "What is it?");
  const { turns } = await chat.request(listTurns, { slug: scope.workspace.slug }, scope);
  return { frames, turn: turns.at(-1)! };
}

describe.each<[what: string, body: string, seen: Seen, contentType?: string]>([
  ["no reason before [DONE]", alpha + omega + done, { answer: "Alpha Omega." }],
  ["a byte order mark", `\uFEFF${alpha}${omega}${stop}${done}`, { answer: "Alpha Omega." }],
  [
    "reasoning that only ends",
    chunk({ content: "Okay, I say it.\n" }) +
      chunk({ content: "</think>\n\n" }) +
      alpha +
      omega +
      stop,
    {
      answer: "Alpha Omega.",
      streamed: "Okay, I say it.\n</think>Alpha Omega.",
    },
  ],
  [
    "JSON",
    JSON.stringify({ choices: [{ finish_reason: "stop", message: { content: "Alpha Omega." } }] }),
    { answer: "Alpha Omega." },
    "application/json",
  ],
  [
    "an error's detail",
    `data: {"detail":"context length exceeded"}\n\n${done}`,
    { error: /context length exceeded/ },
  ],
  [
    "an error as JSON",
    '{"error": {"message": "Invalid key in 200", "code": 401}}',
    { error: /Invalid key in 200/ },
    "application/json",
  ],
  [
    "an error as the reason",
    alpha + chunk({ content: "" }, "error") + done,
    { answer: "Alpha ", error: /stopped with an error before the answer finished/ },
  ],
  [
    "a filter",
    alpha + chunk({}, "content_filter") + done,
    { answer: "Alpha ", notice: "The provider's content filter cut this answer off." },
  ],
  [
    "a filter before any text",
    chunk({}, "content_filter") + done,
    { error: /content filter blocked/ },
  ],
  [
    "a call of a tool",
    chunk({ tool_calls: [call] }) + chunk({}, "tool_calls") + done,
    { error: /called “lookup” instead of answering/ },
  ],
  [
    "text and a call of a tool",
    alpha + chunk({ tool_calls: [call] }) + chunk({}, "tool_calls") + done,
    {
      answer: "Alpha ",
      notice: expect.stringContaining("stopped before this answer was finished"),
    },
  ],
  ["an abort", chunk({}, "abort") + done, { error: /stopped before it wrote an answer/ }],
  ["nothing", stop + done, { error: /empty answer/ }],
  [
    "reasoning alone",
    chunk({ content: "<think>Hm.</think>\n" }) + stop + done,
    { streamed: "<think>Hm.</think>", error: /empty answer/ },
  ],
])("an answer with %s", (_what, body, { answer = "", streamed = answer, error, notice }, type) => {
  it("is shown, or says why not", async () => {
    const { frames, turn } = await ask(body, type);
    const wire = wireFrames(frames);
    expect(textOf(frames)).toBe(streamed);
    expect(turn.answer).toBe(answer);
    expect(turn.state).toBe(error === undefined ? "done" : "failed");
    const aborts = wire.filter((frame) => frame.type === "abort");
    expect(aborts.map((frame) => frame.error)).toEqual(
      error === undefined ? [] : [expect.stringMatching(error)],
    );
    // Existing clients show notices as statuses.
    expect(
      wire.filter((frame) => frame.type === "statusResponse").map((frame) => frame.textResponse),
    ).toEqual(notice === undefined ? [] : [notice]);
  });
});

it("limits the answer only if somebody set a limit", async () => {
  await ask(alpha + stop);
  expect(chat.llm.requests.at(-1)!.body).not.toHaveProperty("max_tokens");
});

it("asks the server for its context window if nobody set one", async () => {
  const long = readFileSync(new URL(import.meta.url), "utf8");
  chat.llm.behave({
    reply: "It is so.",
    replies: { "/v1/models": { data: [{ id: "sized", max_model_len: 2_048 }] } },
  });
  const scope = chat.addWorkspace({ chatModel: "sized" });
  await chat.ask(scope, `${long}${long}What is it?`);
  const { body } = chat.llm.requests.findLast(({ path }) => path.endsWith("/completions"))!;
  expect(JSON.stringify(body).length).toBeLessThan(2_048 * 5);
});
