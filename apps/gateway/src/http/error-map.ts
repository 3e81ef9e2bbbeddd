import { randomUUID } from "node:crypto";
import {
  CarrelError,
  type ErrorKind,
  type ErrorReply,
  type Fault,
  type Operation,
} from "@carrel/contracts";
import { isRedisOutOfMemory, isStorageFull } from "@carrel/messaging";
import { ZodError } from "zod";

/** A failure as sent to the client. */
export interface HttpFailure {
  status: number;
  kind: "json" | "text" | "empty";
  body: unknown;
  /** Sent in a header to clients with their own texts. */
  fault: Fault;
  /** Seconds for the Retry-After header. */
  retryAfter?: number;
}
type Reply = Pick<HttpFailure, "status" | "kind" | "body">;

/** Default status of each kind; an operation may override it (`Operation.errors`). */
const statusOf: Record<ErrorKind, number> = {
  BAD_INPUT: 400,
  UNAUTHENTICATED: 401,
  // wire-contract 1.1: a role without permission gets a bare 401.
  FORBIDDEN: 401,
  KEY_REFUSED: 403,
  KEY_FORBIDDEN: 403,
  DISABLED: 403,
  REFUSED: 400,
  TOO_MANY_ATTEMPTS: 429,
  NOT_FOUND: 404,
  WORKSPACE_NOT_FOUND: 404,
  THREAD_NOT_FOUND: 404,
  GENERATION_NOT_FOUND: 404,
  DOCUMENT_NOT_FOUND: 404,
  CONFLICT: 409,
  PASSWORD_WRONG: 401,
  PASSWORD_NOT_SET: 401,
  SETTING_REFUSED: 400,
  TOO_LARGE: 413,
  UNSUPPORTED: 415,
  DOCUMENT_UNREADABLE: 422,
  LINK_REFUSED: 400,
  LINK_UNREACHABLE: 422,
  PROVIDER_FAILED: 502,
  BUSY: 503,
  TIMEOUT: 504,
  SERVICE_LOST: 503,
  UNAVAILABLE: 503,
  INTERNAL: 500,
};

const reasonPhrase: Record<number, string> = {
  400: "Bad Request",
  401: "Unauthorized",
  404: "Not Found",
  503: "Service Unavailable",
};

/**
 * Fastify's own refusals (body too large, malformed JSON, …) carry a status; any other error that
 * is not a CarrelError is a bug.
 */
function toCarrelError(error: unknown): CarrelError {
  if (error instanceof CarrelError) return error;
  if (isStorageFull(error)) return new CarrelError("request.storage-full", {}, { cause: error });
  if (isRedisOutOfMemory(error)) return new CarrelError("request.queue-full", {}, { cause: error });
  const { statusCode, message } = (error ?? {}) as { statusCode?: unknown; message?: unknown };
  if (statusCode === 408) return new CarrelError("request.body-too-slow", {}, { cause: error });
  if (statusCode === 413) return new CarrelError("request.too-large", {}, { cause: error });
  if (typeof statusCode === "number" && statusCode >= 400 && statusCode < 500)
    return new CarrelError("request.malformed", { reason: String(message) }, { cause: error });
  return new CarrelError("request.failed", {}, { cause: error });
}

/** Values for the placeholders of an `ErrorReply`. */
interface Filling {
  message: string;
  id: string;
  param: string | null;
}

/**
 * The first invalid field as OpenAI writes it (`messages[0].role`); null if no field is at fault.
 */
function findParam({ cause, params }: CarrelError): string | null {
  if (typeof params.field === "string") return params.field;
  if (!(cause instanceof ZodError)) return null;
  const path = cause.issues[0]?.path ?? [];
  if (path.length === 0) return null;
  return path
    .map((key, n) => (typeof key === "number" ? `[${key}]` : `${n > 0 ? "." : ""}${String(key)}`))
    .join("");
}

function fill(reply: ErrorReply, filling: Filling): Reply {
  if (reply.kind === "empty") return { status: reply.status, kind: "empty", body: null };
  if (reply.kind === "text")
    return { status: reply.status, kind: "text", body: reply.text ?? filling.message };
  return { status: reply.status, kind: "json", body: fillIn(reply.body, filling) };
}

function fillIn(body: unknown, filling: Filling): unknown {
  if (body === "$id") return filling.id;
  if (body === "$param") return filling.param;
  if (typeof body === "string") return body.replace("$message", () => filling.message);
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, fillIn(value, filling)]),
  );
}

/** How a route reports errors of a kind; `id` is for replies that include an ID. */
export function replyTo(
  kind: ErrorKind,
  message: string,
  route?: Pick<Operation, "errors">,
  id: string = randomUUID(),
  param: string | null = null,
): Reply {
  const override = route?.errors?.[kind];
  if (override !== undefined) return fill(override, { message, id, param });
  const status = statusOf[kind];
  if (kind === "FORBIDDEN") return { status, kind: "text", body: reasonPhrase[status] };
  return { status, kind: "json", body: { error: message } };
}

/** Retry-After while a disk is full: people have to make room. */
const spaceSeconds = 10;

/**
 * Total: maps whatever was thrown to a response that never contains a stack, a path or a secret.
 */
export function mapError(thrown: unknown, route?: Pick<Operation, "errors">): HttpFailure {
  const error = toCarrelError(thrown);
  const { code, params, kind, message, retryAfter } = error;
  const fault: Fault = { code, params };
  if (code === "request.body-too-slow")
    return { status: 408, kind: "json", body: { error: message }, fault };
  const reply = { ...replyTo(kind, message, route, undefined, findParam(error)), fault };
  // Other faults of this kind, such as a missing model, don't go away within a second.
  const isAway = kind === "UNAVAILABLE" && code.startsWith("request.");
  return kind === "BUSY" || kind === "TOO_MANY_ATTEMPTS" || isAway
    ? { ...reply, retryAfter: retryAfter ?? (code === "request.storage-full" ? spaceSeconds : 1) }
    : reply;
}
