import { keys, readStored, writeStored } from "./session-storage.ts";

/** A value for `Idempotency-Key`. `crypto.randomUUID` would need HTTPS. */
export const makeRequestKey = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].join("-");

/*
 * Whether the instance records traces. It is part of the settings that every session check reads,
 * and stored in the browser so that it is known while the last check is fresh.
 */
export const storeTracing = (settings: Record<string, unknown>): void =>
  writeStored(keys.tracing, settings.TracingEnabled === true ? "on" : null);

const randomHex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

/**
 * Starts a trace for something that the user does (W3C trace context) and returns the headers for
 * its requests; none unless the instance records traces.
 */
export const startTrace = (): Record<string, string> =>
  readStored(keys.tracing) === "on"
    ? { traceparent: `00-${randomHex(16)}-${randomHex(8)}-01` }
    : {};
