import type { UsageReport } from "@carrel/contracts";
import { formatNumber, numberFormat } from "./format.ts";

const language = (): string => document.documentElement.lang || "en";

/** "$12.40"; small amounts with two significant digits: "$0.0032". */
export const formatCost = (dollars: number): string =>
  numberFormat({
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
    ...(dollars > 0 && dollars < 0.995 ? { maximumSignificantDigits: 2 } : {}),
  })
    .formatToParts(dollars)
    // In Arabic even the narrow symbol is "US$", whose sign would stand before it.
    .map(({ type, value }) => (type === "currency" ? "$" : value))
    .join("");

/** The known part of a cost; null if there is no price for anything used. */
export const knownCost = ({
  cost,
  unpriced,
}: {
  cost: number | null;
  unpriced: number;
}): number | null => (cost === 0 && unpriced > 0 ? null : cost);

/** The known cost as text; null if none is known. */
export function formatKnownCost(use: Parameters<typeof knownCost>[0]): string | null {
  const cost = knownCost(use);
  return cost === null ? null : formatCost(cost);
}

/** Usage other than tokens, if any: characters, minutes of audio, searches. */
export const listMedia = ({
  characters,
  audioSeconds,
  searches,
}: Pick<UsageReport["totals"], "characters" | "audioSeconds" | "searches">): {
  kind: "speech" | "audio" | "reranking";
  count: number;
  amount: string;
}[] => {
  const minutes = audioSeconds / 60;
  return [
    { kind: "speech" as const, count: characters, amount: formatNumber(characters) },
    { kind: "audio" as const, count: minutes, amount: formatNumber(minutes, minutes < 10 ? 1 : 0) },
    { kind: "reranking" as const, count: searches, amount: formatNumber(searches) },
  ].filter(({ count }) => count > 0);
};

const parseDay = (day: string): Date => {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  return new Date(year, month - 1, date);
};

/** "Oct 3" for "2026-10-03". */
export const formatDay = (day: string): string =>
  new Intl.DateTimeFormat(language(), { day: "numeric", month: "short" }).format(parseDay(day));

/** "Oct 3 – 5, 2026"; one day if both are the same. */
export const formatDays = (first: string, last: string): string =>
  new Intl.DateTimeFormat(language(), { dateStyle: "medium" }).formatRange(
    parseDay(first),
    parseDay(last),
  );
