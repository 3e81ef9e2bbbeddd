import { findPassages } from "./step-result.ts";

const own = { skill: "rag-memory" };
/** As tools get it from `documentHeader` and `buildContext`. */
const passage = (title: string, text: string): string =>
  `<document_metadata>\nsourceDocument: ${title}\npublished: 3/3/2026\n</document_metadata>\n\n${text}`;
const block = (number: number, text: string): string =>
  `[CONTEXT ${number}]:\n${text}\n[END CONTEXT ${number}]\n\n`;
const found = [
  block(3, passage("survey.pdf", "High water\nis at four.")),
  block(4, passage("log.md", "Low water.")),
  "Cite a passage by its number.\n[3] survey.pdf, id a1",
].join("");

describe("the passages in a step's result", () => {
  it("have their number, title and text, without marks for models", () => {
    expect(findPassages(own, found)).toEqual([
      { number: 3, title: "survey.pdf", text: "High water\nis at four." },
      { number: 4, title: "log.md", text: "Low water." },
    ]);
  });

  it("are found in a result that was cut off", () => {
    expect(findPassages(own, found.slice(0, found.indexOf(" four.")))).toEqual([
      { number: 3, title: "survey.pdf", text: "High water\nis at" },
    ]);
    expect(findPassages(own, found.slice(0, found.indexOf("sourceDocument")))).toEqual([
      { number: 3, title: null, text: "" },
    ]);
  });

  it("have the title of a web page", () => {
    const page = `# Tides\nAddress: https://tides.example/\n\nThe page's text:\n${block(2, "At four.")}`;
    expect(findPassages({ skill: "web-scraping" }, page)).toEqual([
      { number: 2, title: "Tides", text: "At four." },
    ]);
  });

  it("aren't looked for in other results", () => {
    expect(findPassages(own, "No passages found.")).toBeNull();
    expect(findPassages({ skill: "mcp:notes" }, found)).toBeNull();
  });
});
