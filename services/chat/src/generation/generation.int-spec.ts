import { createThread, listThreads, listTurns, startGeneration } from "@carrel/contracts";
import { ChatInstance } from "../../test/chat-instance.ts";
import { passageOf } from "../../test/factories/passage.ts";
import { textOf, wireFrames } from "../../test/received-frame.ts";

let chat: ChatInstance;
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
});
afterAll(() => chat.stop());
beforeEach(() => chat.llm.behave({ reply: "It runs at 48 °C [1].", delayMs: 0 }));

const passages = [passageOf()];

describe("an answer", () => {
  it("arrives in the order of wire-contract 4.3 and is stored", async () => {
    const scope = chat.addWorkspace({}, passages);
    const { thread } = await chat.request(createThread, { slug: scope.workspace.slug }, scope);
    const { frames, chatId, generationId } = await chat.ask(
      scope,
      "What is the flow temperature of the pump?",
      { threadSlug: thread!.slug },
    );

    expect(frames.map(({ seq }) => seq)).toEqual(frames.map((_, index) => index + 1));
    expect(frames[0]!.frame).toEqual({
      type: "generationStarted",
      generationId,
      chatId,
      queued: false,
    });
    expect(frames.map(({ frame }) => frame.stage).filter(Boolean)).toEqual([
      "searching",
      "reading",
      "writing",
    ]);
    const wire = wireFrames(frames);
    const chunks = wire.filter((frame) => frame.type === "textResponseChunk");
    expect(textOf(frames)).toBe("It runs at 48 °C [1].");
    for (const chunk of chunks.slice(0, -1))
      expect(chunk).toMatchObject({ uuid: generationId, sources: [], close: false, error: false });
    expect(chunks.at(-1)).toMatchObject({
      textResponse: "",
      close: true,
      error: false,
      sources: [{ id: passages[0]!.chunkId, title: "survey.txt", score: 0.8 }],
    });
    expect(wire.at(-2)).toMatchObject({
      type: "finalizeResponseStream",
      uuid: generationId,
      close: true,
      error: false,
      chatId,
      metrics: { model: "fake-model", provider: "generic-openai" },
    });
    expect(wire.at(-1)).toEqual({
      action: "rename_thread",
      thread: { slug: thread!.slug, name: "What is the flow temperature of the pump?" },
    });

    const history = await chat.history(scope, thread!.slug);
    expect(history).toMatchObject([
      {
        role: "user",
        content: "What is the flow temperature of the pump?",
        chatId,
        attachments: [],
      },
      {
        role: "assistant",
        type: "chat",
        content: "It runs at 48 °C [1].",
        chatId,
        feedbackScore: null,
        sources: [{ title: "survey.txt" }],
        metrics: { provider: "generic-openai" },
      },
    ]);
    const second = await chat.ask(scope, "And then?", { threadSlug: thread!.slug });
    expect(wireFrames(second.frames).at(-1)!.type).toBe("finalizeResponseStream");
    expect(
      (await chat.request(listThreads, { slug: scope.workspace.slug }, scope)).threads,
    ).toMatchObject([{ name: "What is the flow temperature of the pump?" }]);
  });

  it("is requested with context and history without failed turns, and its marks have sources", async () => {
    const scope = chat.addWorkspace({ openAiPrompt: "Be brief." }, passages);
    await chat.ask(scope, "What is the design flow temperature of the heat pump?");
    chat.llm.next({ status: 400 });
    await chat.ask(scope, "This question gets no answer from the model at all, sadly");
    chat.llm.behave({ reply: ["Yes ", "[", "1", "] and [", "7", "]."], delayMs: 0 });
    const { frames } = await chat.ask(scope, "And in winter?");
    expect(textOf(frames)).toBe("Yes [1] and.");
    const body = chat.llm.requests.at(-1)!.body as {
      messages: { role: string; content: string }[];
      temperature: number;
    };
    // wire-contract 4.7: the default for a workspace that sets none.
    expect(body.temperature).toBe(0.7);
    expect(body.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(body.messages[0]!.content).toMatch(
      /^Be brief\.[\s\S]*\[CONTEXT 1\]:\n[\s\S]*At 48 °C most radiators[\s\S]*\[END CONTEXT 1\]/,
    );
    expect(body.messages.slice(1).map(({ content }) => content)).toEqual([
      "What is the design flow temperature of the heat pump?",
      "It runs at 48 °C [1].",
      "And in winter?",
    ]);
    expect(chat.fixture.searches.at(-1)!.query).toContain("And in winter?");
  });

  it("has reasoning inline", async () => {
    chat.llm.behave({ reasoning: ["Let me ", "see."], reply: "Four." });
    const { frames } = await chat.ask(chat.addWorkspace(), "What is two and two?");
    expect(textOf(frames)).toBe("<think>Let me see.</think>Four.");
  });

  it("is written in steps for @agent, which only Carrel's app shows in its question", async () => {
    const scope = chat.addWorkspace();
    const { frames } = await chat.ask(scope, "@agent what is it?");
    expect(textOf(frames)).toBe("It runs at 48 °C.");
    const { turns } = await chat.request(listTurns, { slug: scope.workspace.slug }, scope);
    expect(turns).toMatchObject([
      { question: "@agent what is it?", mode: "automatic", notices: [] },
    ]);
    expect(await chat.history(scope)).toMatchObject([
      { role: "user", content: "what is it?" },
      { type: "chat" },
    ]);
    const asked = chat.llm.requests.at(-1)!.body as { messages: { content: string }[] };
    expect(asked.messages.at(-1)!.content).toBe("what is it?");
  });

  it("is not written in steps without a model, which a notice says", async () => {
    const scope = chat.addWorkspace({ chatProvider: "extractive" });
    const { frames } = await chat.ask(scope, "@agent what is it?");
    expect(frames.map(({ frame }) => frame)).toContainEqual({
      type: "generationNotice",
      notice: { code: "notice.agent-without-model" },
    });
  });

  it("is delivered once per idempotency key", async () => {
    const scope = chat.addWorkspace();
    const input = { threadSlug: null, message: "Once?" };
    const [first, second] = await Promise.all([
      chat.request(startGeneration, input, scope, "key-1"),
      chat.request(startGeneration, input, scope, "key-1"),
    ]);
    expect(second).toEqual(first);
    await chat.read(first.generationId!);
    expect(await chat.history(scope)).toHaveLength(2);
  });
});

it.each([
  ["chat", true],
  ["query", true],
  ["query", false],
] as const)(
  "says in %s mode that the index is being rebuilt (found: %s)",
  async (chatMode, isFound) => {
    const scope = chat.addWorkspace({ chatMode }, isFound ? [passageOf()] : []);
    chat.fixture.documentCounts.set(scope.workspace.id, 3);
    chat.fixture.fallbacks.set(scope.workspace.id, {
      store: "LanceDB",
      searched: "stored-text",
      isRebuilding: true,
    });
    const { frames } = await chat.ask(scope, "How warm does the pump run?");
    expect(frames.map(({ frame }) => frame)).toContainEqual({
      type: "generationNotice",
      notice: { code: "notice.index-rebuilding" },
    });
  },
);

describe("query mode", () => {
  it.each([
    [0, true],
    [3, false],
  ])("refuses without passages in a workspace of %i documents", async (documents, echoes) => {
    const scope = chat.addWorkspace({
      chatMode: "query",
      queryRefusalResponse: documents === 3 ? "Not here." : null,
    });
    chat.fixture.documentCounts.set(scope.workspace.id, documents);
    const before = chat.llm.requests.length;
    const { frames, generationId } = await chat.ask(scope, "What is the moon made of?");
    expect(wireFrames(frames)).toEqual([
      {
        id: generationId,
        type: "textResponse",
        textResponse:
          documents === 3
            ? "Not here."
            : "There is no relevant information in this workspace to answer your query.",
        sources: [],
        ...(echoes ? { attachments: [] } : {}),
        close: true,
        error: null,
      },
    ]);
    expect(chat.llm.requests).toHaveLength(before);
    expect(await chat.history(scope)).toEqual([]);
    expect(
      (await chat.request(listTurns, { slug: scope.workspace.slug }, scope)).turns,
    ).toMatchObject([{ refused: true, state: "done", mode: "query" }]);
  });

  it("refuses in the person's language, which the answer keeps, and in an admin's own words", async () => {
    const german =
      "In diesem Workspace gibt es keine passenden Informationen, um Ihre Frage zu beantworten.";
    const refuse = async (queryRefusalResponse: string | null): Promise<unknown[]> => {
      const scope = chat.addWorkspace({ chatMode: "query", queryRefusalResponse });
      const question = "Woraus besteht der Mond?";
      const { frames } = await chat.ask({ ...scope, language: "de" }, question);
      const { turns } = await chat.request(
        listTurns,
        { slug: scope.workspace.slug },
        { ...scope, language: "fr" },
      );
      return [wireFrames(frames)[0]!.textResponse, turns[0]!.answer];
    };
    expect(await refuse(null)).toEqual([german, german]);
    expect(await refuse("Not here.")).toEqual(["Not here.", "Not here."]);
  });

  it("can be enabled for one message", async () => {
    const scope = chat.addWorkspace();
    expect(wireFrames((await chat.ask(scope, "One?", { mode: "query" })).frames)[0]!.type).toBe(
      "textResponse",
    );
    expect(wireFrames((await chat.ask(scope, "Two?")).frames).at(-1)!.type).toBe(
      "finalizeResponseStream",
    );
  });
});

describe("/reset", () => {
  it("hides the history of this thread only and stores nothing", async () => {
    const scope = chat.addWorkspace();
    const { thread } = await chat.request(createThread, { slug: scope.workspace.slug }, scope);
    await chat.ask(scope, "In the default thread");
    await chat.ask(scope, "In the other", { threadSlug: thread!.slug });
    const reset = await chat.request(
      startGeneration,
      { threadSlug: null, message: "/Reset please" },
      scope,
    );
    expect(reset).toMatchObject({ generationId: null, chatId: null, queued: false });
    expect(reset.frames).toEqual([
      {
        uuid: expect.any(String),
        type: "textResponse",
        textResponse: "Chat memory was reset!",
        sources: [],
        close: true,
        error: false,
        action: "reset_chat",
      },
    ]);
    expect(await chat.history(scope)).toEqual([]);
    expect((await chat.request(listTurns, { slug: scope.workspace.slug }, scope)).turns).toEqual(
      [],
    );
    expect(await chat.history(scope, thread!.slug)).toHaveLength(2);
    await chat.ask(scope, "Start again");
    const body = chat.llm.requests.at(-1)!.body as { messages: unknown[] };
    expect(body.messages).toHaveLength(2);
  });
});
