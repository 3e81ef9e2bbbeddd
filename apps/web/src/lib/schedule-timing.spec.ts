import { describe, expect, it } from "@jest/globals";
import { isZone, newWhen, readTiming, timingOf } from "./schedule-timing.ts";

const timeZone = "Europe/Berlin";
const when = newWhen(timeZone, new Date("2026-11-30T22:59:00Z"));
const cron = (expression: string) => ({ kind: "cron" as const, cron: expression, timeZone });

describe("timing of a schedule", () => {
  it.each([
    ["5 * * * *", { repeat: "hour", minute: 5 }],
    ["@daily", { repeat: "day", time: "00:00" }],
    ["30 8 * * 1-5", { repeat: "weekday", time: "08:30" }],
    ["0 9 * * MON-FRI", { repeat: "weekday", time: "09:00" }],
    ["0 9 * * 7,3", { repeat: "week", days: [0, 3] }],
    ["0 9 * * tue", { repeat: "week", days: [2] }],
    ["0 7 31 * *", { repeat: "month", day: 31, time: "07:00" }],
  ])("shows %s as a simple choice that means the same", (expression, shown) => {
    const read = readTiming(cron(expression));
    expect(read).toMatchObject(shown);
    expect(readTiming(timingOf(read)!)).toEqual({ ...read, cron: expect.any(String) });
  });

  it.each([
    "*/15 * * * *",
    "0 9 1 * MON",
    "0 9 * 1 *",
    "0 9 * * 5#2",
    "0 9 0 * *",
    "61 * * * *",
    "",
  ])("keeps %s as it was written", (expression) => {
    expect(readTiming(cron(expression))).toMatchObject({ repeat: "custom", cron: expression });
  });

  it("proposes tomorrow in the schedule's time zone", () => {
    expect(when.date).toBe("2026-12-01");
    expect(newWhen("Pacific/Auckland", new Date("2026-11-30T22:59:00Z")).date).toBe("2026-12-02");
  });

  it("reads a single time in its zone, also where clocks skip it or repeat it", () => {
    const at = (date: string, time: string): number => {
      const timing = timingOf({ ...when, repeat: "once", date, time });
      return timing?.kind === "once" ? Date.parse(timing.at) : NaN;
    };
    expect(at("2026-07-01", "08:00")).toBe(Date.UTC(2026, 6, 1, 6));
    expect(at("2026-12-01", "08:00")).toBe(Date.UTC(2026, 11, 1, 7));
    expect(at("2027-03-28", "02:30")).toBe(Date.UTC(2027, 2, 28, 1, 30));
    expect(at("2026-10-25", "03:30")).toBe(Date.UTC(2026, 9, 25, 2, 30));
    const read = readTiming({ kind: "once", at: "2026-07-01T06:00:00.000Z", timeZone });
    expect(read).toMatchObject({ repeat: "once", date: "2026-07-01", time: "08:00" });
  });

  it("means nothing while a choice is missing", () => {
    for (const lack of [
      { repeat: "week", days: [] },
      { repeat: "day", time: "" },
      { repeat: "once", date: "" },
      { repeat: "custom", cron: " " },
      { repeat: "day", zone: "Europe/Atlantis" },
    ] as const)
      expect(timingOf({ ...when, ...lack, days: [] })).toBeNull();
    expect(isZone("UTC")).toBe(true);
  });
});
