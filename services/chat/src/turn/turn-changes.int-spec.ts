import {
  activateTurn,
  createThread,
  deleteChats,
  deleteEditedThreadChats,
  explainRating,
  exportThread,
  forkThread,
  hideChat,
  listTurns,
  rateChat,
  readHistory,
  updateChat,
  type HistoryItem,
  type Out,
  type WorkspaceScope,
} from "@carrel/contracts";
import { slugOf, startChat, user } from "../../test/chat-suite.ts";
import { BranchTurns1795300000000 } from "../database/migrations/1795300000000-BranchTurns.ts";
import { RenameEmbedderNotice1795442000000 } from "../database/migrations/1795442000000-RenameEmbedderNotice.ts";

const { chat, database } = await startChat("It is so.");

const page = async (scope: WorkspaceScope, thread?: string) =>
  (await chat.request(listTurns, { ...slugOf(scope), thread }, scope)).turns;
const questions = async (scope: WorkspaceScope): Promise<string[]> =>
  (await chat.history(scope)).filter((item) => item.role === "user").map((item) => item.content);
const askAll = async (scope: WorkspaceScope, ...texts: string[]): Promise<number[]> => {
  const ids = [];
  for (const text of texts) ids.push((await chat.ask(scope, text)).chatId);
  return ids;
};

