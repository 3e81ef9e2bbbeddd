import { setTimeout as wait } from "node:timers/promises";
import { Inject, Injectable } from "@nestjs/common";
import type { StreamWriter } from "@carrel/messaging";
import { metrics, type Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import type { AnswerDraft } from "../answer/answer-draft.ts";
import { AnswerKeeper } from "./answer-keeper.ts";
import { conversationDeleted } from "./complete-stream.ts";
import { describeEnding, describeKnownFailure, type Ending, type StopReason } from "./ending.ts";
import { abortFrames, breakOffFrames, buildEndFrames, renameThreadFrame } from "./frames.ts";
import { changeOf, GenerationChanges } from "./generation-changes.ts";
import { GenerationLeaseRepository } from "./generation-lease.repository.ts";
import { GenerationOutput } from "./generation-output.ts";
import { GenerationPipeline } from "./generation-pipeline.ts";
import { GenerationResultRepository } from "./generation-result.repository.ts";
import type { RunnableGeneration } from "./runnable-generation.ts";
import type { RunningGeneration } from "./running-generations.ts";

const finishAttempts = 4;
const endedCounter = metrics.counter("carrel_generations_ended_total", "Generations that ended", [
  "state",
]);

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
      onTaken: () => run.stop("lost"),
      onLost: (error) =>
        this.logger.warn(
          { err: error, generation: generation.id },
          "couldn't write an answer to its stream any more; PostgreSQL has the answer",
        ),
    });
    let failure: unknown;
    try {
      await this.pipeline.run(generation, draft, output, signal);
    } catch (error) {
      failure = error ?? new Error("stopped");
      // Text held back because it might have become a citation mark.
      draft.send(output, draft.text.end());
    }
    // The caller is notified that the question could not be written, and the runner drops the stream.
    if (!(await isFulfilled(run.committed))) {
      await output.close([]);
      return false;
    }
    let stopped = failure === undefined || !signal.aborted ? null : (signal.reason as StopReason);
    if (stopped === "lost") return this.endIfDeleted(generation, draft, output);
    if (stopped === "shutdown" && draft.text.length === 0) {
      if (await this.leases.putBack(generation.id, draft.notices)) return false;
      stopped = "cancel"; // meanwhile; a lost lease is noticed at the end
    }
    if (failure !== undefined && stopped === null && describeKnownFailure(failure) === null)
      this.logger.error({ err: failure, generation: generation.id }, "a generation failed");
    const ending = describeEnding(generation, draft, failure, stopped);
    const { owned, renamed } = await this.finish(ending);
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
    const hasStreamEnd = await output.close(frames);
    this.changes.announce(changeOf(generation), ending.state);
    if (renamed !== null) this.changes.announceName(generation, renamed);
    return hasStreamEnd;
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

  /** PostgreSQL may be unreachable for a moment; the lease limits for how long. */
  private async finish(
    ending: Ending,
  ): Promise<{ owned: boolean; renamed: { slug: string; name: string } | null }> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.results.finish(ending);
      } catch (error) {
        if (attempt === finishAttempts) throw error;
        await wait(attempt * 500, undefined, { ref: false });
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
