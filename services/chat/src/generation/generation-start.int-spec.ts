import { createThread, deleteChats, listTurns, type WorkspaceScope } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { Redis } from "ioredis";
import { DataSource } from "typeorm";
import { ChatInstance } from "../../test/chat-instance.ts";
import { textOf } from "../../test/received-frame.ts";

let chat: ChatInstance;
let database: DataSource;
let redis: Redis;
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
  await chat.startReplica();
  redis = new Redis(chat.redis.url);
  database = await new DataSource({
    type: "postgres",
    url: chat.database.url,
    extra: { options: "-c search_path=chat" },
  }).initialize();
  // Called at the commit, which waits until the test has released the lock.
  await database.query(`CREATE FUNCTION hold_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_advisory_xact_lock_shared(7);
    IF NEW.question LIKE 'Refused%' THEN RAISE EXCEPTION 'refused'; END IF;
    RETURN NULL; END $$`);
  await database.query(`CREATE CONSTRAINT TRIGGER hold_commit AFTER INSERT ON turn DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.question LIKE '%slowly%') EXECUTE FUNCTION hold_commit()`);
});
afterAll(async () => {
  redis?.disconnect();
  await database?.destroy();
  await chat.stop();
});
beforeEach(() => chat.llm.behave({ reply: "It is so." }));

/** Holds back commits of slow questions; returns a function that releases them. */
async function holdCommits(): Promise<() => Promise<void>> {
  const runner = database.createQueryRunner();
  await runner.query("SELECT pg_advisory_lock(7)");
  return async () => {
    await runner.query("SELECT pg_advisory_unlock(7)");
    await runner.release();
  };
}

interface Node {
  id: number;
  parent_id: number | null;
  active: boolean;
  state: string;
}
/** The turns of the caller's default thread, oldest first. */
const nodesOf = async (scope: WorkspaceScope): Promise<Node[]> =>
  database.query<Node[]>(
    "SELECT id, parent_id, active, state FROM chat.turn WHERE thread_id = $1 ORDER BY id",
    [await chat.threadId(scope)],
  );

