import type { MarkedThread } from "@carrel/contracts";
import { firstThreads, groupThreads, type ThreadListItem } from "./thread-groups.ts";

const local = (...parts: [number, number, number, number?]): string =>
  new Date(parts[0], parts[1] - 1, parts[2], parts[3] ?? 12).toISOString();
const now = new Date(2026, 10, 23, 9, 30).getTime();
let id = 0;
const thread = (
  name: string,
  lastUpdatedAt: string,
  marks: Partial<Pick<MarkedThread, "pinnedAt" | "archivedAt">> = {},
): MarkedThread => ({
  id: (id += 1),
  name,
  slug: name,
  workspace_id: 1,
  user_id: null,
  createdAt: lastUpdatedAt,
  lastUpdatedAt,
  pinnedAt: null,
  archivedAt: null,
  ...marks,
});
const month = (year: number, number: number) => ({
  monthOf: new Date(year, number - 1).getTime(),
});
const shown = (items: readonly ThreadListItem[]): unknown[] =>
  items.map((item) => (item.kind === "thread" ? item.thread.name : [item.group]));

describe("groupThreads", () => {
  it("puts pinned threads first and the rest under the local day of their last question", () => {
    const threads = [
      thread("last year", local(2025, 10, 30)),
      thread("start of October", local(2026, 10, 1, 0)),
      thread("end of September", local(2026, 9, 30, 23)),
      thread("30 days ago", local(2026, 10, 24, 0)),
      thread("31 days ago", local(2026, 10, 23, 23)),
      thread("7 days ago", local(2026, 11, 16, 0)),
      thread("8 days ago", local(2026, 11, 15, 23)),
      thread("late yesterday", local(2026, 11, 22, 23)),
      thread("midnight", local(2026, 11, 23, 0)),
      thread("this morning", local(2026, 11, 23, 9)),
      thread("by a clock that is ahead", local(2026, 11, 24)),
      thread("pinned first", local(2026, 11, 23), { pinnedAt: local(2026, 1, 1) }),
      thread("pinned later", local(2025, 1, 1), { pinnedAt: local(2026, 1, 2) }),
      thread("put away", local(2026, 11, 23), { archivedAt: local(2026, 11, 23) }),
    ];
    expect(shown(groupThreads(threads, now))).toEqual([
      ["pinned"],
      "pinned later",
      "pinned first",
      ["today"],
      "by a clock that is ahead",
      "this morning",
      "midnight",
      ["yesterday"],
      "late yesterday",
      ["week"],
      "7 days ago",
      ["month"],
      "8 days ago",
      "30 days ago",
      [month(2026, 10)],
      "31 days ago",
      "start of October",
      [month(2026, 9)],
      "end of September",
      [month(2025, 10)],
      "last year",
    ]);
    expect(groupThreads([], now)).toEqual([]);
  });
  it("lists threads of the same moment latest first", () => {
    const same = [thread("one", local(2026, 11, 23)), thread("two", local(2026, 11, 23))];
    expect(shown(groupThreads(same, now))).toEqual([["today"], "two", "one"]);
  });
  it("parses a date per month, not per thread", () => {
    // 20,000 hours are at most 28 months.
    const many = Array.from({ length: 20_000 }, (_, n) =>
      thread(`t${n}`, new Date(now - n * 3_600_000).toISOString()),
    );
    const Original = Date;
    let dates = 0;
    globalThis.Date = new Proxy(Original, {
      construct: (target, parts) => {
        dates += 1;
        return Reflect.construct(target, parts) as Date;
      },
    });
    let items: ThreadListItem[];
    try {
      items = groupThreads(many, now);
    } finally {
      globalThis.Date = Original;
    }
    expect(items.filter(({ kind }) => kind === "thread")).toHaveLength(20_000);
    expect(dates).toBeGreaterThan(0);
    expect(dates).toBeLessThan(100);
  });
});

describe("firstThreads", () => {
  it("ends after the last of them, not with a heading", () => {
    const items = groupThreads(
      [
        thread("one", local(2026, 11, 23)),
        thread("two", local(2026, 11, 22)),
        thread("three", local(2026, 11, 21)),
      ],
      now,
    );
    expect(shown(firstThreads(items, 2))).toEqual([["today"], "one", ["yesterday"], "two"]);
    expect(firstThreads(items, 3)).toEqual(items);
    expect(firstThreads(items, 9)).toEqual(items);
  });
});
