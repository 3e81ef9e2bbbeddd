import {
  attachGeneration,
  cancelGeneration,
  createShare,
  createThread,
  deleteThread,
  forkThread,
  listThreads,
  listTrash,
  listTurns,
  purgeThread,
  restoreThread,
  searchChats,
  type WorkspaceScope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { slugOf, startChat, user } from "../../test/chat-suite.ts";
import { wireFrames } from "../../test/received-frame.ts";

const { chat, database } = await startChat("It is so.");

const page = async (scope: WorkspaceScope, thread?: string) =>
  (await chat.request(listTurns, { ...slugOf(scope), thread }, scope)).turns;

describe("trash", () => {
  it("is disabled by default: deletion is permanent, and ingest is notified", async () => {
    const scope = chat.addWorkspace();
    const { thread } = await chat.request(createThread, slugOf(scope), scope);
    const told: unknown[] = [];
    const stop = chat.shared.messaging.broadcast.on("event:thread.deleted", (payload) =>
      told.push(payload),
    );
    await chat.request(deleteThread, { ...slugOf(scope), threadSlug: thread!.slug }, scope);
    expect(await chat.request(listTrash, slugOf(scope), scope)).toEqual({ days: 0, threads: [] });
    await expect(
      chat.request(restoreThread, { ...slugOf(scope), threadSlug: thread!.slug }, scope),
    ).rejects.toMatchObject({ kind: "THREAD_NOT_FOUND" });
    await poll(() => told).toEqual([{ workspaceId: scope.workspace.id, threadIds: [thread!.id] }]);
    stop();
  });

  it("keeps threads for the configured number of days", async () => {
    const [first] = chat.replicas;
    await first!.stop();
    chat.replicas.splice(0, 1);
    await chat.startReplica({ CARREL_TRASH_DAYS: "7" });
    const scope = chat.addWorkspace();
    const { thread } = await chat.request(createThread, slugOf(scope), scope);
    const inThread = { ...slugOf(scope), threadSlug: thread!.slug };
    await chat.ask(scope, "Xylophone question?", { threadSlug: thread!.slug });
    chat.llm.behave({ reply: "word ".repeat(300).trim(), delayMs: 20 });
    await chat.request(
      createShare,
      { ...slugOf(scope), thread: thread!.slug, audience: "anyone", expiresInDays: null },
      scope,
    );
    const running = await chat.start(scope, "Runs?", { threadSlug: thread!.slug });
    const waiting = await chat.start(scope, "Waits?", { threadSlug: thread!.slug });
    await chat.read(running.generationId, {
      until: ({ frame }) => frame.type === "textResponseChunk",
    });
    await chat.request(deleteThread, inThread, scope);
    // A restored thread isn't public again.
    expect(await database.query("SELECT id FROM chat.share")).toEqual([]);
    await poll(() => chat.llm.openStreams()).toBe(0);
    expect(wireFrames(await chat.read(waiting.generationId)).at(-1)).toMatchObject({
      type: "abort",
      error: expect.stringContaining("was deleted"),
    });
    for (const { generationId } of [running, waiting])
      await expect(chat.request(attachGeneration, { generationId }, scope)).rejects.toMatchObject({
        kind: "GENERATION_NOT_FOUND",
      });
    await expect(
      chat.request(cancelGeneration, { id: running.generationId }, scope),
    ).rejects.toMatchObject({ kind: "GENERATION_NOT_FOUND" });
    expect((await chat.request(listThreads, slugOf(scope), scope)).threads).toEqual([]);
    await expect(chat.history(scope, inThread.threadSlug)).rejects.toMatchObject({
      kind: "THREAD_NOT_FOUND",
    });
    await expect(chat.start(scope, "x", { threadSlug: thread!.slug })).rejects.toMatchObject({
      kind: "THREAD_NOT_FOUND",
    });
    await expect(
      chat.request(forkThread, { ...inThread, chatId: running.chatId }, scope),
    ).rejects.toMatchObject({ kind: "THREAD_NOT_FOUND" });
    expect(await chat.request(searchChats, { term: "xylophone" }, scope)).toEqual({
      threads: [],
      messages: [],
    });
    const { days, threads } = await chat.request(listTrash, slugOf(scope), scope);
    expect([days, threads.map(({ slug }) => slug)]).toEqual([7, [thread!.slug]]);
    expect(Date.parse(threads[0]!.purgedAt) - Date.parse(threads[0]!.deletedAt)).toBe(
      7 * 86_400_000,
    );
    const stranger = chat.as(scope, user(9));
    expect((await chat.request(listTrash, slugOf(scope), stranger)).threads).toEqual([]);
    for (const call of [restoreThread, purgeThread] as const)
      await expect(chat.request(call, inThread, stranger)).rejects.toMatchObject({
        kind: "THREAD_NOT_FOUND",
      });

    const told: unknown[] = [];
    const stop = chat.shared.messaging.broadcast.on("event:threads.changed", (payload) =>
      told.push(payload),
    );
    await chat.request(restoreThread, inThread, scope);
    await poll(() => told).toEqual([
      {
        workspaceId: scope.workspace.id,
        change: "restored",
        slugs: [thread!.slug],
        userId: null,
      },
    ]);
    stop();
    const turns = await page(scope, thread!.slug);
    expect(turns.map(({ id, state }) => [id, state]).slice(1)).toEqual([
      [running.chatId, "cancelled"],
      [waiting.chatId, "cancelled"],
    ]);
    expect((await chat.request(searchChats, { term: "xylophone" }, scope)).messages).toHaveLength(
      1,
    );

    await chat.request(deleteThread, inThread, scope);
    await chat.request(purgeThread, inThread, scope);
    expect(await database.query("SELECT id FROM chat.thread WHERE id = $1", [thread!.id])).toEqual(
      [],
    );

    const old = (await chat.request(createThread, slugOf(scope), scope)).thread!;
    await chat.request(deleteThread, { ...slugOf(scope), threadSlug: old.slug }, scope);
    await database.query(
      `UPDATE chat.thread SET deleted_at = now() - interval '8 days' WHERE id = $1`,
      [old.id],
    );
    await chat.startReplica({ CARREL_TRASH_DAYS: "7" });
    await poll(() => database.query("SELECT id FROM chat.thread WHERE id = $1", [old.id])).toEqual(
      [],
    );
  });
});
