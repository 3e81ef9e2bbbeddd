import { setTimeout as pause } from "node:timers/promises";
import type { InstanceConfig } from "@carrel/config";
import type { ReasoningSpan } from "@carrel/contracts";
import { Streams, type StreamWriter } from "@carrel/messaging";
import { context, metrics, nextTraceparent, type Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from "@nestjs/common";
import type { ChatConfig } from "../chat.config.ts";
import { stageFrame, startedFrame } from "./frames.ts";
import { GenerationChanges, changeOf } from "./generation-changes.ts";
import { GenerationClock } from "./generation-clock.ts";
import { GenerationExecution, RunningGeneration } from "./generation-execution.ts";
import { GenerationLeaseRepository } from "./generation-lease.repository.ts";
import { streamKey } from "./generation-output.ts";
import type { RunnableGeneration } from "./generation.repository.ts";

/** How long answers that must stop may take to be closed. */
const closeMs = 5_000;
/** Debounces claims when several generations end together. */
const claimDelayMs = 5;
/** Batches the saves of answers that grow at the same time. */
const saveDelayMs = 50;
/** How long a claimed generation waits for its stream before it goes back to the queue. */
const resumeMs = 2_000;
const runningGauge = metrics.gauge(
  "carrel_generations_running",
  "Generations running on this replica",
);

/**
 * Runs this replica's generations: one per thread, a limited number in total. The others wait in
 * PostgreSQL for any replica. Renews the leases of those running, and saves their progress.
 */
@Injectable()
export class GenerationRunner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly limit: number;
  private readonly drainMs: number;
  private readonly running = new Map<string, RunningGeneration>();
  /** Slots reserved for starts whose transaction has not committed. */
  private reserved = 0;
  /**
   * Runs whose stream has been ended: their leases are dropped in one batch at the next renewal.
   */
  private ended: string[] = [];
  private isDraining = false;
  /** Whether a slot that becomes free may be needed; checked once a second in any case. */
  private mayHaveQueue = true;
  private stops: (() => void)[] = [];
  private ticking: Promise<void> | null = null;
  private claiming: Promise<void> | null = null;
  private claimTimer: NodeJS.Timeout | undefined;
  /** The save in progress or about to start. */
  private saving: Promise<void> | null = null;

  constructor(
    private readonly execution: GenerationExecution,
    private readonly leases: GenerationLeaseRepository,
    private readonly clock: GenerationClock,
    private readonly streams: Streams,
    private readonly changes: GenerationChanges,
    @Inject(CONFIG) config: ChatConfig & Pick<InstanceConfig, "CARREL_DRAIN_SECONDS">,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.limit = config.CARREL_CHAT_GENERATIONS;
    this.drainMs = (config.CARREL_DRAIN_SECONDS ?? 5) * 1_000;
  }

  onApplicationBootstrap(): void {
    this.stops = [
      this.changes.onQueued(() => {
        this.mayHaveQueue = true;
      }),
      this.clock.onTick(
        () => this.tick(),
        () => this.running.size > 0 || this.ended.length > 0,
      ),
      this.changes.onCancel((ids) => this.cancel(ids)),
    ];
    this.tick();
  }

  /**
   * Lets running answers finish within `CARREL_DRAIN_SECONDS`; the rest are closed with their text so far and an
   * explanation, or put back in the queue if they have no text.
   */
  async onModuleDestroy(): Promise<void> {
    this.isDraining = true;
    await this.drain(this.drainMs);
    for (const run of this.running.values()) run.stop("shutdown");
    await this.drain(closeMs);
    for (const stop of this.stops) stop();
    clearTimeout(this.claimTimer);
    await Promise.all([this.ticking, this.claiming]);
    await this.saving;
    await this.dropLeases().catch((error: unknown) =>
      this.logger.debug({ err: error }, "leases of ended answers will expire"),
    );
  }

  has(id: string): boolean {
    return this.running.has(id);
  }

  /** Whether it has ended here, but isn't saved. */
  isSaving(id: string): boolean {
    return this.running.get(id)?.isSaving ?? false;
  }

  /** The text so far if it runs here, which is newer than the saved one. */
  findText(id: string): { answer: string; reasoning: ReasoningSpan[] } | null {
    const text = this.running.get(id)?.draft.text;
    return text === undefined ? null : { answer: text.toString(), reasoning: text.listReasoning() };
  }

  /**
   * Stops these runs wherever they are. The column is already set, so a lost broadcast only delays
   * the stop by a second.
   */
  stop(ids: readonly string[]): void {
    if (ids.length === 0) return;
    this.cancel(ids);
    this.changes.announceCancel(ids);
  }

  /**
   * Reserves a slot for a generation about to be written; returns null if it must be queued. Call
   * the returned function to release the slot.
   */
  reserve(): (() => void) | null {
    if (this.isDraining || this.running.size + this.reserved >= this.limit) return null;
    this.reserved += 1;
    return () => {
      this.reserved -= 1;
    };
  }

  /**
   * Starts a generation written as running; nobody may learn its ID, and with it read its stream,
   * before `committed` resolves. For a queued one, which must be committed, announces that in its
   * stream.
   */
  begin(
    generation: RunnableGeneration,
    isRunning: boolean,
    committed: Promise<void> = Promise.resolve(),
  ): void {
    const { id, turnId } = generation;
    const writer = this.streams.writer(streamKey(id));
    writer
      .write(JSON.stringify(startedFrame(id, turnId, !isRunning)))
      .catch((error: unknown) =>
        this.logger.warn(
          { err: error, generation: id },
          "couldn't write the first part of an answer",
        ),
      );
    if (isRunning) return this.run(generation, writer, committed);
    void writer
      .write(JSON.stringify(stageFrame("queued")))
      .catch(() => this.logger.debug({ generation: id }, "couldn't write the queue notice"));
    this.changes.announce(changeOf(generation), "queued");
    this.claimSoon();
  }

  private run(
    generation: RunnableGeneration,
    writer: StreamWriter,
    committed: Promise<void> = Promise.resolve(),
  ): void {
    const { id } = generation;
    const run = new RunningGeneration(generation, committed, () => this.saveSoon());
    this.running.set(id, run);
    this.clock.wake();
    runningGauge.set(this.running.size);
    // Outside the request's context, whose deadline does not apply to the answer.
    const { requestId = id, traceparent } = context.get() ?? {};
    run.ended = context
      .run({ requestId, actor: "service", traceparent: nextTraceparent(traceparent) }, () =>
        this.execution.run(run, writer, this.running.size),
      )
      .then((hasStreamEnd) => {
        if (hasStreamEnd) this.ended.push(id);
      })
      .catch((error: unknown) =>
        this.logger.error(
          { err: error, generation: id },
          "couldn't close a generation; its lease will expire",
        ),
      )
      .finally(() => {
        this.running.delete(id);
        runningGauge.set(this.running.size);
        if (this.mayHaveQueue) this.claimSoon();
      });
    committed.then(
      () => this.changes.announce(changeOf(generation), "running"),
      () => void run.ended.then(() => this.abandon(id)),
    );
  }

  /**
   * Deletes the stream of an answer whose question was not written; nobody knows its key. If the
   * connection was lost during the commit, the question may have been written: another run takes it
   * over at once.
   */
  private async abandon(id: string): Promise<void> {
    await this.streams
      .drop(streamKey(id))
      .catch((error: unknown) =>
        this.logger.debug({ err: error, generation: id }, "a stream without readers will expire"),
      );
    await this.leases
      .lapse([id])
      .catch((error: unknown) =>
        this.logger.warn(
          { err: error, generation: id },
          "couldn't give up a lease; it will expire",
        ),
      );
  }

  private cancel(ids: readonly string[]): void {
    for (const id of ids) this.running.get(id)?.stop("cancel");
  }

  private async drain(ms: number): Promise<void> {
    const runs = [...this.running.values()].map((run) => run.ended);
    await Promise.race([Promise.all(runs), pause(ms, undefined, { ref: false })]);
  }

  /** Renews leases, saves texts and checks the queue. */
  private tick(): void {
    this.ticking ??= this.keepAlive()
      .then(() => this.claimSoon())
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, "couldn't renew leases, will retry"),
      )
      .finally(() => {
        this.ticking = null;
      });
  }

  /**
   * Renews leases, starts to save progress, and stops runs that were cancelled or taken over.
   * Doesn't wait for the save: with many long texts, it may take longer than a lease lasts.
   */
  private async keepAlive(): Promise<void> {
    const runs = [...this.running.values()].filter((run) => run.isCommitted);
    if (runs.length > 0) {
      const renewed = await this.leases.renew(runs.map((run) => run.generation.id));
      const byId = new Map(renewed.map((lease) => [lease.id, lease]));
      for (const run of runs) {
        const lease = byId.get(run.generation.id);
        if (lease?.cancelRequested === true) run.stop("cancel");
        // Deleted, or closed by another replica because this one was unresponsive for too long.
        if (lease === undefined && this.running.has(run.generation.id)) run.stop("lost");
      }
      this.saveSoon(0);
    }
    await this.dropLeases();
  }

  /**
   * Schedules a save unless one is in progress or about to start: saves never overtake each other.
   */
  private saveSoon(delayMs = saveDelayMs): void {
    this.saving ??= pause(delayMs)
      .then(() => this.execution.saveProgress([...this.running.values()]))
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, "couldn't save the texts so far, will retry"),
      )
      .finally(() => {
        this.saving = null;
      });
  }

  private async dropLeases(): Promise<void> {
    const ids = this.ended.splice(0);
    try {
      await this.leases.drop(ids);
    } catch (fault) {
      // The next attempt drops them, before another replica takes them over.
      this.ended.unshift(...ids);
      throw fault;
    }
  }

  private claimSoon(): void {
    if (this.isDraining) return;
    this.claimTimer ??= setTimeout(() => {
      this.claimTimer = undefined;
      this.claiming ??= this.claim()
        .catch((error: unknown) =>
          this.logger.warn({ err: error }, "couldn't claim queued answers, will retry"),
        )
        .finally(() => {
          this.claiming = null;
        });
    }, claimDelayMs);
  }

  private async claim(): Promise<void> {
    // Concurrent starts take slots too: a few generations over the limit do less harm than a start
    // queued for no reason.
    const free = this.limit - this.running.size - this.reserved;
    if (free <= 0) return;
    this.mayHaveQueue = false;
    if (!(await this.leases.existQueued())) return;
    const claimed = await this.leases.claimQueued(free, [...this.running.keys()]);
    await Promise.all(claimed.map((generation) => this.resume(generation)));
    // Set even if none could be claimed.
    this.mayHaveQueue = true;
  }

  /** Runs a claimed generation on its stream, or returns it to the queue. */
  private async resume(generation: RunnableGeneration): Promise<void> {
    const { id } = generation;
    try {
      const writer = await Promise.race([
        this.streams.resumeWriter(streamKey(id)),
        pause(resumeMs, undefined, { ref: false }).then(() => {
          throw new Error("Redis isn't responding");
        }),
      ]);
      this.run(generation, writer ?? this.streams.writer(streamKey(id)));
    } catch (error) {
      this.logger.warn({ err: error, generation: id }, "returned a queued answer to the queue");
      await this.leases.putBack(id);
    }
  }
}
