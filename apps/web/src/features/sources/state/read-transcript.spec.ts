import { describe, expect, it } from "@jest/globals";
import { partAt, partPlayedAt, readTranscript, stampOf } from "./read-transcript.ts";

const text = "00:00:03\n\nGood morning.\n\nAt 00:00:07 we begin.\n\n01:02:05\n\nGoodbye.";

describe("a transcript", () => {
  it("is divided at its time stamps, but not at times that are mentioned", () => {
    const parts = readTranscript(text);
    expect(parts.map(({ stamp, time }) => [stamp, time])).toEqual([
      ["00:00:03", 3],
      ["01:02:05", 3725],
    ]);
    expect(parts[0]!.paragraphs.map((each) => each.text)).toEqual([
      "Good morning.",
      "At 00:00:07 we begin.",
    ]);
    for (const { start, paragraphs, stamp } of parts) {
      expect(text.slice(start).startsWith(stamp)).toBe(true);
      for (const each of paragraphs)
        expect(text.slice(each.start, each.start + each.text.length)).toBe(each.text);
    }
  });

  it("may be a range, whose beginning has no time", () => {
    const parts = readTranscript(text.slice(20), 20);
    expect(parts.map(({ start, time }) => [start, time])).toEqual([
      [20, null],
      [text.indexOf("01:02:05"), 3725],
    ]);
    expect(readTranscript("All of it.")).toEqual([
      { start: 0, time: null, stamp: "", paragraphs: [{ start: 0, text: "All of it." }] },
    ]);
    expect(readTranscript("")).toEqual([]);
  });

  it("tells the part of a character and of a second", () => {
    const parts = readTranscript(text);
    expect(partAt(parts, text.indexOf("Goodbye"))?.stamp).toBe("01:02:05");
    expect(partAt(parts, text.indexOf("Goodbye") - 11)?.stamp).toBe("00:00:03");
    expect([0, 3, 3724.9, 3725].map((seconds) => partPlayedAt(parts, seconds))).toEqual([
      -1, 0, 0, 1,
    ]);
    expect([0, 61.9, 360_001].map(stampOf)).toEqual(["00:00:00", "00:01:01", "100:00:01"]);
  });
});
