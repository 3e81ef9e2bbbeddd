import type { ScheduleTiming } from "@carrel/contracts";
import { checkTiming, listNextRuns, sortDueTimes } from "./schedule-time.ts";

const cron = (text: string, timeZone = "UTC"): ScheduleTiming => ({
  kind: "cron",
  cron: text,
  timeZone,
});
const runs = (timing: ScheduleTiming, after: string, count = 3): string[] =>
  listNextRuns(timing, new Date(after), count).map((run) => run.toISOString().slice(0, 16));

describe("the next runs of a cron expression", () => {
  it("skips no day when clocks go forward", () => {
    // 02:30 doesn't exist on 29 March 2026: it runs at 03:00, the first moment after the gap.
    expect(runs(cron("30 2 * * *", "Europe/Berlin"), "2026-03-27T12:00Z")).toEqual([
      "2026-03-28T01:30",
      "2026-03-29T01:00",
      "2026-03-30T00:30",
    ]);
    expect(runs(cron("*/30 1-3 * * *", "Europe/Berlin"), "2026-03-29T00:00Z", 4)).toEqual([
      "2026-03-29T00:30",
      "2026-03-29T01:00",
      "2026-03-29T01:30",
      "2026-03-29T23:00",
    ]);
  });

  it("runs once a day when clocks go back, and each hour of an hourly one", () => {
    // 02:30 exists twice on 25 October 2026.
    expect(runs(cron("30 2 * * *", "Europe/Berlin"), "2026-10-24T12:00Z", 2)).toEqual([
      "2026-10-25T00:30",
      "2026-10-26T01:30",
    ]);
    expect(runs(cron("30 * * * *", "Europe/Berlin"), "2026-10-25T00:00Z")).toEqual([
      "2026-10-25T00:30",
      "2026-10-25T01:30",
      "2026-10-25T02:30",
    ]);
    expect(runs(cron("0 1 * * *", "America/New_York"), "2026-10-31T12:00Z", 2)).toEqual([
      "2026-11-01T05:00",
      "2026-11-02T06:00",
    ]);
  });

  it("runs minutes with a wildcard in each occurrence of their hour", () => {
    const often = cron("*/30 2 * * *", "Europe/Berlin");
    expect(runs(often, "2026-10-25T00:00Z", 4)).toEqual([
      "2026-10-25T00:30",
      "2026-10-25T01:00",
      "2026-10-25T01:30",
      "2026-10-26T01:00",
    ]);
    expect(runs(often, "2026-03-28T12:00Z", 1)).toEqual(["2026-03-30T00:00"]);
  });

  it("reads names and macros", () => {
    expect(runs(cron("0 9 * JAN-MAR MON"), "2026-01-01T00:00Z", 2)).toEqual([
      "2026-01-05T09:00",
      "2026-01-12T09:00",
    ]);
    expect(runs(cron("@monthly"), "2026-01-01T00:00Z", 1)).toEqual(["2026-02-01T00:00"]);
  });
});

describe("a timing that can't be saved", () => {
  const now = new Date("2026-03-01T10:00:00Z");
  const check = (timing: ScheduleTiming, minimum = 60) => checkTiming(timing, now, minimum);

  it.each([
    ["* * * * * *", "schedule.cron-invalid"],
    ["61 * * * *", "schedule.cron-invalid"],
    ["daily", "schedule.cron-invalid"],
    ["2026-05-01T00:00:00", "schedule.cron-invalid"],
    ["@reboot", "schedule.cron-invalid"],
    ["2026-12-31 10:00:00", "schedule.cron-invalid"],
    ["? ? * * *", "schedule.cron-invalid"],
    ["0 0 30 2 *", "schedule.never-due"],
  ])("%s", (text, code) => {
    expect(() => check(cron(text))).toThrow(expect.objectContaining({ code }));
  });

  it("is refused for its zone, its frequency or a time that has passed", () => {
    for (const zone of ["Mars/Olympus", "+02:00", ""])
      expect(() => check(cron("@daily", zone))).toThrow(
        expect.objectContaining({ code: "schedule.zone-unknown" }),
      );
    expect(check(cron("*/5 * * * *"), 300)).toEqual(new Date("2026-03-01T10:05:00Z"));
    // Twice within a minute, at the end of each hour.
    expect(() => check(cron("0,59 * * * *"), 300)).toThrow(
      expect.objectContaining({ code: "schedule.too-often" }),
    );
    const once = (at: string): ScheduleTiming => ({ kind: "once", at, timeZone: "UTC" });
    expect(check(once("2026-03-01T12:00:00+01:00"))).toEqual(new Date("2026-03-01T11:00:00Z"));
    expect(() => check(once("2026-03-01T10:59:59+01:00"))).toThrow(
      expect.objectContaining({ code: "schedule.time-passed" }),
    );
  });
});

describe("what is due", () => {
  const at = (text: string): Date => new Date(`2026-03-01T${text}Z`);
  const sort = (text: string, dueAt: string, now: string) => {
    const { missed, current, next } = sortDueTimes(cron(text), at(dueAt), {
      now: at(now),
      lateMs: 300_000,
    });
    const show = (date: Date | null) => date?.toISOString().slice(11, 16) ?? null;
    return { missed: missed.map(show), current: show(current), next: show(next) };
  };

  it("is current for five minutes, then missed", () => {
    expect(sort("0 * * * *", "10:00", "10:00:02")).toEqual({
      missed: [],
      current: "10:00",
      next: "11:00",
    });
    expect(sort("0 * * * *", "10:00", "10:05:00")).toMatchObject({ current: "10:00" });
    expect(sort("0 * * * *", "10:00", "12:30:00")).toEqual({
      missed: ["10:00", "11:00", "12:00"],
      current: null,
      next: "13:00",
    });
    expect(sort("0 * * * *", "10:00", "12:01:00")).toEqual({
      missed: ["10:00", "11:00"],
      current: "12:00",
      next: "13:00",
    });
  });

  it("ends after a long outage, and after a single time", () => {
    const now = new Date("2027-03-01T10:00:30Z");
    const due = sortDueTimes(cron("* * * * *"), at("10:00"), { now, lateMs: 300_000 });
    // Those before aren't worth computing.
    expect(due.missed).toHaveLength(100);
    expect(due.missed.at(-1)).toEqual(new Date("2027-03-01T09:59:00Z"));
    expect(due.current).toEqual(new Date("2027-03-01T10:00:00Z"));
    expect(due.next).toEqual(new Date("2027-03-01T10:01:00Z"));
    const once: ScheduleTiming = { kind: "once", at: "2026-03-01T10:00:00Z", timeZone: "UTC" };
    expect(sortDueTimes(once, at("10:00"), { now: at("10:01"), lateMs: 300_000 })).toEqual({
      missed: [],
      current: at("10:00"),
      next: null,
    });
  });

  it.each([
    [cron("0 9 * * *", "Mars/Olympus"), "schedule.zone-unknown"],
    [cron("0 9 31 2 8-9-10"), "schedule.cron-invalid"],
  ])("can't be said of %j", (timing, code) => {
    expect(() => sortDueTimes(timing, at("10:00"), { now: at("10:01"), lateMs: 0 })).toThrow(
      expect.objectContaining({ code }),
    );
  });
});
