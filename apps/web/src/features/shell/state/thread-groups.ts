import type { MarkedThread } from "@carrel/contracts";

/** A heading in the list. A month is identified by its first moment. */
export type ThreadGroup = "pinned" | "today" | "yesterday" | "week" | "month" | { monthOf: number };
export type ThreadListItem =
  | { kind: "heading"; group: ThreadGroup }
  | { kind: "thread"; thread: MarkedThread };

/** Start of the day this many days ago, in local time. */
function daysBefore(now: number, days: number): string {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - days).toISOString();
}
const monthOf = (iso: string): Date => {
  const date = new Date(iso);
  return new Date(date.getFullYear(), date.getMonth());
};
/** ISO times in UTC sort as text. */
const descending = (one: string, other: string): number => (one < other ? 1 : one > other ? -1 : 0);

/**
 * The threads of a workspace in the sidebar's order: pinned ones, then the rest by the day of their
 * last question, newest first. Archived ones are left out. Parses no date except once per month:
 * there may be thousands of threads.
 */
export function groupThreads(threads: readonly MarkedThread[], now: number): ThreadListItem[] {
  const listed = threads.filter((thread) => thread.archivedAt === null);
  const pinned = listed
    .filter((thread) => thread.pinnedAt !== null)
    .sort((one, other) => descending(one.pinnedAt ?? "", other.pinnedAt ?? ""));
  const rest = listed
    .filter((thread) => thread.pinnedAt === null)
    .sort((one, other) => descending(one.lastUpdatedAt, other.lastUpdatedAt) || other.id - one.id);
  const items: ThreadListItem[] = [];
  if (pinned.length > 0) items.push({ kind: "heading", group: "pinned" });
  for (const thread of pinned) items.push({ kind: "thread", thread });
  const periods: { group: ThreadGroup; from: string }[] = [
    { group: "today", from: daysBefore(now, 0) },
    { group: "yesterday", from: daysBefore(now, 1) },
    { group: "week", from: daysBefore(now, 7) },
    { group: "month", from: daysBefore(now, 30) },
  ];
  let from: string | null = null;
  for (const thread of rest) {
    const time = thread.lastUpdatedAt;
    if (from === null || time < from) {
      const period = periods.find((each) => time >= each.from);
      const month = monthOf(time);
      from = period?.from ?? month.toISOString();
      items.push({ kind: "heading", group: period?.group ?? { monthOf: month.getTime() } });
    }
    items.push({ kind: "thread", thread });
  }
  return items;
}

/** The first `count` threads with their headings. */
export function firstThreads(items: readonly ThreadListItem[], count: number): ThreadListItem[] {
  let seen = 0;
  const end = items.findIndex((item) => item.kind === "thread" && ++seen > count);
  const kept = items.slice(0, end === -1 ? items.length : end);
  return kept.at(-1)?.kind === "heading" ? kept.slice(0, -1) : kept;
}

/** Identifies a heading or thread within the list, which repeats neither. */
export const keyOfItem = (item: ThreadListItem): string =>
  item.kind === "thread"
    ? String(item.thread.id)
    : typeof item.group === "string"
      ? item.group
      : `month-${item.group.monthOf}`;
