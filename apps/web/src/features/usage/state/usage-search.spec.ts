import { readUsageSearch } from "./usage-search.ts";

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
});
