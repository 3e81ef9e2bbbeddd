import { keys, readStored } from "./session-storage.ts";

/** Sessions are rechecked after five minutes (specification 1, section 9). */
const recheckAfter = 5 * 60 * 1000;

/** True if there has been no check yet or the last one is older than five minutes. */
export function needsCheck(now = Date.now()): boolean {
  const last = Number(readStored(keys.timestamp));
  return !last || now - last > recheckAfter || last > now;
}
