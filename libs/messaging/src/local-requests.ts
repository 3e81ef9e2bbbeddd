import { AsyncLocalStorage } from "node:async_hooks";
import type { Fault, Operation } from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import { copyAsJson } from "./copy-as-json.ts";
import { maximumReplyBytes, queueFull, waitingLimit } from "./envelope.ts";
import type { RequestHandler } from "./handle.ts";
import { dropped, runOperation, type Request, type RequestAnswer } from "./run-operation.ts";

export interface LocalReplicaOptions {
  service: string;
  /** Whether one more request may run now, given the number of local ones already running. */
  hasRoom(running: number): boolean;
  /** Called whenever a request has ended. */
  onRoom(): void;
  logger: Logger;
}

/** The answer to a caller in this process; null if the service stopped before it began. */
type LocalAnswer = RequestAnswer<unknown> | null;

interface Call {
  request: Request;
  /** Has no effect after the first time. */
  end(answer: LocalAnswer): void;
}

/** How often to look for calls whose deadline has passed. */
const sweepMs = 20;

/** A service of this process, called by the others of its process. */
export class LocalReplica {
  /** Calls whose callers are waiting: calls without room come first, then running ones. */
  private readonly waiting = new Set<Call>();
  private readonly started = new Set<Call>();
  // Handlers run outside the caller's async context: across Redis they wouldn't inherit it either.
  private readonly outside = AsyncLocalStorage.snapshot();
  private runningCount = 0;
  private sweep: NodeJS.Timeout | undefined;

  constructor(
    readonly handlers: ReadonlyMap<string, RequestHandler>,
    private readonly options: LocalReplicaOptions,
  ) {}

  /** Includes calls whose callers no longer wait. */
  get running(): number {
    return this.runningCount;
  }

  /**
   * Calls the handler, at once if there is room. Settles no later than the deadline; null means
   * that another replica has to be asked.
   */
  call(request: Request): Promise<LocalAnswer> {
    if (this.runningCount + this.waiting.size >= waitingLimit)
      return Promise.resolve({ error: queueFull });
    // One timer for all deadlines: a timer per call costs more than the rest of its bookkeeping.
    this.sweep ??= setInterval(() => this.expire(), sweepMs);
    return new Promise((end) => {
      const call = { request, end };
      if (this.waiting.size === 0 && this.options.hasRoom(this.runningCount)) void this.run(call);
      else this.waiting.add(call);
    });
  }

  /** Starts waiting calls while there is room. */
  advance(): void {
    for (const call of this.waiting) {
      if (!this.options.hasRoom(this.runningCount)) return;
      if (this.expired(call)) continue;
      this.waiting.delete(call);
      void this.run(call);
    }
  }

  /** Leaves everything that hasn't started to another replica; running calls finish. */
  declineWaiting(): void {
    for (const call of this.waiting) call.end(null);
    this.waiting.clear();
  }

  /** Ends the calls that are still running. They may have had an effect, so not all may be repeated. */
  close(): void {
    clearInterval(this.sweep);
    this.sweep = undefined;
    this.declineWaiting();
    for (const call of this.started) {
      const mayRepeat = call.request.handler.operation.idempotency !== "none";
      call.end({ error: { code: mayRepeat ? "request.stopping" : "request.service-lost" } });
    }
    this.started.clear();
  }

  private async run(call: Call): Promise<void> {
    const { logger, onRoom } = this.options;
    this.runningCount += 1;
    this.started.add(call);
    const answer = await this.outside(runOperation<unknown>, call.request, {
      write: (output) => copyAsJson(output, maximumReplyBytes),
      logger,
    });
    this.runningCount -= 1;
    this.started.delete(call);
    call.end(answer.error ? { error: copyAsJson(answer.error, Infinity) as Fault } : answer);
    this.advance();
    onRoom();
  }

  private expire(): void {
    if (this.waiting.size + this.started.size === 0) {
      clearInterval(this.sweep);
      this.sweep = undefined;
      return;
    }
    for (const call of this.waiting) this.expired(call);
    const now = Date.now();
    for (const call of this.started) {
      if (call.request.head.deadline > now) continue;
      this.started.delete(call);
      call.end({ error: { code: "request.timed-out" } });
    }
  }

  /** A call that hasn't begun by its deadline never will, so it has had no effect. */
  private expired(call: Call): boolean {
    if (call.request.head.deadline > Date.now()) return false;
    this.waiting.delete(call);
    dropped.inc({ service: this.options.service, reason: "deadline" });
    call.end({ error: { code: "request.unavailable" } });
    return true;
  }
}

/** The services of this process. */
export class LocalServices {
  private readonly replicas = new Map<string, LocalReplica[]>();

  constructor(private readonly isEnabled: boolean) {}

  add(service: string, replica: LocalReplica): void {
    if (!this.isEnabled) return;
    this.replicas.set(service, [...(this.replicas.get(service) ?? []), replica]);
  }

  remove(service: string, replica: LocalReplica): void {
    const others = (this.replicas.get(service) ?? []).filter((other) => other !== replica);
    if (others.length > 0) this.replicas.set(service, others);
    else this.replicas.delete(service);
  }

  /** Returns the least busy replica that handles this operation, if there is one. */
  find({ name, service }: Operation): { replica: LocalReplica; handler: RequestHandler } | null {
    let least: { replica: LocalReplica; handler: RequestHandler } | null = null;
    for (const replica of this.replicas.get(service) ?? []) {
      const handler = replica.handlers.get(name);
      if (handler && (!least || replica.running < least.replica.running))
        least = { replica, handler };
    }
    return least;
  }
}
