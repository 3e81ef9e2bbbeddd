import { setTimeout as wait } from "node:timers/promises";
import type { SourceWire } from "@carrel/contracts";
import { isStorageFull, toUnavailable, type StreamWriter } from "@carrel/messaging";
import { metrics, type Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { AnswerDraft } from "../answer/answer-draft.ts";
import { BudgetAnnouncer } from "../budget/budget-announcer.ts";
import { InspectionKeeper } from "../inspection/inspection-keeper.ts";
import { MemoryKeeper } from "../memory/memory-keeper.ts";
import { UsageRepository } from "../usage/usage-record.ts";
import { conversationDeleted } from "./complete-stream.ts";
import { describeEnding, describeKnownFailure, type Ending, type StopReason } from "./ending.ts";
import { abortFrames, breakOffFrames, buildEndFrames, renameThreadFrame } from "./frames.ts";
import { GenerationChanges, changeOf } from "./generation-changes.ts";
import { GenerationLeaseRepository } from "./generation-lease.repository.ts";
import { GenerationOutput } from "./generation-output.ts";
import { GenerationPipeline } from "./generation-pipeline.ts";
import { GenerationResultRepository, type Progress } from "./generation-result.repository.ts";
import { isUnattended, type RunnableGeneration } from "./generation.repository.ts";

/**
 * Text that was shown must not be lost with its replica: texts are saved with each renewal of the
 * leases, every second, and earlier when one has grown by this many UTF-16 units and by this share,
 * because a save rewrites the whole text.
 */
const savedAfter = { length: 8_000, share: 0.25 };
const finishAttempts = 4;
/** How often an ended answer is saved again while PostgreSQL's disk is full, in ms. */
const saveAgainMs = 2_000;
const endedCounter = metrics.counter("carrel_generations_ended_total", "Generations that ended", [
  "state",
]);

/** One run on this replica. */
export class RunningGeneration {
  readonly draft: AnswerDraft;
  readonly controller = new AbortController();
  ended: Promise<void> = Promise.resolve();
  /** Whether its rows are durable: until then, it has no lease to renew. */
  isCommitted = false;
  /** Whether its ending couldn't be saved so far. */
  isSaving = false;
  private savedLength = 0;
  private savedSources: SourceWire[];
  private savedSteps: AnswerDraft["steps"];

  /**
   * @param committed rejects if the question was not written, which ends the run
   * @param onGrown called when its text should be saved before the next renewal
   */
  constructor(
    readonly generation: RunnableGeneration,
    readonly committed: Promise<void>,
    private readonly onGrown: () => void,
  ) {
    this.draft = new AnswerDraft(generation.notices);
    this.savedSources = this.draft.sources;
    this.savedSteps = this.draft.steps;
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

  /** False if the run has been taken over, or its ending is about to be saved. */
  get isUnsaved(): boolean {
    return (
      this.isCommitted &&
      !this.controller.signal.aborted &&
      (this.draft.sources !== this.savedSources ||
        this.draft.steps !== this.savedSteps ||
        this.draft.text.length > this.savedLength)
    );
  }

  progress(): Progress {
    const { text, notices, mode, sources, steps } = this.draft;
    return {
      turnId: this.generation.turnId,
      answer: text.toString(),
      reasoning: text.listReasoning(),
      notices,
      mode,
      sources: sources === this.savedSources ? null : sources,
      steps: steps === this.savedSteps ? null : this.draft.listSteps(),
    };
  }

  /** @param saved what the draft had when the saved progress was read */
  noteSaved(saved: Pick<AnswerDraft, "sources" | "steps"> & { length: number }): void {
    this.savedLength = saved.length;
    this.savedSources = saved.sources;
    this.savedSteps = saved.steps;
  }
}

/** Saves everything an ended answer leaves behind except its turn. */
@Injectable()
export class AnswerKeeper {
  constructor(
    private readonly memories: MemoryKeeper,
    private readonly inspections: InspectionKeeper,
    private readonly usage: UsageRepository,
    private readonly budgets: BudgetAnnouncer,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  keep({ turnId }: RunnableGeneration, draft: AnswerDraft, ending: Ending): void {
    const isAnswered = ending.state === "done" && !ending.refused;
    this.memories.keep(draft.usedMemories, draft.allowsExtraction && isAnswered ? turnId : null);
    this.inspections.keep(turnId, draft.notes, {
      mode: draft.mode,
      provider: draft.provider,
      model: draft.model,
      sources: ending.sources,
      reported: draft.usage?.inputTokens ?? null,
    });
    this.budgets.noteUse();
  }

  /** Records an answer's usage even if its conversation was deleted while it was written. */
  async keepDeleted(generation: RunnableGeneration, draft: AnswerDraft): Promise<void> {
    const { id, turnId, threadId, scope } = generation;
    const { use } = describeEnding(generation, draft, undefined, "cancel");
    if (use === null) return;
    const { workspace, principal } = scope;
    const place = { turnId, threadId, workspaceId: workspace.id, userId: principal.userId };
    try {
      await this.usage.record(place, use);
    } catch (error) {
      this.logger.error({ err: error, generation: id }, "couldn't record what an answer used");
    }
  }
}

/** Runs one generation from its first frame to its last, whatever goes wrong in between. */
@Injectable()
export class GenerationExecution {
  constructor(
    private readonly pipeline: GenerationPipeline,
    private readonly leases: GenerationLeaseRepository,
    private readonly results: GenerationResultRepository,
    private readonly keeper: AnswerKeeper,
    private readonly changes: GenerationChanges,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @param concurrent number of runs on this replica
   * @returns whether the stream was ended; if not, the lease expires and another replica ends it,
   *   unless the generation is back in the queue
   */
  async run(run: RunningGeneration, writer: StreamWriter, concurrent: number): Promise<boolean> {
    const { generation, draft, controller } = run;
    const { signal } = controller;
    const output = new GenerationOutput(generation.id, writer, {
      delayMs: textDelay(concurrent),
      onText: () => run.noteText(),
      onWaiting: (isWaiting) =>
        this.changes.announce(changeOf(generation), isWaiting ? "waiting" : "running"),
      onTaken: () => run.stop("lost"),
      onLost: (error) =>
        this.logger.warn(
          { err: error, generation: generation.id },
          "couldn't write an answer to its stream any more; PostgreSQL has the answer",
        ),
    });
    let failure: unknown;
    try {
      await this.pipeline.run(generation, draft, output, { signal, committed: run.committed });
    } catch (error) {
      failure = error ?? new Error("stopped");
      // Text held back because it might have become a citation mark.
      output.sendText(draft.text.end(), draft.text.takeChanges());
    }
    // The caller is notified that the question could not be written, and the runner drops the stream.
    if (!(await isFulfilled(run.committed))) {
      await output.close([]);
      return false;
    }
    let stopped = failure === undefined || !signal.aborted ? null : (signal.reason as StopReason);
    if (stopped === "lost") return this.endIfDeleted(generation, draft, output);
    // A run with steps goes on from its last one.
    const mayGoOn = draft.text.length === 0 || draft.steps.length > 0 || isUnattended(generation);
    if (stopped === "shutdown" && mayGoOn) {
      if (await this.leases.putBack(generation.id, draft.notices)) return false;
      stopped = "cancel"; // meanwhile; a lost lease is noticed at the end
    }
    if (failure !== undefined && stopped === null && describeKnownFailure(failure) === null)
      this.logger.error({ err: failure, generation: generation.id }, "a generation failed");
    const ending = describeEnding(generation, draft, failure, stopped);
    let isTold: Promise<boolean> | null = null;
    const tellFull = (): void => {
      run.isSaving = true;
      const frames = draft.text.length === 0 ? abortFrames : breakOffFrames;
      isTold ??= output.close(frames(generation.id, { code: "generation.not-saved" }));
    };
    const { owned, renamed } = await this.finish(ending, signal, tellFull);
    if (!owned) return this.endIfDeleted(generation, draft, output);
    endedCounter.inc({ state: ending.state });
    this.keeper.keep(generation, draft, ending);
    const frames = [
      ...buildEndFrames({
        ...ending,
        error: null,
        generationId: generation.id,
        chatId: generation.turnId,
        echoed: echoAttachments(generation, draft),
      }),
      ...(renamed === null ? [] : [renameThreadFrame(renamed.slug, renamed.name)]),
    ];
    const hasStreamEnd = await (isTold ?? output.close(frames));
    this.changes.announce(changeOf(generation), ending.state);
    if (renamed !== null) this.changes.announceName(generation, renamed);
    return hasStreamEnd;
  }

  /** Saves those runs that have new text, in one statement. */
  async saveProgress(runs: readonly RunningGeneration[]): Promise<void> {
    const saves = runs
      .filter((run) => run.isUnsaved)
      .map((run) => {
        const { text, sources, steps } = run.draft;
        return {
          run,
          saved: { length: text.length, sources, steps },
          progress: run.progress(),
        };
      });
    if (saves.length === 0) return;
    await this.results.saveProgress(saves.map(({ progress }) => progress));
    for (const { run, saved } of saves) run.noteSaved(saved);
  }

  /** The lease is gone; the replica that took the answer over will end it. */
  private async endIfDeleted(
    generation: RunnableGeneration,
    draft: AnswerDraft,
    output: GenerationOutput,
  ): Promise<false> {
    const { id } = generation;
    if (await this.leases.exists(id)) return false;
    await this.keeper.keepDeleted(generation, draft);
    await output.close(
      (draft.text.length === 0 ? abortFrames : breakOffFrames)(id, conversationDeleted),
    );
    return false;
  }

  /**
   * PostgreSQL may be unreachable for a moment; the lease limits for how long. While its disk is
   * full, which `onFull` is told, the answer is kept in memory until it can be saved, even if
   * PostgreSQL has to be started again for that.
   */
  private async finish(
    ending: Ending,
    signal: AbortSignal,
    onFull: () => void,
  ): Promise<{ owned: boolean; renamed: { slug: string; name: string } | null }> {
    let wasFull = false;
    for (let attempt = 1; ;) {
      try {
        return await this.results.finish(ending);
      } catch (error) {
        const isFull = isStorageFull(error);
        wasFull ||= isFull;
        const isKept = wasFull && toUnavailable(error) !== null;
        if (isKept && signal.reason === "lost") return { owned: false, renamed: null };
        if (isKept ? signal.reason === "shutdown" : attempt === finishAttempts) throw error;
        if (isFull) onFull();
        await wait(isFull ? saveAgainMs : attempt * 500, undefined, { ref: false });
        if (isFull) attempt = 1;
        else if (!isKept) attempt += 1;
      }
    }
  }
}

const isFulfilled = (promise: Promise<void>): Promise<boolean> =>
  promise.then(
    () => true,
    () => false,
  );

/** Without their blob keys: both the client that sent them and the history have the bytes. */
const echoAttachments = (
  { attachments }: RunnableGeneration,
  { refusal }: AnswerDraft,
): RunnableGeneration["attachments"] | null =>
  refusal?.isEmptyWorkspace === true
    ? attachments.map(({ name, mime, contentString }) => ({ name, mime, contentString }))
    : null;

/**
 * How long text is batched, in ms: at least two frames of a screen. With many concurrent answers,
 * fewer and larger parts are sent: each costs a write in Redis, the gateway and the reader. One of
 * three delays, so that most answers share theirs and their parts are stored together.
 */
const textDelay = (concurrent: number): number =>
  30 * 2 ** Math.min(2, Math.floor(Math.log2(1 + concurrent / 30)));
