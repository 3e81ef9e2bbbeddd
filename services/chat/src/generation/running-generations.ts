import { setTimeout as wait } from "node:timers/promises";
import { Inject, Injectable } from "@nestjs/common";
import type { ReasoningSpan, SourceWire } from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";
import { metrics, type Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { AnswerDraft } from "../answer/answer-draft.ts";
import type { StopReason } from "./ending.ts";
import { GenerationClock } from "./generation-clock.ts";
import { GenerationLeaseRepository } from "./generation-lease.repository.ts";
import { GenerationResultRepository } from "./generation-result.repository.ts";
import type { RunnableGeneration } from "./runnable-generation.ts";

/**
 * Text that was shown must not be lost with its replica: texts are saved with each renewal of the
 * leases, every second, and earlier when one has grown by this many UTF-16 units and by this share,
 * because a save rewrites the whole text.
 */
const savedAfter = { length: 8_000, share: 0.25 };
/** Batches the saves of answers that grow at the same time. */
const saveDelayMs = 50;
const cancelChannel = "chat.generation.cancel";
const runningGauge = metrics.gauge(
  "carrel_generations_running",
  "Generations running on this replica",
);

/** One run on this replica. */
export class RunningGeneration {
  readonly draft: AnswerDraft;
  readonly controller = new AbortController();
  savedLength = 0;
  savedSources: SourceWire[];
  /** Called when its text should be saved before the next renewal. */
  onGrown: () => void = () => undefined;
  ended: Promise<void> = Promise.resolve();
  /** Whether its rows are durable: until then, it has no lease to renew. */
  isCommitted = false;

  /** @param committed rejects if the question was not written, which ends the run */
  constructor(
    readonly generation: RunnableGeneration,
    readonly committed: Promise<void>,
  ) {
    this.draft = new AnswerDraft(generation.notices);
    this.savedSources = this.draft.sources;
    committed.then(
      () => {
        this.isCommitted = true;
      },
      () => this.stop("lost"),
    );
  }

  stop(reason: StopReason): void {
    this.controller.abort(reason);
  }

  /** Call when its text has grown. */
  noteText(): void {
    const added = this.draft.text.length - this.savedLength;
    if (added >= savedAfter.length && added >= savedAfter.share * this.savedLength) this.onGrown();
  }
}

/** The runs of this replica: renews their leases and saves their progress. */
@Injectable()
export class RunningGenerations {
  private readonly running = new Map<string, RunningGeneration>();
  /**
   * Runs whose stream has been ended: their leases are dropped in one batch at the next renewal.
   */
  private ended: string[] = [];
  /** The save in progress or about to start. */
  private saving: Promise<void> | null = null;
  private stopListening: () => void = () => undefined;
  /** Call when nothing runs any more. */
  stopTicking: () => void = () => undefined;

  constructor(
    private readonly leases: GenerationLeaseRepository,
    private readonly results: GenerationResultRepository,
    private readonly broadcast: Broadcast,
    private readonly clock: GenerationClock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  get size(): number {
    return this.running.size;
  }

  /**
   * Listens for stop requests received by other replicas. `onTick` is called every second while
   * there are leases to renew or to drop, or answers elsewhere.
   */
  listen(onTick: () => void): void {
    this.stopTicking = this.clock.onTick(
      onTick,
      () => this.running.size > 0 || this.ended.length > 0,
    );
    this.stopListening = this.broadcast.on(cancelChannel, (payload) => {
      if (Array.isArray(payload))
        for (const id of payload) this.running.get(String(id))?.stop("cancel");
    });
  }

  async close(): Promise<void> {
    this.stopListening();
    await this.saving;
    await this.dropLeases().catch((error: unknown) =>
      this.logger.debug({ err: error }, "leases of ended answers will expire"),
    );
  }

  add(run: RunningGeneration): void {
    run.onGrown = () => this.saveSoon();
    this.running.set(run.generation.id, run);
    this.clock.wake();
    runningGauge.set(this.running.size);
  }

  remove(id: string): void {
    this.running.delete(id);
    runningGauge.set(this.running.size);
  }

  /** Call when the stream has been ended: the lease is no longer needed. */
  markEnded(id: string): void {
    this.ended.push(id);
  }

  /** Lets any replica take over at once. */
  giveUp(id: string): Promise<void> {
    return this.leases.lapse([id]);
  }

  has(id: string): boolean {
    return this.running.has(id);
  }

  /** IDs of the current runs. */
  list(): string[] {
    return [...this.running.keys()];
  }

  /** Resolves when all current runs have ended. */
  async drained(): Promise<void> {
    await Promise.all([...this.running.values()].map((run) => run.ended));
  }

  /**
   * Stops these runs wherever they are. The column is already set, so a lost broadcast only delays
   * the stop by a second.
   */
  stop(ids: readonly string[]): void {
    if (ids.length === 0) return;
    for (const id of ids) this.running.get(id)?.stop("cancel");
    this.broadcast
      .publish(cancelChannel, ids)
      .catch((error: unknown) => this.logger.debug({ err: error }, "couldn't broadcast a stop"));
  }

  shutDown(): void {
    for (const run of this.running.values()) run.stop("shutdown");
  }

  /** The text so far if it runs here, which is newer than the saved one. */
  findText(id: string): { answer: string; reasoning: ReasoningSpan[] } | null {
    const text = this.running.get(id)?.draft.text;
    return text === undefined ? null : { answer: text.toString(), reasoning: text.listReasoning() };
  }

  /**
   * Renews leases, starts to save progress, and stops runs that were cancelled or taken over. Doesn't
   * wait for the save: of many long texts, it may take longer than a lease lasts.
   */
  async keepAlive(): Promise<void> {
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

  /** Unless a save is in progress or about to start: saves never overtake each other. */
  private saveSoon(delayMs = saveDelayMs): void {
    this.saving ??= wait(delayMs)
      .then(() => this.saveAll())
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, "couldn't save the texts so far, will retry"),
      )
      .finally(() => {
        this.saving = null;
      });
  }

  /** Saves every run with new text, in one statement. */
  private async saveAll(): Promise<void> {
    const grown = [...this.running.values()].filter(
      ({ isCommitted, controller, draft, savedLength, savedSources }) =>
        isCommitted &&
        // It has been taken over, or its ending is about to be saved.
        !controller.signal.aborted &&
        (draft.sources !== savedSources || draft.text.length > savedLength),
    );
    if (grown.length === 0) return;
    const rows = grown.map(({ generation, draft, savedSources }) => ({
      turnId: generation.turnId,
      length: draft.text.length,
      answer: draft.text.toString(),
      reasoning: draft.text.listReasoning(),
      notices: draft.notices,
      mode: draft.mode,
      sources: draft.sources === savedSources ? null : draft.sources,
    }));
    await this.results.saveProgress(rows);
    for (const [index, run] of grown.entries()) {
      const { length, sources } = rows[index]!;
      run.savedLength = length;
      run.savedSources = sources ?? run.savedSources;
    }
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
}
