import { once } from "node:events";
import { createSchedule, type WorkspaceScope } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { expect } from "@jest/globals";
import { DataSource } from "typeorm";
import { ChatInstance } from "./chat-instance.ts";

/**
 * Has many schedules become due at the same time with two replicas in processes of their own, of which
 * one is killed again and again, every third time both. Each must have run exactly once.
 */
export async function runThroughKills({
  schedules,
  kills,
}: {
  schedules: number;
  kills: number;
}): Promise<void> {
  const chat = await ChatInstance.start();
  const environment = { CARREL_SCHEDULES_PER_PERSON: "10000", CARREL_CHAT_GENERATIONS: "24" };
  Object.assign(chat.environment, environment);
  const database = await new DataSource({ type: "postgres", url: chat.database.url }).initialize();
  const sql = <Row>(query: string): Promise<Row[]> => database.query<Row[]>(query);
  try {
    const replicas = await Promise.all([chat.spawnReplica(), chat.spawnReplica()]);
    const scopes = Array.from({ length: 10 }, () => chat.addWorkspace());
    for (let at = 0; at < schedules; at += 50)
      await Promise.all(
        Array.from({ length: Math.min(50, schedules - at) }, (_, n) =>
          create(chat, scopes[(at + n) % scopes.length]!, at + n),
        ),
      );
    // Slow enough for kills to interrupt answers that have begun.
    chat.llm.behave({ tokens: 20, delayMs: 15 });
    await sql("UPDATE chat.schedule SET next_at = now() - interval '1 second'");
    const countEnded = async (): Promise<number> => {
      const [row] = await sql<{ n: number }>(
        "SELECT count(*)::int AS n FROM chat.schedule_run WHERE state = 'done'",
      );
      return row!.n;
    };
    for (let kill = 1; kill <= kills; kill += 1) {
      await poll(countEnded, { timeoutMs: 180_000, intervalMs: 50 }).toBeGreaterThanOrEqual(
        Math.floor((schedules * kill) / (kills + 2)),
      );
      const killed = kill % 3 === 0 ? replicas.splice(0) : replicas.splice(0, 1);
      await Promise.all(
        killed.map(async (replica) => {
          replica.kill("SIGKILL");
          await once(replica, "exit");
        }),
      );
      expect(await countEnded()).toBeLessThan(schedules);
      replicas.push(...(await Promise.all(killed.map(() => chat.spawnReplica()))));
    }
    await poll(countEnded, { timeoutMs: 600_000, intervalMs: 200 }).toBe(schedules);
    expect(
      await sql(`SELECT
        (SELECT count(*)::int FROM chat.schedule_run) AS runs,
        (SELECT count(DISTINCT schedule_id)::int FROM chat.schedule_run) AS scheduled,
        (SELECT count(*)::int FROM chat.generation) AS generations,
        (SELECT count(*)::int FROM chat.turn WHERE state = 'done' AND answer <> '') AS answers,
        (SELECT count(*)::int FROM chat.turn) AS turns,
        (SELECT count(*)::int FROM chat.thread WHERE slug IS NOT NULL) AS threads,
        (SELECT count(*)::int FROM chat.schedule WHERE active AND failures = 0
          AND next_at > now()) AS waiting`),
    ).toEqual([
      {
        runs: schedules,
        scheduled: schedules,
        generations: schedules,
        answers: schedules,
        turns: schedules,
        threads: schedules,
        waiting: schedules,
      },
    ]);
    for (const replica of replicas) {
      replica.kill("SIGTERM");
      await once(replica, "exit");
    }
  } finally {
    await database.destroy();
    await chat.stop();
  }
}

const create = (chat: ChatInstance, scope: WorkspaceScope, n: number): Promise<unknown> =>
  chat.request(
    createSchedule,
    {
      slug: scope.workspace.slug,
      name: `Schedule ${n}`,
      work: { kind: "prompt", prompt: `What is new about ${n}?`, mode: "chat" },
      timing: { kind: "cron", cron: "0 0 1 1 *", timeZone: "UTC" },
    },
    scope,
  );
