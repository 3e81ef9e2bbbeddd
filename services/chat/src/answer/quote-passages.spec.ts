import { passageOf } from "../../test/factories/passage.ts";
import { explainNothingFound, renumberQuotes, formatQuotes } from "./quote-passages.ts";

describe("built-in answerer", () => {
  const passages = [
    passageOf({ chunkId: "a" }),
    passageOf({ chunkId: "b" }),
    passageOf({ chunkId: "c" }),
  ];

  it("numbers the quoted passages in the order the answer cites them", () => {
    const quotation = renumberQuotes(passages, [
      { text: "From c.", passage: 3 },
      { text: "From a.", passage: 1 },
      { text: "Again c.", passage: 3 },
    ]);
    expect(quotation.passages.map((passage) => passage.chunkId)).toEqual(["c", "a"]);
    expect([...formatQuotes(quotation.sentences)].join("")).toBe(
      "From c. [1]\n\nFrom a. [2]\n\nAgain c. [1]",
    );
  });

  it("quotes nothing if there is nothing to quote", () => {
    expect(renumberQuotes(passages, [])).toEqual({ passages: [], sentences: [] });
  });

  it("explains that it quotes instead of writing", () => {
    expect(explainNothingFound(3)).toMatch(
      /found nothing in the documents.*quotes passages.*does not write.*Settings/s,
    );
    expect(explainNothingFound(0)).toMatch(/no documents yet/);
  });
});
