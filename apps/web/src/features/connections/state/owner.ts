import type { ConnectionWire } from "@carrel/contracts";
import { useCurrentUser } from "../../../lib/current-user.ts";

/**
 * Whether the user may let more people see a source's documents: whoever added it may, and the one
 * person of an instance without accounts. `saved` is null for a new source.
 */
export function useMayOpen(saved: Pick<ConnectionWire, "ownerId"> | null): boolean {
  const user = useCurrentUser();
  return user === null || saved === null || saved.ownerId === user.id;
}
