import { passageOf } from "../../test/factories/passage.ts";
import { QuoteFinder } from "../answer/quote-finder.ts";
import { truncationMark } from "./fit-context-window.ts";
import { PromptFitter } from "./prompt-fitter.ts";

const signal = new AbortController().signal;
const filler = "The stairs were painted in a friendly yellow. ";

describe("long texts", () => {
  it("are counted in a worker thread, short ones not at all", async () => {
    const fitter = new PromptFitter();
    const parts = {
      instructions: "Answer.",
      memories: [],
      question: "What?",
      fullTexts: ["short"],
      contextTexts: [],
      history: [],
    };
    expect(await fitter.fit(parts, 8_192, signal)).toEqual({ ...parts, tokens: null });
    const fitted = await fitter.fit({ ...parts, fullTexts: [filler.repeat(5_000)] }, 8_192, signal);
    expect(fitted.fullTexts[0]!.endsWith(truncationMark)).toBe(true);
    expect(fitted.tokens).toBeGreaterThan(7_400);
    expect(fitted.tokens).toBeLessThanOrEqual(7_592);
    await fitter.onApplicationShutdown();
  }, 90_000);

  it("are searched for sentences in a worker thread, with the same result as short ones", async () => {
    const finder = new QuoteFinder();
    const task = (times: number) => {
      const passages = [
        passageOf({ text: `${filler.repeat(times)}Quiet hours begin at ten in the evening.` }),
      ];
      return {
        question: "When do quiet hours begin?",
        fullTexts: [],
        readings: [{ context: null, passages, searched: [] }],
        passages,
        threshold: 0.25,
      };
    };
    const short = await finder.find(task(1), signal);
    const long = await finder.find(task(1_000), signal);
    expect(short.quotes.map(({ text }) => text)).toEqual([
      "Quiet hours begin at ten in the evening.",
    ]);
    expect(long.quotes).toEqual(short.quotes);
    await finder.onApplicationShutdown();
  }, 90_000);
});
