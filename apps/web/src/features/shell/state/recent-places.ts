import { readCurrentUser } from "../../../lib/current-user.ts";
import { keys, readStored, writeStored } from "../../../lib/session-storage.ts";

/** A recently opened thread; `thread` is null for the default thread. Names as of that visit. */
export interface RecentPlace {
  slug: string;
  thread: string | null;
  workspaceName: string;
  threadName: string;
}
interface Stored {
  user: number | null;
  places: RecentPlace[];
}

const maxPlaces = 8;
const isPlace = (value: unknown): value is RecentPlace => {
  const place = value as Partial<RecentPlace> | null;
  return (
    typeof place === "object" &&
    place !== null &&
    typeof place.slug === "string" &&
    (place.thread === null || typeof place.thread === "string") &&
    typeof place.workspaceName === "string" &&
    typeof place.threadName === "string"
  );
};

/** Newest first; empty if someone else left them in this browser. */
export function readRecentPlaces(): RecentPlace[] {
  try {
    const stored = JSON.parse(readStored(keys.recentPlaces) ?? "null") as Partial<Stored> | null;
    if (
      typeof stored !== "object" ||
      stored === null ||
      stored.user !== (readCurrentUser()?.id ?? null) ||
      !Array.isArray(stored.places)
    )
      return [];
    return stored.places.filter(isPlace);
  } catch {
    return []; // not our value
  }
}

export function storeRecentPlace(place: RecentPlace): void {
  const others = readRecentPlaces().filter(
    (each) => each.slug !== place.slug || each.thread !== place.thread,
  );
  writeStored(
    keys.recentPlaces,
    JSON.stringify({
      user: readCurrentUser()?.id ?? null,
      places: [place, ...others].slice(0, maxPlaces),
    } satisfies Stored),
  );
}
