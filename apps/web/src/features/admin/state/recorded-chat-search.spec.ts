import { describe, expect, it } from "@jest/globals";
import { filterOf, readRecordedChatSearch } from "./recorded-chat-search.ts";

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
