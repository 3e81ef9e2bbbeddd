import { userDeleted } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { key, startChat, user } from "../../test/chat-suite.ts";

const { chat, sql, count, makeThread } = await startChat("An answer.");

describe("a deleted account", () => {
  it("loses its threads, turns and runs; others keep theirs", async () => {
    const base = chat.addWorkspace();
    const [gone, stays, maker] = [
      chat.as(base, user(40)),
      chat.as(base, user(41)),
      chat.as(base, key),
    ];
    const shared = await makeThread(maker);
    for (const scope of [gone, stays, maker]) {
      await chat.ask(scope, "Default?");
      await chat.ask(scope, "Shared?", { threadSlug: shared });
    }
    const [thread] = await sql<{ id: number }>("SELECT id FROM chat.thread WHERE user_id = 40");
    await sql(
      `INSERT INTO chat.turn (thread_id, workspace_id, user_id, question, state)
      SELECT $1, $2, 40, 'old', 'done'
      FROM generate_series(1, 1200)`,
      [thread!.id, base.workspace.id],
    );
    chat.llm.behave({ reply: Array.from({ length: 200 }, () => "word "), delayMs: 50 });
    const running = await chat.start(gone, "Running?");
    const waiting = await chat.start(gone, "Waiting?");
    expect(waiting.queued).toBe(true);
    await chat.read(running.generationId, {
      until: ({ frame }) => frame.type === "textResponseChunk",
    });
    const left = await count("turn WHERE user_id IS DISTINCT FROM 40");
    for (let i = 0; i < 2; i += 1) await chat.tell(userDeleted, { userId: 40 });
    for (const table of ["thread", "turn", "generation", "question"])
      await poll(() => count(`${table} WHERE user_id = 40`)).toBe(0);
    await poll(() => chat.llm.openStreams()).toBe(0);
    expect(await count("turn WHERE user_id IS DISTINCT FROM 40")).toBe(left);
    expect(await chat.history(stays, shared)).toHaveLength(2);
  });

  it("also loses data created by a request in flight", async () => {
    const base = chat.addWorkspace();
    await chat.tell(userDeleted, { userId: 45 });
    await poll(() => count("deleted_user WHERE user_id = 45")).toBe(1);
    await chat.ask(chat.as(base, user(45)), "Too late?");
    await sql(
      `UPDATE chat.deleted_user SET deleted_at = now() - interval '2 minutes' WHERE user_id = 45`,
    );
    await chat.redis.restart({ keepData: false });
    await poll(() => count("turn WHERE user_id = 45")).toBe(0);
    await poll(() => count("deleted_user WHERE user_id = 45")).toBe(0);
  });
});
