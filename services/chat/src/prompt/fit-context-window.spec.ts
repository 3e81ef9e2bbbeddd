import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import {
  answerReserve,
  countUpTo,
  cutEnd,
  cutMiddle,
  fitContextWindow,
  overestimateTokens,
  fitsWithoutCounting,
  truncationMark,
  type PromptParts,
} from "./fit-context-window.ts";

const sentence =
  "The heat pump runs at forty-eight degrees in winter and the radiators cover the load. ";
const count = (text: string): number => countTokens(text);
const total = (parts: PromptParts): number =>
  count(
    [
      parts.instructions,
      ...parts.memories,
      ...parts.fullTexts,
      ...parts.contextTexts,
      ...parts.history.flatMap((turn) => [turn.question, turn.answer]),
      parts.question,
    ].join("\n"),
  );

describe("fitting into the context window", () => {
  const parts: PromptParts = {
    instructions: "Answer the question.",
    memories: [],
    question: "What is the flow temperature?",
    fullTexts: [],
    contextTexts: Array.from({ length: 10 }, (_, index) => `${index} ${sentence.repeat(20)}`),
    history: Array.from({ length: 10 }, (_, index) => ({
      question: `q${index}`,
      answer: sentence.repeat(10),
    })),
  };

  it("leaves a prompt that fits unchanged", () => {
    const fitted = fitContextWindow(parts, 100_000, count);
    expect(fitted).toEqual({ ...parts, tokens: expect.any(Number) });
    // Includes the wrapping of each part: 16 tokens per block or turn, 70 for what is
    // said about citations and the language.
    expect(fitted.tokens! - total(parts)).toBeLessThan(70 + 20 * 16);
    expect(fitsWithoutCounting(parts, 100_000)).toBe(true);
    expect(fitsWithoutCounting(parts, 4_096)).toBe(false);
  });

  it.each([1_024, 2_048, 4_096])(
    "fits %i tokens: keeps the best passages and newest turns",
    (window) => {
      const fitted = fitContextWindow(parts, window, count);
      expect(total(fitted)).toBeLessThanOrEqual(window - answerReserve);
      expect(fitted.question).toBe(parts.question);
      if (window >= 2_048) {
        expect(fitted.contextTexts.length).toBeGreaterThan(0);
        expect(fitted.contextTexts).toEqual(
          parts.contextTexts.slice(0, fitted.contextTexts.length),
        );
        expect(fitted.history).toEqual(
          parts.history.slice(parts.history.length - fitted.history.length),
        );
      }
    },
  );

  const long = sentence.repeat(2_000);
  it.each([2_048, 8_192])(
    "gives full texts what passages leave of %i tokens, and cuts them at the end",
    (window) => {
      const fitted = fitContextWindow(
        { ...parts, fullTexts: ["The first one is short.", long, "never reached"] },
        window,
        count,
      );
      expect(total(fitted)).toBeLessThanOrEqual(window - answerReserve);
      expect(fitted.fullTexts[0]).toBe("The first one is short.");
      expect(fitted.fullTexts).toHaveLength(2);
      expect(fitted.fullTexts[1]!.startsWith(long.slice(0, 1_000))).toBe(true);
      expect(fitted.fullTexts[1]!.endsWith(truncationMark)).toBe(true);
      // A quarter of the room is reserved for search results.
      expect(fitted.contextTexts.length).toBeGreaterThan(0);
      expect(Math.abs(fitted.tokens! - total(fitted))).toBeLessThan(
        60 + (fitted.contextTexts.length + fitted.history.length + 2) * 16 + 20,
      );
    },
  );

  it("fills the window with a full text when nothing else needs it", () => {
    const fitted = fitContextWindow(
      {
        instructions: "Answer.",
        memories: [],
        question: "What?",
        fullTexts: [long],
        contextTexts: [],
        history: [],
      },
      4_096,
      count,
    );
    expect(total(fitted)).toBeGreaterThan(3_300);
    expect(total(fitted)).toBeLessThanOrEqual(4_096 - answerReserve);
  });

  it("keeps whole memories in a tenth of the window, in order, after the instructions and before passages", () => {
    const memories = Array.from(
      { length: 25 },
      (_, index) => `Memory ${index}: ${sentence.repeat(2)}`,
    );
    expect(fitContextWindow({ ...parts, memories }, 100_000, count).memories).toEqual(memories);
    const fitted = fitContextWindow({ ...parts, memories }, 4_096, count);
    expect(total(fitted)).toBeLessThanOrEqual(4_096 - answerReserve);
    expect(fitted.memories.length).toBeGreaterThan(2);
    expect(fitted.memories).toEqual(memories.slice(0, fitted.memories.length));
    expect(count(fitted.memories.join("\n"))).toBeLessThanOrEqual((4_096 - answerReserve) / 10);
    expect(fitted.instructions).toBe(parts.instructions);
    expect(fitted.contextTexts.length).toBeGreaterThan(0);
    // Instructions that use up their share leave none.
    const filled = fitContextWindow(
      { ...parts, memories, instructions: sentence.repeat(500) },
      1_024,
      count,
    );
    expect(filled.memories).toEqual([]);
    expect(total(filled)).toBeLessThanOrEqual(1_024 - answerReserve);
    expect(fitsWithoutCounting({ ...parts, memories, contextTexts: [], history: [] }, 1_024)).toBe(
      false,
    );
  });

  it("counts no more than needed, and cuts between characters", () => {
    let counted = 0;
    const counting = (text: string): number => {
      counted += text.length;
      return count(text);
    };
    expect(countUpTo("word ".repeat(1_000_000), 1_000, counting)).toBeGreaterThan(1_000);
    expect(counted).toBeLessThan(20_000);
    expect(cutEnd("😀".repeat(4_000), 100, count)).not.toMatch(
      /[\uD800-\uDBFF](?![\uDC00-\uDFFF])/,
    );
    expect(count(cutEnd("😀".repeat(4_000), 100, count))).toBeLessThanOrEqual(101);
  });

  it("cuts the middle out of a question that is too long", () => {
    const fitted = fitContextWindow(
      { ...parts, question: `START ${sentence.repeat(500)} END` },
      4_096,
      count,
    );
    expect(fitted.question).toContain(truncationMark);
    expect(fitted.question.startsWith("START")).toBe(true);
    expect(fitted.question.endsWith("END")).toBe(true);
    expect(total(fitted)).toBeLessThanOrEqual(4_096 - answerReserve);
  });

  it.each([
    ["English", sentence],
    [
      "German",
      "Die Wärmepumpe läuft im Winter bei achtundvierzig Grad, und die Heizkörper decken die Last.",
    ],
    ["Russian", "Тепловой насос работает зимой при сорока восьми градусах."],
    ["Turkish", "Isı pompası kışın kırk sekiz derecede çalışır."],
    ["Arabic", "تعمل المضخة الحرارية في الشتاء عند ثمان وأربعين درجة."],
    ["Hebrew", "משאבת החום פועלת בחורף בארבעים ושמונה מעלות."],
    ["Persian", "پمپ حرارتی در زمستان با چهل و هشت درجه کار می‌کند."],
    ["Chinese", "热泵在冬季以四十八度运行，散热器可以覆盖负荷。龘靐齉齾"],
    ["Korean", "히트 펌프는 겨울에 사십팔 도에서 작동합니다."],
    ["Japanese", "ヒートポンプは冬に四十八度で運転します。"],
    ["Vietnamese", "Máy bơm nhiệt chạy ở bốn mươi tám độ vào mùa đông."],
    ["Hindi", "हीट पंप सर्दियों में अड़तालीस डिग्री पर चलता है।"],
    ["Burmese", "အပူစုပ်စက်သည် ဆောင်းရာသီတွင် လည်ပတ်သည်။"],
    ["Tibetan", "དགུན་ཁར་ཚ་དྲོད་འཕྲུལ་འཁོར།"],
    ["code", "for (let i = 0; i < n; i++) { a[i] ^= b[(i * 7) % m] >>> 3; } // {}[]();"],
    ["hexadecimal", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    ["base64", "SGVsbG8sIHdvcmxkIQpRdWl4b3RpYyBaZWJyYXMgSnVtcA+/zQ9k3LwXyT"],
    ["emoji", "😀🏳️‍🌈👩‍👩‍👧‍👦🫠🪿"],
    ["a table", "| 1.5 | 2,75 | —— |\n|-----|:----:|----|\n"],
  ])("never underestimates the length of %s", (_name, text) => {
    expect(overestimateTokens(text)).toBeGreaterThanOrEqual(count(text));
    expect(overestimateTokens(text.repeat(20))).toBeGreaterThanOrEqual(count(text.repeat(20)));
  });

  it("skips counting an ordinary prompt in a small window", () => {
    expect(
      fitsWithoutCounting(
        {
          ...parts,
          contextTexts: parts.contextTexts.slice(0, 4).map((text) => text.slice(0, 1_000)),
          history: [],
        },
        4_096,
      ),
    ).toBe(true);
  });

  it("cuts between characters, never inside one", () => {
    expect(cutMiddle("😀".repeat(400), 40, count)).not.toMatch(
      /[\uD800-\uDBFF](?![\uDC00-\uDFFF])/,
    );
  });
});
