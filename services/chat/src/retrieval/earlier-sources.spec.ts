import { sourceWire } from "@carrel/contracts";
import { passageOf } from "../../test/factories/passage.ts";
import { dropContainedPassages, selectSources } from "./earlier-sources.ts";

describe("sources of an answer", () => {
  it("have the fields of the wire, the document header and the location in the document", () => {
    const [source] = selectSources([passageOf({ page: 4, start: 10, end: 54 })]);
    expect(sourceWire.parse(source)).toEqual(source);
    expect(Object.keys(source!).slice(0, 12)).toEqual([
      "id",
      "url",
      "title",
      "docAuthor",
      "description",
      "docSource",
      "chunkSource",
      "published",
      "wordCount",
      "token_count_estimate",
      "text",
      "score",
    ]);
    expect(source!.text).toBe(
      "<document_metadata>\nsourceDocument: survey.txt\npublished: 1/1/2026, 00:00:00\n</document_metadata>\n\nAt 48 °C most radiators cover the room load.",
    );
    expect(source).toMatchObject({ page: 4, start: 10, end: 54, score: 0.8 });
  });

  it("do not contain the same text twice", () => {
    const passages = [
      passageOf({ chunkId: "first", start: 80, end: 90, score: 0.9 }),
      passageOf({ chunkId: "inner", start: 10, end: 20, score: 0.8 }),
      passageOf({ chunkId: "other", documentId: "x", start: 10, end: 20, score: 0.7 }),
      passageOf({ chunkId: "second inner", start: 20, end: 30, score: 0.6 }),
      passageOf({ chunkId: "outer", start: 0, end: 40, score: 0.5 }),
      passageOf({ chunkId: "third inner", start: 30, end: 40, score: 0.4 }),
    ];
    // The larger passage takes the place and score of the best one it contains.
    expect(dropContainedPassages(passages).map(({ chunkId, score }) => [chunkId, score])).toEqual([
      ["first", 0.9],
      ["outer", 0.8],
      ["other", 0.7],
    ]);
    expect(
      dropContainedPassages([passageOf({ chunkId: "a" }), passageOf({ chunkId: "b" })]).map(
        (passage) => passage.chunkId,
      ),
    ).toEqual(["a"]);
  });
});
