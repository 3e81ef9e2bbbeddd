import { describe, expect, it } from "@jest/globals";
import { findWords, wordsOf } from "./find-words.ts";

const find = (text: string, typed: string) => {
  const found = findWords(text, wordsOf(typed));
  return (
    found && {
      excerpt: text.slice(found.start, found.end),
      matches: found.matches.map(({ start, end }) => text.slice(start, end)),
      share: found.share,
      isPhrase: found.isPhrase,
    }
  );
};

describe("the place of the words in a text", () => {
  it("is the phrase as typed, in its sentence, even where the words come closer before", () => {
    expect(
      find(
        "Of the pump: the heat. It runs well. In winter the heat of the pump is 48 °C. It hums.",
        "The heat of the pu",
      ),
    ).toEqual({
      excerpt: "In winter the heat of the pump is 48 °C.",
      matches: ["the heat of the pump"],
      share: 1,
      isPhrase: true,
    });
  });

  it("is else where most of them come closest together, without case, accents and endings", () => {
    expect(
      find(
        "Wärmepumpe. Kälte.\nDie Vorläufe der Wärmepumpen: 48 °C.\nEnde",
        "vorlaufe 48 warmepumpe",
      ),
    ).toEqual({
      excerpt: "Die Vorläufe der Wärmepumpen: 48 °C.",
      matches: ["Vorläufe", "Wärmepumpen: 48"],
      share: 1,
      isPhrase: false,
    });
    expect(find("All boilers are old.", "boiler")).toMatchObject({ matches: ["boilers"] });
    expect(find("The temperature is low.", "temperatures are")).toMatchObject({ share: 0.5 });
    expect(find("Preheating.", "heat")).toBeNull();
  });

  it("is found in scripts without spaces", () => {
    expect(find("昨日、熱ポンプの温度は高い。", "ポンプの温度")).toMatchObject({
      excerpt: "昨日、熱ポンプの温度は高い。",
      matches: ["ポンプの温度"],
      isPhrase: true,
    });
    expect(find("เครื่องทำความร้อนอยู่ในห้อง", "ความร้อน")).toMatchObject({ isPhrase: true });
  });

  it("isn't stretched over distant words, and an excerpt stays short", () => {
    const text = `alpha ${"lorem ipsum ".repeat(200)}omega`;
    expect(find(text, "alpha omega")).toMatchObject({ share: 0.5, matches: ["alpha"] });
    expect(find(text, "omega alpha")!.excerpt.length).toBeLessThan(430);
    expect(find("x".repeat(5_000), "xxxx")!.excerpt).toHaveLength(5_000);
  });

  it("takes time in proportion to the text", () => {
    const typed = wordsOf("a ".repeat(39) + "b");
    const measure = (length: number): number => {
      const text = "a ".repeat(length);
      const started = performance.now();
      findWords(text, typed);
      return performance.now() - started;
    };
    measure(2_000);
    expect(measure(40_000)).toBeLessThan(10 * Math.max(20, measure(10_000)));
  });
});
