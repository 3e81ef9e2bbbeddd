import type { IncomingHttpHeaders } from "node:http";
import type { Principal } from "@carrel/contracts";
import { knownLanguage, type Language } from "@carrel/contracts/languages";

export type LanguageHeaders = IncomingHttpHeaders;

/**
 * The language for what Carrel writes itself: the client's, the one in the person's profile, then
 * the browser's. null if none of them is one of ours, which existing clients read as English.
 */
export const chooseLanguage = (
  headers: LanguageHeaders,
  principal: Pick<Principal, "language">,
): Language | null =>
  knownLanguage(textOf(headers["x-language"])) ??
  principal.language ??
  readAccepted(headers["accept-language"]);

/** No tag is longer, and no list needs to be. */
const longestHeader = 200;

const textOf = (header: string | string[] | undefined): string =>
  typeof header === "string" && header.length <= longestHeader ? header : "";

/** The preferred language of an Accept-Language header that is one of ours. */
export function readAccepted(header: string | undefined): Language | null {
  const wanted = textOf(header)
    .split(",")
    .map((part) => {
      const [tag = "", weight] = part.trim().split(/\s*;\s*q=/);
      return { language: knownLanguage(tag), weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight);
  return wanted.find(({ language }) => language !== null)?.language ?? null;
}
