import { CitationFilter, keepKnownNumbers, numberCitations } from "./citation-filter.ts";

describe("citation marks", () => {
  it.each([
    ["A fact [1]. Another [2].", 2, "A fact [1]. Another [2]."],
    ["A fact [3].", 2, "A fact."],
    ["Both [1, 9] here", 3, "Both [1] here"],
    ["Twice [2, 2]", 2, "Twice [2]"],
    ["Zero [0] is no source", 2, "Zero is no source"],
    ["None [1][2]", 0, "None"],
    ["`a[7]` and ```\nb[8]\n``` and [9]", 1, "`a[7]` and ```\nb[8]\n``` and"],
    ["a link [7](https://example.org)", 1, "a link [7](https://example.org)"],
    ["[draft] stays, [ 1 stays", 1, "[draft] stays, [ 1 stays"],
  ])("%j with %i sources", (text, sources, shown) => {
    expect(numberCitations(text, sources)).toBe(shown);
  });

  it("produces the same text wherever the stream is split", () => {
    const text =
      "The pump [1] runs at 48 °C [12][2, 7]; `x[5]` is code, ``` y[6] ``` too. See [3](#a) [9]";
    const whole = numberCitations(text, 3);
    expect(whole).toBe(
      "The pump [1] runs at 48 °C[2]; `x[5]` is code, ``` y[6] ``` too. See [3](#a)",
    );
    for (let size = 1; size <= 7; size += 1) {
      const filter = new CitationFilter(() => 3);
      let shown = "";
      for (let at = 0; at < text.length; at += size)
        shown += filter.push(text.slice(at, at + size));
      expect(shown + filter.end()).toBe(whole);
    }
  });

  it("passes ordinary text through at once", () => {
    const filter = new CitationFilter(() => 1);
    expect(filter.push("Hello")).toBe("Hello");
    expect(filter.push(" world.")).toBe(" world.");
    expect(filter.push(" [")).toBe("");
    expect(filter.push("1]")).toBe("");
    expect(filter.push(" yes")).toBe(" [1] yes");
  });

  it("keeps known numbers in order", () => {
    expect(keepKnownNumbers("2,1", 2)).toBe("[2, 1]");
  });
});
