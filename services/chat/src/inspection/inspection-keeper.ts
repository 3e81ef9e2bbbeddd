import type { Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from "@nestjs/common";
import type { ChatConfig } from "../chat.config.ts";
import { buildRecord, type InspectionRecord } from "./inspection-record.ts";
import { InspectionRepository } from "./inspection.repository.ts";
import type { RunNotes } from "./run-notes.ts";

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
