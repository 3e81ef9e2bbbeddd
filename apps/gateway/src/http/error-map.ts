import { CarrelError, type ErrorCode, type ErrorReply, type Operation } from "@carrel/contracts";

/** A failure as sent to the client. */
export interface HttpFailure {
  status: number;
  kind: "json" | "text" | "empty";
  body: unknown;
  /** Seconds for the Retry-After header. */
  retryAfter?: number;
}

/** Default status of each code; an operation may override it (`Operation.errors`). */
const statusOf: Record<ErrorCode, number> = {
  BAD_INPUT: 400,
  UNAUTHENTICATED: 401,
  // wire-contract 1.1: a role without permission gets a bare 401.
  FORBIDDEN: 401,
  KEY_REFUSED: 403,
  DISABLED: 403,
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
  const { statusCode, message } = (error ?? {}) as { statusCode?: unknown; message?: unknown };
  if (statusCode === 413)
    return new CarrelError("TOO_LARGE", "The request is too large.", { cause: error });
  if (typeof statusCode === "number" && statusCode >= 400 && statusCode < 500)
    return new CarrelError("BAD_INPUT", String(message), { cause: error });
  return new CarrelError(
    "INTERNAL",
    "Something went wrong on our side. The details are in the log.",
    { cause: error },
  );
}

function fill(reply: ErrorReply, error: CarrelError): HttpFailure {
  if (reply.kind === "empty") return { status: reply.status, kind: "empty", body: null };
  if (reply.kind === "text")
    return { status: reply.status, kind: "text", body: reply.text ?? error.message };
  const body = Object.fromEntries(
    Object.entries(reply.body).map(([key, value]) => [
      key,
      value === "$message" ? error.message : value,
    ]),
  );
  return { status: reply.status, kind: "json", body };
}

/**
 * Total: maps whatever was thrown to a response that never contains a stack, a path or a secret.
 */
export function mapError(thrown: unknown, route?: Pick<Operation, "errors">): HttpFailure {
  if ((thrown as { statusCode?: unknown } | null)?.statusCode === 408)
    return {
      status: 408,
      kind: "json",
      body: { error: "The body of the request came too slowly." },
    };
  const error = toCarrelError(thrown);
  const override = route?.errors?.[error.code];
  const failure = override !== undefined ? fill(override, error) : generalFailure(error);
  if (error.code !== "BUSY" && error.code !== "TOO_MANY_ATTEMPTS") return failure;
  const { retryAfter, retryAfterSeconds } = error.details ?? {};
  return {
    ...failure,
    retryAfter:
      ([retryAfter, retryAfterSeconds].find((seconds) => typeof seconds === "number") as
        number | undefined) ?? 1,
  };
}

function generalFailure(error: CarrelError): HttpFailure {
  const status = statusOf[error.code];
  if (error.code === "FORBIDDEN") return { status, kind: "text", body: reasonPhrase[status] };
  return { status, kind: "json", body: { error: error.message } };
}
