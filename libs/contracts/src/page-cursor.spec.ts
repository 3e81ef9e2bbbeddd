import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { cursorTime, cutPage, pageCursor, readCursor, writeCursor } from "./page-cursor.ts";

const shape = z.tuple([z.string(), z.number().int()]);

describe("a cursor", () => {
  it.each([
    ["plain", 7],
    ["Žluťoučký kůň 🐎 \u0000\"'", -1],
    ["", 0],
    ["?>?>~~", 2_147_483_647],
  ])("is read as it was written: %j", (text, id) => {
    const cursor = writeCursor([text, id]);
    expect(cursor).toMatch(/^[\w-]+$/);
    expect(readCursor(shape, cursor)).toEqual([text, id]);
  });

  it("fits the field with the longest title that a list is sorted by", () => {
    const longest = writeCursor(["title", "\u{1f600}".repeat(200), "x".repeat(36)]);
    expect(pageCursor.safeParse(longest).success).toBe(true);
  });

  it.each(["", "nonsense", "%%%", "bnVsbA", writeCursor([1, "a"]), writeCursor(["a", 1, 2])])(
    "is refused if it is %j",
    (text) => {
      expect(() => readCursor(shape, text)).toThrow(
        expect.objectContaining({ code: "request.cursor-invalid", kind: "BAD_INPUT" }),
      );
    },
  );

  it.each(["0000-01-01T00:00:00Z", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-01-01"])(
    "has no time like %s, which PostgreSQL would refuse",
    (time) => {
      expect(cursorTime.safeParse(time).success).toBe(false);
      expect(cursorTime.safeParse("2026-01-01T00:00:00.123456Z").success).toBe(true);
    },
  );

  it("names the last row of a page, unless there are no more", () => {
    const placeOf = (id: number) => [id];
    expect(cutPage([5, 4, 3], 2, placeOf)).toEqual({ page: [5, 4], nextCursor: writeCursor([4]) });
    expect(cutPage([5, 4], 2, placeOf)).toEqual({ page: [5, 4], nextCursor: null });
    expect(cutPage([], 2, placeOf)).toEqual({ page: [], nextCursor: null });
  });
});
