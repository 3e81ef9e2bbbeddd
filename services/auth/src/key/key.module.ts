import {
  CarrelError,
  createApiKey,
  createExtensionKey,
  createInstanceApiKey,
  deleteApiKey,
  deleteExtensionKey,
  deleteInstanceApiKey,
  disconnectExtension,
  listApiKeys,
  listExtensionKeys,
  listInstanceApiKeys,
  updateApiKey,
  updateInstanceApiKey,
  type ApiKeyWire,
  type ExtensionKeyWire,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { SecretBox } from "@carrel/database";
import { Handle, keyed, type RequestContext } from "@carrel/messaging";
import { Controller, Injectable, Module } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { AccessChanges, AccessModule } from "../access/instance-access.repository.ts";
import { EventLog, EventLogModule } from "../event-log/event-log.ts";
import { SecretModule, maskCode } from "../secret/secret-hasher.ts";
import type { User } from "../user/user.entity.ts";
import { UserModule, UserRepository } from "../user/user.repository.ts";
import { ApiKey } from "./key.entity.ts";
import { KeyRepository, keyPrefixes, type KeyColumns } from "./key.repository.ts";

const nouns: Record<ApiKey["kind"], string> = {
  developer: "api_key",
  extension: "browser_extension_key",
};

/** Creates, changes and deletes keys along with their event log entry, in one transaction. */
@Injectable()
class KeyChanges {
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

type Owners = ReadonlyMap<number, Pick<User, "id" | "username" | "role">>;
/** Exposes only the name and role of the row. */
const owner = (key: ApiKey, owners: Owners) => {
  const user = key.userId === null ? undefined : owners.get(key.userId);
  return user === undefined ? null : { id: user.id, username: user.username, role: user.role };
};
const dates = (key: ApiKey) => ({
  createdAt: key.createdAt.toISOString(),
  lastUpdatedAt: key.updatedAt.toISOString(),
  lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
});

/** `secret` is set only when the key was just created. */
const mapApiKey = (
  key: ApiKey,
  owners: Owners,
  secret: string = keyPrefixes.developer + maskCode(key.hint, "shown only when created"),
): ApiKeyWire => ({
  id: key.id,
  name: key.name,
  secret,
  createdBy: owner(key, owners),
  ...dates(key),
  scopes: key.scopes,
  workspaceIds: key.workspaceIds,
  expiresAt: key.expiresAt?.toISOString() ?? null,
  requestsPerMinute: key.requestsPerMinute,
});

const mapExtensionKey = (key: ApiKey, owners: Owners): ExtensionKeyWire => ({
  id: key.id,
  key: keyPrefixes.extension + maskCode(key.hint, "shown only when created"),
  user_id: key.userId,
  user: owner(key, owners),
  ...dates(key),
});

/**
 * Developer API keys. Existing clients use one path in single-user mode and another in multi-user
 * mode; the gateway refuses each in the other mode.
 */
@Controller()
class KeyHandler {
  constructor(
    private readonly keys: KeyRepository,
    private readonly changes: KeyChanges,
  ) {}

  @Handle(listInstanceApiKeys)
  listOfInstance(
    _input: In<typeof listInstanceApiKeys>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listInstanceApiKeys>> {
    return this.listIn(scope);
  }

  @Handle(listApiKeys)
  list(
    _input: In<typeof listApiKeys>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listApiKeys>> {
    return this.listIn(scope);
  }

  @Handle(createInstanceApiKey)
  createForInstance(
    input: In<typeof createInstanceApiKey>,
    ctx: RequestContext,
  ): Promise<Out<typeof createInstanceApiKey>> {
    return this.createIn(ctx, input);
  }

  @Handle(createApiKey)
  create(input: In<typeof createApiKey>, ctx: RequestContext): Promise<Out<typeof createApiKey>> {
    return this.createIn(ctx, input);
  }

  @Handle(updateInstanceApiKey)
  updateOfInstance(
    input: In<typeof updateInstanceApiKey>,
    { scope }: RequestContext,
  ): Promise<Out<typeof updateInstanceApiKey>> {
    return this.updateIn(scope, input);
  }

  @Handle(updateApiKey)
  update(
    input: In<typeof updateApiKey>,
    { scope }: RequestContext,
  ): Promise<Out<typeof updateApiKey>> {
    return this.updateIn(scope, input);
  }

  @Handle(deleteInstanceApiKey)
  async deleteOfInstance(
    { id }: In<typeof deleteInstanceApiKey>,
    { scope }: RequestContext,
  ): Promise<void> {
    await this.changes.delete(scope, "developer", id);
  }

  @Handle(deleteApiKey)
  async delete({ id }: In<typeof deleteApiKey>, { scope }: RequestContext): Promise<void> {
    await this.changes.delete(scope, "developer", id);
  }

  private async listIn(scope: Scope): Promise<Out<typeof listApiKeys>> {
    const keys = await this.keys.list(scope, "developer");
    const owners = await this.changes.owners(keys);
    return { apiKeys: keys.map((key) => mapApiKey(key, owners)), error: null };
  }

  private createIn(
    ctx: RequestContext,
    input: In<typeof createApiKey>,
  ): Promise<Out<typeof createApiKey>> {
    return this.changes.create(ctx, "developer", readColumns(input), async ({ key, secret }) => ({
      apiKey: mapApiKey(key, await this.changes.owners([key]), secret),
      error: null,
    }));
  }

  private async updateIn(
    scope: Scope,
    { id, ...input }: In<typeof updateApiKey>,
  ): Promise<Out<typeof updateApiKey>> {
    const key = await this.changes.update(scope, id, readColumns(input));
    if (key === null) throw new CarrelError("access.key-not-found");
    return { apiKey: mapApiKey(key, await this.changes.owners([key])), error: null };
  }
}

/** Columns of the fields that are present. */
const readColumns = ({
  name,
  scopes,
  workspaceIds,
  expiresAt,
  requestsPerMinute,
}: In<typeof createApiKey>): KeyColumns => ({
  ...(name === undefined ? {} : { name: name?.trim() || null }),
  ...(scopes == null ? {} : { scopes }),
  ...(workspaceIds === undefined ? {} : { workspaceIds }),
  ...(expiresAt === undefined
    ? {}
    : { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
  ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
});

/** Browser-extension keys: managers see their own; admins and the single-user session see all. */
@Controller()
class ExtensionKeyHandler {
  constructor(
    private readonly keys: KeyRepository,
    private readonly changes: KeyChanges,
  ) {}

  @Handle(listExtensionKeys)
  async list(
    _input: In<typeof listExtensionKeys>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listExtensionKeys>> {
    const keys = await this.keys.list(scope, "extension");
    const owners = await this.changes.owners(keys);
    return { success: true, apiKeys: keys.map((key) => mapExtensionKey(key, owners)) };
  }

  @Handle(createExtensionKey)
  async create(
    _input: In<typeof createExtensionKey>,
    ctx: RequestContext,
  ): Promise<Out<typeof createExtensionKey>> {
    return this.changes.create(ctx, "extension", {}, ({ secret }) => ({ apiKey: secret }));
  }

  /** Someone else's key and an unknown one get the same reply. */
  @Handle(deleteExtensionKey)
  async delete(
    { id }: In<typeof deleteExtensionKey>,
    { scope }: RequestContext,
  ): Promise<Out<typeof deleteExtensionKey>> {
    if (!(await this.changes.delete(scope, "extension", id)))
      throw new CarrelError("access.key-not-found");
    return { success: true };
  }

  @Handle(disconnectExtension)
  async disconnect(
    _input: In<typeof disconnectExtension>,
    { scope }: RequestContext,
  ): Promise<Out<typeof disconnectExtension>> {
    const { kind, keyId } = scope.principal;
    if (kind !== "extension" || keyId === undefined)
      throw new CarrelError("access.extension-key-invalid");
    // A key may always delete itself, whatever its owner's role.
    await this.changes.delete(scope, "extension", keyId);
    return { success: true };
  }
}

@Module({
  imports: [AccessModule, EventLogModule, SecretModule, UserModule],
  controllers: [ExtensionKeyHandler, KeyHandler],
  providers: [KeyChanges, KeyRepository],
})
export class KeyModule {}
