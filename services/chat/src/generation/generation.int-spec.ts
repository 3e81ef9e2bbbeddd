import {
  attachGeneration,
  cancelGeneration,
  createThread,
  getThreadGeneration,
  listChats,
  listThreadChats,
  listThreads,
  listTurns,
  startGeneration,
  updateThread,
} from "@carrel/contracts";
import { eventually } from "@carrel/testing";
import { ChatInstance, textOf, wireFrames } from "../../test/chat-instance.ts";
import { passageOf } from "../../test/factories/passage.ts";

let chat: ChatInstance;
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
});
afterAll(() => chat.stop());
beforeEach(() => chat.llm.behave({ reply: "It runs at 48 °C [1].", delayMs: 0 }));

const passages = [passageOf()];

describe("an answer", () => {
  it("comes in the order of wire-contract 4.3 and is stored", async () => {
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
      thread: { slug: thread!.slug, name: "What is the flow tempe" },
    });

    const { history } = await chat.request(
      listThreadChats,
      { slug: scope.workspace.slug, threadSlug: thread!.slug },
      scope,
    );
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
    ).toMatchObject([{ name: "What is the flow tempe" }]);
  });

  it("is asked for with context, history without failed turns, and the marks that it shows have sources", async () => {
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
    // wire-contract 4.7: what a workspace without one of its own gets.
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

  it("says that @agent could not be called, and answers", async () => {
    const scope = chat.addWorkspace();
    const { frames } = await chat.ask(scope, "@agent what is it?");
    const notice = "@agent could not be called. Chat will be handled as default chat.";
    expect(wireFrames(frames)[0]).toMatchObject({
      type: "statusResponse",
      textResponse: notice,
      animate: false,
      close: true,
    });
    expect(textOf(frames)).toBe("It runs at 48 °C.");
    // Our client shows it with the turn later too; the history of existing clients is as it was.
    expect(
      (await chat.request(listTurns, { slug: scope.workspace.slug }, scope)).turns,
    ).toMatchObject([{ notices: [notice], answer: "It runs at 48 °C." }]);
    expect(
      JSON.stringify(await chat.request(listChats, { slug: scope.workspace.slug }, scope)),
    ).not.toContain(notice);
  });

  it("is delivered once for one key", async () => {
    const scope = chat.addWorkspace();
    const input = { threadSlug: null, message: "Once?" };
    const [first, second] = await Promise.all([
      chat.request(startGeneration, input, scope, "key-1"),
      chat.request(startGeneration, input, scope, "key-1"),
    ]);
    expect(second).toEqual(first);
    await chat.read(first.generationId!);
    expect(
      (await chat.request(listChats, { slug: scope.workspace.slug }, scope)).history,
    ).toHaveLength(2);
  });
});

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
    expect((await chat.request(listChats, { slug: scope.workspace.slug }, scope)).history).toEqual(
      [],
    );
    expect(
      (await chat.request(listTurns, { slug: scope.workspace.slug }, scope)).turns,
    ).toMatchObject([{ refused: true, state: "done", mode: "query" }]);
  });

  it("can be switched on for one message", async () => {
    const scope = chat.addWorkspace();
    expect(wireFrames((await chat.ask(scope, "One?", { mode: "query" })).frames)[0]!.type).toBe(
      "textResponse",
    );
    expect(wireFrames((await chat.ask(scope, "Two?")).frames).at(-1)!.type).toBe(
      "finalizeResponseStream",
    );
  });
});

describe("the extractive answerer", () => {
  const quoted = [
    passageOf({
      text: "The survey was made in May. At a flow temperature of 48 °C, 78 % of the radiators cover their room. Lunch was served at noon.",
      score: 0.9,
      textScore: 0.9,
    }),
  ];

  it("quotes verbatim with marks that have sources", async () => {
    const scope = chat.addWorkspace({ chatProvider: "extractive" }, quoted);
    const { frames } = await chat.ask(
      scope,
      "At which flow temperature do the radiators cover their room?",
    );
    expect(textOf(frames)).toContain(
      "At a flow temperature of 48 °C, 78 % of the radiators cover their room. [1]",
    );
    for (const quote of textOf(frames).split("\n\n"))
      expect(quoted[0]!.text).toContain(quote.replace(/ \[1\]$/, ""));
    const closing = wireFrames(frames).find((frame) => frame.close === true)!;
    expect(closing.sources).toHaveLength(1);
    expect(wireFrames(frames).at(-1)).toMatchObject({
      type: "finalizeResponseStream",
      metrics: { provider: "extractive" },
    });
  });

  it("refuses in query mode and says what it is in chat mode when nothing answers", async () => {
    const question = "Who won the chess tournament in Reykjavik?";
    const query = await chat.ask(
      chat.addWorkspace({ chatProvider: "extractive", chatMode: "query" }, quoted),
      question,
    );
    expect(wireFrames(query.frames)).toMatchObject([{ type: "textResponse" }]);
    const free = await chat.ask(
      chat.addWorkspace({ chatProvider: "extractive" }, quoted),
      question,
    );
    expect(textOf(free.frames)).toMatch(/found nothing in the documents[\s\S]*does not write/);
  });
});

