import { CarrelError, type Scope } from "@carrel/contracts";
import { SecretBox } from "@carrel/database";
import { keyed, type RequestContext } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { AccessChanges } from "../access/instance-access.repository.ts";
import { EventLog } from "../event-log/event-log.ts";
import type { User } from "../user/user.entity.ts";
import { UserRepository } from "../user/user.repository.ts";
import { ApiKey } from "./key.entity.ts";
import { KeyRepository, type KeyColumns } from "./key.repository.ts";

const nouns: Record<ApiKey["kind"], string> = {
  developer: "api_key",
  extension: "browser_extension_key",
};

/** Creates, changes and deletes keys along with their event log entry, in one transaction. */
@Injectable()
export class KeyChanges {
  constructor(
    private readonly dataSource: DataSource,
    private readonly keys: KeyRepository,
    private readonly users: UserRepository,
    private readonly accessChanges: AccessChanges,
    private readonly events: EventLog,
    private readonly box: SecretBox,
  ) {}

  /**
   * Suspending a user ends all of their keys, and a cached principal may be some seconds old, so
   * this re-checks the owner's row under a lock. FORBIDDEN if the owner may not have a key.
   */
  create<Reply>(
    ctx: RequestContext,
    kind: ApiKey["kind"],
    columns: KeyColumns,
    reply: (made: { key: ApiKey; secret: string }) => Promise<Reply> | Reply,
  ): Promise<Reply> {
    const { scope } = ctx;
    const run = async (manager: EntityManager): Promise<Reply> => {
      const { userId } = scope.principal;
      const owner = userId === null ? undefined : await this.users.lock(manager, userId);
      if (owner !== undefined && !mayOwn(kind, owner)) throw new CarrelError("access.forbidden");
      requireFuture(columns.expiresAt);
      const made = await this.keys.create(scope, manager, kind, columns);
      await this.events.record(manager, scope, `${nouns[kind]}_created`, {
        keyId: made.key.id,
        name: made.key.name,
        ...(kind === "developer" ? describeLimits(made.key) : {}),
      });
      return reply(made);
    };
    return keyed(this.dataSource, ctx, run, this.box);
  }

  /** Null if there is no such developer key that the caller may see. */
  async update(scope: Scope, id: number, columns: KeyColumns): Promise<ApiKey | null> {
    const key = await this.dataSource.transaction(async (manager) => {
      const found = await this.keys.lock(scope, manager, "developer", id);
      if (found === null) return null;
      const { expiresAt } = columns;
      // Other fields of an expired key may change.
      if (expiresAt?.getTime() !== found.expiresAt?.getTime()) requireFuture(expiresAt);
      const saved = await manager.save(ApiKey, manager.merge(ApiKey, found, columns));
      await this.events.record(manager, scope, "api_key_updated", {
        keyId: id,
        name: saved.name,
        ...describeLimits(saved),
      });
      await this.accessChanges.record(manager, saved.userId ?? undefined);
      return saved;
    });
    if (key !== null) await this.accessChanges.announce(key.userId ?? undefined);
    return key;
  }

  /** False if there is no such key that the caller may see. */
  async delete(scope: Scope, kind: ApiKey["kind"], id: number): Promise<boolean> {
    const key = await this.dataSource.transaction(async (manager) => {
      const gone = await this.keys.delete(scope, manager, kind, id);
      if (gone === null) return null;
      await this.events.record(manager, scope, `${nouns[kind]}_deleted`, {
        keyId: id,
        name: gone.name,
        ownerId: gone.userId,
      });
      await this.accessChanges.record(manager, gone.userId ?? undefined);
      return gone;
    });
    if (key !== null) await this.accessChanges.announce(key.userId ?? undefined);
    return key !== null;
  }

  /** Owners of the keys, by id. */
  async owners(keys: readonly ApiKey[]): Promise<ReadonlyMap<number, User>> {
    const ids = keys.flatMap((key) => (key.userId === null ? [] : [key.userId]));
    return new Map((await this.users.findMany(ids)).map((user) => [user.id, user]));
  }
}

function requireFuture(expiresAt: Date | null | undefined): void {
  if (expiresAt != null && expiresAt.getTime() <= Date.now())
    throw new CarrelError("access.key-expiry-past");
}

const describeLimits = ({ scopes, workspaceIds, expiresAt, requestsPerMinute }: ApiKey) => ({
  scopes,
  workspaceIds,
  expiresAt,
  requestsPerMinute,
});

const mayOwn = (kind: ApiKey["kind"], user: User | null): boolean =>
  user !== null &&
  !user.suspended &&
  (user.role === "admin" || (kind === "extension" && user.role === "manager"));