describe("starting an answer", () => {
  it("calls the provider while the question is being committed, and answers after that", async () => {
    const scope = chat.addWorkspace();
    await chat.ask(scope, "What is two and two?");
    const before = chat.llm.requests.length;
    let isCommitted = false;
    const commit = await holdCommits();
    const started = chat.start(scope, "What is three and three, slowly?").then((reply) => {
      isCommitted = true;
      return reply;
    });
    await poll(() => chat.llm.requests, { intervalMs: 5 }).toHaveLength(before + 1);
    expect(isCommitted).toBe(false);
    expect(chat.llm.requests.at(-1)!.body).toMatchObject({
      messages: [
        { role: "system" },
        { content: "What is two and two?" },
        { content: "It is so." },
        { content: "What is three and three, slowly?" },
      ],
    });
    // All of the answer has arrived.
    await poll(() => chat.llm.openStreams()).toBe(0);
    expect(isCommitted).toBe(false);
    await commit();
    const { generationId } = await started;
    const frames = await chat.read(generationId);
    expect(frames[0]!.frame).toMatchObject({ type: "generationStarted", generationId });
    expect(textOf(frames)).toBe("It is so.");
  });

  it("ends the provider's call and leaves no stream if the commit fails", async () => {
    const scope = chat.addWorkspace();
    await chat.ask(scope, "What is two and two?");
    const before = chat.llm.requests.length;
    const streams = await redis.keys("stream:sealed:gen:*");
    chat.llm.next({ tokens: 2_000, delayMs: 10 });
    const commit = await holdCommits();
    const refused = chat.start(scope, "Refused, slowly: what is three and three?");
    refused.catch(() => undefined);
    await poll(() => chat.llm.requests).toHaveLength(before + 1);
    await commit();
    await expect(refused).rejects.toThrow();
    await poll(() => chat.llm.requests.at(-1)!.aborted).toBe(true);
    await poll(async () => (await redis.keys("stream:sealed:gen:*")).sort()).toEqual(
      streams.sort(),
    );
    expect(await nodesOf(scope)).toHaveLength(1);
    // The thread is free for the next question.
    const { queued } = await chat.ask(scope, "What is four and four?");
    expect(queued).toBe(false);
  });

  it("runs one of many simultaneous questions in a thread and queues the rest in order", async () => {
    const scope = chat.addWorkspace();
    await chat.ask(scope, "What is two and two?");
    const { promise: after, resolve: answer } = Promise.withResolvers<void>();
    chat.llm.behave({ reply: "It is so.", after });
    const started = await Promise.all(
      Array.from({ length: 24 }, (_, index) => chat.start(scope, `What is number ${index}?`)),
    );
    expect(started.filter(({ queued }) => !queued)).toHaveLength(1);
    const nodes = await nodesOf(scope);
    expect(nodes).toHaveLength(25);
    expect(nodes.map(({ parent_id }) => parent_id)).toEqual([
      null,
      ...nodes.slice(0, -1).map(({ id }) => id),
    ]);
    chat.llm.behave({ reply: "It is so." });
    answer();
    await Promise.all(started.map(({ generationId }) => chat.read(generationId)));
    expect((await nodesOf(scope)).every(({ state }) => state === "done")).toBe(true);
  });

  it("writes simultaneous questions in different threads with few commits", async () => {
    const scope = chat.addWorkspace();
    const slugs = await Promise.all(
      Array.from({ length: 24 }, async () => {
        const { thread } = await chat.request(createThread, { slug: scope.workspace.slug }, scope);
        return thread!.slug;
      }),
    );
    const commit = await holdCommits();
    const started = slugs.map((threadSlug, index) =>
      chat.start(scope, `What is number ${index}, slowly?`, { threadSlug }),
    );
    // A replica holds as many commits as it may, so the other questions wait for each other.
    await poll(async () => {
      const held = await database.query<unknown[]>(
        `SELECT 1 FROM pg_locks
        WHERE locktype = 'advisory'
          AND NOT granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      return held.length;
    }).toBeGreaterThan(1);
    await commit();
    const replies = await Promise.all(started);
    const frames = await Promise.all(replies.map(({ generationId }) => chat.read(generationId)));
    expect(frames.map(textOf)).toEqual(slugs.map(() => "It is so."));
    // A turn's creation time is its transaction's.
    const [row] = await database.query<{ commits: number }[]>(
      "SELECT count(DISTINCT created_at)::int AS commits FROM chat.turn WHERE workspace_id = $1",
      [scope.workspace.id],
    );
    expect(row!.commits).toBeLessThan(slugs.length);
  });

  it("continues after the remaining turns when earlier ones are deleted at the same time", async () => {
    for (let round = 0; round < 12; round += 1) {
      const scope = chat.addWorkspace();
      await chat.ask(scope, "What is two and two?");
      const { chatId } = await chat.ask(scope, "What is three and three?");
      const [{ generationId }] = await Promise.all([
        chat.start(scope, "What is four and four?"),
        chat.request(deleteChats, { slug: scope.workspace.slug, chatIds: [chatId] }, scope),
      ]);
      await chat.read(generationId);
      const nodes = await nodesOf(scope);
      expect(nodes).toMatchObject([
        { parent_id: null, active: true },
        { parent_id: nodes[0]!.id, active: true },
      ]);
    }
  });

  it("answers a repeated request once", async () => {
    const scope = chat.addWorkspace();
    const { thread } = await chat.request(createThread, { slug: scope.workspace.slug }, scope);
    const ask = (): ReturnType<typeof chat.start> =>
      chat.start(scope, "What is two and two?", { threadSlug: thread!.slug, key: "the same" });
    const replies = await Promise.all([ask(), ask(), ask()]);
    replies.push(await ask());
    expect(new Set(replies.map(({ generationId }) => generationId)).size).toBe(1);
    expect(new Set(replies.map(({ chatId }) => chatId)).size).toBe(1);
    const frames = await chat.read(replies[0]!.generationId);
    expect(textOf(frames)).toBe("It is so.");
    const { turns } = await chat.request(
      listTurns,
      { slug: scope.workspace.slug, thread: thread!.slug },
      scope,
    );
    expect(turns).toHaveLength(1);
  });
});