describe("what goes wrong", () => {
  it("keeps the question when the provider is not there", async () => {
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
    expect((await chat.request(listChats, { slug: scope.workspace.slug }, scope)).history).toEqual(
      [],
    );
    expect(
      (await chat.request(listTurns, { slug: scope.workspace.slug }, scope)).turns,
    ).toMatchObject([
      { question: "Anyone there?", state: "failed", error: expect.stringMatching(/Ollama/) },
    ]);
  });

  it("says which key is missing", async () => {
    const { frames } = await chat.ask(chat.addWorkspace({ chatProvider: "openai" }), "Hello?");
    expect(wireFrames(frames)).toMatchObject([
      { type: "abort", error: expect.stringMatching(/key for OpenAI/) },
    ]);
  });

  it("says so when the search fails", async () => {
    const scope = chat.addWorkspace();
    chat.fixture.failingSearches.add(scope.workspace.id);
    const { frames } = await chat.ask(scope, "Hello?");
    expect(wireFrames(frames)).toMatchObject([{ type: "abort" }]);
    expect(wireFrames(frames)[0]!.error).not.toContain("fire");
  });

  it("keeps the text of a provider that breaks off", async () => {
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
    expect(
      (await chat.request(listChats, { slug: scope.workspace.slug }, scope)).history[1],
    ).toMatchObject({ content: textOf(frames) });
  });

  it("stops on request and keeps the text so far", async () => {
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
    ).rejects.toMatchObject({ code: "GENERATION_NOT_FOUND" });
    await chat.request(cancelGeneration, { id: generationId }, scope);
    const wire = wireFrames(await chat.read(generationId));
    expect(wire.at(-2)).toMatchObject({ type: "textResponseChunk", close: true });
    expect(wire.at(-1)).toMatchObject({ type: "finalizeResponseStream", chatId });
    await eventually(() => expect(chat.llm.openStreams()).toBe(0));
    expect(
      (await chat.request(listTurns, { slug: scope.workspace.slug }, scope)).turns,
    ).toMatchObject([{ state: "cancelled", answer: expect.stringMatching(/^The /) }]);
    expect(
      (await chat.request(listChats, { slug: scope.workspace.slug }, scope)).history,
    ).toHaveLength(2);
  });

  it("ends an answer that outgrows the stream", async () => {
    const scope = chat.addWorkspace();
    chat.llm.next({ reply: Array.from({ length: 300 }, () => "long ".repeat(4_000)), delayMs: 0 });
    const wire = wireFrames((await chat.ask(scope, "Tell me everything.")).frames);
    expect(wire.at(-2)).toMatchObject({ type: "abort", error: expect.stringContaining("4 MB") });
    expect(wire.at(-1)!.type).toBe("finalizeResponseStream");
  });

  it("knows no thread of someone else", async () => {
    const scope = chat.addWorkspace();
    const [mine, other] = [1, 2].map((userId) =>
      chat.as(scope, { kind: "user", userId, role: "default" }),
    ) as [typeof scope, typeof scope];
    const { thread } = await chat.request(createThread, { slug: scope.workspace.slug }, mine);
    await expect(chat.start(other, "Hi", { threadSlug: thread!.slug })).rejects.toMatchObject({
      code: "THREAD_NOT_FOUND",
    });
    await expect(
      chat.request(
        listThreadChats,
        { slug: scope.workspace.slug, threadSlug: thread!.slug },
        other,
      ),
    ).rejects.toMatchObject({ code: "THREAD_NOT_FOUND" });
    await expect(
      chat.request(
        updateThread,
        { slug: scope.workspace.slug, threadSlug: thread!.slug, name: "x" },
        other,
      ),
    ).rejects.toMatchObject({ code: "THREAD_NOT_FOUND" });
    const { generationId } = await chat.ask(mine, "In my default thread");
    await expect(chat.request(attachGeneration, { generationId }, other)).rejects.toMatchObject({
      code: "GENERATION_NOT_FOUND",
    });
    expect((await chat.request(listChats, { slug: scope.workspace.slug }, other)).history).toEqual(
      [],
    );
    expect(
      (await chat.request(listChats, { slug: scope.workspace.slug }, mine)).history,
    ).toHaveLength(2);
  });
});

