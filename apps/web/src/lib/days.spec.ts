import { daysBetween, lastDays } from "./days.ts";

it("counts days in the reader's calendar", () => {
  expect(lastDays(7, new Date(2026, 2, 3, 23, 30))).toEqual({
    from: "2026-02-25",
    to: "2026-03-03",
  });
  expect(daysBetween("2026-02-27", "2026-03-02")).toEqual([
    "2026-02-27",
    "2026-02-28",
    "2026-03-01",
    "2026-03-02",
  ]);
});
