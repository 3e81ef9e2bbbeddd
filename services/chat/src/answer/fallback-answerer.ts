import { randomUUID } from "node:crypto";
import {
  CarrelError,
  eventLogged,
  type KnownFault,
  type RunStep,
  type SourceWire,
} from "@carrel/contracts";
import { eventMessage, Outbox } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import {
  mayAskAnother,
  ModelBreakers,
  type ModelBreaker,
  type ProviderError,
} from "@carrel/providers";
import { LOGGER } from "@carrel/runtime";
import { Injectable, Inject } from "@nestjs/common";
import { LRUCache } from "lru-cache";
import { DataSource } from "typeorm";
import type { AnswerOutput } from "./answer-draft.ts";
import type { Answerer, AnswerTask } from "./answerer.ts";

/** A model of the list. */
export interface Candidate {
  /** The model's name in messages. */
  label: string;
  answerer: Answerer;
  breaker: ModelBreaker;
}
/** Why the first model of the list didn't answer. */
export interface Failure {
  label: string;
  error: ProviderError | CarrelError;
}

/**
 * Asks the models of a list in order: the next one if one is overloaded, doesn't respond or has no
 * valid key, and hasn't written anything yet. A model that failed is left out for a while. The last
 * one is always asked.
 */
class FallbackAnswerer implements Answerer {
  readonly provider: string;
  readonly model: string;
  readonly usesMemories: boolean;
  readonly overview: Answerer["overview"];
  readonly looksUpItself?: true;

  /**
   * @param candidates at least one
   * @param failure of a model before the first candidate, whose settings are incomplete
   * @param onFallback called when a model other than the first has begun to answer
   */
  constructor(
    private readonly candidates: readonly Candidate[],
    private readonly failure: Failure | null,
    private readonly onFallback: (task: AnswerTask, failure: Failure, by: Candidate) => void,
  ) {
    const { answerer } = candidates[0]!;
    this.provider = answerer.provider;
    this.model = answerer.model;
    this.usesMemories = answerer.usesMemories;
    this.overview = answerer.overview;
    if (answerer.looksUpItself) this.looksUpItself = true;
  }

  /** Of the largest window: each model shortens the texts to its own. */
  get fullTextLimit(): number {
    return Math.max(...this.candidates.map(({ answerer }) => answerer.fullTextLimit));
  }

  wantsOverview(question: string, isFollowUp: boolean): boolean {
    return this.candidates[0]!.answerer.wantsOverview(question, isFollowUp);
  }

  /** Throws the first model's error if none can answer. */
  async answer(task: AnswerTask): Promise<"answered" | "nothing-found"> {
    let failure = this.failure;
    for (const [place, candidate] of this.candidates.entries()) {
      const isLast = place === this.candidates.length - 1;
      try {
        return await (isLast
          ? this.ask(candidate, task, failure)
          : candidate.breaker.run(() => this.ask(candidate, task, failure)));
      } catch (error) {
        const isOver = task.draft.firstTokenAt !== null || task.draft.text.length > 0;
        if (!mayAskAnother(error) || isOver || task.signal.aborted) throw error;
        failure ??= { label: candidate.label, error };
        if (isLast) throw failure.error;
      }
    }
    throw failure!.error;
  }

  private async ask(
    candidate: Candidate,
    task: AnswerTask,
    failure: Failure | null,
  ): Promise<"answered" | "nothing-found"> {
    const { answerer } = candidate;
    task.draft.provider = answerer.provider;
    task.draft.model = answerer.model;
    if (failure === null) return answerer.answer(task);
    let isTold = false;
    const tell = (): void => {
      if (isTold) return;
      isTold = true;
      task.draft.notify(task.output, {
        code: "notice.model-fallback",
        params: { unavailable: failure.label, model: candidate.label },
      });
      this.onFallback(task, failure, candidate);
    };
    const outcome = await answerer.answer({
      ...task,
      output: new AnnouncedOutput(task.output, tell),
    });
    tell();
    return outcome;
  }
}

/** Calls `onStart` before the first text. */
class AnnouncedOutput implements AnswerOutput {
  constructor(
    private readonly inner: AnswerOutput,
    private readonly onStart: () => void,
  ) {}

  get batchMs(): number {
    return this.inner.batchMs;
  }
  get isFull(): boolean {
    return this.inner.isFull;
  }

  notify(notice: KnownFault): void {
    this.inner.notify(notice);
  }

  showQueue(ahead: number): void {
    this.inner.showQueue(ahead);
  }

  startWriting(...started: Parameters<AnswerOutput["startWriting"]>): void {
    this.onStart();
    this.inner.startWriting(...started);
  }

  sendText(...sent: Parameters<AnswerOutput["sendText"]>): void {
    this.inner.sendText(...sent);
  }

  sendStep(step: RunStep): void {
    this.onStart();
    this.inner.sendStep(step);
  }

  sendSources(sources: SourceWire[]): void {
    this.inner.sendSources(sources);
  }

  rewind(to: number): Promise<void> {
    return this.inner.rewind(to);
  }
}

/** A model that is down for an hour would otherwise fill the event log with every question. */
const quietMs = 10 * 60_000;

/** Chains models so that they are asked in order. */
@Injectable()
export class FallbackAnswerers {
  /** Pairs of models already in the event log, each logged at most once in 10 minutes. */
  private readonly recorded = new LRUCache<string, true>({ max: 256, ttl: quietMs });

  constructor(
    private readonly breakers: ModelBreakers,
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Parameters as in `FallbackAnswerer`; `version` is the settings' version. */
  create(
    candidates: readonly Omit<Candidate, "breaker">[],
    failure: Failure | null,
    version: number,
  ): Answerer {
    return new FallbackAnswerer(
      candidates.map((candidate) => ({
        ...candidate,
        breaker: this.breakers.find(candidate.answerer, version),
      })),
      failure,
      (...fallback) => void this.record(...fallback),
    );
  }

  /** Writes to the event log that another model answered. Never throws: the answer matters more. */
  private async record({ scope }: AnswerTask, failure: Failure, by: Candidate): Promise<void> {
    const key = JSON.stringify([failure.label, by.label]);
    if (this.recorded.has(key)) return;
    this.recorded.set(key, true);
    try {
      await this.outbox.add(
        this.dataSource.manager,
        eventMessage(eventLogged, {
          id: randomUUID(),
          event: "model_fallback",
          userId: scope.principal.userId,
          metadata: {
            workspaceSlug: scope.workspace.slug,
            unavailable: failure.label,
            model: by.label,
            reason: failure.error.message,
          },
          occurredAt: new Date().toISOString(),
        }),
      );
    } catch (error) {
      this.recorded.delete(key);
      this.logger.warn({ err: error }, "couldn't record that another model answered");
    }
  }
}
