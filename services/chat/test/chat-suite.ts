import { createThread, type Principal, type WorkspaceScope } from "@carrel/contracts";
import { afterAll, beforeEach } from "@jest/globals";
import { DataSource } from "typeorm";
import { ChatInstance } from "./chat-instance.ts";

export const slugOf = (scope: WorkspaceScope): { slug: string } => ({ slug: scope.workspace.slug });
export const user = (userId: number, more: Partial<Principal> = {}): Principal => ({
  kind: "user",
  userId,
  role: "default",
  ...more,
});
export const key: Principal = { kind: "key", userId: null, role: "admin", keyId: 1 };

/**
 * One replica and a connection to its database for a test file, stopped at its end. Before each
 * test, the model answers with `reply` again.
 */
export async function startChat(reply: string, environment: Record<string, string> = {}) {
  const chat = await ChatInstance.start();
  await chat.startReplica(environment);
  const database = await new DataSource({
    type: "postgres",
    url: chat.database.url,
    extra: { options: "-c search_path=chat,public" },
  }).initialize();
  beforeEach(() => chat.llm.behave({ reply, delayMs: 0 }));
  afterAll(async () => {
    await database.destroy();
    await chat.stop();
  });
  const sql = <Row>(query: string, parameters: unknown[] = []): Promise<Row[]> =>
    database.query<Row[]>(query, parameters);
  return {
    chat,
    database,
    sql,
    async count(query: string, parameters: unknown[] = []): Promise<number> {
      const rows = await sql<{ n: number }>(`SELECT count(*)::int AS n FROM ${query}`, parameters);
      return rows[0]!.n;
    },
    /** Creates a thread; returns its slug. */
    makeThread: async (scope: WorkspaceScope): Promise<string> =>
      (await chat.request(createThread, slugOf(scope), scope)).thread!.slug,
  };
}
