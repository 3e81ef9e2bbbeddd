import { describe, expect, it } from "@jest/globals";
import { nothing, withFolder } from "./chosen.ts";
import { readKept, stagedOf, writeKept, type Staged } from "./staged.ts";

const some: Staged = {
  documents: { a: "A.pdf" },
  filters: stagedOf(withFolder(nothing, "Letters", true), () => 7, "All").filters,
};

describe("staged documents", () => {
  it("are kept per tab and person, with long names truncated", () => {
    const text = writeKept(
      { house: some, other: { documents: { b: "x".repeat(500) }, filters: [] } },
      3,
    );
    expect(readKept(text, 3)).toEqual({
      house: some,
      other: { documents: { b: "x".repeat(120) }, filters: [] },
    });
    expect(readKept(text, 4)).toEqual({});
    expect(readKept(text, null)).toEqual({});
  });
  it("are empty for invalid text, and are not kept when there are too many", () => {
    for (const text of [
      null,
      "",
      "{",
      "[]",
      '{"person":null}',
      '{"person":null,"staged":{"house":{"documents":null,"filters":[]},"other":5}}'.replace(
        'null,"filters"',
        '1,"filters"',
      ),
    ])
      expect(readKept(text, null)).toEqual({});
    expect(
      writeKept(
        {
          house: {
            documents: Object.fromEntries(
              Array.from({ length: 5_001 }, (_, n) => [String(n), "x"]),
            ),
            filters: [],
          },
        },
        null,
      ),
    ).toBeNull();
  });
});
