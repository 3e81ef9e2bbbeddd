import { Injectable } from "@nestjs/common";
import { listFileThreads, servicePrincipal, threadDeleted, type Out } from "@carrel/contracts";
import { eventMessage, Reconciler, RequestClient, type OutboxMessage } from "@carrel/messaging";
import { DataSource } from "typeorm";
import { queryRows } from "../database/query-rows.ts";

/** Rounds of the reconciler, a minute each: a day. */
const roundsBetween = 1_440;
/** After a start ingest comes first; replicas that start together do not ask together. */
const firstRounds = (): number => 5 + Math.floor(Math.random() * 5);
/** Ids in one event. */
const eventBatch = 1_000;
const scope = { principal: servicePrincipal, workspace: null };

/**
 * The daily comparison (docs/decisions/messaging.md): files that ingest keeps of threads without a row go as if
 * the deletion were told just
 * now. Chat compares because ingest cannot ask it: calls run the other way. A thread in the trash
 * has its row still.
 */
@Injectable()
export class FileOrphanReconciler extends Reconciler {
  private roundsLeft = firstRounds();

  constructor(
    private readonly dataSource: DataSource,
    private readonly requests: RequestClient,
  ) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    if (this.roundsLeft-- > 0) return [];
    const orphans = await this.compare();
    this.roundsLeft = roundsBetween;
    return [...orphans].flatMap(([workspaceId, threadIds]) =>
      Array.from({ length: Math.ceil(threadIds.length / eventBatch) }, (_, n) =>
        eventMessage(threadDeleted, {
          workspaceId,
          threadIds: threadIds.slice(n * eventBatch, (n + 1) * eventBatch),
        }),
      ),
    );
  }

  /** Threads that are gone and of which files are left, by workspace. */
  async compare(): Promise<Map<number, number[]>> {
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
