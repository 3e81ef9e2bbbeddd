import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from "@nestjs/common";
import { Streams, type StreamWriter } from "@carrel/messaging";
import { context, nextTraceparent, type Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import type { ChatConfig } from "../chat.config.ts";
import { stageFrame, startedFrame } from "./frames.ts";
import { changeOf, GenerationChanges } from "./generation-changes.ts";
import { GenerationExecution } from "./generation-execution.ts";
import { streamKey } from "./generation-output.ts";
import { GenerationQueue } from "./generation-queue.ts";
import type { RunnableGeneration } from "./runnable-generation.ts";
import { RunningGeneration, RunningGenerations } from "./running-generations.ts";

/** How long running answers may continue after the process is asked to stop. */
const drainMs = 5_000;
/** Debounces claims when several generations end together. */
const claimDelayMs = 5;

/**
 * Runs this replica's generations: one per thread, a limited number in total. The others wait in
 * PostgreSQL for any replica.
 */
@Injectable()
export class GenerationRunner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly limit: number;
  /** Slots reserved for starts whose transaction has not committed. */
  private reserved = 0;
  private isDraining = false;
  /** Whether a slot that becomes free may be needed; checked once a second in any case. */
  private mayHaveQueue = true;
  private stopListening: () => void = () => undefined;
  private ticking: Promise<void> | null = null;
  private claiming: Promise<void> | null = null;
  private claimTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly running: RunningGenerations,
    private readonly queue: GenerationQueue,
    private readonly execution: GenerationExecution,
    private readonly streams: Streams,
    private readonly changes: GenerationChanges,
    @Inject(CONFIG) config: ChatConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.limit = config.CARREL_CHAT_GENERATIONS;
  }

  onApplicationBootstrap(): void {
    this.stopListening = this.changes.onQueued(() => {
      this.mayHaveQueue = true;
    });
    this.running.listen(() => this.tick());
    this.tick();
  }

  /**
   * Lets running answers finish within `drainMs`; the rest are closed with their text so far and an
   * explanation, or put back in the queue if they have no text.
   */
  async onModuleDestroy(): Promise<void> {
    this.isDraining = true;
    this.stopListening();
    await Promise.race([this.running.drained(), wait(drainMs)]);
    this.running.shutDown();
    await Promise.race([this.running.drained(), wait(drainMs)]);
    this.running.stopTicking();
    clearTimeout(this.claimTimer);
    await Promise.all([this.ticking, this.claiming]);
    await this.running.close();
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
    const writer = this.streams.writer(streamKey(generation.id));
    this.announce(writer, generation, !isRunning);
    if (isRunning) return this.run(generation, writer, committed);
    void writer
      .write(JSON.stringify(stageFrame("queued")))
      .catch(() =>
        this.logger.debug({ generation: generation.id }, "couldn't write the queue notice"),
      );
    this.changes.announce(changeOf(generation), "queued");
    this.claimSoon();
  }

  private announce(
    writer: StreamWriter,
    { id, turnId }: RunnableGeneration,
    isQueued: boolean,
  ): void {
    writer
      .write(JSON.stringify(startedFrame(id, turnId, isQueued)))
      .catch((error: unknown) =>
        this.logger.warn(
          { err: error, generation: id },
          "couldn't write the first part of an answer",
        ),
      );
  }

  private run(
    generation: RunnableGeneration,
    writer: StreamWriter,
    committed: Promise<void> = Promise.resolve(),
  ): void {
    const run = new RunningGeneration(generation, committed);
    this.running.add(run);
    // Outside the request's context, whose deadline does not apply to the answer.
    const { requestId = generation.id, traceparent } = context.get() ?? {};
    run.ended = context
      .run({ requestId, actor: "service", traceparent: nextTraceparent(traceparent) }, () =>
        this.execution.run(run, writer, this.running.size),
      )
      .then((hasStreamEnd) => {
        if (hasStreamEnd) this.running.markEnded(generation.id);
      })
      .catch((error: unknown) =>
        this.logger.error(
          { err: error, generation: generation.id },
          "couldn't close a generation; its lease will expire",
        ),
      )
      .finally(() => {
        this.running.remove(generation.id);
        if (this.mayHaveQueue) this.claimSoon();
      });
    committed.then(
      () => this.changes.announce(changeOf(generation), "running"),
      () => void run.ended.then(() => this.abandon(generation.id)),
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
    await this.running
      .giveUp(id)
      .catch((error: unknown) =>
        this.logger.warn(
          { err: error, generation: id },
          "couldn't give up a lease; it will expire",
        ),
      );
  }

  /** Renews leases, saves texts and checks the queue. */
  private tick(): void {
    this.ticking ??= this.running
      .keepAlive()
      .then(() => this.claimSoon())
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, "couldn't renew leases, will retry"),
      )
      .finally(() => {
        this.ticking = null;
      });
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
    const hasQueue = await this.queue.claim(free, this.running.list(), (generation, writer) =>
      this.run(generation, writer),
    );
    this.mayHaveQueue ||= hasQueue;
  }
}

/** The timer does not keep the process alive. */
const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
