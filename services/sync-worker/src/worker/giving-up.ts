import { randomUUID } from "node:crypto";
import {
  endWatch,
  eventLogged,
  maxSyncFailures,
  purgeDocuments,
  servicePrincipal,
  syncGivenUp,
  syncStopped,
  type FaultWire,
  type WatchedDocument,
} from "@carrel/contracts";
import { eventMessage, Outbox, RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { SyncQueueRepository, type Claimed } from "../watch/sync-queue.repository.ts";
import { WatchNotice } from "../watch/watch-notice.ts";
import { WatchRepository } from "../watch/watch.repository.ts";

/** Until a deletion that was interrupted is repeated, in seconds. */
const deletionSeconds = 60;
const scope = { principal: servicePrincipal, workspace: null };

/** What happens once something has failed too often, or isn't there any more. */
@Injectable()
export class GivingUp {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly client: RequestClient,
    private readonly watches: WatchRepository,
    private readonly queue: SyncQueueRepository,
    private readonly notice: WatchNotice,
  ) {}

  /**
   * Stops watching it and tells its owner, by the event log, webhooks and a notice. A document that its source
   * has deleted is deleted if its owner chose that. Others read both too, so restricted documents
   * aren't named.
   */
  async giveUp(
    claimed: Claimed,
    { workspaceIds, isRestricted }: Pick<WatchedDocument, "workspaceIds" | "isRestricted">,
    fault: FaultWire,
  ): Promise<void> {
    const { id, documentId, connectionId, title } = claimed;
    const isRemoved = documentId !== null && claimed.isMissing && claimed.whenGone === "remove";
    // First, because it can be repeated: what is recorded below isn't.
    if (documentId !== null && !isRemoved)
      await this.client.request(endWatch, { documentId, isGivenUp: true }, { scope });
    const isDone = await this.dataSource.transaction(async (manager) => {
      const isOwn = await this.queue.finish(
        claimed,
        { status: "failed", fault, dueIn: deletionSeconds, isMissing: claimed.isMissing },
        manager,
      );
      if (!isOwn) return false;
      if (!isRemoved) await this.queue.stop(manager, id);
      const at = new Date().toISOString();
      await this.outbox.add(
        manager,
        eventMessage(eventLogged, {
          id: randomUUID(),
          event: isRemoved ? "live_sync_document_removed" : "live_sync_stopped",
          userId: claimed.userId,
          metadata: {
            ...(!isRestricted && { title }),
            documentId,
            sourceId: connectionId,
            reason: fault.code,
            // Its owner can see it, but hasn't done it.
            by: scope.principal.kind,
          },
          occurredAt: at,
        }),
        eventMessage(syncGivenUp, {
          id: randomUUID(),
          userId: claimed.userId,
          workspaceId: workspaceIds[0] ?? null,
          documentId,
          connectionId,
          title: isRestricted ? null : title,
          isRemoved,
          fault,
          at,
        }),
        ...(isRestricted ? [] : workspaceIds).map((workspaceId) =>
          eventMessage(syncStopped, {
            id: randomUUID(),
            workspaceId,
            documentId,
            connectionId,
            title,
            isRemoved,
            fault,
            at,
          }),
        ),
      );
      return true;
    });
    if (isDone && isRemoved) await this.delete(claimed);
    this.notice.announce(workspaceIds);
  }

  /**
   * What was interrupted after the document's watch had ended, but before that was recorded, or
   * after its deletion was recorded. False if this document isn't being given up.
   */
  async resume(claimed: Claimed, document: WatchedDocument | undefined): Promise<boolean> {
    const { failures, isMissing, whenGone, fault } = claimed;
    if (document?.watch === "stopped" && failures >= maxSyncFailures - 1) {
      const reason = fault ?? { code: "request.failed" };
      await this.giveUp({ ...claimed, whenGone: "keep" }, document, reason);
      return true;
    }
    const isDeletion = isMissing && whenGone === "remove" && failures >= maxSyncFailures;
    if (document?.watch !== "active" || !isDeletion) return false;
    await this.delete(claimed);
    this.notice.announce(document.workspaceIds);
    return true;
  }

  private async delete({ id, documentId }: Claimed): Promise<void> {
    const selection = { documentIds: [documentId!] };
    await this.client.request(purgeDocuments, { selection }, { scope });
    await this.watches.remove(id);
  }

  /** No workspace holds the document, or it isn't watched any more. */
  async forget({ id }: Claimed, document: WatchedDocument | undefined): Promise<void> {
    if (document?.watch === "active")
      await this.client.request(
        endWatch,
        { documentId: document.documentId, isGivenUp: false },
        { scope },
      );
    await this.watches.remove(id);
  }
}
