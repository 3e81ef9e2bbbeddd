import {
  CarrelError,
  listWatched,
  prepareSync,
  type Out,
  type Scope,
  type WatchedDocument,
  type WatchWire,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { LiveSyncSwitch } from "../setting/live-sync-switch.ts";
import { defaultInterval, type SyncWorkerConfig } from "../sync-worker.config.ts";
import { mapWatch, type Watch } from "../watch/watch.entity.ts";
import { WatchRepository } from "../watch/watch.repository.ts";

/** Something watched in the caller's workspace; `document` unless it is a source. */
interface OwnWatch {
  watch: Watch;
  document: WatchedDocument | undefined;
}

/** Who may see and change what is watched: ingest and connectors say whose it is. */
@Injectable()
export class WatchAccess {
  constructor(
    @Inject(CONFIG) private readonly config: SyncWorkerConfig,
    private readonly client: RequestClient,
    private readonly liveSync: LiveSyncSwitch,
    private readonly watches: WatchRepository,
  ) {}

  get defaultInterval(): number {
    return defaultInterval(this.config);
  }

  /** Throws `watch.not-found` for what isn't watched in the scope's workspace. */
  async find(scope: Scope, watchId: number): Promise<OwnWatch> {
    await this.liveSync.require();
    const watch = await this.watches.find(watchId);
    const own = watch && (await this.locate(scope, watch));
    if (own === null) throw new CarrelError("watch.not-found");
    return own;
  }

  /** Like `find`; members change only their own sources, and no documents. */
  async findOwn(scope: Scope, watchId: number): Promise<OwnWatch> {
    const own = await this.find(scope, watchId);
    if (own.document !== undefined && scope.principal.role === "default")
      throw new CarrelError("watch.by-managers");
    if (own.watch.connectionId !== null)
      await this.client.request(prepareSync, { connectionId: own.watch.connectionId }, { scope });
    return own;
  }

  /** Says what a source's runs do with deleted items; throws unless the caller may change it. */
  keepGone(
    scope: Scope,
    connectionId: string,
    keepsGone: boolean,
  ): Promise<Out<typeof prepareSync>> {
    return this.client.request(prepareSync, { connectionId, keepsGone }, { scope });
  }

  map({ watch, document }: OwnWatch): WatchWire {
    return mapWatch(watch, this.defaultInterval, document);
  }

  /** As it is after a change. */
  async show({ watch, document }: OwnWatch): Promise<{ watch: WatchWire }> {
    const current = await this.watches.find(watch.id);
    if (current === null) throw new CarrelError("watch.not-found");
    return { watch: this.map({ watch: current, document }) };
  }

  private async locate(scope: Scope, watch: Watch): Promise<OwnWatch | null> {
    if (watch.documentId === null)
      return watch.workspaceId === scope.workspace!.id ? { watch, document: undefined } : null;
    const { documents } = await this.client.request(
      listWatched,
      { limit: 1, documentId: watch.documentId },
      { scope },
    );
    return documents[0] === undefined ? null : { watch, document: documents[0] };
  }
}
