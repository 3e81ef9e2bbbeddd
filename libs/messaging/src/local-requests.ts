import { AsyncLocalStorage } from "node:async_hooks";
import type { Operation } from "@carrel/contracts";
import { waitingLimit } from "./envelope.ts";
import type { OpenedRequest } from "./open-request.ts";
import type { RequestAnswer } from "./run-operation.ts";

/** A request of a caller in this process. */
export interface LocalRequest extends OpenedRequest {
  answer(answer: RequestAnswer): void;
  /**
   * Called instead of `answer` if the service stops first, so that another replica may take the
   * request.
   */
  decline(): void;
}

export interface LocalRequestsOptions {
  operations: ReadonlyMap<string, Operation>;
  /** Whether one more request may run now, given the number of local ones already running. */
  hasRoom(running: number): boolean;
  /** Must not throw. */
  run(request: OpenedRequest): Promise<RequestAnswer>;
  /** Called for a request whose caller stopped waiting before it started. */
  onExpired(): void;
  /** Called whenever a request has ended. */
  onRoom(): void;
}

/** Requests to one service from callers in its own process, in order of arrival. */
export class LocalRequests {
  private readonly waiting = new Set<LocalRequest>();
  // Handlers run outside the caller's async context: across Redis they wouldn't inherit it either.
  private readonly outside = AsyncLocalStorage.snapshot();
  private runningCount = 0;

  constructor(private readonly options: LocalRequestsOptions) {}

  get running(): number {
    return this.runningCount;
  }

  serves(operation: Operation): boolean {
    return this.options.operations.has(operation.name);
  }

  /** Returns false if too many requests are waiting. */
  take(request: LocalRequest): boolean {
    if (this.runningCount + this.waiting.size >= waitingLimit) return false;
    this.waiting.add(request);
    this.advance();
    return true;
  }

  /**
   * The caller no longer waits: the request is not started, and makes room for others. Returns false
   * if it has been started.
   */
  abandon(request: LocalRequest): boolean {
    const isWaiting = this.waiting.delete(request);
    if (isWaiting) this.options.onExpired();
    return isWaiting;
  }

  /** Starts waiting requests while there is room. */
  advance(): void {
    for (const request of this.waiting) {
      if (!this.options.hasRoom(this.runningCount)) return;
      this.waiting.delete(request);
      if (request.head.deadline <= Date.now()) this.options.onExpired();
      else {
        this.runningCount += 1;
        void this.outside(() => this.run(request));
      }
    }
  }

  /** Declines everything that has not started; running requests finish. */
  declineWaiting(): void {
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const request of waiting) request.decline();
  }

  private async run(request: LocalRequest): Promise<void> {
    const answer = await this.options.run(request);
    this.runningCount -= 1;
    request.answer(answer);
    this.advance();
    this.options.onRoom();
  }
}
