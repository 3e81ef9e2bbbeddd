import {
  CarrelError,
  createExtensionKey,
  deleteExtensionKey,
  disconnectExtension,
  listExtensionKeys,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { KeyChanges } from "./key-changes.ts";
import { mapExtensionKey } from "./key.mapper.ts";
import { KeyRepository } from "./key.repository.ts";

/** Browser-extension keys: managers see their own; admins and the single-user session see all. */
@Controller()
export class ExtensionKeyHandler {
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
