import { randomUUID } from "node:crypto";
import type { Passage } from "@carrel/contracts";
import { ChatInstance } from "../../test/chat-instance.ts";
import { passageOf } from "../../test/factories/passage.ts";
import { wireFrames } from "../../test/received-frame.ts";

let chat: ChatInstance;
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
});
afterAll(() => chat.stop());
beforeEach(() => {
  chat.llm.behave({ reply: "It runs at 48 °C [1]." });
  Object.assign(chat.fixture, {
    presets: [],
    variables: {},
    defaultPrompt: undefined,
    pageCharacters: 1_000_000,
  });
});

interface Body {
  messages: { role: string; content: string }[];
  temperature: number;
  max_tokens: number;
}
const lastBody = (): Body => chat.llm.requests.at(-1)!.body as unknown as Body;
const passagesWith = (count: number): Passage[] =>
  Array.from({ length: count }, (_, index) =>
    passageOf({
      chunkId: randomUUID(),
      documentId: randomUUID(),
      title: `p${index}.txt`,
      text: `Passage number ${index} speaks of pumps.`,
      score: 0.9 - index / 10,
    }),
  );
const sourcesOf = (frames: Parameters<typeof wireFrames>[0]): Record<string, unknown>[] =>
  wireFrames(frames).find((frame) => frame.type === "textResponseChunk" && frame.close === true)!
    .sources as Record<string, unknown>[];

describe("slash commands and variables", () => {
  it("are expanded for model and search; the question is stored as typed", async () => {
    const scope = chat.addWorkspace({}, [passageOf()]);
    chat.fixture.presets = [
      { command: "/brief", prompt: "Answer in one sentence about radiators." },
      { command: "/other", prompt: "never" },
    ];
    await chat.ask(scope, "/brief What is this? See /brief-not, /others and a/brief.");
    const expanded =
      "Answer in one sentence about radiators. What is this? See /brief-not, /others and a/brief.";
    expect(lastBody().messages.at(-1)!.content).toBe(expanded);
    expect(chat.fixture.searches.at(-1)!.query).toContain(expanded);
    expect((await chat.history(scope))[0]).toMatchObject({
      content: "/brief What is this? See /brief-not, /others and a/brief.",
    });
  });

  it("are expanded in the history for the model and in the search of a follow-up", async () => {
    const scope = chat.addWorkspace({}, [passageOf()]);
    chat.fixture.presets = [
      { command: "/pump", prompt: "Tell me about the heat pump in block four." },
    ];
    await chat.ask(scope, "/pump");
    await chat.ask(scope, "And how warm is it?");
    expect(
      lastBody()
        .messages.slice(1)
        .map(({ content }) => content),
    ).toEqual([
      "Tell me about the heat pump in block four.",
      "It runs at 48 °C [1].",
      "And how warm is it?",
    ]);
    expect(
      chat.fixture.searches.slice(-2).map(({ query, previousQuery }) => [query, previousQuery]),
    ).toEqual(
      expect.arrayContaining([
        ["And how warm is it?", "Tell me about the heat pump in block four."],
        ["And how warm is it?", null],
      ]),
    );
    expect((await chat.history(scope)).map(({ content }) => content)).toEqual([
      "/pump",
      "It runs at 48 °C [1].",
      "And how warm is it?",
      "It runs at 48 °C [1].",
    ]);
    // A command deleted since then is left as typed.
    chat.fixture.presets = [];
    await chat.ask(scope, "Say that again, please, in other words?");
    expect(lastBody().messages[1]!.content).toBe("/pump");
  });

  it("are fetched only when they may occur, with the client's time zone and language, also after queueing", async () => {
    const scope = chat.addWorkspace({
      openAiPrompt: "You are {user.name}’s aide. Today is {date}. {unknown} {toString}",
    });
    chat.fixture.variables = { date: "Saturday", "user.name": "Ada" };
    chat.llm.next({ tokens: 20, delayMs: 10 });
    const before = chat.fixture.resolved.length;
    const first = await chat.start(scope, "Hello there, how are you?", {
      timeZone: "Europe/Berlin",
      locale: "de",
    });
    const second = await chat.start(scope, "And now?", { timeZone: "Asia/Tokyo" });
    expect(second.queued).toBe(true);
    await chat.read(first.generationId);
    await chat.read(second.generationId);
    expect(lastBody().messages[0]!.content).toBe(
      "You are Ada’s aide. Today is Saturday. {unknown} {toString}",
    );
    expect(chat.fixture.resolved.slice(before)).toEqual([
      { timeZone: "Europe/Berlin", locale: "de", userId: null },
      { timeZone: "Asia/Tokyo", locale: null, userId: null },
    ]);
    await chat.ask(chat.addWorkspace(), "Nothing to put in here at all?");
    expect(chat.fixture.resolved).toHaveLength(before + 2);
  });

  it("come from the workspace's prompt, else the instance's, else the built-in one", async () => {
    await chat.ask(chat.addWorkspace(), "Which prompt is it now?");
    expect(lastBody().messages[0]!.content).toMatch(
      /^Given the following conversation, relevant context, and a follow up question, reply with an answer/,
    );
    chat.fixture.defaultPrompt = "Speak like the instance.";
    await chat.ask(chat.addWorkspace(), "Which prompt is it now?");
    expect(lastBody().messages[0]!.content).toBe("Speak like the instance.");
    await chat.ask(
      chat.addWorkspace({ openAiPrompt: "Speak like the workspace." }),
      "Which prompt is it now?",
    );
    expect(lastBody().messages[0]!.content).toBe("Speak like the workspace.");
  });
});