describe("turns", () => {
  it("are rewritten, rated and hidden", async () => {
    const scope = chat.addWorkspace();
    const [first, second] = await askAll(scope, "One?", "Two?");
    await expect(
      chat.request(updateChat, { ...slugOf(scope), chatId: first!, newText: " \n" }, scope),
    ).rejects.toMatchObject({ kind: "BAD_INPUT" });
    await chat.request(
      updateChat,
      { ...slugOf(scope), chatId: first!, newText: "It\0 is not." },
      scope,
    );
    await chat.request(
      updateChat,
      { ...slugOf(scope), chatId: first!, newText: "Uno?", role: "user" },
      scope,
    );
    for (const [feedback, score] of [
      [1, true],
      [false, false],
      [null, null],
      [true, true],
    ] as const) {
      await chat.request(rateChat, { ...slugOf(scope), chatId: first!, feedback }, scope);
      expect((await page(scope))[0]).toMatchObject({
        question: "Uno?",
        answer: "It is not.",
        feedback: score,
      });
    }
    const rated = { ...slugOf(scope), chatId: first! };
    const why = { reason: "other", comment: "Too\0 long" } as const;
    await chat.request(explainRating, { ...rated, ...why }, scope);
    const explained = { feedback: false, feedbackReason: { reason: "other", comment: "Too long" } };
    expect((await page(scope))[0]).toMatchObject(explained);
    expect(
      (await chat.request(exportThread, { threadSlug: null, after: null, from: 0 }, scope))
        .turns[0],
    ).toMatchObject(explained);
    await chat.request(rateChat, { ...rated, feedback: false }, scope);
    expect((await page(scope))[0]).toMatchObject(explained);
    await chat.request(explainRating, { ...rated, reason: "wrong", comment: null }, scope);
    expect((await page(scope))[0]).toMatchObject({
      feedback: false,
      feedbackReason: { reason: "wrong", comment: null },
    });
    const other = chat.as(scope, user(81));
    await expect(
      chat.request(explainRating, { ...rated, reason: "wrong", comment: null }, other),
    ).rejects.toMatchObject({ kind: "NOT_FOUND" });
    await chat.request(rateChat, { ...rated, feedback: true }, scope);
    expect((await page(scope))[0]).toMatchObject({ feedback: true, feedbackReason: null });
    expect(await chat.request(hideChat, { id: second! }, scope)).toEqual({
      success: true,
      error: null,
    });
    expect(await questions(scope)).toEqual(["Uno?"]);
    await chat.ask(scope, "Three?");
    const prompt = chat.llm.requests.at(-1)!.body as {
      messages: { role: string; content: string }[];
    };
    expect(prompt.messages.slice(1).map(({ content }) => content)).toEqual([
      "Uno?",
      "It is not.",
      "Three?",
    ]);
  });

  it("hideChat checks that the caller may still use the workspace", async () => {
    const scope = chat.as(chat.addWorkspace(), user(5));
    const [first] = await askAll(scope, "One?");
    chat.fixture.members.set(scope.workspace.id, new Set([6]));
    await expect(chat.request(hideChat, { id: first! }, scope)).rejects.toMatchObject({
      kind: "NOT_FOUND",
    });
  });

  it("from an older version keep the notice whose code was renamed", async () => {
    const scope = chat.addWorkspace();
    const [id] = await askAll(scope, "One?");
    const runner = database.createQueryRunner();
    await runner.startTransaction();
    try {
      await runner.query("SET LOCAL search_path TO chat");
      await runner.query("UPDATE chat.turn SET coded_notices = $2 WHERE id = $1", [
        id,
        JSON.stringify([{ code: "notice.embedder-away" }]),
      ]);
      await new RenameEmbedderNotice1795442000000().up(runner);
      expect(
        await runner.query("SELECT coded_notices AS notices FROM chat.turn WHERE id = $1", [id]),
      ).toEqual([{ notices: [{ code: "notice.embedder-unreachable" }] }]);
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  });

  it("from an older version are linked to the previous turn of the same user", async () => {
    const scope = chat.addWorkspace();
    const { thread } = await chat.request(createThread, slugOf(scope), scope);
    const runner = database.createQueryRunner();
    await runner.startTransaction();
    try {
      await runner.query("SET LOCAL search_path TO chat");
      const migration = new BranchTurns1795300000000();
      await migration.down(runner);
      await runner.query(
        `INSERT INTO chat.turn (thread_id, workspace_id, user_id, question, answer, state)
        SELECT $1, $2, nullif(n % 2, 0), 'Old ' || n, 'Zinc', 'done'
        FROM generate_series(1, 4) n`,
        [thread!.id, scope.workspace.id],
      );
      await migration.up(runner);
      const rows = (await runner.query(
        "SELECT id, user_id, parent_id, active FROM chat.turn WHERE thread_id = $1 ORDER BY id",
        [thread!.id],
      )) as { id: number; user_id: number | null; parent_id: number | null; active: boolean }[];
      expect(rows.map(({ parent_id }) => parent_id)).toEqual([
        null,
        null,
        rows[0]!.id,
        rows[1]!.id,
      ]);
      expect(rows.every(({ active }) => active)).toBe(true);
      expect(
        await runner.query(
          `SELECT count(*)::int AS count FROM chat.turn_word
          JOIN chat.turn ON turn.id = turn_id
          WHERE thread_id = $1 AND words @@ '''zinc'''::tsquery`,
          [thread!.id],
        ),
      ).toEqual([{ count: 4 }]);
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  });

  it("of a 10,000-turn thread are paged, parked, activated and deleted quickly", async () => {
    const scope = chat.addWorkspace();
    const { thread } = await chat.request(createThread, slugOf(scope), scope);
    await database.query(
      `INSERT INTO chat.turn (thread_id, workspace_id, question, answer, state)
      SELECT $1, $2, 'Question ' || n, 'Answer ' || n, 'done'
      FROM generate_series(1, 10000) n`,
      [thread!.id, scope.workspace.id],
    );
    await database.query(
      `UPDATE chat.turn SET parent_id = l.p
      FROM (SELECT id, lag(id) OVER (ORDER BY id) AS p FROM chat.turn WHERE thread_id = $1) l
      WHERE l.id = turn.id`,
      [thread!.id],
    );
    await database.query("ANALYZE chat.turn");
    const [{ id: middle }] = (await database.query(
      "SELECT id FROM chat.turn WHERE thread_id = $1 ORDER BY id OFFSET 9000 LIMIT 1",
      [thread!.id],
    )) as [{ id: number }];
    const took: Record<string, number> = {};
    const measure = async (name: string, run: () => Promise<unknown>): Promise<void> => {
      const at = performance.now();
      await run();
      took[name] = Math.round(performance.now() - at);
    };
    const inThread = { ...slugOf(scope), threadSlug: thread!.slug };
    await page(scope, thread!.slug);
    await measure("page", () => page(scope, thread!.slug));
    await measure("park", () =>
      chat.request(deleteEditedThreadChats, { ...inThread, startingId: middle }, scope),
    );
    await measure("activate", () =>
      chat.request(activateTurn, { ...slugOf(scope), chatId: middle }, scope),
    );
    await measure("delete", () =>
      chat.request(deleteChats, { ...slugOf(scope), chatIds: [middle] }, scope),
    );
    await measure("fork", () =>
      chat.request(
        forkThread,
        { ...slugOf(scope), threadSlug: thread!.slug, chatId: middle - 1 },
        scope,
      ),
    );
    expect((await page(scope, thread!.slug)).at(-1)!.question).toBe("Question 10000");
    // Each takes well under a second on an idle machine, and minutes if it grows with the square.
    for (const ms of Object.values(took)) expect(ms).toBeLessThan(20_000);
  });
});

describe("a long history", () => {
  it("is delivered completely, in pages that fit into a reply, in every script", async () => {
    const scope = chat.addWorkspace();
    const threadId = await chat.threadId(scope);
    // Three bytes per character; quotes take two in JSON.
    await database.query(
      `INSERT INTO chat.turn (thread_id, workspace_id, question, answer, state)
      SELECT $1, $2, 'Frage ' || n, repeat('長"', 10000), 'done'
      FROM generate_series(1, 60) n`,
      [threadId, scope.workspace.id],
    );
    await database.query(
      `INSERT INTO chat.turn (thread_id, workspace_id, question, answer, state)
      VALUES ($1, $2, 'Huge', repeat('語', 1000000), 'done')`,
      [threadId, scope.workspace.id],
    );
    await database.query(
      `INSERT INTO chat.turn (thread_id, workspace_id, question, answer, state)
      SELECT $1, $2, 'Later ' || n, 'Short', 'done'
      FROM generate_series(1, 1500) n`,
      [threadId, scope.workspace.id],
    );
    await database.query(
      `UPDATE chat.turn SET parent_id = l.p
      FROM (SELECT id, lag(id) OVER (ORDER BY id) AS p FROM chat.turn WHERE thread_id = $1) l
      WHERE l.id = turn.id`,
      [threadId],
    );
    const asked: string[] = [];
    for (let before: number | null = null; ;) {
      const { page: read }: Out<typeof readHistory> = await chat.request(
        readHistory,
        { thread: null, before },
        scope,
      );
      const history = JSON.parse(`[${read!.items}]`) as HistoryItem[];
      asked.unshift(...history.filter(({ role }) => role === "user").map(({ content }) => content));
      const huge = history.findIndex(({ content }) => content === "Huge");
      if (huge >= 0) expect(history[huge + 1]!.content).toMatch(/^語{60000}\n\n… This is too long/);
      if (read!.next === null) break;
      before = read!.next;
    }
    expect(asked).toEqual([
      ...Array.from({ length: 60 }, (_, n) => `Frage ${n + 1}`),
      "Huge",
      ...Array.from({ length: 1_500 }, (_, n) => `Later ${n + 1}`),
    ]);
    // The same turns, read with Carrel's own paging.
    let seen = 0;
    for (let before: number | undefined; ;) {
      const { turns, hasMore } = await chat.request(
        listTurns,
        { ...slugOf(scope), before, limit: 200 },
        scope,
      );
      seen += turns.length;
      if (!hasMore) break;
      before = turns[0]!.id;
    }
    expect(seen).toBe(1_561);
  });
});
