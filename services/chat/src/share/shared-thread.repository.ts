import { quotingProvider, type ShareAudience } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import type { StoredTurn } from "./shared-turns.ts";

export interface OpenShare {
  id: number;
  /** null on an instance without accounts. */
  userId: number | null;
  audience: ShareAudience;
  sharedAt: Date;
  showReasoning: boolean;
  /** null: the default thread. */
  name: string | null;
}

/** Reads what a link shows. The token's hash is the permission, so no statement names a caller. */
@Injectable()
export class SharedThreadRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns null if it doesn't exist, has expired, or its thread was deleted. */
  async open(tokenHash: string): Promise<OpenShare | null> {
    const rows = await queryRows<OpenShare>(
      this.dataSource,
      `SELECT share.id, share.user_id AS "userId", share.audience, share.shared_at AS "sharedAt",
        share.show_reasoning AS "showReasoning",
        CASE WHEN thread.slug IS NOT NULL THEN thread.name END AS name
      FROM share
      JOIN thread ON thread.id = share.thread_id AND thread.deleted_at IS NULL
      WHERE share.token_hash = $1 AND (share.expires_at IS NULL OR share.expires_at > now())`,
      [tokenHash],
    );
    return rows[0] ?? null;
  }

  /**
   * The shared turns after position `after`, without those deleted since. Their versions don't
   * matter: switching to another branch doesn't change what a link shows.
   */
  async listTurns(shareId: number, after: number, limit: number): Promise<StoredTurn[]> {
    return queryRows<StoredTurn>(
      this.dataSource,
      `SELECT shown.position::int AS position, turn.question, turn.answer, turn.reasoning,
        turn.sources, turn.mentions,
        CASE WHEN turn.metrics->>'provider' <> $4 THEN turn.metrics->>'model' END AS model,
        turn.metrics->>'answer_kind' AS "answerKind", turn.created_at
      FROM share
      CROSS JOIN LATERAL unnest(share.turn_ids) WITH ORDINALITY shown (turn_id, position)
      JOIN turn ON turn.id = shown.turn_id
        AND turn.thread_id = share.thread_id
        AND turn.user_id IS NOT DISTINCT FROM share.user_id
      WHERE share.id = $1 AND shown.position > $2 AND NOT turn.hidden AND NOT turn.removed
      ORDER BY shown.position LIMIT $3`,
      [shareId, after, limit, quotingProvider],
    );
  }
}
