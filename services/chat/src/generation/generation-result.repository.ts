import {
  type ChatMode,
  type Fault,
  type ReasoningSpan,
  type RunStep,
  recordReasoning,
  type SourceWire,
} from "@carrel/contracts";
import { preparedQuery, StatementBatches } from "@carrel/database";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { unsynced } from "../database/unsynced.ts";
import { visibleTurn } from "../database/visible-turn.ts";
import { Replica } from "../replica/replica.ts";
import { defaultThreadName } from "../thread/thread.entity.ts";
import { usageColumns } from "../usage/usage-record.ts";
import type { Ending } from "./ending.ts";

const finishSql = `
      WITH e AS (
        SELECT *
        FROM unnest(
          $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::boolean[],
          $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[],
          $16::text[], $17::text[], $18::text[], $19::boolean[], $20::boolean[]
        ) AS e(
          id, state, answer, sources, metrics, fault, refused, mode, thread_name, provider, model,
          notices, use, tool_calls, reasoning, steps, read_untrusted, read_private
        )
      ),
      own AS (
        SELECT generation.id
        FROM e
        JOIN chat.generation USING (id)
        WHERE generation.state = 'running' AND lease_owner = $1
        ORDER BY generation.turn_id, generation.id FOR NO KEY UPDATE OF generation
      ),
      g AS (
        UPDATE chat.generation SET state = e.state, finished_at = now(), provider = e.provider,
          model = e.model, tool_calls = e.tool_calls::json
        FROM own
        JOIN e USING (id)
        WHERE generation.id = own.id
        RETURNING generation.id, generation.turn_id, generation.thread_id,
          generation.workspace_id, generation.user_id
      ),
      ended AS (
        SELECT g.id, g.turn_id
        FROM g
        JOIN chat.turn ON turn.id = g.turn_id
        ORDER BY turn.id FOR NO KEY UPDATE OF turn
      ),
      used AS (
        INSERT INTO chat.model_usage (
          turn_id, thread_id, workspace_id, user_id, ${usageColumns.join(", ")}
        )
        SELECT g.turn_id, g.thread_id, g.workspace_id, g.user_id,
          ${usageColumns.map((column) => `u.${column}`).join(", ")}
        FROM g
        JOIN e USING (id)
        CROSS JOIN LATERAL json_populate_record(NULL::model_usage, e.use::json) u
        WHERE e.use IS NOT NULL
      ),
      t AS (
        UPDATE chat.turn SET state = e.state, answer = e.answer, sources = e.sources::json,
          metrics = e.metrics::json, fault = e.fault::json, refused = e.refused, mode = e.mode,
          coded_notices = e.notices::json, reasoning = e.reasoning::jsonb, steps = e.steps::json,
          read_untrusted = e.read_untrusted, read_private = e.read_private
        FROM ended
        JOIN e USING (id)
        WHERE turn.id = ended.turn_id
        RETURNING ended.id AS generation_id, turn.id, turn.thread_id, e.thread_name
      ),
      r AS (
        UPDATE chat.thread SET name = t.thread_name, last_updated_at = now()
        FROM t
        WHERE t.thread_name IS NOT NULL
          AND thread.id = t.thread_id
          AND thread.channel IS NULL
          AND thread.name = $2
          AND NOT EXISTS (
            SELECT 1 FROM chat.turn x
            WHERE x.thread_id = t.thread_id AND x.id <> t.id AND ${visibleTurn("x")}
          )
        RETURNING t.generation_id, thread.slug, thread.name
      )
      SELECT t.generation_id, r.slug, r.name
      FROM t
      LEFT JOIN r USING (generation_id)`;

/** A running answer's text so far. */
export interface Progress {
  turnId: number;
  answer: string;
  reasoning: ReasoningSpan[];
  notices: Fault[];
  mode: ChatMode;
  /** null: unchanged. */
  sources: SourceWire[] | null;
  /** null: unchanged. */
  steps: RunStep[] | null;
}

