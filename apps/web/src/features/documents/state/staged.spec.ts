import { describe, expect, it } from "@jest/globals";
import { emptySelection, withFolder } from "./selected-documents.ts";
import { parseStaged, toStaged, serializeStaged, type Staged } from "./staged.ts";

const some: Staged = {
  documents: { a: "A.pdf" },
  filters: toStaged(withFolder(emptySelection, "Letters", true), () => 7, "All").filters,
};

describe("staged documents", () => {
  it("are kept per tab and person, with long names truncated", () => {
    const text = serializeStaged(
      { house: some, other: { documents: { b: "x".repeat(500) }, filters: [] } },
      3,
    );
    expect(parseStaged(text, 3)).toEqual({
      house: some,
      other: { documents: { b: "x".repeat(120) }, filters: [] },
    });
    expect(parseStaged(text, 4)).toEqual({});
    expect(parseStaged(text, null)).toEqual({});
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
      expect(parseStaged(text, null)).toEqual({});
    expect(
      serializeStaged(
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
