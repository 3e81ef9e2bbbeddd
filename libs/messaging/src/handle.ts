import { Ctx, MessagePattern, Payload } from "@nestjs/microservices";
import type { DomainEvent, Job, Operation, Scope } from "@carrel/contracts";

/** What a handler knows about its request beside the input. */
export interface RequestContext {
  scope: Scope;
  /** The outermost request's id, the same in every hop. */
  requestId: string;
  /** Epoch ms; the caller's, never reset. */
  deadline: number;
  /** Aborts at the deadline. */
  signal: AbortSignal;
  idempotencyKey: string;
  contract: string;
}

export interface JobContext {
  /** From 1. */
  attempt: number;
  /** No further attempt follows a failure of this one: record the failed state before throwing. */
  lastAttempt: boolean;
  /** Aborts when the process drains and its time is over. */
  signal: AbortSignal;
  /** How many replicas died while they ran this job; from 2 on `lastAttempt` is true. */
  crashes: number;
}

export const processMetadata = Symbol("carrel job");
export const consumeMetadata = Symbol("carrel event");
export interface ProcessMetadata {
  job: Job;
  concurrency: number;
}

/**
 * Makes a method the handler of an operation: `(input: In<op>, ctx: RequestContext) =>
 * Promise<Out<op>>` on a Nest
 * `@Controller()`. Input is validated before, output after it.
 */
export function Handle(operation: Operation): MethodDecorator {
  return (target, key, descriptor) => {
    MessagePattern(operation.name)(target, key, descriptor as PropertyDescriptor);
    Payload()(target, key, 0);
    Ctx()(target, key, 1);
  };
}

/**
 * Makes a method of an `@Injectable()` the processor of a job: `(payload, context: JobContext) =>
 * Promise<void>`. Concurrency (default 4) is that of the job's queue in this replica.
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
 * Makes a method of an `@Injectable()` the consumer of a domain event: `(payload) =>
 * Promise<void>`. Delivered at least once, so it must be idempotent.
 */
export function Consume(event: DomainEvent): MethodDecorator {
  return (_target, _key, descriptor) => {
    Reflect.defineMetadata(consumeMetadata, event, descriptor.value as object);
  };
}
