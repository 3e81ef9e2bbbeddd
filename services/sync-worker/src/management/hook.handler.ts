import { randomBytes } from "node:crypto";
import {
  CarrelError,
  createHook,
  deliverHook,
  findHookSecret,
  removeHook,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { SecretBox, SecretUnreadableError } from "@carrel/database";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { LiveSyncSwitch } from "../setting/live-sync-switch.ts";
import { HookRepository } from "../watch/hook.repository.ts";
import { WatchNotice } from "../watch/watch-notice.ts";
import type { Watch } from "../watch/watch.entity.ts";
import { WatchRepository } from "../watch/watch.repository.ts";
import { SyncLoop } from "../worker/sync-loop.ts";
import { WatchAccess } from "./watch-access.ts";

const secretBytes = 32;

/** Webhooks by which sources announce their changes. */
@Controller()
export class HookHandler {
  constructor(
    private readonly box: SecretBox,
    private readonly liveSync: LiveSyncSwitch,
    private readonly watches: WatchRepository,
    private readonly hooks: HookRepository,
    private readonly access: WatchAccess,
    private readonly notice: WatchNotice,
    private readonly loop: SyncLoop,
  ) {}

  /** Replaces the secret if there is one. */
  @Handle(createHook)
  async create(
    { connectionId }: In<typeof createHook>,
    { scope }: RequestContext,
  ): Promise<Out<typeof createHook>> {
    const { id } = await this.findOwn(scope, connectionId);
    const secret = randomBytes(secretBytes).toString("base64url");
    await this.hooks.setSecret(id, this.box.seal(secret));
    this.notice.announce([scope.workspace!.id]);
    return { path: `/api/hooks/${connectionId}`, secret };
  }

  @Handle(removeHook)
  async remove(
    { connectionId }: In<typeof removeHook>,
    { scope }: RequestContext,
  ): Promise<Out<typeof removeHook>> {
    const { id } = await this.findOwn(scope, connectionId);
    await this.hooks.setSecret(id, null);
    this.notice.announce([scope.workspace!.id]);
    return { success: true };
  }

  @Handle(findHookSecret)
  async findSecret({
    connectionId,
  }: In<typeof findHookSecret>): Promise<Out<typeof findHookSecret>> {
    const { secret } = await this.findHook(connectionId);
    return { secret };
  }

  /** A repeated message is accepted, and does nothing. */
  @Handle(deliverHook)
  async deliver({ connectionId, key }: In<typeof deliverHook>): Promise<Out<typeof deliverHook>> {
    const { watch } = await this.findHook(connectionId);
    if (await this.hooks.receive(watch.id, key)) this.loop.wake();
    return {};
  }

  private async findHook(connectionId: string): Promise<{ watch: Watch; secret: string }> {
    const watch = await this.watches.findOfConnection(connectionId);
    const secret = this.open(watch?.sealedHookSecret ?? null);
    if (watch === null || secret === null || !(await this.liveSync.isOn()))
      throw new CarrelError("watch.not-found");
    return { watch, secret };
  }

  /** null if there is none, or if it was sealed with another secret of the instance. */
  private open(sealed: string | null): string | null {
    try {
      return sealed === null ? null : this.box.open(sealed);
    } catch (error) {
      if (!(error instanceof SecretUnreadableError)) throw error;
      return null;
    }
  }

  private async findOwn(scope: Scope, connectionId: string): Promise<Watch> {
    const watch = await this.watches.findOfConnection(connectionId);
    if (watch === null) throw new CarrelError("watch.not-found");
    return (await this.access.findOwn(scope, watch.id)).watch;
  }
}
