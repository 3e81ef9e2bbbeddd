/** A value for `Idempotency-Key`. `crypto.randomUUID` would need HTTPS. */
export const makeRequestKey = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].join("-");
