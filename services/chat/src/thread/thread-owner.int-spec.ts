import { once } from "node:events";
import { createShare, listThreads, multiUserEnabled } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { key, startChat, user } from "../../test/chat-suite.ts";
import { wireFrames } from "../../test/received-frame.ts";

const { chat, database, sql, count, makeThread } = await startChat("An answer.");

describe("the first admin", () => {
  it("gets the instance's threads complete, even if the service is killed midway", async () => {
    const base = chat.addWorkspace();
    await sql("DELETE FROM chat.thread WHERE user_id IS NULL");
    const slug = await makeThread(base);
    await chat.ask(base, "An old question in a thread?", { threadSlug: slug });
    await chat.ask(base, "An old question by default?");
    await chat.request(
      createShare,
      { ...base.workspace, thread: slug, audience: "team", expiresInDays: null },
      base,
    );
    const lone = chat.addWorkspace();
    await chat.ask(lone, "Only an old default thread?");
    const admin = user(60, { role: "admin" });
    await chat.ask(chat.as(base, admin), "A new question by default?");
    await sql(`WITH t AS (
        INSERT INTO chat.thread (slug, workspace_id, name)
        SELECT gen_random_uuid()::text, 1, 'bulk'
        FROM generate_series(1, 1200)
        RETURNING id
      )
      INSERT INTO chat.turn (thread_id, workspace_id, question, state)
      SELECT id, 1, 'bulk', 'done'
      FROM t, generate_series(1, 2)`);
    const chatter = chat.as(lone, key);
    await chat.replicas.pop()!.stop();
    const child = await chat.spawnReplica();
    // Keeps the worker from transferring the last thread before it is killed.
    const lock = database.createQueryRunner();
    await lock.startTransaction();
    await lock.query(
      "SELECT 1 FROM chat.thread WHERE id = (SELECT max(id) FROM chat.thread WHERE name = 'bulk') FOR UPDATE",
    );
    await chat.tell(multiUserEnabled, { adminId: 60, at: new Date().toISOString() });
    await poll(() => count("thread where user_id = 60"), { intervalMs: 5 }).toBeGreaterThan(100);
    child.kill("SIGKILL");
    await once(child, "exit");
    await lock.rollbackTransaction();
    await lock.release();
    const left = await count("thread where user_id is null");
    expect(left).toBeGreaterThan(0);
    // A thread is never split.
    expect(
      await count(
        "turn join thread on thread.id = turn.thread_id where turn.user_id is distinct from thread.user_id",
      ),
    ).toBe(0);
    await sql(`UPDATE owner_transfer SET at = at - interval '2 minutes'`);
    await sql(`UPDATE chat.thread SET created_at = created_at - interval '2 minutes'`);
    await chat.startReplica();
    await poll(() => count("owner_transfer where done_at is not null")).toBe(1);
    expect(await count("thread where user_id is null")).toBe(0);
    for (const table of ["turn", "generation", "share"])
      expect(await count(`${table} where user_id is null`)).toBe(0);

    const scope = chat.as(base, admin);
    const { threads, defaultThreadChatCount } = await chat.request(
      listThreads,
      { slug: base.workspace.slug },
      scope,
    );
    expect(threads.map(({ name }) => name)).toEqual([
      "An old question in a thread?",
      "Earlier chats",
    ]);
    expect(defaultThreadChatCount).toBe(1);
    const contents = async (threadSlug: string) =>
      (await chat.history(scope, threadSlug)).map(({ content }) => content)[0];
    expect(await Promise.all(threads.map((thread) => contents(thread.slug)))).toEqual([
      "An old question in a thread?",
      "An old question by default?",
    ]);
    expect(await chat.history(chat.as(lone, admin))).toHaveLength(2);

    // Later ones without an owner belong to the developer API.
    await chat.ask(chatter, "By key?");
    await chat.tell(multiUserEnabled, { adminId: 61, at: new Date().toISOString() });
    await chat.replicas.pop()!.stop();
    await chat.startReplica();
    await chat.ask(chatter, "By key again?");
    expect(await count("thread where user_id is null")).toBe(1);
    expect(
      wireFrames((await chat.ask(scope, "And now?", { threadSlug: slug })).frames).length,
    ).toBeGreaterThan(0);
    const body = chat.llm.requests.at(-1)!.body as { messages: { content: string }[] };
    expect(JSON.stringify(body.messages)).toContain("An old question in a thread?");
  });
});
