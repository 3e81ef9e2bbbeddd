import { beforeEach, describe, expect, it } from "@jest/globals";
import { keys, writeStored } from "../../../lib/session-storage.ts";
import { storeRecentPlace, readRecentPlaces } from "./recent-places.ts";

const place = (thread: string | null) => ({
  slug: "w",
  thread,
  workspaceName: "W",
  threadName: String(thread),
});
beforeEach(() => {
  writeStored(keys.recentPlaces, null);
  writeStored(keys.user, null);
});

describe("recent places", () => {
  it("are kept newest first, without duplicates, at most eight", () => {
    for (let n = 1; n <= 10; n += 1) storeRecentPlace(place(`t${n}`));
    storeRecentPlace(place("t5"));
    expect(readRecentPlaces().map((each) => each.thread)).toEqual([
      "t5",
      "t10",
      "t9",
      "t8",
      "t7",
      "t6",
      "t4",
      "t3",
    ]);
  });
  it("are not shown to another person in the same browser", () => {
    storeRecentPlace(place(null));
    writeStored(keys.user, JSON.stringify({ id: 7, username: "ida", role: "default" }));
    expect(readRecentPlaces()).toEqual([]);
    storeRecentPlace(place("own"));
    expect(readRecentPlaces().map((each) => each.thread)).toEqual(["own"]);
  });
  it("are empty when storage holds something else", () => {
    for (const value of ["x", "3", '{"user":null}', '{"user":null,"places":[1,{"slug":"w"}]}']) {
      writeStored(keys.recentPlaces, value);
      expect(readRecentPlaces()).toEqual([]);
    }
  });
});
