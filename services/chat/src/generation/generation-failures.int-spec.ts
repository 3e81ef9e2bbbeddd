import {
  attachGeneration,
  cancelGeneration,
  createThread,
  getThreadGeneration,
  listTurns,
  updateThread,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { ChatInstance } from "../../test/chat-instance.ts";
import { textOf, wireFrames } from "../../test/received-frame.ts";

let chat: ChatInstance;
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
});
afterAll(() => chat.stop());
beforeEach(() => chat.llm.behave({ reply: "It runs at 48 °C [1].", delayMs: 0 }));

describe("failures", () => {
  it("keep the question when the provider is unreachable", async () => {
    const scope = chat.addWorkspace({ chatProvider: "ollama" });
    const { frames, generationId } = await chat.ask(scope, "Anyone there?");
    expect(wireFrames(frames)).toEqual([
      {
        id: generationId,
        type: "abort",
        textResponse: null,
        sources: [],
        close: true,
        error: expect.stringMatching(/Ollama/),
      },
    ]);
    expect(await chat.history(scope)).toEqual([]);
    expect(
      (await chat.request(listTurns, { slug: scope.workspace.slug }, scope)).turns,
    ).toMatchObject([
      {
        question: "Anyone there?",
        state: "failed",
        error: expect.stringMatching(/Ollama/),
        fault: {
          code: expect.stringMatching(/^provider\./),
          params: { vendor: "Ollama", origin: expect.any(String) },
        },
      },
    ]);
  });

  it("say which key is missing", async () => {
    const { frames } = await chat.ask(chat.addWorkspace({ chatProvider: "openai" }), "Hello?");
    expect(wireFrames(frames)).toMatchObject([
      { type: "abort", error: expect.stringMatching(/key is set for OpenAI/) },
    ]);
  });

  it("say so when the search fails", async () => {
    const scope = chat.addWorkspace();
    chat.fixture.failingSearches.add(scope.workspace.id);
    const { frames } = await chat.ask(scope, "Hello?");
    expect(wireFrames(frames)).toMatchObject([{ type: "abort" }]);
    expect(wireFrames(frames)[0]!.error).not.toContain("fire");
  });

  it("keep the text of a provider that breaks off", async () => {
    const scope = chat.addWorkspace();
    chat.llm.next({ tokens: 10, delayMs: 5, breakAfter: 4 });
    const { frames, chatId, generationId } = await chat.ask(scope, "Tell me everything.");
    const wire = wireFrames(frames);
    expect(textOf(frames).trim()).toBe("The quick answer stands");
    expect(wire.at(-2)).toMatchObject({
      uuid: generationId,
      type: "abort",
      error: expect.any(String),
      close: true,
    });
    expect(wire.at(-1)).toMatchObject({ type: "finalizeResponseStream", chatId });
    expect((await chat.history(scope))[1]).toMatchObject({ content: textOf(frames) });
  });

  it("stop on request and keep the text so far", async () => {
    const scope = chat.addWorkspace();
    chat.llm.next({ tokens: 20_000, delayMs: 10 });
    const { generationId, chatId } = await chat.start(scope, "Tell me everything.");
    await chat.read(generationId, { until: ({ frame }) => frame.type === "textResponseChunk" });
    expect(
      (
        await chat.request(
          getThreadGeneration,
          { slug: scope.workspace.slug, threadSlug: "default" },
          scope,
        )
      ).generation,
    ).toEqual({ id: generationId, chatId, state: "running" });
    const stranger = chat.as(scope, { kind: "user", userId: 9, role: "admin" });
    await expect(
      chat.request(cancelGeneration, { id: generationId }, stranger),
    ).rejects.toMatchObject({ kind: "GENERATION_NOT_FOUND" });
    await chat.request(cancelGeneration, { id: generationId }, scope);
    const wire = wireFrames(await chat.read(generationId));
    expect(wire.at(-2)).toMatchObject({ type: "textResponseChunk", close: true });
    expect(wire.at(-1)).toMatchObject({ type: "finalizeResponseStream", chatId });
    await poll(() => chat.llm.openStreams()).toBe(0);
    expect(
      (await chat.request(listTurns, { slug: scope.workspace.slug }, scope)).turns,
    ).toMatchObject([{ state: "cancelled", answer: expect.stringMatching(/^The /) }]);
    expect(await chat.history(scope)).toHaveLength(2);
  });

  it("end an answer that outgrows the stream", async () => {
    const scope = chat.addWorkspace();
    chat.llm.next({ reply: Array.from({ length: 300 }, () => "long ".repeat(4_000)), delayMs: 0 });
    const wire = wireFrames((await chat.ask(scope, "Tell me everything.")).frames);
    expect(wire.at(-2)).toMatchObject({ type: "abort", error: expect.stringContaining("4 MB") });
    expect(wire.at(-1)!.type).toBe("finalizeResponseStream");
  });

  it("do not find another user's thread", async () => {
    const scope = chat.addWorkspace();
    const [mine, other] = [1, 2].map((userId) =>
      chat.as(scope, { kind: "user", userId, role: "default" }),
    ) as [typeof scope, typeof scope];
    const { thread } = await chat.request(createThread, { slug: scope.workspace.slug }, mine);
    await expect(chat.start(other, "Hi", { threadSlug: thread!.slug })).rejects.toMatchObject({
      kind: "THREAD_NOT_FOUND",
    });
    await expect(chat.history(other, thread!.slug)).rejects.toMatchObject({
      kind: "THREAD_NOT_FOUND",
    });
    await expect(
      chat.request(
        updateThread,
        { slug: scope.workspace.slug, threadSlug: thread!.slug, name: "x" },
        other,
      ),
    ).rejects.toMatchObject({ kind: "THREAD_NOT_FOUND" });
    const { generationId } = await chat.ask(mine, "In my default thread");
    await expect(chat.request(attachGeneration, { generationId }, other)).rejects.toMatchObject({
      kind: "GENERATION_NOT_FOUND",
    });
    expect(await chat.history(other)).toEqual([]);
    expect(await chat.history(mine)).toHaveLength(2);
  });
});

describe("text that PostgreSQL can't hold", () => {
  it("is stored without the character, or not found", async () => {
    const scope = chat.addWorkspace();
    chat.llm.next({ reply: ["A\0", "\0B"] });
    const { frames } = await chat.ask(scope, "What\0 is \ud800 it?", {
      attachments: [{ name: "a\0", mime: "text/plain", contentString: "\0" }],
    });
    expect(textOf(frames)).toBe("AB");
    const history = await chat.history(scope);
    expect(history.map(({ content }) => content)).toEqual(["What is \ufffd it?", "AB"]);
    await expect(chat.start(scope, "Hi", { threadSlug: "a\0b" })).rejects.toMatchObject({
      kind: "THREAD_NOT_FOUND",
    });
    await expect(chat.history(scope, "\0")).rejects.toMatchObject({ kind: "THREAD_NOT_FOUND" });
  });
});
