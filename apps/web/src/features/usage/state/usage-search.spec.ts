import { daysBetween, lastDays, readUsageSearch } from "./usage-search.ts";

describe("the address of the usage page", () => {
  it("keeps what is valid and drops the rest", () => {
    expect(
      readUsageSearch({ from: "2026-10-01", to: "2026-10-31", by: "user", model: 4, userId: 7 }),
    ).toEqual({ from: "2026-10-01", to: "2026-10-31", by: "user", model: "4", userId: 7 });
    expect(
      readUsageSearch({
        from: "2026-10-31",
        to: "2026-10-01",
        by: "colour",
        userId: "x",
        other: 1,
      }),
    ).toEqual({});
    expect(readUsageSearch({ from: "2026-10-01" })).toEqual({});
  });

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
});
