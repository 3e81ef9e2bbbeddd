import { usageGroupings, type UsageFilter, type UsageGrouping } from "@carrel/contracts";
import { lastDays } from "../../../lib/days.ts";
import { isDay, readId } from "../../../lib/search-values.ts";

/** The page's address: a period, a grouping, and filters. */
export interface UsageSearch {
  from?: string;
  to?: string;
  by?: UsageGrouping;
  workspaceId?: number;
  userId?: number;
  keyId?: number;
  widgetId?: number;
  provider?: string;
  model?: string;
}
export const filterNames = [
  "workspaceId",
  "userId",
  "keyId",
  "widgetId",
  "provider",
  "model",
] as const;

// The router reads a numeric name as a number.
const readName = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined;

/** Reads an address that anyone may have typed; invalid parts are left out. */
export function readUsageSearch(search: Record<string, unknown>): UsageSearch {
  const { from, to, by } = search;
  const read = {
    ...(isDay(from) && isDay(to) && from <= to ? { from, to } : {}),
    by: usageGroupings.find((grouping) => grouping === by),
    workspaceId: readId(search.workspaceId),
    userId: readId(search.userId),
    keyId: readId(search.keyId),
    widgetId: readId(search.widgetId),
    provider: readName(search.provider),
    model: readName(search.model),
  };
  return Object.fromEntries(
    Object.entries(read).filter(([, value]) => value !== undefined),
  ) as UsageSearch;
}

const defaultDays = 30;

export function filterOf(search: UsageSearch): UsageFilter {
  const { by: _by, ...filter } = search;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { ...lastDays(defaultDays), ...filter, timeZone };
}
