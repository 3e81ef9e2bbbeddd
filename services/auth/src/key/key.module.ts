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
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller, Module } from "@nestjs/common";
import { AccessModule } from "../access/instance-access.repository.ts";
import { EventLogModule } from "../event-log/event-log.ts";
import { SecretModule, maskCode } from "../secret/secret-hasher.ts";
import type { User } from "../user/user.entity.ts";
import { UserModule } from "../user/user.repository.ts";
import { KeyChanges } from "./key-changes.ts";
import type { ApiKey } from "./key.entity.ts";
import { KeyRepository, keyPrefixes, type KeyColumns } from "./key.repository.ts";

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
