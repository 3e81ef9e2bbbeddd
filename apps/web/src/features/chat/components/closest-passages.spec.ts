import { splitExcerpts } from "./closest-passages.tsx";

test("excerpts are split without what makes them block quotes", () => {
  expect(
    splitExcerpts(
      "No sentence answers this directly. The closest passages:\n\n> Steps:\n>\n> 1. Open\n> 2. Shut [1]\n\n> | a |\n> | - |\n> | > [3] |\n>\n> [2]",
    ),
  ).toEqual(["Steps:\n\n1. Open\n2. Shut", "| a |\n| - |\n| > [3] |"]);
  // It is still being written.
  expect(splitExcerpts("No sentence answers this directly.")).toEqual([]);
});
