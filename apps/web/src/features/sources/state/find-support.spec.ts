import { describe, expect, it } from "@jest/globals";
import { findSupport } from "./find-quote.ts";

const passage =
  "4.3 Emitters\n\nAt a flow temperature of 48 °C, 78 % of the installed\nradiators cover the room load. The remaining 22 % are almost all in corner rooms on the top floor. The survey took two weeks.";
const supported = (claim: string, text = passage): string | null => {
  const range = findSupport(text, claim);
  return range && text.slice(range.start, range.end);
};

describe("the sentence that supports a claim", () => {
  it("shares the most words with it, across wrapped lines and endings", () => {
    expect(supported("78 % of all radiators are large enough for their room at 48 °C")).toBe(
      "At a flow temperature of 48 °C, 78 % of the installed\nradiators cover the room load.",
    );
    expect(supported("Replace 22 % of the radiators, nearly all in top-floor corner rooms")).toBe(
      "The remaining 22 % are almost all in corner rooms on the top floor.",
    );
  });
  it("is the row of a table", () =>
    expect(
      supported(
        "The seasonal factor is 3.4 at 48 °C",
        "Flow: 55 °C\nSeasonal factor: 2.9\n\nFlow: 48 °C\nSeasonal factor: 3.4",
      ),
    ).toBe("Flow: 48 °C\nSeasonal factor: 3.4"));
  it("isn't guessed from frequent words", () => {
    expect(supported("The tunnel is closed on the first Monday")).toBeNull();
    expect(supported("Four fifths are large enough")).toBeNull();
    expect(supported("")).toBeNull();
  });
  it("isn't looked for in a single sentence", () =>
    expect(supported("Glass on Tuesday", "Glass is collected on Tuesday.")).toBeNull());
});
