import {
  attachGeneration,
  cancelGeneration,
  createThread,
  getThreadGeneration,
  listTurns,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { ChatInstance } from "../../test/chat-instance.ts";
import { textOf, wireFrames } from "../../test/received-frame.ts";

let chat: ChatInstance;
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
  await chat.startReplica();
});
afterAll(() => chat.stop());
beforeEach(() => chat.llm.behave({ reply: "Yes." }));

describe("one thread in several tabs, with two replicas", () => {
  it("shows the same live answer in all tabs, whenever they join", async () => {
    const scope = chat.addWorkspace();
    chat.llm.next({ tokens: 1_000, delayMs: 10 });
    const { generationId } = await chat.start(scope, "Tell me everything of it.");
    const first = chat.read(generationId);
    await chat.read(generationId, { until: ({ frame }) => frame.type === "textResponseChunk" });
    // Further tabs find it by its thread and attach, on whichever replica answers.
    const { generation } = await chat.request(
      getThreadGeneration,
      { slug: scope.workspace.slug, threadSlug: "default" },
      scope,
    );
    expect(generation).toMatchObject({ id: generationId, state: "running" });
    const attached = await Promise.all(
      Array.from({ length: 6 }, () => chat.request(attachGeneration, { generationId }, scope)),
    );
    expect(attached.map(({ state, frames }) => [state, frames])).toEqual(
      Array.from({ length: 6 }, () => ["running", null]),
    );
    const tabs = await Promise.all([
      first,
      chat.read(generationId),
      chat.read(generationId, { after: 3 }),
    ]);
    expect(tabs[1]!.map(({ data }) => data)).toEqual(tabs[0]!.map(({ data }) => data));
    expect(tabs[2]!.map(({ data }) => data)).toEqual(tabs[0]!.slice(3).map(({ data }) => data));
    expect(textOf(tabs[0]!).split(" ").filter(Boolean)).toHaveLength(1_000);
    expect(
      (await chat.request(listTurns, { slug: scope.workspace.slug }, scope)).turns[0]!.answer,
    ).toBe(textOf(tabs[0]!));
  });

  it("ends in all tabs when one stops it, whichever replica runs it", async () => {
    chat.llm.behave({ tokens: 20_000, delayMs: 10 });
    // Enough for both replicas to run some and to be asked to stop some of the other's.
    const scope = chat.addWorkspace();
    const threads = await Promise.all(
      Array.from(
        { length: 8 },
        async () =>
          (await chat.request(createThread, { slug: scope.workspace.slug }, scope)).thread!.slug,
      ),
    );
    const started = await Promise.all(
      threads.map((threadSlug) => chat.start(scope, "Tell me everything of it.", { threadSlug })),
    );
    const tabs = started.map(({ generationId }) => [
      chat.read(generationId),
      chat.read(generationId),
    ]);
    await Promise.all(
      started.map(({ generationId }) =>
        chat.read(generationId, { until: ({ frame }) => frame.type === "textResponseChunk" }),
      ),
    );
    const stoppedAt = Date.now();
    await Promise.all(
      started.map(({ generationId }) =>
        chat.request(cancelGeneration, { id: generationId }, scope),
      ),
    );
    for (const pair of tabs) {
      const [one, other] = await Promise.all(pair);
      expect(one!.map(({ data }) => data)).toEqual(other!.map(({ data }) => data));
      expect(
        wireFrames(one!)
          .slice(-3)
          .map((frame) => frame.type),
      ).toContain("finalizeResponseStream");
      expect(textOf(one!).length).toBeGreaterThan(0);
    }
    // Unstopped, they would run for three minutes.
    expect(Date.now() - stoppedAt).toBeLessThan(60_000);
    await poll(() => chat.llm.openStreams()).toBe(0);
  });

  it("starts queued questions in order, and stopping the first lets the next begin", async () => {
    const scope = chat.addWorkspace();
    chat.llm.next({ tokens: 20_000, delayMs: 10 });
    const first = await chat.start(scope, "Question number one of this thread?");
    const rest = [];
    for (const word of ["two", "three", "four"])
      rest.push(await chat.start(scope, `Question number ${word} of this thread?`));
    expect(rest.map(({ queued }) => queued)).toEqual([true, true, true]);
    const before = chat.llm.requests.length;
    await chat.read(first.generationId, {
      until: ({ frame }) => frame.type === "textResponseChunk",
    });
    await chat.request(cancelGeneration, { id: rest[1]!.generationId }, scope);
    await chat.request(cancelGeneration, { id: first.generationId }, scope);
    await Promise.all([first, ...rest].map(({ generationId }) => chat.read(generationId)));
    const last = chat.llm.requests
      .slice(before)
      .map(
        (request) => (request.body as { messages: { content: string }[] }).messages.at(-1)!.content,
      )
      .filter((content) => !content.includes("number one"));
    expect(last).toEqual([
      "Question number two of this thread?",
      "Question number four of this thread?",
    ]);
    expect(
      (await chat.request(listTurns, { slug: scope.workspace.slug }, scope)).turns.map(
        ({ state }) => state,
      ),
    ).toEqual(["cancelled", "done", "cancelled", "done"]);
  });
});
