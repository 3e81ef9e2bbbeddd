import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { usageColumns, type UsageRecord } from "./usage-record.ts";

/** Where and on whose behalf a model was called. */
export interface UsePlace {
  turnId: number | null;
  threadId: number | null;
  /** null: dictation, and texts embedded through the API. */
  workspaceId: number | null;
  userId: number | null;
}

/**
 * Records what models used. An answer's use is written by the statement that ends it
 * (`GenerationResultRepository.finish`).
 */
@Injectable()
export class UsageRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Use that an event reports is recorded once, however often the event arrives. */
  async record(place: UsePlace, use: UsageRecord & { event_id?: string }): Promise<void> {
    const columns = [...usageColumns, "event_id"].join(", ");
    await this.dataSource.query(
      `INSERT INTO model_usage (turn_id, thread_id, workspace_id, user_id, ${columns})
      SELECT $1, $2, $3, $4, ${columns} FROM json_populate_record(NULL::model_usage, $5::json)
      ON CONFLICT DO NOTHING`,
      [place.turnId, place.threadId, place.workspaceId, place.userId, JSON.stringify(use)],
    );
  }
}
