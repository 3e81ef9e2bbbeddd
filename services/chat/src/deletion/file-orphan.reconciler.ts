import { listFileThreads, servicePrincipal, threadDeleted, type Out } from "@carrel/contracts";
import {
  DailyReconciler,
  eventMessage,
  RequestClient,
  type OutboxMessage,
} from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { queryRows } from "../database/query-rows.ts";

/** IDs per event. */
const eventBatch = 1_000;
const scope = { principal: servicePrincipal, workspace: null };

/**
 * Once a day, deletes the files that ingest still has of threads without a row, as if their
 * deletion had just been announced (docs/decisions/messaging.md). The comparison runs in chat
 * because ingest can't call it: calls go the other way. A thread in the trash still has its row.
 */
@Injectable()
export class FileOrphanReconciler extends DailyReconciler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly requests: RequestClient,
  ) {
    super();
  }

  protected override async compare(): Promise<OutboxMessage[]> {
    const orphans = await this.findOrphans();
    return [...orphans].flatMap(([workspaceId, threadIds]) =>
      Array.from({ length: Math.ceil(threadIds.length / eventBatch) }, (_, n) =>
        eventMessage(threadDeleted, {
          workspaceId,
          threadIds: threadIds.slice(n * eventBatch, (n + 1) * eventBatch),
        }),
      ),
    );
  }

  /** Returns deleted threads that still have files, by workspace. */
  private async findOrphans(): Promise<Map<number, number[]>> {
    const orphans = new Map<number, number[]>();
    let after: number | null = 0;
    while (after !== null) {
      const page: Out<typeof listFileThreads> = await this.requests.request(
        listFileThreads,
        { after },
        { scope },
      );
      const living = new Set(
        (
          await queryRows<{ id: number }>(
            this.dataSource,
            "SELECT id FROM thread WHERE id = ANY($1::int[])",
            [page.threads.map(({ threadId }) => threadId)],
          )
        ).map((row) => row.id),
      );
      for (const { workspaceId, threadId } of page.threads)
        if (!living.has(threadId))
          orphans.set(workspaceId, [...(orphans.get(workspaceId) ?? []), threadId]);
      after = page.next;
    }
    return orphans;
  }
}