describe("text that PostgreSQL cannot hold", () => {
  it("is stored without it, or not found", async () => {
    const scope = chat.addWorkspace();
    chat.llm.next({ reply: ["A\0", "\0B"] });
    const { frames } = await chat.ask(scope, "What\0 is \ud800 it?", {
      attachments: [{ name: "a\0", mime: "text/plain", contentString: "\0" }],
    });
    expect(textOf(frames)).toBe("AB");
    const { history } = await chat.request(listChats, { slug: scope.workspace.slug }, scope);
    expect(history.map(({ content }) => content)).toEqual(["What is \ufffd it?", "AB"]);
    await expect(chat.start(scope, "Hi", { threadSlug: "a\0b" })).rejects.toMatchObject({
      code: "THREAD_NOT_FOUND",
    });
    await expect(
      chat.request(listThreadChats, { slug: scope.workspace.slug, threadSlug: "\0" }, scope),
    ).rejects.toMatchObject({ code: "THREAD_NOT_FOUND" });
  });
});

describe("/reset", () => {
  it("hides the history of this thread alone and stores nothing", async () => {
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
    expect((await chat.request(listChats, { slug: scope.workspace.slug }, scope)).history).toEqual(
      [],
    );
    expect((await chat.request(listTurns, { slug: scope.workspace.slug }, scope)).turns).toEqual(
      [],
    );
    expect(
      (
        await chat.request(
          listThreadChats,
          { slug: scope.workspace.slug, threadSlug: thread!.slug },
          scope,
        )
      ).history,
    ).toHaveLength(2);
    await chat.ask(scope, "Start again");
    const body = chat.llm.requests.at(-1)!.body as { messages: unknown[] };
    expect(body.messages).toHaveLength(2);
  });
});

describe("attaching", () => {
  it("gives the same bytes from every number", async () => {
    chat.llm.next({ tokens: 60, delayMs: 5 });
    const scope = chat.addWorkspace();
    const { generationId } = await chat.start(scope, "Tell me more.");
    const live = await chat.read(generationId);
    expect(live.length).toBeGreaterThan(10);
    for (let after = 0; after < live.length; after += 1) {
      const again = await chat.read(generationId, { after });
      expect(again.map(({ data }) => data)).toEqual(live.slice(after).map(({ data }) => data));
    }
    expect(await chat.request(attachGeneration, { generationId }, scope)).toMatchObject({
      state: "done",
      frames: null,
    });
  });

  it("answers from PostgreSQL when the stream is gone", async () => {
    const scope = chat.addWorkspace({}, passages);
    const { generationId, chatId, frames } = await chat.ask(scope, "What is the flow temperature?");
    await chat.shared.messaging.connections.commands.del(`stream:gen:${generationId}`);
    const attached = await chat.request(attachGeneration, { generationId }, scope);
    expect(attached).toMatchObject({ chatId, state: "done" });
    const rebuilt = attached.frames as Record<string, unknown>[];
    expect(rebuilt.map((frame) => frame.type)).toEqual([
      "generationStarted",
      "textResponseChunk",
      "textResponseChunk",
      "finalizeResponseStream",
    ]);
    expect(rebuilt[1]!.textResponse).toBe(textOf(frames));
    expect(rebuilt.slice(2).map((frame) => JSON.stringify(frame))).toEqual(
      frames.slice(-2).map(({ data }) => data),
    );
  });

  it("goes on without Redis data, and PostgreSQL has it all", async () => {
    const scope = chat.addWorkspace();
    chat.llm.next({ tokens: 1_000, delayMs: 15 });
    const { generationId } = await chat.start(scope, "Tell me more.");
    await chat.read(generationId, { until: ({ frame }) => frame.type === "textResponseChunk" });
    await chat.shared.messaging.connections.commands.flushall();
    await eventually(async () => {
      const running = await chat.request(attachGeneration, { generationId }, scope);
      expect(running.state).toBe("running");
      expect(
        textOf(
          (running.frames as Record<string, unknown>[]).map((frame) => ({
            seq: 0,
            data: "",
            frame,
          })),
        ),
      ).toMatch(/^The quick answer/);
    });
    await eventually(
      async () =>
        expect((await chat.request(attachGeneration, { generationId }, scope)).state).toBe("done"),
      { timeoutMs: 120_000 },
    );
    const { frames } = await chat.request(attachGeneration, { generationId }, scope);
    expect(
      textOf((frames as Record<string, unknown>[]).map((frame) => ({ seq: 0, data: "", frame })))
        .split(" ")
        .filter(Boolean),
    ).toHaveLength(1_000);
  });
});

