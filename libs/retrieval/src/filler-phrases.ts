import { arabicFillers } from "./filler-phrases/arabic.ts";
import { chineseFillers } from "./filler-phrases/chinese.ts";
import { danishFillers } from "./filler-phrases/danish.ts";
import { dutchFillers } from "./filler-phrases/dutch.ts";
import { englishFillers } from "./filler-phrases/english.ts";
import { finnishFillers } from "./filler-phrases/finnish.ts";
import { frenchFillers } from "./filler-phrases/french.ts";
import { germanFillers } from "./filler-phrases/german.ts";
import { greekFillers } from "./filler-phrases/greek.ts";
import { hebrewFillers } from "./filler-phrases/hebrew.ts";
import { hungarianFillers } from "./filler-phrases/hungarian.ts";
import { indonesianFillers } from "./filler-phrases/indonesian.ts";
import { italianFillers } from "./filler-phrases/italian.ts";
import { japaneseFillers } from "./filler-phrases/japanese.ts";
import { koreanFillers } from "./filler-phrases/korean.ts";
import { lithuanianFillers } from "./filler-phrases/lithuanian.ts";
import { norwegianFillers } from "./filler-phrases/norwegian.ts";
import { persianFillers } from "./filler-phrases/persian.ts";
import { portugueseFillers } from "./filler-phrases/portuguese.ts";
import { romanianFillers } from "./filler-phrases/romanian.ts";
import { russianFillers } from "./filler-phrases/russian.ts";
import { spanishFillers } from "./filler-phrases/spanish.ts";
import { swedishFillers } from "./filler-phrases/swedish.ts";
import { thaiFillers } from "./filler-phrases/thai.ts";
import { turkishFillers } from "./filler-phrases/turkish.ts";
import { ukrainianFillers } from "./filler-phrases/ukrainian.ts";
import { vietnameseFillers } from "./filler-phrases/vietnamese.ts";
import type { FillerPhrases } from "./filler-roles.ts";

/** By language. */
export const fillerPhrases: Record<string, FillerPhrases> = {
  en: englishFillers,
  de: germanFillers,
  fr: frenchFillers,
  es: spanishFillers,
  it: italianFillers,
  pt: portugueseFillers,
  nl: dutchFillers,
  sv: swedishFillers,
  no: norwegianFillers,
  da: danishFillers,
  fi: finnishFillers,
  hu: hungarianFillers,
  ro: romanianFillers,
  tr: turkishFillers,
  lt: lithuanianFillers,
  id: indonesianFillers,
  vi: vietnameseFillers,
  ru: russianFillers,
  uk: ukrainianFillers,
  el: greekFillers,
  ar: arabicFillers,
  fa: persianFillers,
  he: hebrewFillers,
  zh: chineseFillers,
  ja: japaneseFillers,
  ko: koreanFillers,
  th: thaiFillers,
};
