import type { WatchWire } from "@carrel/contracts";
import i18next from "i18next";
import { formatAgo, formatSeconds, formatTime } from "./format.ts";

const hour = 3_600;
const day = 24 * hour;

/** "7 days", "6 hours"; an odd number of seconds as it is. */
export function intervalWords(seconds: number): string {
  if (seconds % day === 0) return i18next.t("live-sync:interval.days", { count: seconds / day });
  if (seconds % hour === 0) return i18next.t("live-sync:interval.hours", { count: seconds / hour });
  return formatSeconds(seconds);
}

/** Intervals to choose from, in seconds, with the one that is set. */
export const intervalsWith = (...set: number[]): number[] =>
  [...new Set([hour, 6 * hour, day, 7 * day, 30 * day, ...set])].sort((a, b) => a - b);

/** "soon" once it is due. */
export const nextWords = (nextSyncAt: string | null): string | null =>
  nextSyncAt === null
    ? null
    : Date.parse(nextSyncAt) <= Date.now()
      ? i18next.t("live-sync:soon")
      : formatTime(Date.parse(nextSyncAt));

/** How a watched document or source stands, in a few words. */
export function watchWords(watch: WatchWire): string {
  const { state, failures, isMissing, lastChangedAt, lastSyncedAt, nextSyncAt } = watch;
  if (state === "syncing") return i18next.t("live-sync:state.syncing");
  if (state === "stopped") return i18next.t("live-sync:state.stopped");
  if (isMissing) return i18next.t("live-sync:state.missing");
  const when = nextWords(nextSyncAt) ?? "";
  if (failures > 0) return i18next.t("live-sync:state.failed", { when });
  if (lastSyncedAt === null) return i18next.t("live-sync:state.new", { when });
  return lastChangedAt === lastSyncedAt
    ? i18next.t("live-sync:state.changed", { when: formatAgo(lastSyncedAt) })
    : i18next.t("live-sync:state.synced", { when: formatAgo(lastSyncedAt) });
}

export const isInTrouble = ({ state, failures, isMissing }: WatchWire): boolean =>
  state === "stopped" || failures > 0 || isMissing;
