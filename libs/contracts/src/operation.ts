import type { z } from "zod";
import type { Access } from "./access.ts";
import type { ErrorCode } from "./error.ts";
import type { ErrorReply } from "./error-reply.ts";

export type ServiceName = "auth" | "workspace" | "chat" | "ingest" | "connectors";

/**
 * One address at which clients reach an operation. The first route is the operation's own; the
 * others (the developer API's, the browser extension's) say what differs there.
 */
export interface HttpRoute<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  /** In the API docs and the metrics; default: the operation's. */
  name?: string;
  method: "GET" | "POST" | "PUT" | "DELETE";
  /**
   * Below /api, with `:name` parameters. Input is query, then body, then parameters; the last one
   * wins.
   */
  path: string;
  summary: string;
  /** Maximum size of a JSON body in bytes; default 1 MB. */
  bodyLimit?: number;
  /** The field of the input that the whole JSON body is the value of. */
  bodyField?: string;
  /** Default: the operation's. */
  access?: Access;
  /** What clients send here, where that differs: a schema whose output is the operation's input. */
  input?: z.ZodType<z.input<I>>;
  /** What clients get here, where that differs: `mapReply` makes it of the operation's output. */
  output?: z.ZodType;
  /** Pure; may throw a CarrelError where this route refuses what the operation merely reports. */
  mapReply?(output: z.output<O>): unknown;
  /** Default: the operation's. */
  success?: Success;
  /** Added to the operation's, and preferred to them. */
  errors?: ErrorReplies;
}

export interface Success {
  status: number;
  kind: "json" | "text" | "empty" | "bytes" | "sse";
}
export type ErrorReplies = Partial<Record<ErrorCode, ErrorReply>>;

/**
 * One operation: everything about it in one place. The gateway derives route, guard, validation,
 * forwarding and docs
 * from it; the service named by `service` must have exactly one handler for it, or boot fails.
 */
export interface Operation<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  /** `<service>.<noun>.<verb>` */
  name: string;
  service: ServiceName | "gateway";
  routes: readonly HttpRoute<I, O>[];
  /**
   * generic: the gateway forwards the request to the service. custom: the gateway has a route method
   * for it (event streams, uploads, downloads, views), still under the contract's policy.
   */
  mount: "generic" | "custom";
  access: Access;
  input: I;
  /** The body on the wire for kind json; z.void() for text ("OK"), empty, bytes and sse. */
  output: O;
  success: Success;
  errors?: ErrorReplies;
  /**
   * What a second delivery after a crash does. none: the caller gets SERVICE_LOST. natural: running
   * it again is
   * harmless. keyed: the handler stores the result under the request's idempotency key in its own
   * transaction.
   */
  idempotency: "none" | "natural" | "keyed";
  /**
   * Services that the handler requests from; the graph over all operations has no cycle (checked at
   * boot).
   */
  calls: readonly ServiceName[];
  /** The caller's deadline when it sets none, in ms. */
  timeoutMs: number;
}

export type In<T> = T extends Operation<infer I, infer _O> ? z.output<I> : never;
/** What a caller may pass: before defaults and coercion. */
export type Args<T> = T extends Operation<infer I, infer _O> ? z.input<I> : never;
export type Out<T> = T extends Operation<infer _I, infer O> ? z.output<O> : never;

type Partially = "routes" | "mount" | "success" | "idempotency" | "calls" | "timeoutMs";
export function defineOperation<I extends z.ZodType, O extends z.ZodType>(
  operation: Omit<Operation<I, O>, Partially> & Partial<Pick<Operation<I, O>, Partially>>,
): Operation<I, O> {
  return {
    routes: [],
    mount: "generic",
    success: { status: 200, kind: "json" },
    idempotency: operation.routes?.[0]?.method === "GET" ? "natural" : "none",
    calls: [],
    timeoutMs: 30_000,
    ...operation,
  };
}

/**
 * Durable work. The job id is `<name>:<row id>:<row version>`, never a content hash (BullMQ ignores
 * an add whose id exists).
 */
export interface Job<P extends z.ZodType = z.ZodType> {
  name: string;
  service: ServiceName;
  /** One BullMQ queue for each kind of load. */
  queue: string;
  payload: P;
  attempts: number;
  /** First back-off in ms, doubling. */
  backoffMs: number;
  /**
   * Field of the payload whose values take turns: the many jobs of one do not make the few of
   * another wait. Default: first come, first served.
   */
  fairBy?: string;
}
export type JobPayload<T> = T extends Job<infer P> ? z.output<P> : never;
export const defineJob = <P extends z.ZodType>(job: Job<P>): Job<P> => job;

/**
 * Something that happened, told at least once to every service in `consumers`, and broadcast to all
 * processes for caches.
 */
export interface DomainEvent<P extends z.ZodType = z.ZodType> {
  name: string;
  service: ServiceName;
  consumers: readonly ServiceName[];
  payload: P;
}
export type EventPayload<T> = T extends DomainEvent<infer P> ? z.output<P> : never;
export const defineEvent = <P extends z.ZodType>(event: DomainEvent<P>): DomainEvent<P> => event;
