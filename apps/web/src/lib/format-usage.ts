const language = (): string => document.documentElement.lang || "en";

/** "$12.40"; small amounts with two significant digits: "$0.0032". */
export const formatCost = (dollars: number): string =>
  new Intl.NumberFormat(
    language(),
    dollars > 0 && dollars < 0.995
      ? { style: "currency", currency: "USD", maximumSignificantDigits: 2 }
      : { style: "currency", currency: "USD" },
  ).format(dollars);

/** "Oct 3" of "2026-10-03". */
export function formatDay(day: string): string {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  return new Intl.DateTimeFormat(language(), { day: "numeric", month: "short" }).format(
    new Date(year, month - 1, date),
  );
}
