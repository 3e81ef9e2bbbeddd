import {
  createApiKey,
  createInstanceApiKey,
  deleteApiKey,
  deleteInstanceApiKey,
  listApiKeys,
  listInstanceApiKeys,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { KeyChanges } from "./key-changes.ts";
import { mapApiKey } from "./key.mapper.ts";
import { KeyRepository } from "./key.repository.ts";

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
    { name }: In<typeof createInstanceApiKey>,
    { scope }: RequestContext,
  ): Promise<Out<typeof createInstanceApiKey>> {
    return this.createIn(scope, name);
  }

  @Handle(createApiKey)
  create(
    { name }: In<typeof createApiKey>,
    { scope }: RequestContext,
  ): Promise<Out<typeof createApiKey>> {
    return this.createIn(scope, name);
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

  private async createIn(
    scope: Scope,
    name: string | null | undefined,
  ): Promise<Out<typeof createApiKey>> {
    const { key, secret } = await this.changes.create(scope, "developer", name?.trim() || null);
    return { apiKey: mapApiKey(key, await this.changes.owners([key]), secret), error: null };
  }
}
