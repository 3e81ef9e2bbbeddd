import { randomUUID } from "node:crypto";
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from "@nestjs/common";
import { generationChanged, threadRenamed, type SourceWire } from "@carrel/contracts";
import { Broadcast, Streams, type StreamWriter } from "@carrel/messaging";
import { context, metrics, type Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import type { ChatConfig } from "../chat.config.ts";
import { completeStream, endDeletedStream } from "./complete-stream.ts";
import {
  abortFrame,
  breakOffFrame,
  buildEndFrames,
  renameThreadFrame,
  startedFrame,
  stageFrame,
  type StoredAnswer,
} from "./frames.ts";
import { GenerationOutput, streamKey } from "./generation-output.ts";
import { GenerationTools } from "./generation-tools.ts";
import {
  GenerationRepository,
  type Ending,
  type RunnableGeneration,
} from "./generation.repository.ts";
import {
  beginSearch,
  describeEnding,
  describeKnownFailure,
  runGeneration,
  RunState,
  type StopReason,
} from "./run-generation.ts";

/** A lease that is not renewed for so long belongs to a dead replica. */
export const leaseSeconds = 5;
/** Renews leases, saves texts and looks for queued ones. */
const tickMs = 1_000;
/** How long running answers may go on when the process is asked to end. */
const drainMs = 5_000;
const cancelChannel = "chat.generation.cancel";
export const deletedMessage = "The conversation was deleted while this was being answered.";

interface Running {
  generation: RunnableGeneration;
  state: RunState;
  controller: AbortController;
  savedLength: number;
  savedSources: SourceWire[];
  ended: Promise<void>;
}

const runningGauge = metrics.gauge("carrel_generations_running", "Generations this replica runs");
const endedCounter = metrics.counter("carrel_generations_ended_total", "Generations that ended", [
  "state",
]);

/**
 * Runs the generations of this replica: one in a thread, so many in all, the rest wait in
 * PostgreSQL for any replica.
 */
@Injectable()
export class GenerationRunner implements OnApplicationBootstrap, OnModuleDestroy {
  /** This replica, as leases name it. */
  readonly owner = randomUUID();
  private readonly repository: GenerationRepository;
  private readonly tools: GenerationTools;
  private readonly streams: Streams;
  private readonly broadcast: Broadcast;
  private readonly logger: Logger;
  private readonly limit: number;
  private readonly running = new Map<string, Running>();
  /** Slots promised to starts whose transaction is under way. */
  private reserved = 0;
  /** Ended with their stream: their leases are dropped together, with the next renewal. */
  private closed: string[] = [];
  private isDraining = false;
  private timer: NodeJS.Timeout | undefined;
  private ticking: Promise<void> | null = null;
  private claiming: Promise<void> | null = null;
  private claimTimer: NodeJS.Timeout | undefined;
  private stopListening: () => void = () => undefined;

  constructor(
    repository: GenerationRepository,
    tools: GenerationTools,
    streams: Streams,
    broadcast: Broadcast,
    @Inject(CONFIG) config: ChatConfig,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.repository = repository;
    this.tools = tools;
    this.streams = streams;
    this.broadcast = broadcast;
    this.logger = logger;
    this.limit = config.CARREL_CHAT_GENERATIONS;
  }

  onApplicationBootstrap(): void {
    this.stopListening = this.broadcast.on(cancelChannel, (payload) => {
      if (Array.isArray(payload))
        for (const id of payload)
          this.running.get(String(id))?.controller.abort("cancel" satisfies StopReason);
    });
    this.timer = setInterval(() => this.tick(), tickMs);
    this.tick();
  }

  /** Answers that run may end; the others are closed honestly with what they have. */
  async onModuleDestroy(): Promise<void> {
    this.isDraining = true;
    const ended = (): Promise<unknown> =>
      Promise.all([...this.running.values()].map((running) => running.ended));
    await Promise.race([ended(), wait(drainMs)]);
    for (const running of this.running.values())
      running.controller.abort("shutdown" satisfies StopReason);
    await Promise.race([ended(), wait(drainMs)]);
    clearInterval(this.timer);
    clearTimeout(this.claimTimer);
    this.stopListening();
    await Promise.all([this.ticking, this.claiming]);
    await this.dropLeases().catch((error: unknown) =>
      this.logger.debug({ err: error }, "leases of ended answers were left to lapse"),
    );
  }

  /**
   * A slot for a generation that is about to be written, or null when it must be queued. Give it
   * back with the returned function.
   */
  reserve(): (() => void) | null {
    if (this.isDraining || this.running.size + this.reserved >= this.limit) return null;
    this.reserved += 1;
    return () => {
      this.reserved -= 1;
    };
  }

  /** As `beginSearch` of the pipeline. */
  beginSearch(scope: RunnableGeneration["scope"], question: string): RunnableGeneration["search"] {
    return beginSearch(this.tools, scope, question);
  }

  /**
   * Starts what `insertPending` wrote as running; says in the stream that it waits when it was
   * queued.
   */
  begin(generation: RunnableGeneration, isRunning: boolean): void {
    const writer = this.streams.writer(streamKey(generation.id));
    const started = writer.write(
      JSON.stringify(startedFrame(generation.id, generation.turnId, !isRunning)),
    );
    started.catch((error: unknown) =>
      this.logger.warn(
        { err: error, generation: generation.id },
        "the first part of an answer could not be written",
      ),
    );
    if (isRunning) return this.run(generation, writer);
    void writer
      .write(JSON.stringify(stageFrame("queued")))
      .catch(() =>
        this.logger.debug({ generation: generation.id }, "the queue notice could not be written"),
      );
    this.tell(generation, "queued");
    this.claimSoon();
  }

  /**
   * Stops these wherever they run. The column is set already, so a lost broadcast only makes it a
   * second later.
   */
  stop(ids: string[]): void {
    if (ids.length === 0) return;
    for (const id of ids) this.running.get(id)?.controller.abort("cancel" satisfies StopReason);
    this.broadcast
      .publish(cancelChannel, ids)
      .catch((error: unknown) =>
        this.logger.debug({ err: error }, "a stop could not be broadcast"),
      );
  }

  /** The text so far when it runs here, newer than what PostgreSQL holds. */
  findText(id: string): string | null {
    return this.running.get(id)?.state.text.toString() ?? null;
  }

  /**
   * Tells the owner's sidebars; a lost one costs nothing, so it is broadcast without the outbox.
   */
  tell(
    generation: { id: string; threadId: number } & (
      { workspaceId: number; userId: number | null } | Pick<RunnableGeneration, "scope">
    ),
    state: string,
  ): void {
    const { workspaceId, userId } =
      "scope" in generation
        ? { workspaceId: generation.scope.workspace.id, userId: generation.scope.principal.userId }
        : generation;
    this.broadcast
      .publish(`event:${generationChanged.name}`, {
        workspaceId,
        userId,
        threadId: generation.threadId,
        generationId: generation.id,
        state,
      })
      .catch((error: unknown) =>
        this.logger.debug({ err: error }, "a change of a generation could not be broadcast"),
      );
  }

  private run(generation: RunnableGeneration, writer: StreamWriter): void {
    const state = new RunState();
    const running: Running = {
      generation,
      state,
      controller: new AbortController(),
      savedLength: 0,
      savedSources: state.sources,
      ended: Promise.resolve(),
    };
    this.running.set(generation.id, running);
    runningGauge.set(this.running.size);
    // Without the request's context: its deadline is not the answer's.
    running.ended = context
      .run({ requestId: context.get()?.requestId ?? generation.id, actor: "service" }, () =>
        this.runToEnd(running, writer),
      )
      .catch((error: unknown) =>
        this.logger.error(
          { err: error, generation: generation.id },
          "a generation could not be closed; its lease will lapse",
        ),
      )
      .finally(() => {
        this.running.delete(generation.id);
        runningGauge.set(this.running.size);
        this.claimSoon();
      });
    this.tell(generation, "running");
  }

  private async runToEnd(
    { generation, state, controller }: Running,
    writer: StreamWriter,
  ): Promise<void> {
    const { signal } = controller;
    const output = new GenerationOutput(generation.id, writer, {
      // With many answers at once, fewer and larger parts: each costs Redis, the gateway and the
      // reader a write.
      delayMs: Math.min(120, 15 + this.running.size / 5),
      onTaken: () => controller.abort("lost" satisfies StopReason),
      onLost: (error) =>
        this.logger.warn(
          { err: error, generation: generation.id },
          "an answer can no longer be written to its stream; PostgreSQL has it",
        ),
    });
    let failure: unknown;
    try {
      await runGeneration(this.tools, generation, state, output, signal);
    } catch (error) {
      failure = error ?? new Error("stopped");
      // Text that was held back because it might have become a citation mark.
      const rest = state.text.end();
      if (rest !== "") output.sendText(rest);
    }
    const stopped = failure === undefined || !signal.aborted ? null : (signal.reason as StopReason);
    if (stopped === "lost") return this.endIfDeleted(generation.id, state, output);
    if (failure !== undefined && stopped === null && describeKnownFailure(failure) === null)
      this.logger.error({ err: failure, generation: generation.id }, "a generation failed");
    const ending = describeEnding(generation, state, failure, stopped);
    const { owned, renamed } = await this.finish(ending);
    if (!owned) return this.endIfDeleted(generation.id, state, output);
    endedCounter.inc({ state: ending.state });
    this.tools.memoryKeeper.keep(
      state.usedMemories,
      state.mayTeach && ending.state === "done" && !ending.refused ? generation.turnId : null,
    );
    this.tools.inspections.keep(generation.turnId, state.notes, {
      mode: state.mode,
      provider: state.provider,
      model: state.model,
      sources: ending.sources,
      reported: state.usage?.inputTokens ?? null,
    });
    const frames = buildEndFrames({
      generationId: generation.id,
      chatId: generation.turnId,
      state: ending.state,
      answer: ending.answer,
      notices: ending.notices,
      sources: ending.sources,
      metrics: ending.metrics,
      error: ending.error,
      refused: ending.refused,
      // Without their keys; their bytes are with the client that sent them, and in the history.
      echoed:
        state.refusal?.isEmptyWorkspace === true
          ? generation.attachments.map(({ name, mime, contentString }) => ({
              name,
              mime,
              contentString,
            }))
          : null,
    });
    // Should the end not be written, the lease lapses, and whoever takes it writes it.
    if (
      await output.close(
        renamed === null ? frames : [...frames, renameThreadFrame(renamed.slug, renamed.name)],
      )
    )
      this.closed.push(generation.id);
    this.tell(generation, ending.state);
    if (renamed !== null) this.tellName(generation, renamed);
  }

  /** The reader of the answer hears it from the stream; this is for the owner's other devices. */
  private tellName(
    { threadId, scope: { workspace, principal } }: RunnableGeneration,
    name: { slug: string; name: string },
  ): void {
    this.broadcast
      .publish(`event:${threadRenamed.name}`, {
        workspaceId: workspace.id,
        threadId,
        userId: principal.userId,
        ...name,
      })
      .catch((error: unknown) =>
        this.logger.debug({ err: error }, "the name of a thread could not be broadcast"),
      );
  }

  /**
   * Whoever reads what was deleted while it was written hears of it. What another replica took over
   * is that one's to end.
   */
  private async endIfDeleted(id: string, state: RunState, output: GenerationOutput): Promise<void> {
    if (await this.repository.exists(id)) return;
    await output.close([
      state.text.length === 0 ? abortFrame(id, deletedMessage) : breakOffFrame(id, deletedMessage),
    ]);
  }

  /**
   * PostgreSQL may be away for a moment while an answer ends: the lease decides how long that may
   * last.
   */
  private async finish(
    ending: Ending,
  ): Promise<{ owned: boolean; renamed: { slug: string; name: string } | null }> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.repository.finish(this.owner, ending);
      } catch (error) {
        if (attempt === 4) throw error;
        await wait(attempt * 500);
      }
    }
  }

  private tick(): void {
    this.ticking ??= this.keepAlive()
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, "leases could not be renewed, trying again"),
      )
      .finally(() => {
        this.ticking = null;
      });
  }

  private async keepAlive(): Promise<void> {
    const mine = [...this.running.values()];
    if (mine.length > 0) {
      const renewed = new Map(
        (
          await this.repository.renewLeases(
            this.owner,
            mine.map((running) => running.generation.id),
            leaseSeconds,
          )
        ).map((row) => [row.id, row]),
      );
      for (const running of mine) {
        const row = renewed.get(running.generation.id);
        // Ended meanwhile, or closed by another replica because this one was away for too long.
        if (row === undefined) {
          if (this.running.has(running.generation.id)) this.checkLost(running);
        } else if (row.cancelRequested) running.controller.abort("cancel" satisfies StopReason);
      }
      const grown = mine.filter(
        ({ state, savedLength, savedSources }) =>
          state.text.length > savedLength || state.sources !== savedSources,
      );
      if (grown.length > 0) {
        const rows = grown.map(({ generation, state, savedSources }) => ({
          turnId: generation.turnId,
          answer: state.text.toString(),
          notices: state.notices,
          mode: state.mode,
          sources: state.sources === savedSources ? null : state.sources,
        }));
        await this.repository.saveProgress(rows);
        for (const [index, running] of grown.entries()) {
          const { answer, sources } = rows[index]!;
          running.savedLength = answer.length;
          running.savedSources = sources ?? running.savedSources;
        }
      }
    }
    await this.dropLeases();
    this.claimSoon();
  }

  private async dropLeases(): Promise<void> {
    const ids = this.closed.splice(0);
    await this.repository.dropLeases(this.owner, ids);
  }

  /**
   * A lease that did not come back while the run goes on: it was closed elsewhere, or its thread is
   * gone. `finish` decides; the provider's work stops.
   */
  private checkLost(running: Running): void {
    running.controller.abort("lost" satisfies StopReason);
  }

  /**
   * The closing frames of an answer that nobody runs, after what is in its stream. Readers of a
   * lost stream go to PostgreSQL.
   */
  async writeEnd(stored: StoredAnswer): Promise<void> {
    await completeStream(this.streams, stored).catch((error: unknown) =>
      this.logger.warn(
        { err: error, generation: stored.generationId },
        "the end of an answer could not be written to its stream",
      ),
    );
  }

  /**
   * Whoever waits for answers whose conversation is deleted hears of it. Another replica does it
   * later where it fails here.
   */
  async endDeleted(ids: string[]): Promise<void> {
    await Promise.all(
      ids.map((id) =>
        endDeletedStream(this.streams, id, deletedMessage).catch((error: unknown) =>
          this.logger.warn(
            { err: error, generation: id },
            "the stream of a deleted answer could not be ended",
          ),
        ),
      ),
    );
  }

  /** Ends that come together ask for queued ones once. */
  private claimSoon(): void {
    if (this.isDraining) return;
    this.claimTimer ??= setTimeout(() => {
      this.claimTimer = undefined;
      this.claiming ??= this.claim()
        .catch((error: unknown) =>
          this.logger.warn({ err: error }, "queued answers could not be taken, trying again"),
        )
        .finally(() => {
          this.claiming = null;
        });
    }, 5);
  }

  private async claim(): Promise<void> {
    const free = this.limit - this.running.size - this.reserved;
    if (free <= 0) return;
    // Starts that come meanwhile take slots too: the limit is a measure, and a few too many do less
    // harm than a start that waits for nothing.
    const claimed = await this.repository.claimQueued(this.owner, free, leaseSeconds);
    await Promise.all(
      claimed.map(async (generation) => {
        try {
          const writer = await Promise.race([
            this.streams.resumeWriter(streamKey(generation.id)),
            wait(2_000).then(() => {
              throw new Error("Redis does not answer");
            }),
          ]);
          this.run(generation, writer ?? this.streams.writer(streamKey(generation.id)));
        } catch (error) {
          this.logger.warn(
            { err: error, generation: generation.id },
            "a queued answer goes back into the queue",
          );
          await this.repository.putBack(this.owner, generation.id);
        }
      }),
    );
  }
}

/** Does not keep the process alive. */
const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
