import {
  cursorId,
  cutPage,
  describeWatched,
  findWorkspaces,
  listAllWatches,
  listSyncRuns,
  listWatched,
  listWatches,
  readCursor,
  syncNow,
  updateWatch,
  writeCursor,
  type In,
  type Out,
  type Scope,
  type WatchedDocument,
} from "@carrel/contracts";
import { Handle, RequestClient, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { z } from "zod";
import { LiveSyncSwitch } from "../setting/live-sync-switch.ts";
import { WatchNotice } from "../watch/watch-notice.ts";
import type { Watch } from "../watch/watch.entity.ts";
import { WatchRepository } from "../watch/watch.repository.ts";
import { SyncLoop } from "../worker/sync-loop.ts";
import { WatchAccess } from "./watch-access.ts";

/** The last document of a page. */
const documentPlace = z.tuple([z.uuid()]);
/** The last row of a page. */
const rowPlace = z.tuple([cursorId]);

@Controller()
export class WatchListHandler {
  constructor(
    private readonly client: RequestClient,
    private readonly liveSync: LiveSyncSwitch,
    private readonly watches: WatchRepository,
    private readonly access: WatchAccess,
  ) {}

  /** Sources come first, with the first page of documents. */
  @Handle(listWatches)
  async list(
    { limit, cursor }: In<typeof listWatches>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listWatches>> {
    const [after] = cursor === undefined ? [null] : readCursor(documentPlace, cursor);
    const [enabled, { documents, next }, sources] = await Promise.all([
      this.liveSync.isOn(),
      this.client.request(listWatched, { after, limit }, { scope }),
      after === null ? this.watches.listOfWorkspace(scope.workspace!.id) : [],
    ]);
    const rows = await this.watches.listOfDocuments(documents.map(({ documentId }) => documentId));
    const byDocument = new Map(rows.map((row) => [row.documentId, row]));
    return {
      enabled,
      watches: [
        ...sources.map((watch) => this.access.map({ watch, document: undefined })),
        // One that was watched just now appears as soon as it is known here.
        ...documents.flatMap((document) => {
          const watch = byDocument.get(document.documentId);
          return watch === undefined ? [] : [this.access.map({ watch, document })];
        }),
      ],
      nextCursor: next === null ? null : writeCursor([next]),
      defaultIntervalSeconds: Math.max(1, Math.round(this.access.defaultInterval)),
    };
  }

  @Handle(listAllWatches)
  async listAll(
    { limit, cursor }: In<typeof listAllWatches>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listAllWatches>> {
    const [after] = cursor === undefined ? [0] : readCursor(rowPlace, cursor);
    const rows = await this.watches.list(after, limit + 1);
    const { page, nextCursor } = cutPage(rows, limit, ({ id }) => [id]);
    const [enabled, documents] = await Promise.all([
      this.liveSync.isOn(),
      this.describe(page, scope),
    ]);
    const placesOf = (watch: Watch): number[] =>
      watch.workspaceId === null
        ? (documents.get(watch.documentId!)?.workspaceIds ?? [])
        : [watch.workspaceId];
    const names = await this.findNames(page.flatMap(placesOf), scope);
    return {
      enabled,
      // Without documents that were deleted, or that the caller may not see.
      watches: page
        .filter(({ documentId }) => documentId === null || documents.has(documentId))
        .map((watch) => ({
          ...this.access.map({ watch, document: documents.get(watch.documentId ?? "") }),
          workspaces: placesOf(watch).flatMap((id) => names.get(id) ?? []),
        })),
      nextCursor,
      defaultIntervalSeconds: Math.max(1, Math.round(this.access.defaultInterval)),
    };
  }

  private async describe(
    watches: readonly Watch[],
    scope: Scope,
  ): Promise<Map<string, WatchedDocument>> {
    const documentIds = watches.flatMap(({ documentId }) => documentId ?? []);
    const { documents } = await this.client.request(describeWatched, { documentIds }, { scope });
    return new Map(documents.map((document) => [document.documentId, document]));
  }

  private async findNames(
    ids: readonly number[],
    scope: Scope,
  ): Promise<Map<number, { slug: string; name: string }>> {
    const { workspaces } = await this.client.request(
      findWorkspaces,
      { ids: [...new Set(ids)] },
      { scope },
    );
    return new Map(workspaces.map(({ id, slug, name }) => [id, { slug, name }]));
  }
}

@Controller()
export class WatchHandler {
  constructor(
    private readonly watches: WatchRepository,
    private readonly access: WatchAccess,
    private readonly notice: WatchNotice,
    private readonly loop: SyncLoop,
  ) {}

  @Handle(updateWatch)
  async update(
    { watchId, intervalSeconds, whenGone }: In<typeof updateWatch>,
    { scope }: RequestContext,
  ): Promise<Out<typeof updateWatch>> {
    const own = await this.access.findOwn(scope, watchId);
    if (own.watch.connectionId !== null && whenGone !== undefined)
      await this.access.keepGone(scope, own.watch.connectionId, whenGone === "keep");
    await this.watches.update(watchId, { intervalSeconds, whenGone });
    this.notice.announce([scope.workspace!.id]);
    return this.access.show(own);
  }

  @Handle(syncNow)
  async sync(
    { watchId }: In<typeof syncNow>,
    { scope }: RequestContext,
  ): Promise<Out<typeof syncNow>> {
    const own = await this.access.findOwn(scope, watchId);
    await this.watches.request(watchId);
    this.loop.wake();
    return this.access.show(own);
  }

  @Handle(listSyncRuns)
  async runs(
    { watchId }: In<typeof listSyncRuns>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listSyncRuns>> {
    await this.access.find(scope, watchId);
    const runs = await this.watches.listRuns(watchId);
    return {
      runs: runs.map(({ startedAt, endedAt, ...run }) => ({
        ...run,
        startedAt: startedAt.toISOString(),
        endedAt: endedAt?.toISOString() ?? null,
      })),
    };
  }
}
