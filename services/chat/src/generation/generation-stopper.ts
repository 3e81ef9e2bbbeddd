import type { Scope, WorkspaceScope } from "@carrel/contracts";
import { Streams } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Injectable, Inject } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { completeStream, endDeletedStream } from "./complete-stream.ts";
import type { StoredAnswer } from "./frames.ts";
import {
  GenerationCancelRepository,
  type CancelTarget,
  type QueuedGeneration,
} from "./generation-cancel.repository.ts";
import { GenerationChanges } from "./generation-changes.ts";
import { GenerationRunner } from "./generation-runner.ts";

/** Generations cancelled in a transaction; to be ended after its commit. */
export interface StoppedGenerations {
  running: string[];
  queued: QueuedGeneration[];
}
export const noStoppedGenerations: StoppedGenerations = { running: [], queued: [] };

/** Like `StoppedGenerations`, but their conversation is deleted as well. */
export interface DeletedGenerations {
  running: string[];
  queued: string[];
}

/** Stops generations on any replica, and ends the streams of those still queued. */
@Injectable()
export class GenerationStopper {
  constructor(
    private readonly dataSource: DataSource,
    private readonly cancellations: GenerationCancelRepository,
    private readonly runner: GenerationRunner,
    private readonly streams: Streams,
    private readonly changes: GenerationChanges,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Stops the caller's own generation and keeps its text so far; returns false if there is none.
   */
  async stop(scope: Scope, id: string): Promise<boolean> {
    const found = await this.cancellations.cancel(scope, id);
    if (found === null) return false;
    if (found.state === "running") this.runner.stop([id]);
    if (found.state === "cancelled")
      await this.endQueued({ id, ...found, userId: scope.principal.userId });
    return true;
  }

  async stopTurns(
    manager: EntityManager,
    scope: WorkspaceScope,
    turnIds: readonly number[],
  ): Promise<StoppedGenerations> {
    return turnIds.length === 0
      ? noStoppedGenerations
      : this.cancellations.cancelTurns(manager, scope, turnIds);
  }

  /** Call after the commit of `stopTurns`. */
  async end({ running, queued }: StoppedGenerations): Promise<void> {
    this.runner.stop(running);
    for (const generation of queued) await this.endQueued(generation);
  }

  /** Stops the generations of conversations that are being deleted. */
  stopAll(
    target: CancelTarget,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<DeletedGenerations> {
    return this.cancellations.cancelAll(manager, target);
  }

  /** Call after the commit of `stopAll`. */
  async endDeleted({ running, queued }: DeletedGenerations): Promise<void> {
    this.runner.stop(running);
    // If it fails, another replica retries later.
    await Promise.all(
      queued.map((id) =>
        endDeletedStream(this.streams, id).catch((error: unknown) =>
          this.logger.warn(
            { err: error, generation: id },
            "couldn't end the stream of a deleted answer",
          ),
        ),
      ),
    );
  }

  private async endQueued(generation: QueuedGeneration): Promise<void> {
    const { id, turnId } = generation;
    // Readers of a lost stream fall back to PostgreSQL.
    await completeStream(this.streams, { ...emptyAnswer, generationId: id, chatId: turnId }).catch(
      (error: unknown) =>
        this.logger.warn(
          { err: error, generation: id },
          "couldn't write the end of an answer to its stream",
        ),
    );
    this.changes.announce(generation, "cancelled");
  }
}

const emptyAnswer: Omit<StoredAnswer, "generationId" | "chatId"> = {
  state: "cancelled",
  answer: "",
  reasoning: null,
  notices: [],
  sources: [],
  steps: [],
  metrics: null,
  fault: null,
  error: null,
  refused: false,
};
