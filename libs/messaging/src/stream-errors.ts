/** The stream is unknown, expired, or lost with Redis: the caller should answer from PostgreSQL. */
export class StreamGoneError extends Error {
  override readonly name = "StreamGoneError";
  constructor(key: string) {
    super(`The stream ${key} does not exist or has expired`);
  }
}
/** The stream exceeds 4 MB of text: the writer has to stop. */
export class StreamFullError extends Error {
  override readonly name = "StreamFullError";
  constructor(key: string) {
    super(`The stream ${key} has reached its limit of 4 MB`);
  }
}
/** Another writer took over this stream after the lease expired: this one must stop. */
export class StreamTakenError extends Error {
  override readonly name = "StreamTakenError";
  constructor(key: string) {
    super(`Another writer has taken over the stream ${key}`);
  }
}
