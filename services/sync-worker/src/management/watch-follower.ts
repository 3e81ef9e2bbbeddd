import {
  connectionRemoved,
  describeWatched,
  documentWatchChanged,
  listWatchedIds,
  readChunkSource,
  servicePrincipal,
  sourceChanged,
  workspaceDeleted,
  type EventPayload,
  type Out,
  type WatchedDocument,
} from "@carrel/contracts";
import {
  Broadcast,
  Consume,
  DailyReconciler,
  RequestClient,
  type OutboxMessage,
} from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable, type OnModuleDestroy } from "@nestjs/common";
import { defaultInterval, type SyncWorkerConfig } from "../sync-worker.config.ts";
import { nextSync } from "../watch/sync-schedule.ts";
import { WatchNotice } from "../watch/watch-notice.ts";
import { WatchRepository } from "../watch/watch.repository.ts";
import { SyncLoop } from "../worker/sync-loop.ts";

const scope = { principal: servicePrincipal, workspace: null };
const batch = 500;

/** What documents of one source have in common, so that it isn't asked for too many at once. */
function hostOf(chunkSource: string): { connector: string; host: string } {
  const source = readChunkSource(chunkSource);
  const connector = source.kind === "connector" ? source.connector : "link";
  const address =
    source.kind === "connector" ? source.reference : source.kind === "link" && source.url;
  // A path, for what isn't on a server.
  const host = address && URL.canParse(address) ? new URL(address).host : "";
  return { connector, host: host || connector };
}

/** Follows what ingest says is watched: events only say that something changed. */
@Injectable()
export class WatchFollower extends DailyReconciler implements OnModuleDestroy {
  private readonly stop: () => void;

  constructor(
    @Inject(CONFIG) private readonly config: SyncWorkerConfig,
    private readonly client: RequestClient,
    private readonly watches: WatchRepository,
    private readonly notice: WatchNotice,
    private readonly loop: SyncLoop,
    broadcast: Broadcast,
  ) {
    super();
    // Without it, the next sync finds that the source is gone.
    this.stop = broadcast.on(`event:${workspaceDeleted.name}`, (payload) => {
      const { workspaceId } = payload as EventPayload<typeof workspaceDeleted>;
      this.watches.removeOfWorkspace(workspaceId).catch(() => undefined);
    });
  }

  onModuleDestroy(): void {
    this.stop();
  }

  @Consume(documentWatchChanged)
  async follow({ documentIds }: EventPayload<typeof documentWatchChanged>): Promise<void> {
    for (let at = 0; at < documentIds.length; at += batch)
      await this.compareDocuments(documentIds.slice(at, at + batch));
  }

  @Consume(connectionRemoved)
  async forget({ connectionId }: EventPayload<typeof connectionRemoved>): Promise<void> {
    const watch = await this.watches.findOfConnection(connectionId);
    if (watch !== null) await this.watches.remove(watch.id);
  }

  @Consume(sourceChanged)
  async bringForward({ connectionId }: EventPayload<typeof sourceChanged>): Promise<void> {
    const watch = await this.watches.findOfConnection(connectionId);
    if (watch === null) return;
    await this.watches.announce(watch.id);
    this.loop.wake();
  }

  /** Once a day, everything that is watched, here or according to ingest. */
  protected override async compare(): Promise<OutboxMessage[]> {
    for (let after = 0; ;) {
      const rows = await this.watches.list(after, batch);
      if (rows.length === 0) break;
      await this.compareDocuments(rows.flatMap(({ documentId }) => documentId ?? []));
      after = rows.at(-1)!.id;
    }
    for (let after: string | null = null; ;) {
      const { documentIds }: Out<typeof listWatchedIds> = await this.client.request(
        listWatchedIds,
        { after, limit: batch },
        { scope },
      );
      if (documentIds.length === 0) return [];
      const known = new Set(
        (await this.watches.listOfDocuments(documentIds)).map(({ documentId }) => documentId),
      );
      await this.compareDocuments(documentIds.filter((id) => !known.has(id)));
      after = documentIds.at(-1)!;
    }
  }

  private async compareDocuments(documentIds: readonly string[]): Promise<void> {
    if (documentIds.length === 0) return;
    const { documents } = await this.client.request(
      describeWatched,
      { documentIds: [...documentIds] },
      { scope },
    );
    const watched = new Map(
      documents.filter(({ watch }) => watch !== null).map((each) => [each.documentId, each]),
    );
    await this.watches.removeDocuments(documentIds.filter((id) => !watched.has(id)));
    for (const document of watched.values())
      if (document.watch === "active") await this.add(document);
    this.notice.announce(documents.flatMap(({ workspaceIds }) => workspaceIds));
  }

  private add({ documentId, chunkSource, title, watchedBy }: WatchedDocument): Promise<void> {
    return this.watches.add(
      {
        documentId,
        connectionId: null,
        workspaceId: null,
        chunkSource,
        title,
        ...hostOf(chunkSource),
        userId: watchedBy,
        intervalSeconds: null,
        whenGone: "keep",
      },
      nextSync(defaultInterval(this.config)),
    );
  }
}
