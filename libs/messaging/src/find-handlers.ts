import type { MetadataScanner } from "@nestjs/core";
import type { DomainEvent, Job, Operation } from "@carrel/contracts";
import type { EventHandler } from "./event-consumer.ts";
import {
  consumeMetadata,
  failedMetadata,
  handleMetadata,
  processMetadata,
  type JobContext,
  type ProcessMetadata,
  type RequestHandler,
} from "./handle.ts";
import type { JobProcessor } from "./job-runner.ts";

/** A method of a Nest provider or controller. */
interface FoundMethod {
  method: object;
  call(...values: unknown[]): unknown;
}

/** All methods of these instances, some of which are marked by the decorators of handle.ts. */
export function methodsOf(instances: Iterable<unknown>, scanner: MetadataScanner): FoundMethod[] {
  const found: FoundMethod[] = [];
  for (const instance of new Set(instances)) {
    if (typeof instance !== "object" || instance === null) continue;
    const prototype = Object.getPrototypeOf(instance) as object | null;
    for (const name of prototype ? scanner.getAllMethodNames(prototype) : []) {
      const method = (instance as Record<string, unknown>)[name];
      if (typeof method === "function")
        found.push({ method, call: method.bind(instance) as FoundMethod["call"] });
    }
  }
  return found;
}

/** One entry per marked method, so that duplicates show; likewise below. */
export const findHandlers = (methods: readonly FoundMethod[]): RequestHandler[] =>
  methods.flatMap(({ method, call }) => {
    const operation = Reflect.getMetadata(handleMetadata, method) as Operation | undefined;
    return operation ? [{ operation, run: call }] : [];
  });

export function findProcessors(methods: readonly FoundMethod[]): JobProcessor[] {
  const ends = new Map(
    methods.flatMap(({ method, call }) =>
      ((Reflect.getMetadata(failedMetadata, method) as Job[] | undefined) ?? []).map(
        (job) => [job, async (payload: unknown) => void (await call(payload))] as const,
      ),
    ),
  );
  return methods.flatMap(({ method, call }) => {
    const found = Reflect.getMetadata(processMetadata, method) as ProcessMetadata | undefined;
    if (!found) return [];
    const run = async (payload: unknown, job: JobContext): Promise<void> =>
      void (await call(payload, job));
    return [{ ...found, run, failed: ends.get(found.job) }];
  });
}

export const findConsumers = (methods: readonly FoundMethod[]): EventHandler[] =>
  methods.flatMap(({ method, call }) => {
    const event = Reflect.getMetadata(consumeMetadata, method) as DomainEvent | undefined;
    return event ? [{ event, run: async (payload: unknown) => void (await call(payload)) }] : [];
  });