describe("Redis", () => {
  it.each([true, false])(
    "may be killed in the middle (its file kept: %s): the run goes on and PostgreSQL has it all",
    async (keepData) => {
      const scope = chat.addWorkspace();
      chat.llm.next({ tokens: 150, delayMs: 15 });
      const { generationId } = await chat.start(scope, "Tell me more.");
      await chat.read(generationId, { until: ({ frame }) => frame.type === "textResponseChunk" });
      await chat.redis.restart({ keepData });
      const attach = () => chat.request(attachGeneration, { generationId }, scope);
      await eventually(async () => expect((await attach()).state).toBe("done"));
      const { turns } = await chat.request(listTurns, { slug: scope.workspace.slug }, scope);
      expect(turns[0]!.answer.split(" ").filter(Boolean)).toHaveLength(150);
      // The stream, where it is whole, and PostgreSQL say the same.
      const { frames } = await attach();
      const text =
        frames === null
          ? textOf(await chat.read(generationId))
          : textOf(
              (frames as Record<string, unknown>[]).map((frame) => ({ seq: 0, data: "", frame })),
            );
      expect(text).toBe(turns[0]!.answer);
      expect(textOf((await chat.ask(scope, "Still there?")).frames)).toContain("48 °C");
    },
  );
});

describe("the queue", () => {
  it("runs one in a thread at a time, the others in order, visibly", async () => {
    const scope = chat.addWorkspace();
    chat.llm.behave({ tokens: 20, delayMs: 10 });
    chat.llm.next({ tokens: 20, delayMs: 10, firstDelayMs: 5_000 });
    const first = await chat.start(scope, "First?");
    const second = await chat.start(scope, "Second?");
    const third = await chat.start(scope, "Third?");
    expect([first, second, third].map(({ queued }) => queued)).toEqual([false, true, true]);
    const all = await Promise.all(
      [first, second, third].map(({ generationId }) => chat.read(generationId)),
    );
    expect(all[1]!.map(({ frame }) => frame.stage).filter(Boolean)).toEqual([
      "queued",
      "searching",
      "reading",
      "writing",
    ]);
    expect(all[1]!.map(({ seq }) => seq)).toEqual(all[1]!.map((_, index) => index + 1));
    const asked = chat.llm.requests
      .slice(-3)
      .map((request) =>
        (request.body as { messages: { content: string }[] }).messages
          .map(({ content }) => content)
          .slice(1),
      );
    expect(asked.map((messages) => messages.at(-1))).toEqual(["First?", "Second?", "Third?"]);
    expect(asked.map((messages) => messages.length)).toEqual([1, 3, 5]);
  });

  it("drops what waited when it is stopped", async () => {
    const scope = chat.addWorkspace();
    chat.llm.next({ tokens: 60, delayMs: 10, firstDelayMs: 5_000 });
    const first = await chat.start(scope, "First?");
    const second = await chat.start(scope, "Second?");
    await chat.request(cancelGeneration, { id: second.generationId }, scope);
    const frames = wireFrames(await chat.read(second.generationId));
    expect(frames).toMatchObject([
      { type: "textResponseChunk", close: true, textResponse: "" },
      { type: "finalizeResponseStream" },
    ]);
    expect(frames[1]).not.toHaveProperty("chatId");
    await chat.read(first.generationId);
    expect(
      (await chat.request(listTurns, { slug: scope.workspace.slug }, scope)).turns.map(
        ({ state }) => state,
      ),
    ).toEqual(["done", "cancelled"]);
  });
});
