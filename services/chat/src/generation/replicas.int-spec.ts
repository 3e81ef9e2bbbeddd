import { once } from "node:events";
import {
  attachGeneration,
  createThread,
  deleteChats,
  deleteThread,
  deleteThreads,
  listTurns,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { DataSource } from "typeorm";
import { ChatInstance } from "../../test/chat-instance.ts";
import { passageOf } from "../../test/factories/passage.ts";
import { textOf, wireFrames } from "../../test/received-frame.ts";

let chat: ChatInstance;
beforeAll(async () => {
  chat = await ChatInstance.start();
});
afterAll(() => chat.stop());

describe("replicas", () => {
  it("closes the answer of a killed replica once, with an explanation, and runs what was queued behind it", async () => {
    const child = await chat.spawnReplica();
    const scope = chat.addWorkspace({}, [passageOf()]);
    chat.llm.next({ tokens: 20_000, delayMs: 20 });
    const { generationId, chatId } = await chat.start(scope, "Tell me everything.");
    const waiting = await chat.start(scope, "And then?");
    expect(waiting.queued).toBe(true);
    const early: string[] = [];
    // Long enough for the text so far to be saved once.
    const until = Date.now() + 1_500;
    await chat.read(generationId, {
      until: (frame) => {
        early.push(frame.data);
        return Date.now() > until;
      },
    });
    await chat.startReplica();
    await chat.startReplica();
    child.kill("SIGKILL");
    await once(child, "exit");
    const killedAt = Date.now();

    const frames = await chat.read(generationId);
    expect(Date.now() - killedAt).toBeLessThan(60_000); // ten seconds on an idle machine
    expect(frames.slice(0, early.length).map(({ data }) => data)).toEqual(early);
    const wire = wireFrames(frames);
    expect(wire.at(-2)).toMatchObject({
      type: "abort",
      uuid: generationId,
      error: expect.stringContaining("The text so far was kept"),
    });
    expect(wire.at(-1)).toMatchObject({ type: "finalizeResponseStream", chatId });
    expect(wire.filter((frame) => frame.type === "abort")).toHaveLength(1);
    // The selected sources are kept, on the wire and in the record.
    expect(wire.at(-3)).toMatchObject({
      type: "textResponseChunk",
      textResponse: "",
      close: true,
      sources: [{ title: "survey.txt" }],
    });

    expect(textOf(await chat.read(waiting.generationId)).length).toBeGreaterThan(0);
    const { turns } = await chat.request(listTurns, { slug: scope.workspace.slug }, scope);
    expect(turns).toMatchObject([
      {
        state: "failed",
        error: expect.stringContaining("kept"),
        answer: expect.stringMatching(/^The quick answer/),
      },
      { state: "done" },
    ]);
    // Text that was shown is kept, even after the last save.
    expect(turns[0]!.answer).toBe(textOf(frames));
    expect(turns[0]!.answer.startsWith(textOf(frames.slice(0, early.length)))).toBe(true);
    // A partial answer is a normal chat for existing clients.
    const history = await chat.history(scope);
    expect(history).toHaveLength(4);
    expect(history[1]).toMatchObject({ sources: [{ title: "survey.txt" }] });
  });

  it("drains on stop: longer runs are closed with their text so far, or run again without any", async () => {
    const scope = chat.addWorkspace();
    for (const replica of chat.replicas.splice(0)) await replica.stop();
    const replica = await chat.startReplica({ CARREL_DRAIN_SECONDS: "1" });
    chat.llm.next({ tokens: 20_000, delayMs: 20 });
    const { generationId } = await chat.start(scope, "Tell me everything.");
    await chat.read(generationId, { until: ({ frame }) => frame.type === "textResponseChunk" });
    const waiting = await chat.start(scope, "And then?");
    chat.llm.next({ tokens: 10, hang: 0 });
    const { thread } = await chat.request(createThread, { slug: scope.workspace.slug }, scope);
    const silent = await chat.start(scope, "What else?", { threadSlug: thread!.slug });
    await poll(() => chat.llm.openStreams()).toBe(2);
    await Promise.all([replica.stop(), chat.read(generationId)]);
    chat.replicas.length = 0;
    const wire = wireFrames(await chat.read(generationId));
    expect(wire.at(-2)).toMatchObject({
      type: "abort",
      error: expect.stringContaining("shut down"),
    });
    await chat.startReplica();
    for (const { generationId: id } of [waiting, silent]) {
      const again = await chat.read(id);
      expect(textOf(again).length).toBeGreaterThan(0);
      expect(wireFrames(again).map(({ type }) => type)).not.toContain("abort");
    }
  });

  it("lets answers end that need no longer than the operator allows", async () => {
    const scope = chat.addWorkspace();
    for (const replica of chat.replicas.splice(0)) await replica.stop();
    const replica = await chat.startReplica({ CARREL_DRAIN_SECONDS: "60" });
    // Longer than the default of 5 s.
    chat.llm.next({ tokens: 300, delayMs: 20 });
    const { generationId } = await chat.start(scope, "Tell me everything.");
    await chat.read(generationId, { until: ({ frame }) => frame.type === "textResponseChunk" });
    const [frames] = await Promise.all([chat.read(generationId), replica.stop()]);
    chat.replicas.length = 0;
    expect(wireFrames(frames).map(({ type }) => type)).not.toContain("abort");
    await chat.startReplica();
    const { turns } = await chat.request(listTurns, { slug: scope.workspace.slug }, scope);
    expect(turns).toMatchObject([{ state: "done", answer: textOf(frames) }]);
  });

  it("runs no more than its limit; the rest is queued", async () => {
    for (const replica of chat.replicas.splice(0)) await replica.stop();
    await chat.startReplica({ CARREL_CHAT_GENERATIONS: "3" });
    const { promise: after, resolve: answer } = Promise.withResolvers<void>();
    chat.llm.behave({ tokens: 20, delayMs: 10, after });
    const scope = chat.addWorkspace();
    const threads = await Promise.all(
      Array.from(
        { length: 8 },
        async () =>
          (await chat.request(createThread, { slug: scope.workspace.slug }, scope)).thread!,
      ),
    );
    const started = await Promise.all(
      threads.map((thread) => chat.start(scope, "Hello?", { threadSlug: thread.slug })),
    );
    expect(started.filter(({ queued }) => queued).length).toBeGreaterThanOrEqual(5);
    await poll(() => chat.llm.openStreams()).toBe(3);
    answer();
    const all = await Promise.all(started.map(({ generationId }) => chat.read(generationId)));
    for (const frames of all)
      expect(wireFrames(frames).map((frame) => frame.type ?? frame.action)).toContain(
        "finalizeResponseStream",
      );
  });
});

describe("deletion", () => {
  beforeAll(async () => {
    for (const replica of chat.replicas.splice(0)) await replica.stop();
    await chat.startReplica();
  });
  beforeEach(() => chat.llm.behave({ tokens: 20_000, delayMs: 20 }));
  const runningIn = async (
    scope: ReturnType<ChatInstance["addWorkspace"]>,
    threadSlug?: string,
  ) => {
    const started = await chat.start(scope, "Tell me everything.", { threadSlug });
    await chat.read(started.generationId, {
      until: ({ frame }) => frame.type === "textResponseChunk",
    });
    return started;
  };

  it("of a thread stops its runs and makes it answer 404", async () => {
    const scope = chat.addWorkspace();
    const { thread } = await chat.request(createThread, { slug: scope.workspace.slug }, scope);
    const other = (await chat.request(createThread, { slug: scope.workspace.slug }, scope)).thread!;
    const { generationId } = await runningIn(scope, thread!.slug);
    const stranger = chat.as(scope, { kind: "user", userId: 9, role: "admin" });
    await chat.request(
      deleteThreads,
      { slug: scope.workspace.slug, slugs: [thread!.slug] },
      stranger,
    );
    expect(chat.llm.openStreams()).toBe(1);
    await chat.request(
      deleteThread,
      { slug: scope.workspace.slug, threadSlug: thread!.slug },
      scope,
    );
    await poll(() => chat.llm.openStreams()).toBe(0);
    // Readers are notified instead of waiting for an end.
    expect(wireFrames(await chat.read(generationId)).at(-1)).toMatchObject({
      type: "abort",
      error: expect.stringContaining("was deleted"),
    });
    await expect(
      chat.request(deleteThread, { slug: scope.workspace.slug, threadSlug: thread!.slug }, scope),
    ).rejects.toMatchObject({ kind: "THREAD_NOT_FOUND" });
    await chat.request(
      deleteThreads,
      { slug: scope.workspace.slug, slugs: [other.slug, "unknown"] },
      scope,
    );
    await expect(chat.start(scope, "Hi", { threadSlug: other.slug })).rejects.toMatchObject({
      kind: "THREAD_NOT_FOUND",
    });
  });

  it.each(["a thread", "a workspace"])(
    "of %s ends queued runs too: at once, or by another replica if the deleting one died",
    async (what) => {
      const scope = chat.addWorkspace();
      const { thread } = await chat.request(createThread, { slug: scope.workspace.slug }, scope);
      await runningIn(scope, thread!.slug);
      const waiting = [
        await chat.start(scope, "And then?", { threadSlug: thread!.slug }),
        await chat.start(scope, "And after that?", { threadSlug: thread!.slug }),
      ];
      const readers = waiting.map(({ generationId }) => chat.read(generationId));
      if (what === "a thread")
        await chat.request(
          deleteThread,
          { slug: scope.workspace.slug, threadSlug: thread!.slug },
          scope,
        );
      else await chat.deleteWorkspace(scope);
      for (const [index, frames] of (await Promise.all(readers)).entries()) {
        expect(wireFrames(frames)).toEqual([
          {
            id: waiting[index]!.generationId,
            type: "abort",
            textResponse: null,
            sources: [],
            close: true,
            error: "The conversation was deleted while this was being answered.",
          },
        ]);
        // Readers are notified before the rows are deleted.
        await poll(() =>
          chat
            .request(attachGeneration, { generationId: waiting[index]!.generationId }, scope)
            .catch((error: unknown) => error),
        ).toMatchObject({ kind: "GENERATION_NOT_FOUND" });
      }
      await poll(() => chat.llm.openStreams()).toBe(0);
    },
  );

  it("is announced by another replica when the deleting one died first", async () => {
    const scope = chat.addWorkspace();
    const { thread } = await chat.request(createThread, { slug: scope.workspace.slug }, scope);
    await runningIn(scope, thread!.slug);
    const waiting = await chat.start(scope, "And then?", { threadSlug: thread!.slug });
    const database = await new DataSource({
      type: "postgres",
      url: chat.database.url,
    }).initialize();
    await database.query("DELETE FROM chat.thread WHERE id = $1", [thread!.id]);
    expect(wireFrames(await chat.read(waiting.generationId)).at(-1)).toMatchObject({
      type: "abort",
      error: expect.stringContaining("was deleted"),
    });
    await poll(() => database.query("SELECT * FROM chat.deleted_generation")).toEqual([]);
    await database.destroy();
  });

  it("of turns stops them, only the caller's own", async () => {
    const scope = chat.addWorkspace();
    const { chatId } = await runningIn(scope);
    await chat.request(
      deleteChats,
      { slug: scope.workspace.slug, chatIds: [chatId] },
      chat.as(scope, { kind: "user", userId: 9, role: "admin" }),
    );
    expect(
      (await chat.request(listTurns, { slug: scope.workspace.slug }, scope)).turns,
    ).toHaveLength(1);
    await chat.request(deleteChats, { slug: scope.workspace.slug, chatIds: [chatId] }, scope);
    await poll(() => chat.llm.openStreams()).toBe(0);
    expect((await chat.request(listTurns, { slug: scope.workspace.slug }, scope)).turns).toEqual(
      [],
    );
  });

  it("of a workspace stops and deletes everything and is confirmed", async () => {
    const scope = chat.addWorkspace();
    await runningIn(scope);
    await chat.deleteWorkspace(scope);
    await poll(() => chat.fixture.confirmed).toContainEqual({
      workspaceId: scope.workspace.id,
      service: "chat",
    });
    await poll(() => chat.llm.openStreams()).toBe(0);
    expect((await chat.request(listTurns, { slug: scope.workspace.slug }, scope)).turns).toEqual(
      [],
    );
  });
});

describe("long prompts", () => {
  it("are fitted into the window in a worker thread", async () => {
    chat.llm.behave({ reply: "Yes." });
    const scope = chat.addWorkspace();
    const { frames } = await chat.ask(
      scope,
      `START ${"The heat pump runs at forty-eight degrees. ".repeat(3_000)} END`,
    );
    expect(textOf(frames)).toBe("Yes.");
    const { messages } = chat.llm.requests.at(-1)!.body as { messages: { content: string }[] };
    expect(messages.at(-1)!.content).toMatch(
      /^START[\s\S]*--prompt truncated for brevity--[\s\S]*END$/,
    );
    expect(messages.at(-1)!.content.length).toBeLessThan(40_000);
  });
});
