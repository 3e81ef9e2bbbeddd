import { readCurrentUser } from "../../../lib/current-user.ts";
import { keys, readStored, writeStored } from "../../../lib/session-storage.ts";

/** A thread that was looked at; `thread` null is the default thread. Names as they were then. */
export interface RecentPlace {
  slug: string;
  thread: string | null;
  workspaceName: string;
  threadName: string;
}
interface Kept {
  user: number | null;
  places: RecentPlace[];
}

const most = 8;
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

/** Newest first. What another person left in this browser is not shown. */
export function readRecentPlaces(): RecentPlace[] {
  try {
    const kept = JSON.parse(readStored(keys.recentPlaces) ?? "null") as Partial<Kept> | null;
    if (
      typeof kept !== "object" ||
      kept === null ||
      kept.user !== (readCurrentUser()?.id ?? null) ||
      !Array.isArray(kept.places)
    )
      return [];
    return kept.places.filter(isPlace);
  } catch {
    return []; // someone else's value under our key
  }
}

export function noteRecentPlace(place: RecentPlace): void {
  const others = readRecentPlaces().filter(
    (each) => each.slug !== place.slug || each.thread !== place.thread,
  );
  writeStored(
    keys.recentPlaces,
    JSON.stringify({
      user: readCurrentUser()?.id ?? null,
      places: [place, ...others].slice(0, most),
    } satisfies Kept),
  );
}
