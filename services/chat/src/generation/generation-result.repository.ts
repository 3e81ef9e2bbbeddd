import { Injectable } from "@nestjs/common";
import type { Fault, SourceWire } from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import { DataSource } from "typeorm";
import { visibleTurn } from "../database/visible-turn.ts";
import { defaultThreadName } from "../thread/thread.entity.ts";
import type { Ending } from "./ending.ts";
import { Replica } from "./replica.ts";

const finishSql = `
      WITH g AS (UPDATE generation SET state = $3, finished_at = now(), provider = $11, model = $12
        WHERE id = $1 AND state = 'running' AND lease_owner = $2 RETURNING turn_id, thread_id),
      t AS (UPDATE turn SET state = $3, answer = $4, sources = $5, metrics = $6, fault = $7, refused = $8, mode = $9, coded_notices = $14
        FROM g WHERE turn.id = g.turn_id RETURNING turn.id, turn.thread_id),
      r AS (UPDATE thread SET name = $10, last_updated_at = now() FROM t
        WHERE $10::text IS NOT NULL AND thread.id = t.thread_id AND thread.slug IS NOT NULL AND thread.name = $13
          AND NOT EXISTS (SELECT 1 FROM turn x WHERE x.thread_id = t.thread_id AND x.id <> t.id AND ${visibleTurn("x")})
        RETURNING thread.slug, thread.name)
      SELECT r.slug, r.name FROM t LEFT JOIN r ON true`;

/** Saves answers, in progress and ended. */
@Injectable()
export class GenerationResultRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly replica: Replica,
  ) {}

  /** Saves all running answers of this replica in one statement; `sources` null means unchanged. */
  async saveProgress(
    rows: {
      turnId: number;
      answer: string;
      notices: Fault[];
      mode: "chat" | "query";
      sources: SourceWire[] | null;
    }[],
  ): Promise<void> {
    await this.dataSource.query(
      `UPDATE turn SET answer = v.answer, mode = v.mode, sources = coalesce(v.sources::json, turn.sources), coded_notices = v.notices::json
      FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[]) AS v(id, answer, mode, sources, notices) WHERE turn.id = v.id AND turn.state = 'running'`,
      [
        rows.map((row) => row.turnId),
        rows.map((row) => row.answer),
        rows.map((row) => row.mode),
        rows.map((row) => (row.sources === null ? null : JSON.stringify(row.sources))),
        rows.map((row) => JSON.stringify(row.notices)),
      ],
    );
  }

  /**
   * Saves generation, turn and, for the first message, the thread's name in one statement. With
   * `owned` false, the lease was lost and nothing was written. The lease is kept until the stream
   * has been ended (`GenerationLeaseRepository.drop`).
   */
  async finish(
    ending: Ending,
  ): Promise<{ owned: boolean; renamed: { slug: string; name: string } | null }> {
    const rows = await preparedQuery<{ slug: string | null; name: string | null }>(
      this.dataSource,
      "finish",
      finishSql,
      [
        ending.id,
        this.replica.id,
        ending.state,
        ending.answer,
        JSON.stringify(ending.sources),
        ending.metrics === null ? null : JSON.stringify(ending.metrics),
        ending.fault === null ? null : JSON.stringify(ending.fault),
        ending.refused,
        ending.mode,
        ending.threadName,
        ending.provider,
        ending.model,
        defaultThreadName,
        JSON.stringify(ending.notices),
      ],
    );
    const row = rows[0];
    return {
      owned: row !== undefined,
      renamed: row?.slug == null || row.name === null ? null : { slug: row.slug, name: row.name },
    };
  }
}
