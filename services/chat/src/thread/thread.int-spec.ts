import {
  createThread,
  deleteThreads,
  exportThread,
  chooseThreadModel,
  forkThread,
  getThreadModel,
  listMarkedThreads,
  listThreads,
  listTurns,
  markThread,
  updateThread,
  type WorkspaceScope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { slugOf, startChat, user } from "../../test/chat-suite.ts";

const { chat, database } = await startChat("It is so.");

const page = async (scope: WorkspaceScope, thread?: string) =>
  (await chat.request(listTurns, { ...slugOf(scope), thread }, scope)).turns;
const askAll = async (scope: WorkspaceScope, ...texts: string[]): Promise<number[]> => {
  const ids = [];
  for (const text of texts) ids.push((await chat.ask(scope, text)).chatId);
  return ids;
};

describe("threads", () => {
  it("are forked from the default thread and from a named one", async () => {
    const scope = chat.addWorkspace();
    const [first, second] = await askAll(scope, "One?", "Two?", "Three?");
    await chat.ask(scope, "Two anew?", { replaces: second! });
    const { newThreadSlug } = await chat.request(
      forkThread,
      { ...slugOf(scope), threadSlug: null, chatId: (await page(scope)).at(-1)!.id },
      scope,
    );
    const history = await chat.history(scope, newThreadSlug);
    expect(history.map(({ content }) => content)).toEqual([
      "One?",
      "It is so.",
      "Two anew?",
      "It is so.",
    ]);
    expect(history[1]).toMatchObject({ metrics: { provider: "generic-openai" } });
    const copies = await page(scope, newThreadSlug);
    expect(copies[1]!.parentId).toBe(copies[0]!.id);
    const again = await chat.request(
      forkThread,
      { ...slugOf(scope), threadSlug: newThreadSlug, chatId: copies[0]!.id },
      scope,
    );
    expect(
      (await chat.request(listThreads, slugOf(scope), scope)).threads.map(({ name }) => name),
    ).toEqual(["Two anew?", "One?"]);
    expect(await page(scope, again.newThreadSlug)).toHaveLength(1);
    await expect(
      chat.request(forkThread, { ...slugOf(scope), threadSlug: null }, scope),
    ).rejects.toMatchObject({ kind: "BAD_INPUT", message: "chatId is required" });
    await expect(
      chat.request(
        forkThread,
        { ...slugOf(scope), threadSlug: newThreadSlug, chatId: first! },
        scope,
      ),
    ).rejects.toMatchObject({ kind: "NOT_FOUND" });
  });

  it("keep their model in a branch", async () => {
    const scope = chat.addWorkspace();
    const [chatId] = await askAll(scope, "One?");
    const choice = { provider: "extractive", model: null };
    await chat.request(chooseThreadModel, { ...slugOf(scope), thread: null, choice }, scope);
    const { newThreadSlug } = await chat.request(
      forkThread,
      { ...slugOf(scope), threadSlug: null, chatId: chatId! },
      scope,
    );
    expect(
      await chat.request(getThreadModel, { ...slugOf(scope), thread: newThreadSlug }, scope),
    ).toMatchObject({ provider: "extractive", isOwnChoice: true });
  });

  it("are listed byte for byte as their writes return them, to their owner only", async () => {
    const shared = chat.addWorkspace();
    const owners = [shared, { ...shared, principal: user(7) }, { ...shared, principal: user(8) }];
    for (const scope of owners) {
      const given = [];
      for (const name of ['Quoted "name" \\ ü\n日本 😀 \u2028', "Second", "In the trash"]) {
        const { thread } = await chat.request(createThread, slugOf(scope), scope);
        const change = { ...slugOf(scope), threadSlug: thread!.slug, name };
        given.push((await chat.request(updateThread, change, scope)).thread!);
      }
      const trashed = given.pop()!;
      await chat.request(deleteThreads, { ...slugOf(scope), slugs: [trashed.slug] }, scope);
      await askAll(scope, "One?", "Two?");
      const listed = await chat.request(listThreads, slugOf(scope), scope);
      expect(JSON.stringify(listed)).toBe(
        JSON.stringify({ threads: given, defaultThreadChatCount: 2 }),
      );
    }
    const empty = chat.addWorkspace();
    expect(await chat.request(listThreads, slugOf(empty), empty)).toEqual({
      threads: [],
      defaultThreadChatCount: 0,
    });
  });

  it("are pinned and archived by their owner, which clients of the wire don't see", async () => {
    const base = chat.addWorkspace();
    for (const scope of [base, chat.as(base, user(71))]) {
      const make = async () => (await chat.request(createThread, slugOf(scope), scope)).thread!;
      const [one, two] = [await make(), await make()];
      const mark = (threadSlug: string, marks: { pinned?: boolean; archived?: boolean }) =>
        chat.request(markThread, { ...slugOf(scope), threadSlug, ...marks }, scope);
      const list = async () =>
        (await chat.request(listMarkedThreads, slugOf(scope), scope)).threads;
      const before = await chat.request(listThreads, slugOf(scope), scope);
      expect(await list()).toEqual(
        [one, two].map((thread) => ({ ...thread, pinnedAt: null, archivedAt: null })),
      );
      const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      await mark(one.slug, { pinned: true });
      const [pinned] = await list();
      expect(pinned).toEqual({ ...one, pinnedAt: date, archivedAt: null });
      await mark(one.slug, { pinned: true });
      expect((await list())[0]).toEqual(pinned);
      await mark(one.slug, { archived: true });
      expect((await list())[0]).toEqual({ ...one, pinnedAt: null, archivedAt: date });
      await mark(one.slug, {});
      await mark(two.slug, { pinned: true, archived: false });
      expect(await list()).toEqual([
        { ...one, pinnedAt: null, archivedAt: date },
        { ...two, pinnedAt: date, archivedAt: null },
      ]);
      expect(JSON.stringify(await chat.request(listThreads, slugOf(scope), scope))).toBe(
        JSON.stringify(before),
      );
      await mark(one.slug, { archived: false });
      await mark(two.slug, { pinned: false });
      expect(await list()).toEqual(
        [one, two].map((thread) => ({ ...thread, pinnedAt: null, archivedAt: null })),
      );
      const other = chat.as(base, user(72));
      for (const threadSlug of [one.slug, "nobody's", "with\u0000NUL"])
        await expect(
          chat.request(markThread, { ...slugOf(other), threadSlug, pinned: true }, other),
        ).rejects.toMatchObject({ kind: "THREAD_NOT_FOUND" });
    }
  });

  it("are exported in pages, a long answer in pieces", async () => {
    const scope = chat.addWorkspace();
    const [first] = await askAll(scope, "One?", "Two?");
    const long = `${"x".repeat(250_000)}end`;
    await database.query("UPDATE chat.turn SET answer = $2 WHERE id = $1", [first, long]);
    let answer = "";
    let seen = 0;
    for (let after: number | null = null, from = 0; ;) {
      const {
        turns,
        next,
        nextFrom,
      }: { turns: { id: number; answer: string }[]; next: number | null; nextFrom: number } =
        await chat.request(exportThread, { threadSlug: null, after, from }, scope);
      for (const turn of turns)
        if (turn.id === first) answer += turn.answer;
        else seen += 1;
      if (next === null) break;
      [after, from] = [next, nextFrom];
    }
    expect(answer).toBe(long);
    expect(seen).toBe(1);
  });
});

describe("other devices", () => {
  it("are notified when threads are created, forked, pinned, deleted and restored", async () => {
    const scope = chat.as(chat.addWorkspace(), user(51));
    const received: unknown[] = [];
    const stop = chat.shared.messaging.broadcast.on("event:threads.changed", (payload) =>
      received.push(payload),
    );
    const { thread } = await chat.request(createThread, slugOf(scope), scope);
    const { chatId } = await chat.ask(scope, "One?", { threadSlug: thread!.slug });
    const { newThreadSlug } = await chat.request(
      forkThread,
      { ...slugOf(scope), threadSlug: thread!.slug, chatId },
      scope,
    );
    await chat.request(
      markThread,
      { ...slugOf(scope), threadSlug: newThreadSlug, pinned: true },
      scope,
    );
    await chat.request(
      deleteThreads,
      { ...slugOf(scope), slugs: [thread!.slug, newThreadSlug, "unknown"] },
      scope,
    );
    await chat.request(deleteThreads, { ...slugOf(scope), slugs: ["unknown"] }, scope);
    const about = { workspaceId: scope.workspace.id, userId: 51 };
    await poll(() => received).toEqual([
      { ...about, change: "created", slugs: [thread!.slug] },
      { ...about, change: "created", slugs: [newThreadSlug] },
      { ...about, change: "marked", slugs: [newThreadSlug] },
      {
        ...about,
        change: "deleted",
        slugs: expect.arrayContaining([thread!.slug, newThreadSlug]),
      },
    ]);
    stop();
  });
});
