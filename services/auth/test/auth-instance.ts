import { randomUUID } from "node:crypto";
import { instanceShape, loadConfig, type InstanceConfig } from "@carrel/config";
import {
  authenticate,
  enableMultiUser,
  eventLogged,
  instancePrincipal,
  multiUserEnabled,
  publicPrincipal,
  requestToken,
  type Args,
  type EventPayload,
  type Operation,
  type Out,
  type Principal,
  type Scope,
} from "@carrel/contracts";
import { Consume } from "@carrel/messaging";
import {
  createSharedInfrastructure,
  defineService,
  startService,
  type RunningService,
  type SharedInfrastructure,
} from "@carrel/runtime";
import {
  startTestRedis,
  testDatabase,
  waitFor,
  type TestDatabase,
  type TestRedis,
} from "@carrel/testing";
import { Inject, Injectable, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import { authShape } from "../src/auth.config.ts";
import { authService } from "../src/index.ts";
import { orRefusal } from "./refusal-reply.ts";

/** Records the events and entries that auth published. */
class Told {
  readonly logged: EventPayload<typeof eventLogged>[] = [];
  readonly enabled: EventPayload<typeof multiUserEnabled>[] = [];
}
@Injectable()
class WorkspaceStandIn {
  constructor(@Inject(Told) private readonly told: Told) {}

  @Consume(eventLogged)
  async log(event: EventPayload<typeof eventLogged>): Promise<void> {
    this.told.logged.push(event);
  }

  @Consume(multiUserEnabled)
  async enable(event: EventPayload<typeof multiUserEnabled>): Promise<void> {
    this.told.enabled.push(event);
  }
}

/** Row that an instance inserts for a user, without hashing a password. */
export interface UserRow {
  id: number;
  username: string;
}

/**
 * auth on real PostgreSQL and Redis, with any number of replicas, each with separate connections.
 */
export class AuthInstance {
  readonly told = new Told();
  private readonly running: RunningService[] = [];

  private constructor(
    readonly database: TestDatabase,
    readonly redis: TestRedis,
    readonly config: InstanceConfig,
    readonly shared: SharedInfrastructure,
    readonly sql: DataSource,
  ) {}

  static async start(
    environment: Record<string, string> = {},
    options: { replicas?: number; reconcileMs?: number } = {},
  ): Promise<AuthInstance> {
    const [database, redis] = await Promise.all([testDatabase(), startTestRedis()]);
    const variables = {
      CARREL_SECRET: randomUUID() + randomUUID(),
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      CARREL_LOG_LEVEL: process.env.CARREL_TEST_LOG ?? "silent",
      ...environment,
    };
    const config = loadConfig({ ...instanceShape, ...authShape }, variables);
    const sql = await new DataSource({
      type: "postgres",
      url: database.url,
      poolSize: 4,
    }).initialize();
    const instance = new AuthInstance(
      database,
      redis,
      config,
      createSharedInfrastructure(config),
      sql,
    );
    for (let replica = 0; replica < (options.replicas ?? 1); replica += 1)
      instance.running.push(
        await startService(authService, config, {
          healthPort: false,
          reconcileMs: options.reconcileMs,
        }),
      );
    class StandInModule {}
    Module({ providers: [WorkspaceStandIn, { provide: Told, useValue: instance.told }] })(
      StandInModule,
    );
    instance.running.push(
      await startService(
        defineService({
          name: "workspace",
          module: StandInModule,
          contracts: { operations: [], jobs: [], events: [eventLogged, multiUserEnabled] },
        }),
        config,
        { shared: instance.shared, healthPort: false },
      ),
    );
    return instance;
  }

  async stop(): Promise<void> {
    await Promise.all(this.running.map((each) => each.stop()));
    await this.sql.destroy();
    await this.shared.close();
    await Promise.all([this.redis.stop(), this.database.drop()]);
  }

  request<Op extends Operation>(
    operation: Op,
    input: Args<Op>,
    scope: Scope | Principal = publicPrincipal,
    idempotencyKey?: string,
  ): Promise<Out<Op>> {
    return orRefusal(
      operation,
      this.shared.messaging.client.request(operation, input, {
        scope: "principal" in scope ? scope : { principal: scope, workspace: null },
        idempotencyKey,
      }),
    );
  }

  /** The principal a token resolves to. */
  async principal(
    bearer: string | null,
    credential: "session" | "key" | "extension" = "session",
  ): Promise<Principal> {
    return (await this.request(authenticate, { bearer, credential })).principal;
  }

  login(
    username: string | undefined,
    password: string,
    more: Partial<Args<typeof requestToken>> = {},
  ): Promise<Out<typeof requestToken>> {
    return this.request(requestToken, {
      username,
      password,
      address: "203.0.113.1",
      userAgent: "jest",
      ...more,
    });
  }

  /** Signs in and returns the scope of that session. */
  async signIn(
    username: string | undefined,
    password: string,
    more: Partial<Args<typeof requestToken>> = {},
  ): Promise<{ token: string; scope: Scope; answer: Out<typeof requestToken> }> {
    const answer = await this.login(username, password, more);
    if (answer.token === null) throw new Error(`not signed in: ${answer.message}`);
    return {
      token: answer.token,
      scope: { principal: await this.principal(answer.token), workspace: null },
      answer,
    };
  }

  /** Enables accounts; the first admin is `admin-one` with the password `admin password`. */
  async enableMultiUser(scope: Principal = instancePrincipal): Promise<void> {
    const answer = await this.request(
      enableMultiUser,
      { username: "admin-one", password: "admin password" },
      scope,
    );
    if (!answer.success) throw new Error(answer.error ?? "refused");
  }

  async addUser(
    username: string,
    values: {
      role?: string;
      suspended?: boolean;
      passwordHash?: string | null;
      seenRecoveryCodes?: boolean;
      dailyMessageLimit?: number | null;
    } = {},
  ): Promise<UserRow> {
    const [row] = await this.sql.query<{ id: number }[]>(
      `INSERT INTO auth."user" (
        username, role, suspended, password_hash, seen_recovery_codes, daily_message_limit
      )
      VALUES ($1, $2, $3, $4, $5, $6)
      RETURNING id`,
      [
        username,
        values.role ?? "default",
        values.suspended ?? false,
        values.passwordHash ?? null,
        values.seenRecoveryCodes ?? true,
        values.dailyMessageLimit ?? null,
      ],
    );
    return { id: row!.id, username };
  }

  /** Resets all counted attempts. */
  async resetAttempts(): Promise<void> {
    const redis = this.shared.messaging.connections.commands;
    const keys = await redis.keys("throttle:*");
    if (keys.length > 0) await redis.del(...keys);
  }

  /** Stops limits in use from refilling, so that the checks that follow may take any time. */
  async stopRefilling(): Promise<void> {
    const redis = this.shared.messaging.connections.commands;
    for (const key of await redis.keys("throttle:*"))
      await redis.hset(key, "at", Date.now() + 3_600_000);
  }

  /** Waits until a matching event was logged. */
  async logged(
    event: string,
    fits: (payload: EventPayload<typeof eventLogged>) => boolean = () => true,
  ): Promise<EventPayload<typeof eventLogged>> {
    return waitFor(() => this.told.logged.find((each) => each.event === event && fits(each)), {
      what: `${event} to be logged`,
    });
  }
}
