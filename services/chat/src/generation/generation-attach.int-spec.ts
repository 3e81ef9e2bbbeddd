import { attachGeneration, cancelGeneration, listTurns } from "@carrel/contracts";
import { poll } from "@carrel/testing";
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

describe("attaching", () => {
  it("returns the same bytes from any part number", async () => {
    // Far apart enough that coalescing on a busy machine still leaves many parts.
    chat.llm.next({ tokens: 60, delayMs: 25 });
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
    await chat.shared.messaging.connections.commands.del(`stream:sealed:gen:${generationId}`);
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

  it("continues without Redis data, and PostgreSQL has everything", async () => {
    const scope = chat.addWorkspace();
    chat.llm.next({ tokens: 1_000, delayMs: 15 });
    const { generationId } = await chat.start(scope, "Tell me more.");
    await chat.read(generationId, { until: ({ frame }) => frame.type === "textResponseChunk" });
    await chat.shared.messaging.connections.commands.flushall();
    await poll(async () => {
      const { state, frames } = await chat.request(attachGeneration, { generationId }, scope);
      const shown = (frames as Record<string, unknown>[]).map((frame) => ({
        seq: 0,
        data: "",
        frame,
      }));
      return { state, text: textOf(shown) };
    }).toEqual({ state: "running", text: expect.stringMatching(/^The quick answer/) });
    await poll(async () => (await chat.request(attachGeneration, { generationId }, scope)).state, {
      timeoutMs: 120_000,
    }).toBe("done");
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
    "can be killed midway (file kept: %s): the run continues and PostgreSQL has everything",
    async (keepData) => {
      const scope = chat.addWorkspace();
      chat.llm.next({ tokens: 150, delayMs: 15 });
      const { generationId } = await chat.start(scope, "Tell me more.");
      await chat.read(generationId, { until: ({ frame }) => frame.type === "textResponseChunk" });
      await chat.redis.restart({ keepData });
      const attach = () => chat.request(attachGeneration, { generationId }, scope);
      await poll(async () => (await attach()).state).toBe("done");
      const { turns } = await chat.request(listTurns, { slug: scope.workspace.slug }, scope);
      expect(turns[0]!.answer.split(" ").filter(Boolean)).toHaveLength(150);
      // The stream, if complete, and PostgreSQL agree.
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
  it("runs one generation per thread at a time and shows the others as queued, in order", async () => {
    const scope = chat.addWorkspace();
    chat.llm.behave({ tokens: 20, delayMs: 10 });
    const { promise: after, resolve: answer } = Promise.withResolvers<void>();
    chat.llm.next({ tokens: 20, delayMs: 10, after });
    const first = await chat.start(scope, "First?");
    const second = await chat.start(scope, "Second?");
    const third = await chat.start(scope, "Third?");
    expect([first, second, third].map(({ queued }) => queued)).toEqual([false, true, true]);
    answer();
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

  it("drops queued generations when stopped", async () => {
    const scope = chat.addWorkspace();
    const { promise: after, resolve: answer } = Promise.withResolvers<void>();
    chat.llm.next({ tokens: 60, delayMs: 10, after });
    const first = await chat.start(scope, "First?");
    const second = await chat.start(scope, "Second?");
    await chat.request(cancelGeneration, { id: second.generationId }, scope);
    answer();
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
