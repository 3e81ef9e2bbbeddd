import type { SourceWire } from "@carrel/contracts";
import { expect, it } from "@jest/globals";
import { annotate } from "./answer-reader.ts";

const source = (title: string): SourceWire => ({ title, url: `file://${title}` }) as SourceWire;
const places = (text: string, titles: string[]): [string, number, number][] =>
  annotate(text, titles.map(source)).map(({ title, start_index: start, end_index: end }) => [
    title,
    start,
    end,
  ]);

it("locates each citation, and the sources without one at the end", () => {
  expect(places("Hot [2, 1]. Hotter [2].", ["a", "b", "c"])).toEqual([
    ["b", 4, 10],
    ["a", 4, 10],
    ["b", 19, 22],
    ["c", 23, 23],
  ]);
});

it("leaves out numbers without a source, and links", () => {
  expect(places("See [3] and [1](https://a.example).", ["a"])).toEqual([["a", 35, 35]]);
});
