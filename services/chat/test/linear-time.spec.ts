import { CitationFilter, listCitedNumbers, splitReasoning } from "@carrel/contracts";
import { findSlowTexts } from "@carrel/testing";
import { expect, it } from "@jest/globals";
import { listTypedAddresses, showDestination } from "../src/agent/trust.ts";
import { expandPresets, fillVariables } from "../src/prompt/prompt-parts.ts";
import {
  buildQuery,
  cutExcerpt,
  foldWithPlaces,
  matchName,
  wordsOf,
} from "../src/search/search-words.ts";
import { titleFromQuestion } from "../src/thread/thread-title.ts";
import { cleanTitle, readTitles } from "../src/title/title.module.ts";

/** Filters the text in pieces, the way a model's answer arrives. */
function filterPieces(text: string): void {
  const filter = new CitationFilter(() => 3);
  for (let at = 0; at < text.length; at += 50) filter.push(text.slice(at, at + 50));
  filter.end();
}
const more = [
  "</think>a ",
  ".<think>",
  "`<think>",
  "<think>a</think>",
  "analysis",
  "[1]",
  "[1, ",
  "[1][",
  " [",
  "/a ",
  "{a.",
  "<?",
  "1. a\n",
  '"\n',
  "a. B",
  "\u200b",
  "://",
  "a@\u00e9.",
];

it.each<[what: string, parse: (text: string) => unknown]>([
  ["filtering the citations of an answer", filterPieces],
  ["separating reasoning", (text) => splitReasoning(text, null)],
  ["listing citations", (text) => listCitedNumbers(text, 3)],
  ["expanding commands", (text) => expandPresets(text, [{ command: "/a", prompt: "b" }])],
  ["filling in variables", (text) => fillVariables(text, { a: "b" })],
  ["reading search words", (text) => buildQuery(1, wordsOf(text))],
  ["finding a name", (text) => matchName(text.slice(0, 1_000), text)],
  ["folding words", foldWithPlaces],
  ["cutting an excerpt", (text) => cutExcerpt([text], ["a", "1"])],
  ["naming a thread after its question", titleFromQuestion],
  ["listing the addresses in a question", listTypedAddresses],
  ["showing what an agent would do", showDestination],
  ["reading a title that a model wrote", cleanTitle],
  ["reading titles that a model wrote", (text) => readTitles(text, 5)],
])("%s takes linear time, whatever is repeated", async (_what, parse) =>
  expect(await findSlowTexts(parse, 32_000, more)).toEqual([]),
);

it("naming a thread takes less than 50 ms, whatever the question", () => {
  for (const unit of ["<?", "a. ", "! ", "`", "**a", "[a](", "漢。"]) {
    titleFromQuestion("warm");
    const before = process.threadCpuUsage();
    titleFromQuestion(unit.repeat(2_000));
    const { user, system } = process.threadCpuUsage(before);
    expect({ unit, isSlow: user + system > 50_000 }).toEqual({ unit, isSlow: false });
  }
});
