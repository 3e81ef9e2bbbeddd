import { arabicFillers } from "./filler-phrases/arabic.ts";
import { chineseFillers } from "./filler-phrases/chinese.ts";
import { englishFillers } from "./filler-phrases/english.ts";
import { frenchFillers } from "./filler-phrases/french.ts";
import { germanFillers } from "./filler-phrases/german.ts";
import { spanishFillers } from "./filler-phrases/spanish.ts";
import type { FillerPhrases } from "./filler-words.ts";

/** By language. */
export const fillerPhrases: Record<string, FillerPhrases> = {
  en: englishFillers,
  de: germanFillers,
  fr: frenchFillers,
  es: spanishFillers,
  zh: chineseFillers,
  ar: arabicFillers,
};
