import {
  activateTurn,
  attachGeneration,
  cancelGeneration,
  createThread,
  deleteChats,
  deleteEditedChats,
  deleteEditedThreadChats,
  deleteThread,
  deleteThreads,
  exportThread,
  forkThread,
  hideChat,
  listChats,
  listThreadChats,
  listThreads,
  listTrash,
  listTurns,
  purgeThread,
  rateChat,
  restoreThread,
  searchChats,
  speakChat,
  startGeneration,
  updateChat,
  updateThread,
  type Out,
  type Principal,
  type WorkspaceScope,
} from "@carrel/contracts";
import { eventually } from "@carrel/testing";
import { DataSource } from "typeorm";
import { ChatInstance, wireFrames } from "../../test/chat-instance.ts";
import { BranchTurns1795300000000 } from "../database/migrations/1795300000000-BranchTurns.ts";

let chat: ChatInstance;
let database: DataSource;
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
  database = await new DataSource({ type: "postgres", url: chat.database.url }).initialize();
});
afterAll(async () => {
  await database.destroy();
  await chat.stop();
});
beforeEach(() => chat.llm.behave({ reply: "It is so.", delayMs: 0 }));

const slugOf = (scope: WorkspaceScope): { slug: string } => ({ slug: scope.workspace.slug });
const page = async (scope: WorkspaceScope, thread?: string) =>
  (await chat.request(listTurns, { ...slugOf(scope), thread }, scope)).turns;
const questions = async (scope: WorkspaceScope): Promise<string[]> =>
  (await chat.request(listChats, slugOf(scope), scope)).history
    .filter((item) => item.role === "user")
    .map((item) => item.content);
const askAll = async (scope: WorkspaceScope, ...texts: string[]): Promise<number[]> => {
  const ids = [];
  for (const text of texts) ids.push((await chat.ask(scope, text)).chatId);
  return ids;
};
const user = (userId: number): Principal => ({ kind: "user", userId, role: "default" });

