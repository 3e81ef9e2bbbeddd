import { expect, it } from "@jest/globals";
import { isNarrowed, readEventSearch } from "./page-search.ts";

it("reads the filters of an address, leaving out what isn't valid", () => {
  const search = {
    search: "ada",
    event: "login_event",
    userId: 0,
    from: "2026-05-01",
    to: "2026-05-09",
    page: 2,
  };
  expect(readEventSearch(search)).toEqual(search);
  expect(readEventSearch({ search: 12, event: "x".repeat(200) })).toEqual({
    search: "12",
    event: "x".repeat(100),
  });
  const invalid = { search: "", event: {}, userId: "1", from: "2026-13-01", to: ["2026-05-09"] };
  expect(readEventSearch(invalid)).toEqual({});
  expect(readEventSearch({ userId: -1, page: 1 })).toEqual({});
  expect([isNarrowed({ page: 2 }), isNarrowed({ userId: 0 })]).toEqual([false, true]);
});