/** What `finish` returns for an answer. */
interface Finished {
  owned: boolean;
  renamed: { slug: string; name: string } | null;
}

/** Saves answers, in progress and ended. */
@Injectable()
export class GenerationResultRepository {
  private readonly endings = new StatementBatches<Ending, Finished>({
    run: async (endings) => ({ outputs: await this.finishAll(endings) }),
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly replica: Replica,
  ) {}

  /**
   * Saves all running answers of this replica in one statement, without waiting for the disk, which
   * would hold up renewals.
   */
  async saveProgress(rows: readonly Progress[]): Promise<void> {
    await this.dataSource.query(
      `UPDATE chat.turn SET answer = v.answer, mode = v.mode,
        sources = coalesce(v.sources::json, turn.sources), coded_notices = v.notices::json,
        reasoning = v.reasoning::jsonb, steps = coalesce(v.steps::json, turn.steps)
      FROM (
        SELECT id FROM chat.turn
        WHERE id = ANY($1::int[]) AND state = 'running'
        ORDER BY id FOR NO KEY UPDATE
      ) unfinished
      JOIN unnest(
        $1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[]
      ) AS v(id, answer, mode, sources, notices, reasoning, steps) USING (id)
      WHERE turn.id = unfinished.id
      RETURNING ${unsynced}`,
      [
        rows.map((row) => row.turnId),
        rows.map((row) => row.answer),
        rows.map((row) => row.mode),
        rows.map((row) => (row.sources === null ? null : JSON.stringify(row.sources))),
        rows.map((row) => JSON.stringify(row.notices)),
        rows.map((row) => JSON.stringify(recordReasoning(row.answer, row.reasoning))),
        rows.map(({ steps }) => (steps === null ? null : JSON.stringify(steps))),
      ],
    );
  }

  /**
   * Saves generation, turn and, for the first message, the thread's name, in one statement with
   * other answers that end at about the same time. With `owned` false, the lease was lost and
   * nothing was written. The lease is kept until the stream has been ended
   * (`GenerationLeaseRepository.drop`).
   */
  finish(ending: Ending): Promise<Finished> {
    return this.endings.add(ending);
  }

  private async finishAll(endings: readonly Ending[]): Promise<Finished[]> {
    const column = <T>(read: (ending: Ending) => T): T[] => endings.map(read);
    const rows = await preparedQuery<{
      generation_id: string;
      slug: string | null;
      name: string | null;
    }>(this.dataSource, "finish", finishSql, [
      this.replica.id,
      defaultThreadName,
      column(({ id }) => id),
      column(({ state }) => state),
      column(({ answer }) => answer),
      column(({ sources }) => JSON.stringify(sources)),
      column(({ metrics }) => (metrics === null ? null : JSON.stringify(metrics))),
      column(({ fault }) => (fault === null ? null : JSON.stringify(fault))),
      column(({ refused }) => refused),
      column(({ mode }) => mode),
      column(({ threadName }) => threadName),
      column(({ provider }) => provider),
      column(({ model }) => model),
      column(({ notices }) => JSON.stringify(notices)),
      column(({ use }) => (use === null ? null : JSON.stringify(use))),
      column(({ toolCalls }) => (toolCalls === null ? null : JSON.stringify(toolCalls))),
      column(({ answer, reasoning }) => JSON.stringify(recordReasoning(answer, reasoning))),
      column(({ steps }) => (steps.length === 0 ? null : JSON.stringify(steps))),
      column(({ read }) => read?.hasReadUntrusted ?? null),
      column(({ read }) => read?.hasReadPrivate ?? null),
    ]);
    const byId = new Map(rows.map((row) => [row.generation_id, row]));
    return endings.map(({ id }) => {
      const { slug = null, name = null } = byId.get(id) ?? {};
      return {
        owned: byId.has(id),
        renamed: slug === null || name === null ? null : { slug, name },
      };
    });
  }
}
