import { describe, expect, it } from "@jest/globals";
import { analyseQuestion } from "./analyse.ts";
import { questionMass, weighQuestion } from "./question.ts";

const words = [
  { forms: ["pumps", "pump"], start: 0, end: 5 },
  { forms: ["e11"], start: 6, end: 9 },
];

describe("weighQuestion", () => {
  it("keeps the forms that occur in some chunk", () => {
    const weighed = weighQuestion(words, {
      documentCount: 100,
      averageLength: 10,
      frequencies: new Map([["pump", 20]]),
    });
    expect(weighed.map(({ forms }) => [...forms.keys()])).toEqual([["pump"], []]);
    expect(weighed[1]!.idf).toBeGreaterThan(weighed[0]!.idf);
    expect(questionMass(weighed)).toBeCloseTo(weighed[0]!.idf + weighed[1]!.idf);
  });

  it("keeps all forms for a sample: a rare one may occur outside it", () => {
    const [pump, code] = weighQuestion(words, {
      documentCount: 100_000,
      averageLength: 10,
      frequencies: new Map([["pump", 20_000]]),
      isSample: true,
    });
    expect([...pump!.forms.keys()]).toEqual(["pumps", "pump"]);
    expect([...code!.forms.keys()]).toEqual(["e11"]);
    expect(code!.forms.get("e11")).toBeCloseTo(code!.idf);
    expect(pump!.idf).toBeCloseTo(pump!.forms.get("pump")!);
  });

  const counted = (frequencies: Record<string, number>) => ({
    documentCount: 100,
    averageLength: 10,
    frequencies: new Map(Object.entries(frequencies)),
  });
  it("weighs a word by one IDF, however rare a form of it is", () => {
    const [both] = weighQuestion(words, counted({ pump: 20, pumps: 1 }));
    const [one] = weighQuestion(words, counted({ pump: 21 }));
    expect([...both!.forms.values()]).toEqual([one!.idf, one!.idf]);
    expect(both!.idf).toBe(one!.idf);
  });

  it("keeps a Vietnamese word with its marks apart from other words without them", () => {
    const [asked] = weighQuestion(
      analyseQuestion("đường", { languages: ["vi"] }),
      counted({ đường: 3, duong: 40 }),
    );
    expect(asked!.idf).toBe(asked!.forms.get("đường"));
    expect(asked!.idf).toBeGreaterThan(asked!.forms.get("duong")!);
    const [plain] = weighQuestion(
      analyseQuestion("duong", { languages: ["vi"] }),
      counted({ đường: 3, duong: 40 }),
    );
    expect([...plain!.forms.keys()]).toEqual(["duong"]);
  });

  it("asks for the parts only where no text has the whole, and drops letters that none has", () => {
    const asked = (question: string, frequencies: Record<string, number>) =>
      weighQuestion(analyseQuestion(question, { languages: ["en"] }), counted(frequencies)).map(
        (word) => word.asked[0],
      );
    expect(asked("2024-03-04", { "20240304": 1, "2024": 9 })).toEqual(["20240304"]);
    expect(asked("2024-03-04", { "2024": 9 })).toEqual(["2024", "03", "04"]);
    expect(asked("vitamin C", { vitamin: 3, c: 1 })).toEqual(["vitamin", "c"]);
    expect(asked("vitamin C", { vitamin: 3 })).toEqual(["vitamin"]);
  });

  it("handles any question", () => {
    for (const question of [
      "",
      "   ",
      "?!",
      "\u0000\ud800",
      "the of and",
      "1,234.5",
      "👩‍👩‍👧",
      "a".repeat(300),
    ]) {
      for (const word of analyseQuestion(question, { languages: ["en"] }))
        expect(word.end).toBeGreaterThan(word.start);
    }
    expect(analyseQuestion("the of and", { languages: ["en"] }).every((word) => word.isStop)).toBe(
      true,
    );
  });
});
