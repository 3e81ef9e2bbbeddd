import { findSlowTexts } from "@carrel/testing";
import { expect, it } from "@jest/globals";
import { cleanFolderPath } from "../document/docpath.ts";
import { readWords } from "../library/library-query.ts";
import { makeNeedle } from "../passage/find-words.ts";
import { cleanText, decodeText, looksLikeText } from "./decode-text.ts";
import { parseCode } from "./parse-code.ts";
import { parseCsv } from "./parse-csv.ts";
import { parseJson } from "./parse-json.ts";
import { parseMarkdown } from "./parse-markdown.ts";
import { parseRtf } from "./parse-rtf.ts";
import { parseText } from "./parse-text.ts";
import { parseXml } from "./parse-xml.ts";

const more = [
  ..."\n\n|a\n|- a\n|> |# a\n|a,|a;b\n|a: b\n|[a]: b\n|`a|~~a|    a\n|---\n|&amp;|&#|<!|</|]]>".split(
    "|",
  ),
  ..."<![CDATA[|<!DOCTYPE a [|<!ENTITY |{\\|\\'|\\u1 |\\bin9 |\\par |\u00ad|\r\n".split("|"),
];

it.each<[what: string, parse: (text: string) => unknown, length?: number]>([
  ["plain text", parseText],
  ["Markdown", parseMarkdown, 8_000],
  ["CSV", parseCsv, 8_000],
  ["JSON", parseJson],
  ["XML", parseXml, 8_000],
  ["XML within an element", (text) => parseXml(`<a b="c">${text}`), 8_000],
  ["RTF", (text) => parseRtf(Buffer.from(`{\\rtf1 ${text}}`)), 16_000],
  ["code", parseCode],
  ["an unknown encoding", (text) => decodeText(Buffer.from(text))],
  ["an unknown file", (text) => looksLikeText(Buffer.from(text))],
  ["text to clean", cleanText],
  ["a folder's path", cleanFolderPath],
  ["a search in the library", readWords],
  ["a filter", makeNeedle],
])("%s is read in linear time, whatever is repeated", async (_what, parse, length = 32_000) =>
  expect(await findSlowTexts(parse, length, more)).toEqual([]),
);
