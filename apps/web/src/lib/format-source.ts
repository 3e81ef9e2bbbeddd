import { dateFormat, numberFormat } from "./format.ts";

/** A relevance score from 0 to 1, always with two digits so that columns line up. */
export const formatScore = (value: number): string =>
  numberFormat({ maximumFractionDigits: 2, minimumFractionDigits: 2 }).format(value);

/** "28 Nov 2026" */
export const formatDate = (milliseconds: number): string =>
  dateFormat({ day: "numeric", month: "short", year: "numeric" }).format(milliseconds);
