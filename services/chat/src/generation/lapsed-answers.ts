import type { FaultWire, KnownFault } from "@carrel/contracts";
import { Streams } from "@carrel/messaging";
import { metrics, type Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from "@nestjs/common";
import { DataSource } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import { completeStream, endDeletedStream, recoverAnswer } from "./complete-stream.ts";
import { GenerationChanges } from "./generation-changes.ts";
import { GenerationClock } from "./generation-clock.ts";
import {
  GenerationLeaseRepository,
  maxLostRuns,
  type LapsedGeneration,
} from "./generation-lease.repository.ts";
import { GenerationRunner } from "./generation-runner.ts";

/**
 * Deleting a conversation also ends the streams of its answers; after this long, another replica
 * does it.
 */
const deletedSeconds = 2;
/** Timeout per answer: Redis may be unreachable, and then it is retried. */
const timeoutMs = 3_000;
const writerLost: KnownFault = { code: "generation.writer-lost" };
const givenUp: KnownFault = { code: "generation.given-up", params: { runs: maxLostRuns } };
const closedCounter = metrics.counter(
  "carrel_generations_lapsed_total",
  "Answers of lost replicas that this replica closed",
);
const rerunCounter = metrics.counter(
  "carrel_generations_rerun_total",
  "Answers of lost replicas that this replica put back in the queue",
);

/** Answers deleted with their conversation whose streams may not have been ended. */
@Injectable()
export class DeletedGenerationRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Lists those deleted at least `ageSeconds` ago. */
  async list(ageSeconds: number): Promise<string[]> {
    return (
      await queryRows<{ id: string }>(
        this.dataSource,
        `SELECT id FROM chat.deleted_generation
        WHERE deleted_at < now() - make_interval(secs => $1)
        ORDER BY deleted_at LIMIT 1000`,
        [ageSeconds],
      )
    ).map(({ id }) => id);
  }

  async forget(ids: string[]): Promise<void> {
    if (ids.length > 0)
      await this.dataSource.query(
        "DELETE FROM chat.deleted_generation WHERE id = ANY($1::uuid[])",
        [ids],
      );
  }
}

/**
 * Ends answers whose replica died, each exactly once, on any replica, or puts them back in the
 * queue if no text was shown. Text may have been shown after the last save, so it is recovered from
 * the stream: no text that a user has seen is lost.
 * Also ends the streams of finished and of deleted answers that were left open.
 */
@Injectable()
export class LapsedAnswers implements OnApplicationBootstrap, OnModuleDestroy {
  private stopTicking: () => void = () => undefined;
  private closing: Promise<void> | null = null;

  constructor(
    private readonly leases: GenerationLeaseRepository,
    private readonly deleted: DeletedGenerationRepository,
    private readonly runner: GenerationRunner,
    private readonly changes: GenerationChanges,
    private readonly streams: Streams,
    private readonly clock: GenerationClock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.stopTicking = this.clock.onTick(() => this.look());
    this.look();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopTicking();
    await this.closing;
  }

  private look(): void {
    this.closing ??= this.close()
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, "couldn't close the answers of lost replicas, will retry"),
      )
      .finally(() => {
        this.closing = null;
      });
  }

  private async close(): Promise<void> {
    const lapsed = await this.leases.takeLapsed();
    const closed = (
      await Promise.all(
        lapsed.map(async (generation) => {
          try {
            await inTime(this.closeOne(generation));
            return generation.id;
          } catch (error) {
            this.logger.warn(
              { err: error, generation: generation.id },
              "couldn't close an answer of a lost replica, will retry",
            );
            return null;
          }
        }),
      )
    ).filter((id) => id !== null);
    const left = lapsed.map(({ id }) => id).filter((id) => !closed.includes(id));
    await Promise.all([this.leases.drop(closed), this.leases.lapse(left)]);
    await this.endDeleted();
  }

  /** Idempotent and safe to run concurrently. */
  private async endDeleted(): Promise<void> {
    const ids = await this.deleted.list(deletedSeconds);
    const ended = await Promise.all(
      ids.map(async (id) => {
        try {
          let isEnded = false;
          await inTime(
            endDeletedStream(this.streams, id).then((done) => {
              isEnded = done;
            }),
          );
          return isEnded ? [id] : [];
        } catch (error) {
          this.logger.warn(
            { err: error, generation: id },
            "couldn't end the stream of a deleted answer, will retry",
          );
          return [];
        }
      }),
    );
    await this.deleted.forget(ended.flat());
  }

  private async closeOne({ id, state, may_go_on: mayGoOn }: LapsedGeneration): Promise<void> {
    // Its lease couldn't be renewed, for instance because PostgreSQL's disk was full.
    if (this.runner.isSaving(id)) throw new Error("this replica still has to save it");
    const shown =
      state === "running"
        ? await recoverAnswer(this.streams, id)
        : { text: "", reasoning: null, notices: [], sources: null, steps: [], hasEnded: true };
    const mayRunAgain = (shown.text === "" || mayGoOn) && !shown.hasEnded;
    if (mayRunAgain && (await this.runAgain(id, shown.notices))) return;
    const stored = await this.leases.closeLapsed({
      id,
      ...shown,
      fault: writerLost,
      silentFault: givenUp,
    });
    // Deleted in the meantime, or taken over by another replica.
    if (stored === null) return;
    if (state === "running") {
      this.logger.warn({ generation: id }, "closed an answer of a lost replica");
      closedCounter.inc();
      this.changes.announce(stored, stored.state);
    }
    await completeStream(this.streams, {
      ...stored,
      generationId: stored.id,
      chatId: stored.turnId,
    });
  }

  /** Returns false if it can't be run again. */
  private async runAgain(id: string, notices: FaultWire[]): Promise<boolean> {
    // This replica's own run may still write text.
    if (this.runner.has(id) || !(await this.leases.requeueLapsed(id, notices))) return false;
    this.logger.warn({ generation: id }, "running an answer of a lost replica again");
    rerunCounter.inc();
    return true;
  }
}

async function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
