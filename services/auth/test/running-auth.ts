import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { instanceShape, loadConfig } from "@carrel/config";
import { instancePrincipal, type Principal, type Role, type Scope } from "@carrel/contracts";
import {
  createSharedInfrastructure,
  startService,
  type SharedInfrastructure,
} from "@carrel/runtime";
import { startTestRedis, testDatabase, waitFor } from "@carrel/testing";
import { DataSource } from "typeorm";
import { authService } from "../src/index.ts";
import { orRefusal } from "./refusal-reply.ts";

/** An entry of the event log. */
export interface Told {
  event: string;
  userId: number | null;
  metadata: Record<string, unknown>;
}

export interface RunningAuth {
  /** Superuser connection that bypasses the service. */
  sql: DataSource;
  shared: SharedInfrastructure;
  request: SharedInfrastructure["messaging"]["client"]["request"];
  /** Payloads of a domain event in order; also works for event log entries. */
  heard(event: string): unknown[];
  logged(): Told[];
  /** First matching event log entry of that name; waits for the outbox. */
  entry(event: string, metadata?: Record<string, unknown>): Promise<Told>;
  /**
   * Inserts a user directly, with a session, two keys, a reset token, a sign-in token and a
   * recovery code.
   */
  addUser(
    username: string,
    role: Role,
    more?: { suspended?: boolean; passwordHash?: string },
  ): Promise<number>;
  addAccess(userId: number): Promise<string>;
  /** Number of rows of each kind that still grant this user access. */
  accessOf(
    userId: number,
  ): Promise<
    Record<"session" | "api_key" | "reset_token" | "sign_in_token" | "recovery_code", number>
  >;
  stop(): Promise<void>;
}

/** The user in a session that was just proven. */
export const asUser = (userId: number, role: Role, sessionId?: string): Scope => ({
  principal: {
    kind: "user",
    userId,
    role,
    provenAt: Date.now(),
    ...(sessionId !== undefined && { sessionId }),
  } satisfies Principal,
  workspace: null,
  address: "203.0.113.9",
});
export const asKey = (keyId: number): Scope => ({
  principal: { kind: "key", userId: null, role: "admin", keyId },
  workspace: null,
});
export const asInstance: Scope = { principal: instancePrincipal, workspace: null };
export const asNobody: Scope = {
  principal: { kind: "public", userId: null, role: "none" },
  workspace: null,
};

const watched = ["event.logged", "user.deleted", "invite.accepted", "access.changed"];

/**
 * Two replicas of the service with a dedicated database and Redis, in multi-user mode by default.
 */
export async function startAuth(
  options: { mode?: "single" | "multi"; environment?: Record<string, string> } = {},
): Promise<RunningAuth> {
  const home = mkdtempSync(join(tmpdir(), "carrel-auth-"));
  const [database, redis] = await Promise.all([
    testDatabase(),
    startTestRedis({ appendonly: false }),
  ]);
  const shape: typeof instanceShape = Object.assign({}, authService.shape, instanceShape);
  const config = loadConfig(shape, {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    CARREL_HOME: home,
    CARREL_LOG_LEVEL: "error",
    ...options.environment,
  });
  const shared = createSharedInfrastructure(config);
  const replicas = [
    await startService(authService, config, { shared, healthPort: false }),
    await startService(authService, config, { shared, healthPort: false }),
  ];
  const sql = await new DataSource({ type: "postgres", url: database.url }).initialize();
  if (options.mode !== "single") await sql.query(`UPDATE auth.instance_access SET mode = 'multi'`);

  const told = new Map<string, unknown[]>(watched.map((event) => [event, []]));
  for (const event of watched)
    shared.messaging.broadcast.on(`event:${event}`, (payload) => told.get(event)!.push(payload));
  const heard = (event: string): unknown[] => told.get(event)!;
  const logged = (): Told[] => heard("event.logged") as Told[];
  const like = (entry: Told, event: string, metadata: Record<string, unknown>): boolean =>
    entry.event === event &&
    Object.entries(metadata).every(([key, value]) => isDeepStrictEqual(entry.metadata[key], value));
  let made = 0;

  return {
    sql,
    shared,
    heard,
    logged,
    request: (operation, input, options) =>
      orRefusal(operation, shared.messaging.client.request(operation, input, options)),
    entry: (event, metadata = {}) =>
      waitFor(() => logged().find((each) => like(each, event, metadata)), {
        what: `${event} ${JSON.stringify(metadata)}`,
      }),
    async addUser(username, role, more = {}) {
      const [row] = await sql.query<{ id: number }[]>(
        `INSERT INTO auth."user" (username, role, suspended, password_hash, seen_recovery_codes)
        VALUES ($1, $2, $3, $4, true)
        RETURNING id`,
        [username, role, more.suspended ?? false, more.passwordHash ?? null],
      );
      return row!.id;
    },
    async addAccess(userId) {
      made += 1;
      const [session] = await sql.query<{ id: string }[]>(
        `INSERT INTO auth.session (id, user_id, method, expires_at)
        VALUES (gen_random_uuid(), $1, 'password', now() + interval '1 day')
        RETURNING id`,
        [userId],
      );
      for (const kind of ["developer", "extension"])
        await sql.query(
          `INSERT INTO auth.api_key (kind, hash, hint, user_id) VALUES ($1, $2, 'abcd', $3)`,
          [kind, `${kind}-${made}`, userId],
        );
      await sql.query(
        `INSERT INTO auth.reset_token (hash, user_id, expires_at) VALUES ($1, $2, now() + interval '10 minutes')`,
        [`reset-${made}`, userId],
      );
      await sql.query(
        `INSERT INTO auth.sign_in_token (hash, user_id, method, expires_at)
        VALUES ($1, $2, 'sso', now() + interval '6 minutes')`,
        [`sign-in-${made}`, userId],
      );
      await sql.query(`INSERT INTO auth.recovery_code (user_id, hash) VALUES ($1, $2)`, [
        userId,
        `code-${made}`,
      ]);
      return session!.id;
    },
    async accessOf(userId) {
      const tables = [
        "session",
        "api_key",
        "reset_token",
        "sign_in_token",
        "recovery_code",
      ] as const;
      const counts = await Promise.all(
        tables.map(async (table) => {
          const [row] = await sql.query<{ count: number }[]>(
            `SELECT count(*)::int AS count FROM auth."${table}" WHERE user_id = $1`,
            [userId],
          );
          return [table, row!.count] as const;
        }),
      );
      return Object.fromEntries(counts) as Awaited<ReturnType<RunningAuth["accessOf"]>>;
    },
    async stop() {
      await Promise.all(replicas.map((each) => each.stop()));
      await sql.destroy();
      await shared.close();
      await Promise.all([database.drop(), redis.stop()]);
      rmSync(home, { recursive: true, force: true });
    },
  };
}
