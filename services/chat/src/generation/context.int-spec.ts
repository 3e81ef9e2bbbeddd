import { randomUUID } from "node:crypto";
import { countContextTokens, type Passage, type WorkspaceScope } from "@carrel/contracts";
import { ChatInstance } from "../../test/chat-instance.ts";
import { fullText } from "../../test/factories/full-text.ts";
import { passageOf } from "../../test/factories/passage.ts";
import { textOf, wireFrames } from "../../test/received-frame.ts";

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
const noticesOf = (frames: Awaited<ReturnType<ChatInstance["ask"]>>["frames"]): unknown[] =>
  frames.flatMap(({ frame }) => (frame.type === "generationNotice" ? [frame.notice] : []));
const sourcesCut = {
  code: "notice.sources-cut",
  params: { model: expect.any(String) as unknown },
};

describe("pinned documents and files", () => {
  it("count as read, even if the search finds nothing", async () => {
    const scope = chat.addWorkspace({}, []);
    chat.fixture.fullTexts.set(scope.workspace.id, [fullText({ text: "The pump is blue." })]);
    const { frames } = await chat.ask(scope, "Which colour does the pump have?");
    expect(frames.map(({ frame }) => frame)).toContainEqual(
      expect.objectContaining({ type: "generationStage", stage: "reading", passages: 1 }),
    );
  });

  it("come first and in full, pinned before files, and are not searched again", async () => {
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

  it("are joined from several replies; files belong to one thread and follow pinned documents", async () => {
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
    expect(await chat.request(countContextTokens, {}, scope)).toEqual({
      currentContextTokenCount: 321,
    });
    expect(await chat.request(countContextTokens, { threadId: threadId + 1_000 }, scope)).toEqual({
      currentContextTokenCount: 0,
    });
  });

  it("are cut to fit the window and leave room for search results", async () => {
    const scope = chat.addWorkspace({}, passagesWith(2));
    chat.fixture.fullTexts.set(scope.workspace.id, [
      fullText({ text: `START ${"All stairs are to be kept free at night. ".repeat(5_000)}` }),
    ]);
    const { frames } = await chat.ask(scope, "Which rules hold for the stairs of the house?");
    const system = lastBody().messages[0]!.content;
    expect(system).toContain("START");
    expect(system).toContain("--prompt truncated for brevity--");
    expect(system).toContain("Passage number 1");
    // 8,192 tokens minus the reserve for the answer, at four characters or more each.
    expect(system.length).toBeGreaterThan(15_000);
    expect(system.length).toBeLessThan(40_000);
    expect(sourcesOf(frames)).toHaveLength(3);
    expect(noticesOf(frames)).toEqual([sourcesCut]);
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
    "are quoted in place by the built-in answerer (%i times the filler)",
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

describe("a small context window", () => {
  const longPassages = (count: number): Passage[] =>
    passagesWith(count).map((passage) => ({ ...passage, text: passage.text.repeat(700) }));

  it("is mentioned if fewer than half of the passages fit", async () => {
    const cut = await chat.ask(chat.addWorkspace({}, longPassages(3)), "How do pumps work?");
    expect(sourcesOf(cut.frames)).toHaveLength(1);
    expect(noticesOf(cut.frames)).toEqual([sourcesCut]);
    const half = await chat.ask(chat.addWorkspace({}, longPassages(2)), "How do pumps work?");
    expect(sourcesOf(half.frames)).toHaveLength(1);
    expect(noticesOf(half.frames)).toEqual([]);
    const all = await chat.ask(chat.addWorkspace({}, passagesWith(4)), "How do pumps work?");
    expect(sourcesOf(all.frames)).toHaveLength(4);
    expect(noticesOf(all.frames)).toEqual([]);
  });

  it("isn't mentioned if the model never answers", async () => {
    chat.llm.behave({ status: 401 });
    const { frames } = await chat.ask(chat.addWorkspace({}, longPassages(3)), "How do pumps work?");
    expect(noticesOf(frames)).toEqual([]);
  });
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
    // e has been deleted in the meantime.
    const order = [d, c, a].map((passage) => system.indexOf(passage.text));
    expect(order).toEqual([...order].sort((x, y) => x - y));
    expect(order[0]).toBeGreaterThan(0);
    expect(system).not.toContain(b.text);
    expect(system).not.toContain(e.text);
    expect(sourcesOf(frames).map(({ title }) => title)).toEqual(["p3.txt"]);
    expect(textOf(frames)).toBe("One [1], old, both [1], none.");
  });

  it("looks for documents only, not for web pages that an agent has read", async () => {
    const [a, b, c] = passagesWith(3) as [Passage, Passage, Passage];
    const scope = chat.addWorkspace({ topN: 3 }, [a, { ...b, documentId: "" }]);
    chat.fixture.living.set(scope.workspace.id, [a]);
    await ask(scope, "What is said of the first pumps there?");
    chat.fixture.passages.set(scope.workspace.id, [c]);
    const { frames, system } = await ask(scope, "What is said of the second pumps there?");
    expect(wireFrames(frames).map(({ type }) => type)).not.toContain("abort");
    expect(system).toContain(a.text);
  });

  it("does not make a question answerable in query mode, and is skipped when the search found enough", async () => {
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
