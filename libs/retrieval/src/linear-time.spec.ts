import { findSlowTexts } from "@carrel/testing";
import { expect, it } from "@jest/globals";
import { analyseQuestion, analyseTerms } from "./analyse.ts";
import { answerKind } from "./answer-kind.ts";
import { detectLanguage } from "./language.ts";
import { blankFillers } from "./question-fillers.ts";
import { quotableUnits } from "./quotable-units.ts";
import { quoteSentences } from "./quote-sentences.ts";
import { joinLines } from "./split-sentences.ts";
import { splitText } from "./split-text.ts";
import { readSummaryRequest, summarise } from "./summarise.ts";

const more = [
  "a-\n",
  "Dr. ",
  "a. B",
  "1. a\n",
  "- a\n",
  "a: b\n",
  "。",
  "\u00ad",
  "ไ",
  "ا",
  "in a ",
  "请用",
];

const passages = (text: string) => [{ text, title: "t", headingPath: ["h"], score: 1 }];
const input = { previousQuestion: null, threshold: 0 };

it.each<[what: string, parse: (text: string) => unknown, length: number]>([
  ["joining lines", joinLines, 32_000],
  ["splitting into chunks", (text) => splitText({ text }), 4_000],
  ["analysing", (text) => analyseTerms(text, { language: "en" }), 4_000],
  ["detecting the language", detectLanguage, 16_000],
  ["finding quotable units", quotableUnits, 8_000],
  ["reading a question", answerKind, 8_000],
  ["blanking fillers", blankFillers, 8_000],
  ["analysing a question", (text) => analyseQuestion(text), 4_000],
  [
    "quoting sentences",
    (text) => quoteSentences({ ...input, question: "What is a?", passages: passages(text) }),
    4_000,
  ],
  [
    "quoting for a long question",
    (question) => quoteSentences({ ...input, question, passages: passages("A bell rings.") }),
    4_000,
  ],
  ["summarising", (text) => summarise(passages(text)), 4_000],
  ["reading a request for a summary", readSummaryRequest, 32_000],
])("%s takes linear time, whatever is repeated", async (_what, parse, length) =>
  expect(await findSlowTexts(parse, length, more)).toEqual([]),
);
