import type { WorkspaceScope } from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from "@nestjs/common";
import { DataSource } from "typeorm";
import type { ChatConfig } from "../chat.config.ts";
import { queryRows } from "../database/query-rows.ts";
import { buildRecord, type InspectionRecord, type RunNotes } from "./inspection-record.ts";

/** Maximum number of rows per pruning, so that it doesn't delay answers. */
const batch = 5_000;

@Injectable()
export class InspectionRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Saves records in one statement, skipping turns deleted in the meantime. */
  async save(records: readonly { turnId: number; record: string }[]): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO chat.turn_inspection (turn_id, record)
      SELECT v.turn_id, v.record::json
      FROM unnest($1::int[], $2::text[]) AS v(turn_id, record)
      JOIN chat.turn ON turn.id = v.turn_id
      ON CONFLICT (turn_id) DO UPDATE SET record = excluded.record, created_at = now()`,
      [records.map((each) => each.turnId), records.map((each) => each.record)],
    );
  }

  /**
   * Returns the record of the caller's own turn, with its question; `record` is null if none is
   * kept. Returns null if there is no such turn or it belongs to someone else.
   */
  async findOwn(
    scope: WorkspaceScope,
    turnId: number,
  ): Promise<{ question: string; at: Date; record: InspectionRecord | null } | null> {
    const rows = await queryRows<{
      question: string;
      created_at: Date;
      record: InspectionRecord | null;
    }>(
      this.dataSource,
      `
      SELECT turn.question, turn.created_at, turn_inspection.record
      FROM chat.turn
      JOIN chat.thread
        ON thread.id = turn.thread_id AND thread.deleted_at IS NULL AND thread.channel IS NULL
      LEFT JOIN chat.turn_inspection ON turn_inspection.turn_id = turn.id
      WHERE turn.id = $1
        AND turn.workspace_id = $2
        AND turn.user_id IS NOT DISTINCT FROM $3
        AND NOT turn.hidden`,
      [turnId, scope.workspace.id, scope.principal.userId],
    );
    return rows[0] === undefined
      ? null
      : { question: rows[0].question, at: rows[0].created_at, record: rows[0].record };
  }

  /** Deletes records older than `days`, and all but the newest `most`. */
  async prune(days: number, most: number): Promise<void> {
    const old = `SELECT turn_id FROM chat.turn_inspection
      WHERE created_at < now() - make_interval(days => $1)
        OR turn_id <= (SELECT turn_id FROM chat.turn_inspection ORDER BY turn_id DESC OFFSET $2 LIMIT 1)
      LIMIT ${batch}`;
    let removed: number;
    do
      removed = (
        await queryRows(
          this.dataSource,
          `DELETE FROM chat.turn_inspection WHERE turn_id IN (${old}) RETURNING turn_id`,
          [days, most],
        )
      ).length;
    while (removed === batch);
  }
}

/** Batches the records of answers that end at about the same time. */
const writeEveryMs = 500;
/** Maximum number of records waiting on one replica; beyond that, they are dropped. */
const maxWaiting = 2_000;
/**
 * Longer records are dropped: 60 candidates of three searches and a hundred pieces of context take
 * a quarter of this.
 */
const longestRecord = 100_000;
const pruneEveryMs = 3_600_000;
/** About 500 MB at most. */
const maxKept = 100_000;

type Ended = Parameters<typeof buildRecord>[1];

/**
 * Records how answers were produced, after they ended and off their critical path; losing a record
 * with its replica does not affect the answer.
 */
@Injectable()
export class InspectionKeeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly days: number;
  private waiting: { turnId: number; notes: RunNotes; ended: Ended }[] = [];
  private timer: NodeJS.Timeout | undefined;
  private pruner: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly repository: InspectionRepository,
    @Inject(CONFIG) config: ChatConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.days = config.CARREL_INSPECTION_DAYS;
  }

  onApplicationBootstrap(): void {
    this.pruner = setInterval(() => void this.prune(), pruneEveryMs).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.pruner);
    clearTimeout(this.timer);
    await this.write();
  }

  /** Call after the answer has ended; returns at once. */
  keep(turnId: number, notes: RunNotes, ended: Ended): void {
    if (this.days === 0 || notes.searches.length === 0 || this.waiting.length >= maxWaiting) return;
    this.waiting.push({ turnId, notes, ended });
    this.timer ??= setTimeout(() => void this.write(), writeEveryMs).unref();
  }

  /** Writes everything that is waiting; for tests and the shutdown. */
  write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    return (this.writing = this.writing
      .then(async () => {
        const records: { turnId: number; record: string }[] = [];
        for (const { turnId, notes, ended } of this.waiting.splice(0)) {
          const record = JSON.stringify(buildRecord(notes, ended) satisfies InspectionRecord);
          if (record.length <= longestRecord) records.push({ turnId, record });
          // Yields between two records so that streams aren't delayed.
          await new Promise<void>((resolve) => {
            setImmediate(resolve);
          });
        }
        if (records.length > 0) await this.repository.save(records);
      })
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, "couldn't record how answers were found"),
      ));
  }

  private async prune(): Promise<void> {
    try {
      await this.repository.prune(this.days, maxKept);
    } catch (error) {
      this.logger.warn({ err: error }, "couldn't prune old inspections, will retry in an hour");
    }
  }
}
