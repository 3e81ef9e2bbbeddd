import {
  recordRatings,
  type Args,
  type ChatRecordFilter,
  type listEvents,
} from "@carrel/contracts";
import { clipText } from "@carrel/contracts/clip-text";
import { isDay, readId } from "../../../lib/search-values.ts";

/** The page's address: the log's filters, and the page number, which starts at 1. */
export interface EventSearch {
  page?: number;
  search?: string;
  event?: string;
  /** 0: no account. */
  userId?: number;
  from?: string;
  to?: string;
}

// The router reads numeric text as a number.
const readText = (value: unknown, longest: number): string | undefined =>
  typeof value === "string" || typeof value === "number"
    ? clipText(String(value), longest) || undefined
    : undefined;

/** Reads an address that anyone may have typed; invalid parts are left out. */
export function readEventSearch(search: Record<string, unknown>): EventSearch {
  const { page, userId, from, to } = search;
  const read = {
    page:
      Number.isInteger(page) && (page as number) > 1 && (page as number) < 1_000_000
        ? (page as number)
        : undefined,
    search: readText(search.search, 200),
    event: readText(search.event, 100),
    userId:
      Number.isInteger(userId) && (userId as number) >= 0 && (userId as number) <= 2_147_483_647
        ? (userId as number)
        : undefined,
    from: isDay(from) ? from : undefined,
    to: isDay(to) ? to : undefined,
  };
  return Object.fromEntries(
    Object.entries(read).filter(([, value]) => value !== undefined),
  ) as EventSearch;
}

/** Days begin at midnight in the reader's time zone. */
export const eventFilterOf = ({
  page: _page,
  ...search
}: EventSearch): Args<typeof listEvents> => ({
  ...search,
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});

export const isNarrowed = ({ page: _page, ...search }: EventSearch): boolean =>
  Object.keys(search).length > 0;

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

type RecordedChatFilter = Omit<RecordedChatSearch, "page">;

export function filterOf({ page: _page, ...filter }: RecordedChatSearch): RecordedChatFilter & {
  timeZone: string;
} {
  return { ...filter, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone };
}
