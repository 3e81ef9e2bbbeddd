import { z } from "zod";
import type { Access } from "./access.ts";
import type { ErrorReply } from "./error-reply.ts";
import type { ErrorKind } from "./errors/error-definition.ts";

export type ServiceName = "auth" | "workspace" | "chat" | "ingest" | "connectors" | "sync-worker";

/**
 * One HTTP route of an operation. The first is the main one; the others (developer API, browser
 * extension) declare only what differs.
 */
export interface HttpRoute<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  /** Name in the API docs and the metrics; default: the operation's. */
  name?: string;
  method: "GET" | "POST" | "PUT" | "DELETE";
  /**
   * Path below /api, with `:name` parameters. Input merges query, body and path parameters; later
   * ones win.
   */
  path: string;
  summary: string;
  /** Maximum size of a JSON body in bytes; default 1 MB, or 32 kB on public routes. */
  bodyLimit?: number;
  /** Maximum number of values in a JSON body; default 20,000. */
  bodyValues?: number;
  /**
   * For a GET that changes something, as existing clients expect it: a page of another site could
   * request it as an image, so the request must show that it isn't one.
   */
  changesState?: true;
  /** Input field that receives the whole JSON body. */
  bodyField?: string;
  /** The handler reads the body from the request, up to the limit, for signatures of it. */
  rawBody?: true;
  /** Anything but `application/json` counts as no body; other routes read every type as JSON. */
  needsJsonType?: true;
  /** Default: the operation's. */
  access?: Access;
  /** What clients send here, if different: a schema whose output is the operation's input. */
  input?: z.ZodType<z.input<I>>;
  /** What clients receive here, if different: `mapReply` builds it from the operation's output. */
  output?: z.ZodType;
  /** Pure; may throw a CarrelError if this route refuses what the operation only reports. */
  mapReply?(output: z.output<O>): unknown;
  /** Default: the operation's. */
  success?: Success;
  /** Merged over the operation's error replies. */
  errors?: ErrorReplies;
}

export interface Success {
  status: number;
  kind: "json" | "text" | "empty" | "bytes" | "sse";
}
export type ErrorReplies = Partial<Record<ErrorKind, ErrorReply>>;

/**
 * One operation, fully described in one place. The gateway derives route, guard, validation,
 * forwarding and docs from it; the service named by `service` must have exactly one handler for it,
 * or boot fails.
 */
export interface Operation<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  /** `<service>.<noun>.<verb>` */
  name: string;
  service: ServiceName | "gateway";
  routes: readonly HttpRoute<I, O>[];
  /**
   * generic: the gateway forwards the request to the service. custom: a gateway method handles it
   * (event streams, uploads, downloads, views), under the same contract policy.
   */
  mount: "generic" | "custom";
  access: Access;
  input: I;
  /** Response body for kind json; z.void() for text ("OK"), empty, bytes and sse. */
  output: O;
  success: Success;
  errors?: ErrorReplies;
  /**
   * For outcomes that return data along with a failure: the wire's field for the English text of
   * the output's `fault`, and the field's value without one (default: null).
   */
  english?: { field: "error" | "message"; none?: false };
  /**
   * What happens on redelivery after a crash. none: the caller gets SERVICE_LOST. natural: running
   * it again is harmless. keyed: the handler stores the result under the request's idempotency key
   * in its own transaction.
   */
  idempotency: "none" | "natural" | "keyed";
  /**
   * Services the handler sends requests to; the graph over all operations must have no cycle
   * (checked on boot).
   */
  calls: readonly ServiceName[];
  /** Default deadline for callers, in ms. */
  timeoutMs: number;
}

export type In<T> = T extends Operation<infer I, infer _O> ? z.output<I> : never;
/** What a caller may pass: the input before defaults and coercion. */
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
  /** BullMQ queue; one per kind of load. */
  queue: string;
  payload: P;
  attempts: number;
  /** First backoff in ms; doubles with each attempt. */
  backoffMs: number;
  /**
   * Payload field whose values take turns, so that one value's many jobs do not delay another's
   * few. Default: first come, first served.
   */
  fairBy?: string;
}
export type JobPayload<T> = T extends Job<infer P> ? z.output<P> : never;
export const defineJob = <P extends z.ZodType>(job: Job<P>): Job<P> => job;

/**
 * A domain event, delivered at least once to every service in `consumers` and broadcast to all
 * processes so they can invalidate caches.
 */
export interface DomainEvent<P extends z.ZodType = z.ZodType> {
  name: string;
  service: ServiceName;
  consumers: readonly ServiceName[];
  payload: P;
}
export type EventPayload<T> = T extends DomainEvent<infer P> ? z.output<P> : never;
export const defineEvent = <P extends z.ZodType>(event: DomainEvent<P>): DomainEvent<P> => event;

/** Contributions of one noun; on boot, every operation and job must have exactly one handler. */
export interface Contracts {
  operations?: readonly Operation[];
  jobs?: readonly Job[];
  events?: readonly DomainEvent[];
}

/**
 * A route with everything that applies to it: mounted by the gateway and described in the API docs.
 */
export interface Endpoint extends Pick<
  HttpRoute,
  "method" | "path" | "summary" | "mapReply" | "changesState"
> {
  name: string;
  operation: Operation;
  bodyLimit: number | undefined;
  bodyValues: number | undefined;
  bodyField: string | undefined;
  rawBody: boolean;
  needsJsonType: boolean;
  access: Access;
  input: z.ZodType;
  output: z.ZodType;
  success: Success;
  errors: ErrorReplies;
}

/** The output as clients receive it, with its fault as English text. */
function describeReply({ output, english }: Operation): z.ZodType {
  if (english === undefined || !(output instanceof z.ZodObject)) return output;
  const text = english.none === false ? z.literal(false).or(z.string()) : z.string().nullable();
  return output.omit({ fault: true }).extend({ [english.field]: text });
}

export const listEndpoints = (operations: readonly Operation[]): Endpoint[] =>
  operations.flatMap((operation) =>
    operation.routes.map((route) => ({
      operation,
      name: route.name ?? operation.name,
      method: route.method,
      path: route.path,
      summary: route.summary,
      bodyLimit: route.bodyLimit,
      bodyValues: route.bodyValues,
      bodyField: route.bodyField,
      rawBody: route.rawBody === true,
      needsJsonType: route.needsJsonType === true,
      access: route.access ?? operation.access,
      input: route.input?.pipe(operation.input) ?? operation.input,
      output: route.output ?? describeReply(operation),
      success: route.success ?? operation.success,
      errors: { ...operation.errors, ...route.errors },
      ...(route.changesState === undefined ? {} : { changesState: route.changesState }),
      ...(route.mapReply === undefined ? {} : { mapReply: route.mapReply.bind(route) }),
    })),
  );
