import { describe, expect, it } from "@jest/globals";
import { placeHash, readPlaceHash } from "./document-place.ts";

const documentId = "00000000-0000-4000-8000-000000000001";

describe("a place in an address", () => {
  it("is read as it was written", () => {
    const place = {
      documentId,
      start: 120,
      end: 240,
      marks: [
        { start: 130, end: 140 },
        { start: 150, end: 155 },
      ],
    };
    expect(readPlaceHash(placeHash(place))).toEqual(place);
  });

  it("may be a document alone, and anything else is none", () => {
    expect(readPlaceHash(`document-${documentId}`)).toEqual({
      documentId,
      start: 0,
      end: 0,
      marks: [],
    });
    for (const other of [
      "",
      "chat-12",
      "document-",
      `document-${documentId}:1-`,
      "document-x:1-2:",
    ])
      expect(readPlaceHash(other)).toBeNull();
    expect(readPlaceHash(`document-${documentId}:1-9:5-2,,7`)).toMatchObject({ marks: [] });
  });
});
