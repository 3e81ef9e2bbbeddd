import type { Fault } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import type { ConnectionRun } from "./connection-run.entity.ts";
import { SourceItem } from "./source-item.entity.ts";

interface Reason {
  fault: Fault;
  count: number;
}

/** Counting the reasons of a large run takes a while, and everyone who follows it asks for them. */
const countedMs = 5_000;
const maxCounted = 100;

/** What a run came across, as people and existing clients see it. */
@Injectable()
export class ItemListRepository {
  private readonly counted = new Map<string, { until: number; reasons: Promise<Reason[]> }>();

  constructor(private readonly dataSource: DataSource) {}

  /** Items of the connection's latest run, in the order in which they were found. */
  list(
    connectionId: string,
    runId: string,
    { state, after, limit }: { state?: SourceItem["state"]; after: string; limit: number },
  ): Promise<SourceItem[]> {
    const query = this.dataSource.manager
      .createQueryBuilder(SourceItem, "item")
      .where("item.connectionId = :connectionId AND item.runId = :runId", { connectionId, runId })
      .andWhere("item.ordinal > :after", { after })
      .orderBy("item.ordinal")
      .take(limit);
    // People see what is gone among what was left out.
    const states = state === "skipped" ? ["skipped", "gone"] : [state];
    if (state !== undefined) query.andWhere("item.state = ANY(:states)", { states });
    return query.getMany();
  }

  /** How often each reason occurs in a run, most frequent first; of some seconds ago if it is open. */
  listReasons(
    { id, connectionId, endedAt }: Pick<ConnectionRun, "id" | "connectionId" | "endedAt">,
    limit: number,
  ): Promise<Reason[]> {
    const now = performance.now();
    const known = this.counted.get(id);
    if (endedAt === null && known !== undefined && known.until > now) return known.reasons;
    const reasons = this.countReasons(connectionId, id, limit);
    this.counted.delete(id);
    if (endedAt === null) this.counted.set(id, { until: now + countedMs, reasons });
    const [oldest] = this.counted.keys();
    if (this.counted.size > maxCounted) this.counted.delete(oldest!);
    reasons.catch(() => this.counted.delete(id));
    return reasons;
  }

  private countReasons(connectionId: string, runId: string, limit: number): Promise<Reason[]> {
    return this.dataSource.query(
      `SELECT fault, count(*)::int AS count FROM connectors.source_item
      WHERE connection_id = $1 AND run_id = $2 AND fault IS NOT NULL
      GROUP BY fault ORDER BY count(*) DESC, fault::text LIMIT $3`,
      [connectionId, runId, limit],
    );
  }

  async listDocuments(connectionId: string, limit: number): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      `SELECT document_id AS id FROM connectors.source_item
      WHERE connection_id = $1 AND document_id IS NOT NULL ORDER BY ordinal LIMIT $2`,
      [connectionId, limit],
    );
    return rows.map(({ id }) => id);
  }
}
