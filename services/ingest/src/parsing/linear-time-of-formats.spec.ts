import { findSlowTexts } from "@carrel/testing";
import { expect, it } from "@jest/globals";
import { describeRecurrence, parseCalendar } from "./parse-calendar.ts";
import { parseHtml } from "./parse-html.ts";
import { parseNotebook } from "./parse-notebook.ts";
import { parseRtf } from "./parse-rtf.ts";
import { parseSubtitles } from "./parse-subtitles.ts";
import { parseVcard } from "./parse-vcard.ts";

const inLines = [
  ...'BEGIN:VCARD\n|END:VCARD\n|FN:a\n|N:a;b\n|TEL;WORK:1\n|;A=b|;A="|,b|:|\n |=\n|=C3'.split("|"),
  ..."NOTE;QUOTED-PRINTABLE:a=\n|BEGIN:VEVENT\n|END:VEVENT\n|ATTENDEE:a\n|RRULE:A=B;\n".split("|"),
];
const inSubtitles =
  "00:00:01,0 --> 00:00:02,0\n|a\n|\n\n|<v a>|<i>|{1}{2}a\n|{y:i}|[br]|{\\an8}|0".split("|");
const inPages = [
  ..."<sup>|</sup>|<sup>a</sup>|<sub>2</sub>|<ruby>a<rt>b|<img alt=a>|<input>|<math>|<mi>a</mi>".split(
    "|",
  ),
  ..."<msup><mi>a</mi>|<mrow>|<select><option selected>a|<textarea>a|<meta name=author content=a>".split(
    "|",
  ),
  ..."<iframe srcdoc=a>|<td rowspan=9>a|<tr>|<caption>a|<noscript>a|<br>|<template shadowrootmode=a>".split(
    "|",
  ),
];
const inRtf = [
  ..."{\\footnote a}|\\chftn |{\\v a}|\\trowd\\cellx1 |\\cell |\\row |\\par |\\u1 ?|\\'e9|\\f1 |\\bin1 a".split(
    "|",
  ),
  ..."{\\header a}|{\\*\\a b}|{\\upr{a}{\\*\\ud b}}|{\\fonttbl{\\f1\\fcharset2 a;}}|\\plain |{|\\dbch\\af1 ".split(
    "|",
  ),
];

it.each<[what: string, parse: (text: string) => unknown, units: string[]]>([
  ["a contact", (text) => parseVcard(`BEGIN:VCARD\n${text}`), inLines],
  ["a calendar", (text) => parseCalendar(`BEGIN:VEVENT\n${text}`), inLines],
  [
    "a recurrence",
    (text) => describeRecurrence(`FREQ=DAILY;${text}`, String),
    ["BYDAY=MO;", ",MO", ";"],
  ],
  ["subtitles", parseSubtitles, inSubtitles],
  [
    "a notebook",
    (text) => parseNotebook(JSON.stringify({ cells: [{ source: text }] })),
    ["data:a;base64,", "A", "# a\n"],
  ],
  [
    "a notebook that is cut off",
    (text) => parseNotebook(`{"cells": ["${text}`),
    ["data:a;base64,", "A"],
  ],
  ["what a page means", (text) => parseHtml(`<table><tr><td>${text}`), inPages],
  ["a formula", (text) => parseHtml(`<math>${text}</math>`), inPages],
  ["RTF", (text) => parseRtf(Buffer.from(`{\\rtf1 ${text}}`)), inRtf],
])(
  "%s is read in linear time, whatever is repeated",
  async (_what, parse, units) => expect(await findSlowTexts(parse, 8_000, units)).toEqual([]),
  60_000,
);
