import { recordRatings, type ChatRecordFilter } from "@carrel/contracts";
import { clipText } from "@carrel/contracts/clip-text";
import { isDay, readId } from "../../../lib/search-values.ts";

/** The page's address: a page number from 1, and the list's filters. */
export interface RecordedChatSearch {
  page?: number;
  workspaceId?: number;
  userId?: number | "none";
  from?: string;
  to?: string;
  rating?: NonNullable<ChatRecordFilter["rating"]>;
  search?: string;
}

/** Reads an address that anyone may have typed; invalid parts are left out. */
export function readRecordedChatSearch(search: Record<string, unknown>): RecordedChatSearch {
  const { from, to, userId } = search;
  // The router reads numeric text in the address as a number.
  const text =
    typeof search.search === "string" || typeof search.search === "number"
      ? clipText(String(search.search), 500)
      : "";
  const page = readId(search.page);
  const read = {
    page: page !== undefined && page > 1 && page <= 1_000_000 ? page : undefined,
    workspaceId: readId(search.workspaceId),
    userId: userId === "none" ? userId : readId(userId),
    from: isDay(from) ? from : undefined,
    to: isDay(to) ? to : undefined,
    rating: recordRatings.find((rating) => rating === search.rating),
    search: text.trim() === "" ? undefined : text,
  };
  return Object.fromEntries(
    Object.entries(read).filter(([, value]) => value !== undefined),
  ) as RecordedChatSearch;
}

export type RecordedChatFilter = Omit<RecordedChatSearch, "page">;

export function filterOf({ page: _page, ...filter }: RecordedChatSearch): RecordedChatFilter & {
  timeZone: string;
} {
  return { ...filter, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone };
}
