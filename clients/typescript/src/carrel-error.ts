/** A request that Carrel refused, or an answer that it couldn't finish. */
export class CarrelError extends Error {
  override name = "CarrelError";
  /** The reply's HTTP status; null if the answer failed after it had started. */
  readonly status: number | null;
  /** The reply's body: JSON if possible, otherwise text. */
  readonly body: unknown;

  // No parameter properties: Node runs the sources as they are, without their types.
  constructor(message: string, status: number | null, body: unknown) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

/** The API reports a failure in `error` or `message`, or as text. */
export function toCarrelError(body: unknown, status: number): CarrelError {
  const { error, message } = (typeof body === "object" && body !== null ? body : {}) as {
    error?: unknown;
    message?: unknown;
  };
  const nested = (error as { message?: unknown } | null | undefined)?.message; // OpenAI's shape
  const text = [nested, error, message, body].find(
    (value): value is string => typeof value === "string" && value !== "",
  );
  return new CarrelError(text ?? `Carrel replied with status ${status}.`, status, body);
}