describe("branches", () => {
  it("an edited question keeps the earlier path, and either can be shown", async () => {
    const scope = chat.addWorkspace();
    const [first, second, third] = await askAll(scope, "One?", "Two?", "Three?");
    const edited = (await chat.ask(scope, "Two, in other words?", { replaces: second! })).chatId;
    expect(await questions(scope)).toEqual(["One?", "Two, in other words?"]);
    expect(
      (await page(scope)).map(({ id, parentId, siblings }) => ({ id, parentId, siblings })),
    ).toEqual([
      { id: first, parentId: null, siblings: [] },
      { id: edited, parentId: first, siblings: [second, edited] },
    ]);
    const prompt = chat.llm.requests.at(-1)!.body as {
      messages: { role: string; content: string }[];
    };
    expect(
      prompt.messages.filter(({ role }) => role === "user").map(({ content }) => content),
    ).toEqual(["One?", "Two, in other words?"]);

    await chat.request(activateTurn, { ...slugOf(scope), chatId: second! }, scope);
    expect((await page(scope)).map(({ id }) => id)).toEqual([first, second, third]);
    await chat.request(activateTurn, { ...slugOf(scope), chatId: edited }, scope);
    expect((await page(scope)).map(({ id }) => id)).toEqual([first, edited]);
    // A parked one gets another version too.
    const again = (await chat.ask(scope, "Three again?", { replaces: third! })).chatId;
    expect((await page(scope)).map(({ id, siblings }) => [id, siblings])).toEqual([
      [first, []],
      [second, [second, edited]],
      [again, [third, again]],
    ]);
  });

  it("delete-edited-chats parks, and the next question is a version of what was parked", async () => {
    const scope = chat.addWorkspace();
    const [first, second] = await askAll(scope, "One?", "Two?", "Three?");
    await chat.request(deleteEditedChats, { ...slugOf(scope), startingId: second! }, scope);
    expect(await questions(scope)).toEqual(["One?"]);
    const next = (await chat.ask(scope, "Two anew?")).chatId;
    expect((await page(scope)).map(({ id, siblings }) => [id, siblings])).toEqual([
      [first, []],
      [next, [second, next]],
    ]);
  });

  it("deletion links children anew, goes on with another version at an end, and takes parked ones", async () => {
    const scope = chat.addWorkspace();
    const [first, second, third] = await askAll(scope, "One?", "Two?", "Three?");
    await chat.request(deleteChats, { ...slugOf(scope), chatIds: [second!] }, scope);
    expect((await page(scope)).map(({ id, parentId }) => [id, parentId])).toEqual([
      [first, null],
      [third, first],
    ]);
    const edited = (await chat.ask(scope, "Three anew?", { replaces: third! })).chatId;
    await chat.request(deleteChats, { ...slugOf(scope), chatIds: [edited] }, scope);
    expect((await page(scope)).map(({ id }) => id)).toEqual([first, third]);
    await chat.request(deleteEditedChats, { ...slugOf(scope), startingId: third! }, scope);
    await chat.request(deleteChats, { ...slugOf(scope), chatIds: [third!] }, scope);
    expect(await database.query("SELECT id FROM chat.turn WHERE id = $1", [third])).toEqual([]);
    expect((await page(scope)).map(({ id }) => id)).toEqual([first]);
  });

  it("/reset hides every branch", async () => {
    const scope = chat.addWorkspace();
    const [first] = await askAll(scope, "One?");
    await chat.ask(scope, "One anew?", { replaces: first! });
    await chat.request(startGeneration, { threadSlug: null, message: "/reset" }, scope);
    expect(await page(scope)).toEqual([]);
    await expect(
      chat.request(activateTurn, { ...slugOf(scope), chatId: first! }, scope),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(chat.start(scope, "x", { replaces: first! })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("foreign and unknown turns are not replaced, shown, rated, hidden or spoken", async () => {
    const scope = chat.addWorkspace();
    const [first] = await askAll(scope, "Mine?");
    const other = chat.as(scope, user(77));
    for (const [who, id] of [
      [other, first!],
      [scope, 2_000_000_000],
    ] as const) {
      await expect(chat.start(who, "x", { replaces: id })).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
      for (const call of [activateTurn, speakChat] as const)
        await expect(chat.request(call, { ...slugOf(who), chatId: id }, who)).rejects.toMatchObject(
          { code: "NOT_FOUND" },
        );
      await expect(
        chat.request(rateChat, { ...slugOf(who), chatId: id, feedback: 1 }, who),
      ).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect(
        chat.request(updateChat, { ...slugOf(who), chatId: id, newText: "x" }, who),
      ).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect(chat.request(hideChat, { id }, who)).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
    }
    await chat.request(deleteChats, { ...slugOf(other), chatIds: [first!] }, other);
    await chat.request(deleteEditedChats, { ...slugOf(other), startingId: 1 }, other);
    expect(await questions(scope)).toEqual(["Mine?"]);
  });

  it("two edits at once are two versions, one of them shown; the running one that was parked keeps its text", async () => {
    const scope = chat.addWorkspace();
    const [first] = await askAll(scope, "One?");
    chat.llm.behave({ reply: "word ".repeat(200).trim(), delayMs: 20 });
    const started = await Promise.all(
      ["A?", "B?"].map((text) => chat.start(scope, text, { replaces: first! })),
    );
    await eventually(async () => expect(chat.llm.openStreams()).toBe(1));
    await Promise.all(started.map(({ generationId }) => chat.read(generationId)));
    const turns = await page(scope);
    expect(turns).toHaveLength(1);
    expect(turns[0]!.siblings).toEqual([
      first,
      ...started.map(({ chatId }) => chatId).sort((a, b) => a - b),
    ]);
    const states = (await database.query(
      "SELECT state FROM chat.turn WHERE id = ANY($1) ORDER BY id",
      [started.map(({ chatId }) => chatId)],
    )) as { state: string }[];
    expect(states.map(({ state }) => state)).toEqual(["cancelled", "done"]);
  });

  it("an edit while it runs stops it with its text; deletion while it runs ends it; a change of its text is refused", async () => {
    const scope = chat.addWorkspace();
    chat.llm.behave({ reply: "word ".repeat(300).trim(), delayMs: 20 });
    const running = await chat.start(scope, "Long?");
    await chat.read(running.generationId, {
      until: ({ frame }) => frame.type === "textResponseChunk",
    });
    await expect(
      chat.request(updateChat, { ...slugOf(scope), chatId: running.chatId, newText: "x" }, scope),
    ).rejects.toMatchObject({ code: "CONFLICT" });
    chat.llm.behave({ reply: "Short.", delayMs: 0 });
    const edited = await chat.ask(scope, "Short?", { replaces: running.chatId });
    await chat.read(running.generationId);
    const [old] = (await database.query(
      "SELECT state, answer, active FROM chat.turn WHERE id = $1",
      [running.chatId],
    )) as { state: string; answer: string; active: boolean }[];
    expect(old).toMatchObject({
      state: "cancelled",
      active: false,
      answer: expect.stringMatching(/^word/),
    });
    expect((await page(scope)).map(({ id, answer }) => [id, answer])).toEqual([
      [edited.chatId, "Short."],
    ]);

    chat.llm.behave({ reply: "word ".repeat(300).trim(), delayMs: 20 });
    const second = await chat.start(scope, "Long again?");
    const third = await chat.start(scope, "Waits?");
    await chat.read(second.generationId, {
      until: ({ frame }) => frame.type === "textResponseChunk",
    });
    await chat.request(
      deleteChats,
      { ...slugOf(scope), chatIds: [second.chatId, third.chatId] },
      scope,
    );
    await eventually(() => expect(chat.llm.openStreams()).toBe(0));
    expect((await page(scope)).map(({ id }) => id)).toEqual([edited.chatId]);
    chat.llm.behave({ reply: "On.", delayMs: 0 });
    expect((await chat.ask(scope, "And on?")).queued).toBe(false);
  });

  it("many edits, deletions and switches at once leave one whole path", async () => {
    const scope = chat.addWorkspace();
    const ids = await askAll(scope, "One?", "Two?", "Three?");
    await Promise.allSettled(
      Array.from({ length: 24 }, (_, index) => {
        const chatId = ids[index % 3]!;
        if (index % 4 === 0) return chat.start(scope, `Edit ${index}?`, { replaces: chatId });
        if (index % 4 === 1) return chat.request(activateTurn, { ...slugOf(scope), chatId }, scope);
        if (index === 10)
          return chat.request(deleteChats, { ...slugOf(scope), chatIds: [chatId] }, scope);
        return chat.request(deleteEditedChats, { ...slugOf(scope), startingId: chatId }, scope);
      }),
    ).then((results) => {
      for (const result of results)
        if (result.status === "rejected")
          expect((result.reason as { code: string }).code).toBe("NOT_FOUND");
    });
    const rows = (await database.query(
      "SELECT id, parent_id, active FROM chat.turn WHERE workspace_id = $1 ORDER BY id",
      [scope.workspace.id],
    )) as { id: number; parent_id: number | null; active: boolean }[];
    const path = rows.filter(({ active }) => active);
    expect(path.map(({ parent_id }) => parent_id)).toEqual(
      [null, ...path.slice(0, -1).map(({ id }) => id)].slice(0, path.length),
    );
    for (const row of rows)
      if (row.parent_id !== null) {
        expect(rows.some(({ id }) => id === row.parent_id)).toBe(true);
        expect(row.parent_id).toBeLessThan(row.id);
      }
  });
});

describe("turns", () => {
  it("are rewritten, rated, hidden and spoken", async () => {
    const scope = chat.addWorkspace();
    const [first, second] = await askAll(scope, "One?", "Two?");
    await expect(
      chat.request(updateChat, { ...slugOf(scope), chatId: first!, newText: " \n" }, scope),
    ).rejects.toMatchObject({ code: "BAD_INPUT" });
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
    await chat.request(speakChat, { ...slugOf(scope), chatId: first! }, scope);
  });

  it("hideChat asks whether the caller may still use the workspace", async () => {
    const scope = chat.as(chat.addWorkspace(), user(5));
    const [first] = await askAll(scope, "One?");
    chat.fixture.members.set(scope.workspace.id, new Set([6]));
    await expect(chat.request(hideChat, { id: first! }, scope)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("of an older version are linked to the turn before them, each person's to their own", async () => {
    const scope = chat.addWorkspace();
    const { thread } = await chat.request(createThread, slugOf(scope), scope);
    const runner = database.createQueryRunner();
    await runner.startTransaction();
    try {
      await runner.query("SET LOCAL search_path TO chat");
      const migration = new BranchTurns1795300000000();
      await migration.down(runner);
      await runner.query(
        `INSERT INTO turn (thread_id, workspace_id, user_id, question, answer, state) SELECT $1, $2, nullif(n % 2, 0), 'Old ' || n, 'Zinc', 'done' FROM generate_series(1, 4) n`,
        [thread!.id, scope.workspace.id],
      );
      await migration.up(runner);
      const rows = (await runner.query(
        "SELECT id, user_id, parent_id, active FROM turn WHERE thread_id = $1 ORDER BY id",
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
          `SELECT count(*)::int AS count FROM turn_word JOIN turn ON turn.id = turn_id WHERE thread_id = $1 AND words @@ '''zinc'''::tsquery`,
          [thread!.id],
        ),
      ).toEqual([{ count: 4 }]);
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  });

  it("a thread of 10,000 turns is paged, parked, activated and thinned quickly", async () => {
    const scope = chat.addWorkspace();
    const { thread } = await chat.request(createThread, slugOf(scope), scope);
    await database.query(
      `INSERT INTO chat.turn (thread_id, workspace_id, question, answer, state) SELECT $1, $2, 'Question ' || n, 'Answer ' || n, 'done' FROM generate_series(1, 10000) n`,
      [thread!.id, scope.workspace.id],
    );
    await database.query(
      "UPDATE chat.turn SET parent_id = l.p FROM (SELECT id, lag(id) OVER (ORDER BY id) AS p FROM chat.turn WHERE thread_id = $1) l WHERE l.id = turn.id",
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
    console.info("10,000 turns, ms:", took);
    expect((await page(scope, thread!.slug)).at(-1)!.question).toBe("Question 10000");
    expect(took.page).toBeLessThan(1_000);
    expect(took.park).toBeLessThan(3_000);
    expect(took.activate).toBeLessThan(10_000);
  });
});

describe("a long history", () => {
  it("comes whole, in pages that fit into a reply, in every script", async () => {
    const scope = chat.addWorkspace();
    const threadId = await chat.threadId(scope);
    // Three bytes a character; quotes take two in JSON.
    await database.query(
      `INSERT INTO chat.turn (thread_id, workspace_id, question, answer, state) SELECT $1, $2, 'Frage ' || n, repeat('長"', 10000), 'done' FROM generate_series(1, 60) n`,
      [threadId, scope.workspace.id],
    );
    await database.query(
      `INSERT INTO chat.turn (thread_id, workspace_id, question, answer, state) VALUES ($1, $2, 'Huge', repeat('語', 1000000) , 'done')`,
      [threadId, scope.workspace.id],
    );
    await database.query(
      `INSERT INTO chat.turn (thread_id, workspace_id, question, answer, state) SELECT $1, $2, 'Later ' || n, 'Short', 'done' FROM generate_series(1, 1500) n`,
      [threadId, scope.workspace.id],
    );
    await database.query(
      "UPDATE chat.turn SET parent_id = l.p FROM (SELECT id, lag(id) OVER (ORDER BY id) AS p FROM chat.turn WHERE thread_id = $1) l WHERE l.id = turn.id",
      [threadId],
    );
    const asked: string[] = [];
    for (let before: number | undefined; ;) {
      const { history, next }: Out<typeof listChats> = await chat.request(
        listChats,
        { ...slugOf(scope), before },
        scope,
      );
      asked.unshift(...history.filter(({ role }) => role === "user").map(({ content }) => content));
      const huge = history.findIndex(({ content }) => content === "Huge");
      if (huge >= 0) expect(history[huge + 1]!.content).toMatch(/^語{60000}\n\n… This is too long/);
      if (next == null) break;
      before = next;
    }
    expect(asked).toEqual([
      ...Array.from({ length: 60 }, (_, n) => `Frage ${n + 1}`),
      "Huge",
      ...Array.from({ length: 1_500 }, (_, n) => `Later ${n + 1}`),
    ]);
    // Our own pages, too.
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
    const { history } = await chat.request(
      listThreadChats,
      { ...slugOf(scope), threadSlug: newThreadSlug },
      scope,
    );
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
    ).toEqual(["It is so.", "It is so."]);
    expect(await page(scope, again.newThreadSlug)).toHaveLength(1);
    await expect(
      chat.request(forkThread, { ...slugOf(scope), threadSlug: null }, scope),
    ).rejects.toMatchObject({ code: "BAD_INPUT", message: "chatId is required" });
    await expect(
      chat.request(
        forkThread,
        { ...slugOf(scope), threadSlug: newThreadSlug, chatId: first! },
        scope,
      ),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("are exported by pages, a long answer in pieces", async () => {
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

describe("search", () => {
  it("finds own visible messages with all words and own threads with small faults", async () => {
    const scope = chat.as(chat.addWorkspace(), user(31));
    const { thread } = await chat.request(createThread, slugOf(scope), scope);
    await chat.request(
      updateThread,
      { ...slugOf(scope), threadSlug: thread!.slug, name: "Heating survey" },
      scope,
    );
    chat.llm.behave({ reply: "Die „Wärmepumpe“ läuft mit 48 °C. 熱ポンプの温度は高い。" });
    const { chatId } = await chat.ask(scope, "Wie läuft die Anlage?", { threadSlug: thread!.slug });
    const search = (term: string, who: WorkspaceScope = scope) =>
      chat.request(searchChats, { term }, { ...who });
    for (const term of [
      "wärmepumpe",
      "WÄRMEP",
      "anlage 48",
      "ポンプの温",
      "läuft pumpe".replace("pumpe", "wärme"),
    ])
      expect((await search(term)).messages.map((hit) => hit.chatId)).toEqual([chatId]);
    // Looks through accents, in both directions.
    for (const term of ["warmepumpe", "wármêpumpe", "WARMEP", "lauft anlage"])
      expect((await search(term)).messages).toMatchObject([
        { chatId, excerpt: expect.stringContaining("Wärmepumpe") },
      ]);
    chat.llm.behave({
      reply:
        "The oelwanne is not the Olwanne. Πού είναι ο ΔΡΌΜΟΣ; Ёлка, Łódź, straße, ガード, 한국어 검색.",
    });
    const folded = (await chat.ask(scope, "What of naive cafes?", { threadSlug: thread!.slug }))
      .chatId;
    for (const term of [
      "Ölwanne",
      "naïve cafés",
      "δρομος",
      "ΔΡΟΜΟΣ",
      "елка",
      "lodz",
      "STRASSE",
      "ガード",
      "한국어",
    ])
      expect((await search(term)).messages.map((hit) => hit.chatId)).toEqual([folded]);
    await chat.request(deleteChats, { ...slugOf(scope), chatIds: [folded] }, scope);
    for (const term of [
      "pumpenkessel",
      "wärmepumpe kessel",
      "'; DROP TABLE x --",
      "\\",
      "a' | 'b",
      ":*",
      "熱温度",
    ])
      expect((await search(term)).messages).toEqual([]);
    const [hit] = (await search("wärmepumpe")).messages;
    expect(hit).toMatchObject({
      threadSlug: thread!.slug,
      threadName: "Heating survey",
      workspaceId: scope.workspace.id,
      excerpt: expect.stringContaining("Wärmepumpe"),
    });
    for (const term of ["heating", "survey", "heatnig", "heating survay"])
      expect((await search(term)).threads).toMatchObject([{ name: "Heating survey" }]);
    expect((await search("lighting")).threads).toEqual([]);
    // Others', parked, hidden, in workspaces that are closed now.
    expect(await search("wärmepumpe", chat.as(scope, user(32)))).toEqual({
      threads: [],
      messages: [],
    });
    await chat.request(
      deleteEditedThreadChats,
      { ...slugOf(scope), threadSlug: thread!.slug, startingId: chatId },
      scope,
    );
    expect((await search("wärmepumpe")).messages).toEqual([]);
    await chat.request(activateTurn, { ...slugOf(scope), chatId }, scope);
    expect((await search("wärmepumpe")).messages).toHaveLength(1);
    chat.fixture.members.set(scope.workspace.id, new Set([99]));
    expect(await search("wärmepumpe")).toEqual({ threads: [], messages: [] });
  });

  it("is fast over 100,000 turns of one user", async () => {
    const scope = chat.as(chat.addWorkspace(), user(41));
    const { thread } = await chat.request(createThread, slugOf(scope), scope);
    await database.query(
      `INSERT INTO chat.thread (slug, workspace_id, user_id, name) SELECT gen_random_uuid()::text, $1, 41, 'Thread number ' || n FROM generate_series(1, 1000) n`,
      [scope.workspace.id],
    );
    await database.query(
      `INSERT INTO chat.turn (thread_id, workspace_id, user_id, question, answer, state)
      SELECT $1, $2, 41, 'What is the temperature of item' || n || '?', 'The temperature of unit' || (n % 977) || ' in hall' || (n % 53) || ' is about ' || (n % 90) || ' degrees, as the survey of the building says.', 'done' FROM generate_series(1, 100000) n`,
      [thread!.id, scope.workspace.id],
    );
    await database.query("ANALYZE chat.turn");
    await database.query("ANALYZE chat.turn_word");
    const took: Record<string, number> = {};
    for (const term of [
      "item77777",
      "unit500 hall7",
      "temperature",
      "the temperature survey building",
      "nothing like this",
    ]) {
      await chat.request(searchChats, { term }, scope);
      const at = performance.now();
      const { messages } = await chat.request(searchChats, { term }, scope);
      took[term] = Math.round(performance.now() - at);
      expect(messages.length).toBe(
        term === "nothing like this" ? 0 : term === "item77777" ? 1 : messages.length,
      );
    }
    const at = performance.now();
    expect((await chat.request(listThreads, slugOf(scope), scope)).threads).toHaveLength(1_001);
    took.listThreads = Math.round(performance.now() - at);
    console.info("search in 100,000 turns, ms:", took);
    for (const milliseconds of Object.values(took)) expect(milliseconds).toBeLessThan(3_000);
  });
});

describe("other devices", () => {
  it("hear of threads that are made, forked, deleted and brought back", async () => {
    const scope = chat.as(chat.addWorkspace(), user(51));
    const told: unknown[] = [];
    const stop = chat.shared.messaging.broadcast.on("event:threads.changed", (payload) =>
      told.push(payload),
    );
    const { thread } = await chat.request(createThread, slugOf(scope), scope);
    const { chatId } = await chat.ask(scope, "One?", { threadSlug: thread!.slug });
    const { newThreadSlug } = await chat.request(
      forkThread,
      { ...slugOf(scope), threadSlug: thread!.slug, chatId },
      scope,
    );
    await chat.request(
      deleteThreads,
      { ...slugOf(scope), slugs: [thread!.slug, newThreadSlug, "unknown"] },
      scope,
    );
    await chat.request(deleteThreads, { ...slugOf(scope), slugs: ["unknown"] }, scope);
    const about = { workspaceId: scope.workspace.id, userId: 51 };
    await eventually(() =>
      expect(told).toEqual([
        { ...about, change: "created", slugs: [thread!.slug] },
        { ...about, change: "created", slugs: [newThreadSlug] },
        {
          ...about,
          change: "deleted",
          slugs: expect.arrayContaining([thread!.slug, newThreadSlug]),
        },
      ]),
    );
    stop();
  });
});

describe("titles", () => {
  it("come from the model, and never replace a name that a person gave", async () => {
    const scope = chat.addWorkspace();
    const renamed: unknown[] = [];
    const stop = chat.shared.messaging.broadcast.on("event:thread.renamed", (payload) =>
      renamed.push(payload),
    );
    chat.llm.behave({ reply: "It is so.", title: { reply: '"Flow of the heat pump."\nMore' } });
    const { thread } = await chat.request(createThread, slugOf(scope), scope);
    const { frames } = await chat.ask(scope, "What is the flow temperature of the pump?", {
      threadSlug: thread!.slug,
    });
    expect(frames.at(-1)!.frame).toEqual({
      action: "rename_thread",
      thread: { slug: thread!.slug, name: "What is the flow tempe" },
    });
    const names = async (): Promise<string[]> =>
      (await chat.request(listThreads, slugOf(scope), scope)).threads.map(({ name }) => name);
    await eventually(async () => expect(await names()).toEqual(["Flow of the heat pump"]));
    await eventually(() =>
      expect(renamed).toMatchObject(
        ["What is the flow tempe", "Flow of the heat pump"].map((name) => ({
          threadId: thread!.id,
          slug: thread!.slug,
          name,
          workspaceId: scope.workspace.id,
          userId: null,
        })),
      ),
    );
    stop();

    chat.llm.behave({ reply: "It is so.", title: { reply: "From the model", firstDelayMs: 700 } });
    const second = (await chat.request(createThread, slugOf(scope), scope)).thread!;
    const before = chat.llm.titleRequests.length;
    await chat.ask(scope, "Another question?", { threadSlug: second.slug });
    await eventually(() => expect(chat.llm.titleRequests.length).toBe(before + 1));
    await chat.request(
      updateThread,
      { ...slugOf(scope), threadSlug: second.slug, name: "My own" },
      scope,
    );
    await new Promise((resolve) => {
      setTimeout(resolve, 1_200);
    });
    expect(await names()).toEqual(["Flow of the heat pump", "My own"]);

    chat.llm.behave({ reply: "It is so.", title: { status: 400 } });
    const third = (await chat.request(createThread, slugOf(scope), scope)).thread!;
    await chat.ask(scope, "A third question?", { threadSlug: third.slug });
    await new Promise((resolve) => {
      setTimeout(resolve, 500);
    });
    expect((await names()).at(-1)).toBe("A third question?");
  });
});

describe("the trash", () => {
  it("is none by default: deletion is for good, and ingest is told", async () => {
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
    ).rejects.toMatchObject({ code: "THREAD_NOT_FOUND" });
    await eventually(() =>
      expect(told).toEqual([{ workspaceId: scope.workspace.id, threadIds: [thread!.id] }]),
    );
    stop();
  });

  it("keeps threads for its days", async () => {
    const [first] = chat.replicas;
    await first!.stop();
    chat.replicas.splice(0, 1);
    await chat.startReplica({ CARREL_TRASH_DAYS: "7" });
    const scope = chat.addWorkspace();
    const { thread } = await chat.request(createThread, slugOf(scope), scope);
    const inThread = { ...slugOf(scope), threadSlug: thread!.slug };
    await chat.ask(scope, "Xylophone question?", { threadSlug: thread!.slug });
    chat.llm.behave({ reply: "word ".repeat(300).trim(), delayMs: 20 });
    const running = await chat.start(scope, "Runs?", { threadSlug: thread!.slug });
    const waiting = await chat.start(scope, "Waits?", { threadSlug: thread!.slug });
    await chat.read(running.generationId, {
      until: ({ frame }) => frame.type === "textResponseChunk",
    });
    await chat.request(deleteThread, inThread, scope);
    await eventually(() => expect(chat.llm.openStreams()).toBe(0));
    expect(wireFrames(await chat.read(waiting.generationId)).at(-1)).toMatchObject({
      type: "abort",
      error: expect.stringContaining("was deleted"),
    });
    for (const { generationId } of [running, waiting])
      await expect(chat.request(attachGeneration, { generationId }, scope)).rejects.toMatchObject({
        code: "GENERATION_NOT_FOUND",
      });
    await expect(
      chat.request(cancelGeneration, { id: running.generationId }, scope),
    ).rejects.toMatchObject({ code: "GENERATION_NOT_FOUND" });
    expect((await chat.request(listThreads, slugOf(scope), scope)).threads).toEqual([]);
    await expect(chat.request(listThreadChats, inThread, scope)).rejects.toMatchObject({
      code: "THREAD_NOT_FOUND",
    });
    await expect(chat.start(scope, "x", { threadSlug: thread!.slug })).rejects.toMatchObject({
      code: "THREAD_NOT_FOUND",
    });
    await expect(
      chat.request(forkThread, { ...inThread, chatId: running.chatId }, scope),
    ).rejects.toMatchObject({ code: "THREAD_NOT_FOUND" });
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
        code: "THREAD_NOT_FOUND",
      });

    const told: unknown[] = [];
    const stop = chat.shared.messaging.broadcast.on("event:threads.changed", (payload) =>
      told.push(payload),
    );
    await chat.request(restoreThread, inThread, scope);
    await eventually(() =>
      expect(told).toEqual([
        {
          workspaceId: scope.workspace.id,
          change: "restored",
          slugs: [thread!.slug],
          userId: null,
        },
      ]),
    );
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
    await eventually(async () =>
      expect(await database.query("SELECT id FROM chat.thread WHERE id = $1", [old.id])).toEqual(
        [],
      ),
    );
  });
});
