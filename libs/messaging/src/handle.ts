import type { DomainEvent, Job, Operation, Scope } from "@carrel/contracts";

/** What a handler knows about its request apart from the input. */
export interface RequestContext {
  scope: Scope;
  /** ID of the outermost request, shared by every hop. */
  requestId: string;
  /** Epoch ms; set by the outermost caller and never extended. */
  deadline: number;
  /** Aborts at the deadline. */
  signal: AbortSignal;
  idempotencyKey: string;
  contract: string;
}

export interface JobContext {
  /** Starts at 1. */
  attempt: number;
  /** This attempt is the last: record the failed state before throwing. */
  lastAttempt: boolean;
  /** Aborts when the process is shutting down and its grace period is over. */
  signal: AbortSignal;
  /** How many replicas crashed while running this job; from 2 on `lastAttempt` is true. */
  crashes: number;
}

/** A method marked with `Handle`. */
export interface RequestHandler {
  operation: Operation;
  run(input: unknown, ctx: RequestContext): unknown;
}

export const handleMetadata = Symbol("carrel operation");
export const processMetadata = Symbol("carrel job");
export const failedMetadata = Symbol("carrel failed jobs");
export const consumeMetadata = Symbol("carrel event");
export interface ProcessMetadata {
  job: Job;
  concurrency: number;
}

/**
 * Makes a method of a Nest `@Controller()` the handler of an operation: `(input: In<op>, ctx:
 * RequestContext) => Promise<Out<op>>`. Both input and output are validated.
 */
export function Handle(operation: Operation): MethodDecorator {
  return (_target, _key, descriptor) => {
    Reflect.defineMetadata(handleMetadata, operation, descriptor.value as object);
  };
}

/**
 * Makes a method of an `@Injectable()` the processor of a job: `(payload, context: JobContext) =>
 * Promise<void>`. `concurrency` (default 4) applies to the job's queue in this replica.
 */
export function Process(job: Job, options: { concurrency?: number } = {}): MethodDecorator {
  return (_target, _key, descriptor) => {
    Reflect.defineMetadata(
      processMetadata,
      { job, concurrency: options.concurrency ?? 4 } satisfies ProcessMetadata,
      descriptor.value as object,
    );
  };
}

/**
 * Makes a method of an `@Injectable()` clean up after jobs that failed for good, whatever the
 * cause: `(payload) => Promise<void>`. It marks the job's row as failed unless the row has moved
 * on.
 */
export function ProcessFailed(...jobs: Job[]): MethodDecorator {
  return (_target, _key, descriptor) => {
    Reflect.defineMetadata(failedMetadata, jobs, descriptor.value as object);
  };
}

/**
 * Makes a method of an `@Injectable()` the consumer of a domain event: `(payload) =>
 * Promise<void>`. Delivery is at least once, so it must be idempotent.
 */
export function Consume(event: DomainEvent): MethodDecorator {
  return (_target, _key, descriptor) => {
    Reflect.defineMetadata(consumeMetadata, event, descriptor.value as object);
  };
}
