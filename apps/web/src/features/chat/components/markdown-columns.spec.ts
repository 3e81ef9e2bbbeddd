import { describe, expect, it } from "@jest/globals";
import type { Element, Root } from "hast";
import { rehypeNumericColumns } from "./markdown.tsx";

const element = (tagName: string, children: Element["children"]): Element => ({
  type: "element",
  tagName,
  properties: {},
  children,
});
const row = (cell: "th" | "td", ...texts: string[]): Element =>
  element(
    "tr",
    texts.map((value) => element(cell, [{ type: "text", value }])),
  );

/** Indexes of the columns marked as numeric in this table. */
function marked(head: string[], ...body: string[][]): number[] {
  const first = row("th", ...head);
  const tree: Root = {
    type: "root",
    children: [
      element("table", [
        element("thead", [first]),
        element(
          "tbody",
          body.map((texts) => row("td", ...texts)),
        ),
      ]),
    ],
  };
  rehypeNumericColumns()(tree);
  return [...head.keys()].filter(
    (column) => (first.children[column] as Element).properties.className !== undefined,
  );
}

describe("numberColumns", () => {
  it("marks numeric columns, whatever their units", () => {
    expect(
      marked(
        ["Flow", "Factor", "kWh", "Share", "Rent"],
        ["55 °C, today", "2.9", "2,345", "3 %", "€ 820"],
        ["48 °C", "3.4", "–", "22 %", "1.450 euro"],
      ),
    ).toEqual([1, 2, 3, 4]);
  });
  it("ignores text columns and empty ones", () => {
    expect(
      marked(["Day", "What", "Note"], ["Tue 3", "Glass", ""], ["1998 to 2016", "Paper", ""]),
    ).toEqual([]);
    expect(marked(["Only a head"])).toEqual([]);
  });
});
