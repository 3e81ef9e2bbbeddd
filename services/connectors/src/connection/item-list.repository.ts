import type { Fault } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { SourceItem } from "./source-item.entity.ts";

/** What a run came across, as people and existing clients see it. */
@Injectable()
export class ItemListRepository {
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

  /** How often each reason occurs in a run, most frequent first. */
  listReasons(
    connectionId: string,
    runId: string,
    limit: number,
  ): Promise<{ fault: Fault; count: number }[]> {
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
