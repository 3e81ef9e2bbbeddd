import {
  CarrelError,
  createApiKey,
  createInstanceApiKey,
  deleteApiKey,
  deleteInstanceApiKey,
  listApiKeys,
  listInstanceApiKeys,
  updateApiKey,
  updateInstanceApiKey,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { KeyChanges } from "./key-changes.ts";
import { mapApiKey } from "./key.mapper.ts";
import { KeyRepository, type KeyColumns } from "./key.repository.ts";

/**
 * Developer API keys. Existing clients use one path in single-user mode and another in multi-user
 * mode; the gateway refuses each in the other mode.
 */
@Controller()
export class KeyHandler {
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
