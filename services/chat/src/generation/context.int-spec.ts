import { randomUUID } from "node:crypto";
import { getContextWindow, listChats, type Passage, type WorkspaceScope } from "@carrel/contracts";
import { ChatInstance, textOf, wireFrames } from "../../test/chat-instance.ts";
import { passageOf } from "../../test/factories/passage.ts";

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
type FullText = NonNullable<ReturnType<typeof chat.fixture.fullTexts.get>>[number];
const fullText = (part: Partial<FullText> = {}): FullText => ({
  kind: "pinned",
  documentId: randomUUID(),
  title: "rules.txt",
  published: "1/1/2026, 00:00:00",
  mime: "text/plain",
  url: "file://rules.txt",
  docAuthor: "Unknown",
  description: "No description",
  docSource: "a text file",
  chunkSource: "",
  wordCount: 3,
  token_count_estimate: 4,
  text: "Quiet hours begin at ten.",
  ...part,
});
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
  it("are put in for model and search; the question is stored as it was typed", async () => {
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
    expect(
      (await chat.request(listChats, { slug: scope.workspace.slug }, scope)).history[0],
    ).toMatchObject({ content: "/brief What is this? See /brief-not, /others and a/brief." });
  });

  it("stand expanded in the history that the model reads, and in the search of a follow-up", async () => {
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
    expect(chat.fixture.searches.map(({ query }) => query)).toContain(
      "Tell me about the heat pump in block four.\nAnd how warm is it?",
    );
    expect(
      (await chat.request(listChats, { slug: scope.workspace.slug }, scope)).history.map(
        ({ content }) => content,
      ),
    ).toEqual(["/pump", "It runs at 48 °C [1].", "And how warm is it?", "It runs at 48 °C [1]."]);
    // A command that was deleted since stays what was typed.
    chat.fixture.presets = [];
    await chat.ask(scope, "Say that again, please, in other words?");
    expect(lastBody().messages[1]!.content).toBe("/pump");
  });

  it("are asked for only where there may be some, with what the client tells of itself, also after waiting in the queue", async () => {
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

  it("come from the prompt of the workspace, else of the instance, else the built-in one", async () => {
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

describe("pinned documents and files", () => {
  it("stand first and in full, pinned before files, and are not searched again", async () => {
    const passages = passagesWith(6);
    const scope = chat.addWorkspace({ topN: 4 }, passages);
    const pinned = fullText({
      documentId: passages[0]!.documentId,
      title: "house.txt",
      text: `House rules. ${"Keep the stairs free. ".repeat(100)}`,
    });
    chat.fixture.fullTexts.set(scope.workspace.id, [pinned]);
    const { frames } = await chat.ask(scope, "Which rules hold for the stairs of the house?");
    const system = lastBody().messages[0]!.content;
    expect(system.indexOf(pinned.text)).toBeGreaterThan(0);
    expect(system.match(/\[CONTEXT \d+\]/g)).toHaveLength(5);
    expect(chat.fixture.searches.at(-1)!.excludeDocumentIds).toEqual([pinned.documentId]);
    const sources = sourcesOf(frames);
    expect(sources.map(({ title }) => title)).toEqual([
      "house.txt",
      "p1.txt",
      "p2.txt",
      "p3.txt",
      "p4.txt",
    ]);
    expect(sources[0]).toMatchObject({
      id: pinned.documentId,
      text: `${pinned.text.slice(0, 1_000)}...continued on in source document...`,
      documentId: pinned.documentId,
    });
    expect(sources[0]).not.toHaveProperty("score");
    expect(sources[1]).toHaveProperty("score");
  });

  it("are joined from several replies; files belong to one thread, after what is pinned", async () => {
    const scope = chat.addWorkspace();
    chat.fixture.pageCharacters = 10;
    const threadId = await chat.threadId(scope);
    chat.fixture.fullTexts.set(scope.workspace.id, [
      fullText(),
      fullText({
        kind: "file",
        title: "mine.txt",
        text: "The password of the cellar is open sesame.",
        threadId,
      }),
      fullText({
        kind: "file",
        title: "other.txt",
        text: "secret of another thread",
        threadId: threadId + 1_000,
      }),
    ]);
    const { frames } = await chat.ask(scope, "What is the password of the cellar?");
    const system = lastBody().messages[0]!.content;
    expect(system).toMatch(
      /CONTEXT 1\]:\n[\s\S]*Quiet hours begin at ten\.\n\[END CONTEXT 1\]\n\n\[CONTEXT 2\]:\n[\s\S]*The password of the cellar is open sesame\./,
    );
    expect(system).not.toContain("secret of another");
    expect(sourcesOf(frames).map(({ title }) => title)).toEqual(["rules.txt", "mine.txt"]);
    chat.fixture.files.set(threadId, 321);
    expect(await chat.request(getContextWindow, {}, scope)).toMatchObject({
      currentContextTokenCount: 321,
    });
    expect(
      await chat.request(getContextWindow, { threadId: threadId + 1_000 }, scope),
    ).toMatchObject({ currentContextTokenCount: 0 });
  });

  it("go as far as the window, and leave room for what was found", async () => {
    const scope = chat.addWorkspace({}, passagesWith(2));
    chat.fixture.fullTexts.set(scope.workspace.id, [
      fullText({ text: `START ${"All stairs are to be kept free at night. ".repeat(5_000)}` }),
    ]);
    const { frames } = await chat.ask(scope, "Which rules hold for the stairs of the house?");
    const system = lastBody().messages[0]!.content;
    expect(system).toContain("START");
    expect(system).toContain("--prompt truncated for brevity--");
    expect(system).toContain("Passage number 1");
    // 8,192 tokens less what the server keeps for the answer, at four characters each or more.
    expect(system.length).toBeGreaterThan(15_000);
    expect(system.length).toBeLessThan(40_000);
    expect(sourcesOf(frames)).toHaveLength(3);
  });

  it("count as context in query mode", async () => {
    const scope = chat.addWorkspace({ chatMode: "query" });
    expect(wireFrames((await chat.ask(scope, "When do quiet hours begin?")).frames)[0]!.type).toBe(
      "textResponse",
    );
    chat.fixture.fullTexts.set(scope.workspace.id, [fullText()]);
    const { frames } = await chat.ask(scope, "When do quiet hours begin?");
    expect(wireFrames(frames).at(-1)!.type).toBe("finalizeResponseStream");
    expect(lastBody().messages[0]!.content).toContain("Quiet hours begin at ten.");
  });

  it.each([1, 3_000])(
    "are quoted by the built-in answerer at their place (%i times the filler)",
    async (times) => {
      const filler = "The stairs were painted in a friendly yellow. ";
      const text = `${filler.repeat(times)}Quiet hours begin at ten in the evening. ${filler.repeat(times)}`;
      const scope = chat.addWorkspace({ chatProvider: "extractive", chatMode: "query" });
      chat.fixture.fullTexts.set(scope.workspace.id, [fullText({ text })]);
      const { frames } = await chat.ask(scope, "When do quiet hours begin?");
      expect(textOf(frames)).toContain("Quiet hours begin at ten in the evening. [1]");
      const [source] = sourcesOf(frames);
      expect(source).not.toHaveProperty("score");
      expect(text.slice(source!.start as number, source!.end as number)).toContain(
        "Quiet hours begin at ten",
      );
    },
  );
});

describe("backfill", () => {
  const ask = async (scope: WorkspaceScope, message: string) => ({
    ...(await chat.ask(scope, message)),
    system: lastBody().messages[0]!.content,
  });

  it("fills the context from earlier turns, newest first, and shows none of it as a source", async () => {
    const [a, b, c, d, e] = passagesWith(5) as [Passage, Passage, Passage, Passage, Passage];
    const scope = chat.addWorkspace({ topN: 3 }, [a, b]);
    chat.fixture.living.set(scope.workspace.id, [a, b, c, d]);
    await ask(scope, "What is said of the first pumps there?");
    chat.fixture.passages.set(scope.workspace.id, [c, e]);
    await ask(scope, "What is said of the second pumps there?");
    chat.fixture.passages.set(scope.workspace.id, [d]);
    chat.llm.behave({ reply: "One [1], old [2], both [1, 3], none [9]." });
    const { frames, system } = await ask(scope, "What is said of the third pumps there?");
    // e is gone meanwhile.
    const order = [d, c, a].map((passage) => system.indexOf(passage.text));
    expect(order).toEqual([...order].sort((x, y) => x - y));
    expect(order[0]).toBeGreaterThan(0);
    expect(system).not.toContain(b.text);
    expect(system).not.toContain(e.text);
    expect(sourcesOf(frames).map(({ title }) => title)).toEqual(["p3.txt"]);
    expect(textOf(frames)).toBe("One [1], old, both [1], none.");
  });

  it("does not make a question answerable in query mode, and is not asked for when enough was found", async () => {
    const [a] = passagesWith(1) as [Passage];
    const scope = chat.addWorkspace({ topN: 1, chatMode: "query" }, [a]);
    chat.fixture.living.set(scope.workspace.id, [a]);
    await ask(scope, "What is said of the first pumps there?");
    chat.fixture.passages.set(scope.workspace.id, []);
    expect(
      wireFrames((await chat.ask(scope, "Who won the chess tournament in Reykjavik?")).frames)[0]!
        .type,
    ).toBe("textResponse");
  });
});

describe("settings of the workspace", () => {
  it("mode: a switch in the middle of a conversation holds from the next question on", async () => {
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
