import type { listEvents, Out } from "@carrel/contracts";
import type { KnownUser } from "../user/user-directory.ts";
import type { LoggedEvent } from "./event.entity.ts";

/**
 * Maps an entry to the wire format (wire-contract 2.5): metadata is JSON text, and deleted users or
 * actors without an account appear as "unknown user".
 */
export const mapEventToWire = (
  event: LoggedEvent,
  users: ReadonlyMap<number, KnownUser>,
): Out<typeof listEvents>["logs"][number] => ({
  id: event.id,
  event: event.event,
  metadata: Object.keys(event.metadata).length === 0 ? null : JSON.stringify(event.metadata),
  userId: event.userId,
  occurredAt: event.occurredAt.toISOString(),
  user: {
    username:
      (event.userId === null ? undefined : users.get(event.userId)?.username) ?? "unknown user",
  },
});
