import { passageOf } from "../../test/factories/passage.ts";
import { mergeReadings } from "./readings.ts";

const found = (context: string | null, ...documents: string[]) => ({
  context,
  passages: documents.map((documentId) => passageOf({ documentId, chunkId: documentId })),
  searched: [],
});
const merged = (topN: number, ...readings: ReturnType<typeof found>[]): string =>
  mergeReadings(readings, topN)
    .map(({ documentId }) => documentId)
    .join("");

describe("readings of a question", () => {
  const alone = found(null, "a", "b", "c", "d");
  const joined = found("before", "e", "b", "f", "g");

  it("are merged with the likelier one first and the best of the other one", () => {
    expect(merged(4, alone, joined)).toBe("abce");
    expect(merged(4, joined, alone)).toBe("ebfa");
    expect(merged(8, alone, joined)).toBe("abcdefg");
    expect(merged(2, alone, joined)).toBe("ae");
    expect(merged(1, alone, joined)).toBe("a");
  });

  it("fill the places that the likelier one leaves", () => {
    expect(merged(4, found(null), joined)).toBe("ebfg");
    expect(merged(4, found(null, "a"), joined)).toBe("aebf");
    expect(merged(4, alone, found("before", "a", "b"))).toBe("abcd");
    expect(merged(4, alone)).toBe("abcd");
  });
});
