import { describe, expect, it } from "@jest/globals";
import { placesOf, withSources } from "./source-places.ts";

const page = (number: number): string => `p. ${number}`;
const source = (title: string, more: Partial<Parameters<typeof placesOf>[0][number]> = {}) => ({
  title,
  page: null,
  headingPath: [],
  text: "",
  ...more,
});

describe("the places of sources", () => {
  it("are pages, or headings where there are none", () =>
    expect(
      placesOf(
        [
          source("a.pdf", { page: 3, headingPath: ["Costs"] }),
          source("b.docx", { headingPath: ["Report", "Heat pumps"] }),
          source("c.md", { headingPath: ["Set-up"] }),
          source("d.txt"),
          source("Tides", { headingPath: ["Tides"] }),
        ],
        page,
      ),
    ).toEqual(["p. 3", "Heat pumps", "Set-up", "", ""]));

  it("tell apart passages of one document", () => {
    const text = "The radiators cover their rooms at 48 °C and no more.";
    const places = placesOf(
      [
        source("a.pdf", { page: 3, headingPath: ["Costs"] }),
        source("a.pdf", { page: 3, headingPath: ["Savings"] }),
        source("b.txt", { text }),
        source("b.txt", { text: "Another passage" }),
        source("c.txt", { text }),
        source("c.txt", { text }),
        source("c.txt", { text }),
      ],
      page,
    );
    expect(places).toEqual([
      "p. 3 · Costs",
      "p. 3 · Savings",
      "“The radiators cover…”",
      "“Another passage”",
      "5",
      "6",
      "7",
    ]);
  });

  it("are copied below the answer for those that it cites", () => {
    const sources = [source("a.pdf", { page: 3 }), source("b.md", { headingPath: ["Set-up"] })];
    const words = { heading: "Sources:", page };
    expect(withSources("It is so [2].\n", sources, new Set([2]), words)).toBe(
      "It is so [2].\n\nSources:\n[2] b.md, Set-up\n",
    );
    expect(withSources("It is so.", sources, new Set(), words)).toBe(
      "It is so.\n\nSources:\n[1] a.pdf, p. 3\n[2] b.md, Set-up\n",
    );
  });
});
