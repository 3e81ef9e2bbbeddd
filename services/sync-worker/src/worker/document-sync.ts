import {
  CarrelError,
  describeWatched,
  maxSyncFailures,
  refreshDocument,
  servicePrincipal,
  type FaultWire,
  type Out,
  type WatchedDocument,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { defaultInterval, type SyncWorkerConfig } from "../sync-worker.config.ts";
import { SyncQueueRepository, type Claimed } from "../watch/sync-queue.repository.ts";
import { nextSync, nextTry } from "../watch/sync-schedule.ts";
import { WatchNotice } from "../watch/watch-notice.ts";
import { awaySeconds, isAway } from "./away.ts";
import { GivingUp } from "./giving-up.ts";

const scope = { principal: servicePrincipal, workspace: null };

/** Has single documents brought up to date by connectors, and records how that went. */
@Injectable()
export class DocumentSync {
  constructor(
    @Inject(CONFIG) private readonly config: SyncWorkerConfig,
    private readonly client: RequestClient,
    private readonly queue: SyncQueueRepository,
    private readonly givingUp: GivingUp,
    private readonly notice: WatchNotice,
  ) {}

  /** What ingest knows of the documents, by id; null if it can't be asked. */
  async describe(claimed: readonly Claimed[]): Promise<Map<string, WatchedDocument | null>> {
    const documentIds = claimed.flatMap(({ documentId }) => documentId ?? []);
    if (documentIds.length === 0) return new Map();
    const found = await this.client
      .request(describeWatched, { documentIds }, { scope })
      .catch(() => null);
    if (found === null) return new Map(documentIds.map((id) => [id, null]));
    return new Map(found.documents.map((document) => [document.documentId, document]));
  }

  /** `document`: undefined if it doesn't exist any more, null if that isn't known. */
  async sync(claimed: Claimed, document: WatchedDocument | null | undefined): Promise<void> {
    if (document === null)
      return void (await this.queue.finish(claimed, { status: "exited", dueIn: awaySeconds }));
    if (await this.givingUp.resume(claimed, document)) return;
    if (document?.watch !== "active" || document.workspaceIds.length === 0)
      return this.givingUp.forget(claimed, document);
    this.notice.announce(document.workspaceIds);
    try {
      await this.record(claimed, document, await this.refresh(claimed));
    } finally {
      this.notice.announce(document.workspaceIds);
    }
  }

  private async refresh({
    documentId,
    chunkSource,
  }: Claimed): Promise<Out<typeof refreshDocument>> {
    try {
      return await this.client.request(
        refreshDocument,
        { documentId: documentId!, chunkSource },
        { scope },
      );
    } catch (error) {
      if (isAway(error))
        return { outcome: "waiting", fault: null, retryAfter: error.retryAfter ?? awaySeconds };
      const isKnown = error instanceof CarrelError;
      return { outcome: "failed", fault: isKnown ? error.toFault() : { code: "request.failed" } };
    }
  }

  private async record(
    claimed: Claimed,
    document: WatchedDocument,
    { outcome, fault, retryAfter = awaySeconds }: Out<typeof refreshDocument>,
  ): Promise<void> {
    if (outcome === "waiting") {
      await this.queue.finish(claimed, { status: "exited", dueIn: retryAfter });
    } else if (outcome === "unchanged" || outcome === "changed") {
      await this.queue.finish(claimed, {
        status: "success",
        change: outcome,
        dueIn: (interval) => nextSync(interval ?? defaultInterval(this.config)),
        isMissing: false,
      });
    } else {
      const reason: FaultWire = fault ?? { code: "request.failed" };
      const isMissing = outcome === "missing";
      const failures = claimed.failures + 1;
      if (failures >= maxSyncFailures)
        return this.givingUp.giveUp({ ...claimed, isMissing }, document, reason);
      await this.queue.finish(claimed, {
        status: "failed",
        fault: reason,
        dueIn: (interval) => nextTry(interval ?? defaultInterval(this.config), failures),
        isMissing,
      });
    }
  }
}