describe("workspace settings", () => {
  it("mode: switching in the middle of a conversation applies from the next question on", async () => {
    const scope = chat.addWorkspace();
    expect(
      wireFrames((await chat.ask(scope, "What is known of the moon today?")).frames).at(-1)!.type,
    ).toBe("finalizeResponseStream");
    await chat.setWorkspace(scope, { chatMode: "query" });
    expect(
      wireFrames((await chat.ask(scope, "What is known of the moon today?")).frames),
    ).toMatchObject([{ type: "textResponse" }]);
    await chat.setWorkspace(scope, { chatMode: "chat" });
    expect(
      wireFrames((await chat.ask(scope, "What is known of the moon today?")).frames).at(-1)!.type,
    ).toBe("finalizeResponseStream");
    // The refusal is in no prompt.
    expect(lastBody().messages.filter(({ role }) => role === "user")).toHaveLength(2);
  });

  it.each([
    [2, 2],
    [0, 3],
  ])("history of %i sends %i turns", async (openAiHistory, sent) => {
    const scope = chat.addWorkspace({ openAiHistory });
    for (const word of ["one", "two", "three", "four"])
      await chat.ask(scope, `This is question number ${word} of this thread`);
    expect(lastBody().messages.filter(({ role }) => role === "assistant")).toHaveLength(sent);
    expect(lastBody().messages[1]!.content).toContain(
      openAiHistory === 2 ? "number two" : "number one",
    );
  });

  it("threshold, count and temperature reach search and model", async () => {
    const scope = chat.addWorkspace(
      { topN: 2, similarityThreshold: 0.75, openAiTemp: 0.1 },
      passagesWith(4),
    );
    const { frames } = await chat.ask(scope, "What is said of the pumps in this house?");
    expect(chat.fixture.searches.at(-1)).toMatchObject({ topN: 2, similarityThreshold: 0.75 });
    expect(sourcesOf(frames).map(({ title }) => title)).toEqual(["p0.txt", "p1.txt"]);
    expect(lastBody().temperature).toBe(0.1);
    await chat.setWorkspace(scope, { similarityThreshold: 0.85 });
    expect(
      sourcesOf((await chat.ask(scope, "What is said of the pumps in this house?")).frames).map(
        ({ title }) => title,
      ),
    ).toEqual(["p0.txt"]);
  });
});
