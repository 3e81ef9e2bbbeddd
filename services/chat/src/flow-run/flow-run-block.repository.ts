import { clipText, type FlowRunSource } from "@carrel/contracts";
import { showValue, type BlockPlace, type EndedBlock, type RecordedBlock } from "@carrel/skills";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import { storable, type FlowRunBlockRow } from "./flow-run-row.ts";
import { LeaseLostError } from "./flow-run.repository.ts";

/** Characters of a result that lists have: more than people see, so that they know what was cut. */
const longestListed = 2_500;
const mostShown = 500;

/** The run that a block belongs to, and the lease of the replica that has it. */
export interface HeldRun {
  id: string;
  lease: string;
}

const columns = `path, block_id AS id, type, title, state, milliseconds, shown AS result, fault,
  value IS NOT NULL AS "isKept", revision::float8 AS revision`;
/** Waits for a takeover, and writes nothing after it. */
const held = `(SELECT id FROM chat.flow_run WHERE id = $1 AND lease = $2 FOR UPDATE) r`;

/** What the blocks of runs did. */
@Injectable()
export class FlowRunBlockRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** A block begins, or is about to send. Throws LeaseLostError. */
  async begin(run: HeldRun, { path, step }: BlockPlace, sent: boolean): Promise<void> {
    const rows = await queryRows(
      this.dataSource,
      `INSERT INTO chat.flow_run_block AS b (run_id, path, block_id, type, title, state, sent)
      SELECT $1, $3, $4, $5, $6, 'running', $7 FROM ${held}
      ON CONFLICT (run_id, path) DO UPDATE SET state = 'running', sent = b.sent OR excluded.sent,
        revision = nextval('chat.flow_run_revision')
      RETURNING path`,
      [run.id, run.lease, path, step.id ?? null, step.type, titleFor(step.title), sent],
    );
    if (rows.length === 0) throw new LeaseLostError();
  }

  /** @param value as JSON; null if there is none. Throws LeaseLostError. */
  async end(run: HeldRun, block: EndedBlock, value: string | null): Promise<void> {
    const rows = await queryRows(
      this.dataSource,
      `INSERT INTO chat.flow_run_block (
        run_id, path, block_id, type, title, state, milliseconds, shown, value, fault
      )
      SELECT $1, $3, $4, $5, $6, $7, $8, $9, $10, $11 FROM ${held}
      ON CONFLICT (run_id, path) DO UPDATE SET state = excluded.state, shown = excluded.shown,
        milliseconds = excluded.milliseconds, value = excluded.value, fault = excluded.fault,
        revision = nextval('chat.flow_run_revision')
      RETURNING path`,
      [
        run.id,
        run.lease,
        block.path,
        block.id,
        block.type,
        titleFor(block.title),
        block.state,
        block.milliseconds,
        clipText(storable(block.result), longestListed),
        value,
        block.fault === null ? null : JSON.stringify(block.fault),
      ],
    );
    if (rows.length === 0) throw new LeaseLostError();
  }

  /**
   * What earlier attempts recorded, by path, with its size, the time that it took, in ms, and how
   * many passages it found.
   */
  async load(runId: string): Promise<{
    recorded: Map<string, RecordedBlock>;
    bytes: number;
    milliseconds: number;
    passages: number;
  }> {
    const rows = await queryRows<{
      path: string;
      type: string;
      state: string;
      sent: boolean;
      value: string | null;
      milliseconds: number | null;
    }>(
      this.dataSource,
      `SELECT path, type, state, sent, value, milliseconds FROM chat.flow_run_block
      WHERE run_id = $1 AND (state = 'done' OR sent)`,
      [runId],
    );
    const recorded = new Map<string, RecordedBlock>();
    let bytes = 0;
    let milliseconds = 0;
    let passages = 0;
    for (const { path, type, state, value, milliseconds: spent } of rows) {
      if (state !== "done") {
        recorded.set(path, { state: "sent" });
        continue;
      }
      const known: unknown = value === null ? undefined : JSON.parse(value);
      recorded.set(path, { state: "done", value: known });
      bytes += value?.length ?? 0;
      if (type === "carrel-search" && Array.isArray(known)) passages += known.length;
      // Those that hold others would count twice.
      if (value !== null && type !== "carrel-approval") milliseconds += spent ?? 0;
    }
    return { recorded, bytes, milliseconds, passages };
  }

  /** In the order in which they began. */
  async list(runId: string): Promise<{ blocks: FlowRunBlockRow[]; count: number }> {
    const rows = await queryRows<FlowRunBlockRow & { count: number }>(
      this.dataSource,
      `SELECT ${columns}, (count(*) OVER ())::int AS count FROM chat.flow_run_block
      WHERE run_id = $1 ORDER BY position LIMIT $2`,
      [runId, mostShown],
    );
    return { blocks: rows.map(({ count: _, ...row }) => row), count: rows[0]?.count ?? 0 };
  }

  /** Those that have changed since a revision, by revision. */
  listSince(runId: string, revision: number, limit: number): Promise<FlowRunBlockRow[]> {
    return queryRows(
      this.dataSource,
      `SELECT ${columns} FROM chat.flow_run_block
      WHERE run_id = $1 AND revision > $2 ORDER BY revision LIMIT $3`,
      [runId, revision, limit],
    );
  }

  /** The passages with these numbers that the run's searches found. */
  listSources(runId: string, numbers: readonly number[]): Promise<FlowRunSource[]> {
    return queryRows(
      this.dataSource,
      `SELECT (s->>'number')::int AS number, s->>'title' AS title, (s->>'page')::int AS page,
        s->>'url' AS url
      FROM chat.flow_run_block b, json_array_elements(b.value::json) s
      WHERE b.run_id = $1 AND b.type = 'carrel-search' AND b.state = 'done'
        AND (s->>'number')::int = ANY($2)
      ORDER BY 1`,
      [runId, numbers],
    );
  }

  /** A block's whole result as text, or what is kept of it; null if there is no such block. */
  async readResult(runId: string, path: string): Promise<string | null> {
    const [row] = await queryRows<{ value: string | null; shown: string }>(
      this.dataSource,
      "SELECT value, shown FROM chat.flow_run_block WHERE run_id = $1 AND path = $2",
      [runId, path],
    );
    if (row === undefined) return null;
    return row.value === null ? row.shown : showValue(JSON.parse(row.value));
  }

  /** Gives a new run the results of an earlier one, as far as its first blocks are the same. */
  async copy(manager: EntityManager, from: string, to: string, blocks: number): Promise<void> {
    await manager.query(
      `INSERT INTO chat.flow_run_block (
        run_id, path, block_id, type, title, state, milliseconds, shown, value
      )
      SELECT $2, path, block_id, type, title, state, milliseconds, shown, value
      FROM chat.flow_run_block
      WHERE run_id = $1 AND state = 'done' AND split_part(path, '.', 1)::int < $3
      ORDER BY position`,
      [from, to, blocks],
    );
  }
}

const titleFor = (title: string | null | undefined): string | null =>
  title === null || title === undefined ? null : storable(title);
