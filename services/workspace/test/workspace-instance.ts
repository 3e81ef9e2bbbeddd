import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { instanceShape, loadConfig, type InstanceConfig } from "@carrel/config";
import {
  findMissingUsers,
  findUsers,
  getAuthSettings,
  instancePrincipal,
  servicePrincipal,
  type Args,
  type DomainEvent,
  type EventPayload,
  type In,
  type Operation,
  type Out,
  type Principal,
  type Role,
  type Scope,
} from "@carrel/contracts";
import { eventMessage, Handle } from "@carrel/messaging";
import {
  createSharedInfrastructure,
  defineService,
  startService,
  type SharedInfrastructure,
} from "@carrel/runtime";
import { startTestRedis, testDatabase } from "@carrel/testing";
import { Controller, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import { workspaceService } from "../src/index.ts";

type AuthSettings = Out<typeof getAuthSettings>;
const openInstance: AuthSettings = {
  RequiresAuth: false,
  AuthToken: false,
  JWTSecret: false,
  MultiUserMode: false,
  SimpleSSOEnabled: false,
  SimpleSSONoLogin: false,
  SimpleSSONoLoginRedirect: null,
  OpenIDName: null,
};

/** Users and settings returned by the fake auth service. */
export class Accounts {
  readonly users = new Map<number, { id: number; username: string; role: Role; bio: string }>();
  settings: AuthSettings = { ...openInstance };
  add(id: number, username: string, role: Role = "default", bio = ""): void {
    this.users.set(id, { id, username, role, bio });
  }
}

export const scopeOf = (principal: Principal, workspace: Scope["workspace"] = null): Scope => ({
  principal,
  workspace,
  address: "192.0.2.7",
});
export const person = (
  userId: number,
  role: Role = "default",
  kind: "user" | "extension" = "user",
): Principal => ({ kind, userId, role });
export const apiKey: Principal = { kind: "key", userId: null, role: "admin", keyId: 5 };
export const instance = scopeOf(instancePrincipal);
export const service: Scope = { principal: servicePrincipal, workspace: null };

export interface WorkspaceInstance {
  accounts: Accounts;
  shared: SharedInfrastructure;
  sql: DataSource;
  request<Op extends Operation>(
    operation: Op,
    input: Args<Op>,
    scope: Scope,
    idempotencyKey?: string,
  ): Promise<Out<Op>>;
  /** Publishes a domain event as another service would. */
  tell<E extends DomainEvent>(event: E, payload: EventPayload<E>): Promise<void>;
  stop(): Promise<void>;
}

/** Two replicas of the workspace service on real PostgreSQL and Redis, with a fake auth service. */
export async function startWorkspaceInstance(
  environment: Record<string, string> = {},
): Promise<WorkspaceInstance> {
  const home = mkdtempSync(join(tmpdir(), "carrel-workspace-"));
  const [database, redis] = await Promise.all([
    testDatabase(),
    startTestRedis({ appendonly: false }),
  ]);
  const shape: typeof instanceShape = Object.assign({}, workspaceService.shape, instanceShape);
  const config: InstanceConfig = loadConfig(shape, {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    CARREL_HOME: home,
    CARREL_LOG_LEVEL: "silent",
    ...environment,
  });
  const shared = createSharedInfrastructure(config);
  const accounts = new Accounts();
  const running = [
    await startService(standInForAuth(accounts), config, { shared, healthPort: false }),
    ...(await Promise.all(
      [0, 1].map(() =>
        startService(workspaceService, config, {
          shared,
          healthPort: false,
          reconcileMs: 200,
          eventRetryMs: 1_000,
        }),
      ),
    )),
  ];
  const sql = await new DataSource({ type: "postgres", url: database.url }).initialize();
  return {
    accounts,
    shared,
    sql,
    request: (operation, input, scope, idempotencyKey) =>
      shared.messaging.client.request(operation, input, { scope, idempotencyKey }),
    tell: (event, payload) => shared.messaging.sender.send(eventMessage(event, payload as object)),
    async stop() {
      await Promise.all(running.map((each) => each.stop()));
      await sql.destroy();
      await shared.close();
      await Promise.all([database.drop(), redis.stop()]);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function standInForAuth(accounts: Accounts): Parameters<typeof startService>[0] {
  @Controller()
  class AuthStandIn {
    @Handle(findUsers)
    users({ ids, withBio }: In<typeof findUsers>): Promise<Out<typeof findUsers>> {
      return Promise.resolve({
        users: ids
          .flatMap((id) => accounts.users.get(id) ?? [])
          .map(({ bio, ...user }) => (withBio === true ? { ...user, bio } : user)),
      });
    }

    @Handle(findMissingUsers)
    missing({ ids }: In<typeof findMissingUsers>): Promise<Out<typeof findMissingUsers>> {
      return Promise.resolve({ ids: ids.filter((id) => !accounts.users.has(id)) });
    }

    @Handle(getAuthSettings)
    settings(): Promise<AuthSettings> {
      return Promise.resolve(accounts.settings);
    }
  }
  @Module({ controllers: [AuthStandIn] })
  class AuthStandInModule {}
  return defineService({
    name: "auth",
    module: AuthStandInModule,
    contracts: { operations: [findUsers, findMissingUsers, getAuthSettings], jobs: [], events: [] },
  });
}
