import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { instanceShape, loadConfig, type InstanceConfig } from "@carrel/config";
import {
  beginOpenId,
  completeOpenId,
  publicPrincipal,
  type EventPayload,
  type eventLogged,
  type Scope,
} from "@carrel/contracts";
import {
  createSharedInfrastructure,
  startService,
  type RunningService,
  type SharedInfrastructure,
} from "@carrel/runtime";
import {
  startOpenIdProvider,
  startTestRedis,
  TestBrowser,
  testDatabase,
  type TestDatabase,
  type TestOpenIdProvider,
  type TestRedis,
  poll,
} from "@carrel/testing";
import { afterAll, afterEach, beforeAll } from "@jest/globals";
import { DataSource } from "typeorm";
import { authService } from "../src/auth.service-definition.ts";

export const redirectUri = "http://127.0.0.1:9/api/auth/openid/callback";
export const scope: Scope = { principal: publicPrincipal, workspace: null };
export const address = "192.0.2.7";
const home = mkdtempSync(join(tmpdir(), "carrel-openid-"));
let database: TestDatabase;
let redis: TestRedis;
export let provider: TestOpenIdProvider;
export let sql: DataSource;
export let running: {
  service: RunningService;
  shared: SharedInfrastructure;
  logged: EventPayload<typeof eventLogged>[];
} | null = null;

/** Registers the hooks that start a provider and an instance for the tests of a file. */
export function useOpenIdInstance(): void {
  beforeAll(async () => {
    [database, redis, provider] = await Promise.all([
      testDatabase(),
      startTestRedis({ appendonly: false }),
      startOpenIdProvider(),
    ]);
    provider.redirectUris.add(redirectUri);
    await start();
    sql = await new DataSource({ type: "postgres", url: database.url }).initialize();
    await sql.query(`UPDATE auth.instance_access SET mode = 'multi'`);
    // Accounts require a first admin.
    await sql.query(`INSERT INTO auth."user" (username, role) VALUES ('the-admin', 'admin')`);
  });
  afterEach(() => {
    provider.onToken = null;
    provider.onUserinfo = null;
    provider.onKeys = null;
  });
  afterAll(async () => {
    await stop();
    await sql.destroy();
    await Promise.all([database.drop(), redis.stop(), provider.stop()]);
    rmSync(home, { recursive: true, force: true });
  });
}

/** Starts the service with extra variables on top of the provider's. */
export async function start(environment: Record<string, string> = {}): Promise<void> {
  await stop();
  const shape: typeof instanceShape = Object.assign({}, authService.shape, instanceShape);
  const config: InstanceConfig = loadConfig(shape, {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    CARREL_HOME: home,
    CARREL_LOG_LEVEL: "silent",
    ...provider.environment,
    ...environment,
  });
  const shared = createSharedInfrastructure(config);
  const logged: EventPayload<typeof eventLogged>[] = [];
  shared.messaging.broadcast.on("event:event.logged", (payload) =>
    logged.push(payload as EventPayload<typeof eventLogged>),
  );
  running = {
    service: await startService(authService, config, { shared, healthPort: false }),
    shared,
    logged,
  };
}
async function stop(): Promise<void> {
  await running?.service.stop();
  await running?.shared.close();
  running = null;
}

export const request: SharedInfrastructure["messaging"]["client"]["request"] = (
  operation,
  input,
  options,
) => running!.shared.messaging.client.request(operation, input, options);
export const begin = (redirectTo: string | null = null) =>
  request(beginOpenId, { redirectUri, redirectTo }, { scope });
export const complete = (callbackUrl: string, sealed: string) =>
  request(completeOpenId, { callbackUrl, sealed, address }, { scope });
/** A complete sign-in except for the cookie, which the gateway keeps. */
export async function signIn(
  login: string | null,
  redirectTo: string | null = null,
): Promise<{ token: string; redirectTo: string | null }> {
  const { url, sealed } = await begin(redirectTo);
  return complete(await new TestBrowser().signInAtProvider(url, login), sealed);
}
interface Row {
  id: number;
  username: string;
  role: string;
  email: string | null;
  password_hash: string | null;
  seen_recovery_codes: boolean;
}
export const userOf = async (subject: string): Promise<Row | undefined> =>
  (
    await sql.query<Row[]>(
      `SELECT u.* FROM auth."user" u JOIN auth.identity i ON i.user_id = u.id WHERE i.subject = $1 AND i.issuer = $2`,
      [subject, provider.url],
    )
  )[0];
export const addUser = async (values: {
  username: string;
  email?: string;
  role?: string;
  suspended?: boolean;
}): Promise<number> =>
  (
    await sql.query<{ id: number }[]>(
      `INSERT INTO auth."user" (username, email, role, suspended) VALUES ($1, $2, $3, $4) RETURNING id`,
      [values.username, values.email ?? null, values.role ?? "default", values.suspended ?? false],
    )
  )[0]!.id;
export const person = (claims: Record<string, unknown> = {}): string => {
  const login = `person-${randomUUID()}`;
  provider.people.set(login, claims);
  return login;
};
/** The event log contains the refusal and no secret. */
export const expectFailure = (reason: string) =>
  poll(() => running!.logged.at(-1)).toMatchObject({
    event: "failed_login_openid",
    metadata: { reason, address },
  });
