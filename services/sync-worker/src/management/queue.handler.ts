import {
  CarrelError,
  describeWatched,
  findWorkspaces,
  listSyncQueues,
  readWorkspaceDocuments,
  type In,
  type Out,
  type Scope,
  type SyncQueueWire,
  type WorkspaceDocumentWire,
} from "@carrel/contracts";
import { Handle, RequestClient, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { LiveSyncSwitch } from "../setting/live-sync-switch.ts";
import type { Watch } from "../watch/watch.entity.ts";
import { WatchRepository } from "../watch/watch.repository.ts";
import { WatchAccess } from "./watch-access.ts";

type Workspace = SyncQueueWire["workspaceDoc"]["workspace"];
type Place = SyncQueueWire["workspaceDoc"];

const batch = 500;
/** Existing clients get them all in one reply. */
const maxQueues = 5_000;

/** Watched documents as existing clients know them (wire-contract 6.6). */
@Controller()
export class QueueHandler {
  constructor(
    private readonly client: RequestClient,
    private readonly liveSync: LiveSyncSwitch,
    private readonly watches: WatchRepository,
    private readonly access: WatchAccess,
  ) {}

  @Handle(listSyncQueues)
  async list(
    _input: In<typeof listSyncQueues>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listSyncQueues>> {
    if (!(await this.liveSync.isOn())) throw new CarrelError("access.forbidden");
    const queues: SyncQueueWire[] = [];
    for (let after = 0; queues.length < maxQueues;) {
      const rows = await this.watches.list(after, batch, true);
      if (rows.length === 0) break;
      const places = await this.findPlaces(rows, scope);
      for (const row of rows) {
        const place = places.get(row.documentId!);
        if (place !== undefined) queues.push(this.map(row, place));
      }
      after = rows.at(-1)!.id;
    }
    return { queues };
  }

  private map(watch: Watch, workspaceDoc: Place): SyncQueueWire {
    const seconds = watch.intervalSeconds ?? this.access.defaultInterval;
    return {
      id: watch.id,
      staleAfterMs: Math.round(seconds * 1_000),
      nextSyncAt: watch.nextSyncAt.toISOString(),
      createdAt: watch.createdAt.toISOString(),
      // The wire has no document that was never synced.
      lastSyncedAt: (watch.lastSyncedAt ?? watch.createdAt).toISOString(),
      workspaceDocId: workspaceDoc.id,
      workspaceDoc,
    };
  }

  /** Each document in the first workspace that contains it. */
  private async findPlaces(rows: readonly Watch[], scope: Scope): Promise<Map<string, Place>> {
    const documentIds = rows.flatMap(({ documentId }) => documentId ?? []);
    const { documents } = await this.client.request(describeWatched, { documentIds }, { scope });
    const byWorkspace = Map.groupBy(
      documents.filter(({ workspaceIds }) => workspaceIds.length > 0),
      ({ workspaceIds }) => workspaceIds[0]!,
    );
    const { workspaces } = await this.client.request(
      findWorkspaces,
      { ids: [...byWorkspace.keys()] },
      { scope },
    );
    const places = new Map<string, Place>();
    for (const workspace of workspaces) {
      const ids = byWorkspace.get(workspace.id)!.map(({ documentId }) => documentId);
      for (const document of await this.read(workspace, ids, scope))
        places.set(document.docId, { ...document, workspace });
    }
    return places;
  }

  private async read(
    { id, slug }: Workspace,
    documentIds: string[],
    { principal }: Scope,
  ): Promise<WorkspaceDocumentWire[]> {
    const documents: WorkspaceDocumentWire[] = [];
    for (let after: number | null = null; ;) {
      const page: Out<typeof readWorkspaceDocuments> = await this.client.request(
        readWorkspaceDocuments,
        { after, documentIds },
        { scope: { principal, workspace: { id, slug } } },
      );
      documents.push(...(JSON.parse(`[${page.items}]`) as WorkspaceDocumentWire[]));
      if (page.next === null) return documents;
      after = page.next;
    }
  }
}
