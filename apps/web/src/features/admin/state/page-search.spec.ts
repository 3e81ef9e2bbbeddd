import { expect, it, describe } from "@jest/globals";
import { isNarrowed, readEventSearch, filterOf, readRecordedChatSearch } from "./page-search.ts";

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

describe("the address of recorded chats", () => {
  it("keeps what is valid", () => {
    const search = {
      page: 3,
      workspaceId: 7,
      userId: "none",
      from: "2026-11-01",
      to: "2026-11-30",
      rating: "bad",
      search: "heat",
    };
    expect(readRecordedChatSearch(search)).toEqual(search);
    expect(readRecordedChatSearch({ search: 2026 })).toEqual({ search: "2026" });
    const { timeZone, ...filter } = filterOf(readRecordedChatSearch(search));
    const { page: _page, ...rest } = search;
    expect([filter, typeof timeZone]).toEqual([rest, "string"]);
  });

  it("leaves out what isn't", () => {
    expect(
      readRecordedChatSearch({
        page: 1,
        workspaceId: "x",
        userId: 3_000_000_000,
        from: "yesterday",
        to: "2026-13-45",
        rating: "fine",
        search: "  ",
        other: 1,
      }),
    ).toEqual({});
  });
});
