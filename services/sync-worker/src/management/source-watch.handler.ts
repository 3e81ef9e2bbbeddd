import { watchSource, type In, type Out } from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { LiveSyncSwitch } from "../setting/live-sync-switch.ts";
import { nextSync } from "../watch/sync-schedule.ts";
import { WatchNotice } from "../watch/watch-notice.ts";
import { WatchRepository } from "../watch/watch.repository.ts";
import { WatchAccess } from "./watch-access.ts";

/** Watches whole sources. */
@Controller()
export class SourceWatchHandler {
  constructor(
    private readonly liveSync: LiveSyncSwitch,
    private readonly watches: WatchRepository,
    private readonly access: WatchAccess,
    private readonly notice: WatchNotice,
  ) {}

  @Handle(watchSource)
  async watch(
    input: In<typeof watchSource>,
    { scope }: RequestContext,
  ): Promise<Out<typeof watchSource>> {
    await this.liveSync.require();
    const { connectionId, watched } = input;
    const before = await this.watches.findOfConnection(connectionId);
    const whenGone = input.whenGone ?? before?.whenGone ?? "remove";
    const { name, connector } = await this.access.keepGone(
      scope,
      connectionId,
      watched && whenGone === "keep",
    );
    const workspaceId = scope.workspace!.id;
    this.notice.announce([workspaceId]);
    if (!watched) {
      if (before !== null) await this.watches.remove(before.id);
      return { watch: null };
    }
    const interval = input.intervalSeconds ?? null;
    await this.watches.add(
      {
        documentId: null,
        connectionId,
        workspaceId,
        chunkSource: "",
        title: name,
        connector,
        host: `source:${connectionId}`,
        userId: scope.principal.userId,
        intervalSeconds: interval,
        whenGone,
      },
      nextSync(interval ?? this.access.defaultInterval),
    );
    const watch = await this.watches.findOfConnection(connectionId);
    if (before !== null)
      await this.watches.update(before.id, { intervalSeconds: input.intervalSeconds, whenGone });
    return this.access.show({ watch: watch!, document: undefined });
  }
}
