import { z } from "zod";

/* Coercions of wire-contract.md 3.2: existing clients send numbers as strings, null and empty; what is out of range
   becomes the default. Any other type (an object where a number is due) is a fault. Absent stays absent. */
const numeric = z.union([z.number(), z.string(), z.null()]);
const toNumber = (value: number | string | null): number =>
  typeof value === "string" ? Number.parseFloat(value) : (value ?? Number.NaN);

export const integerOr = (fallback: number, rule: (n: number) => number = (n) => n) =>
  numeric.transform((value) => {
    const n = Math.trunc(toNumber(value));
    // Beyond what a column of PostgreSQL holds there is only its largest number.
    return Number.isFinite(n)
      ? rule(Math.max(-2_147_483_648, Math.min(2_147_483_647, n)))
      : fallback;
  });
export const floatOr = <F extends number | null>(
  fallback: F,
  rule: (n: number) => number | F = (n) => n,
) =>
  numeric.transform((value) => {
    const n = toNumber(value);
    return Number.isFinite(n) ? rule(n) : fallback;
  });
export const textOrNull = z
  .union([z.string(), z.null()])
  .transform((value) => (value === null || value.trim() === "" ? null : value));
/** Sent as null by some clients where nothing was entered. */
export const textOrEmpty = (longest: number) =>
  z
    .string()
    .max(longest)
    .nullish()
    .transform((text) => text ?? "");
/**
 * PostgreSQL's integer ids: anything else cannot exist, so it is a fault before it reaches a query.
 */
export const rowId = z.coerce.number().int().positive().max(2_147_483_647);
export const slug = z.string().min(1).max(255);
/** Clients of this wire say yes as 1, '1', true and 'true'. */
export const yesOrNo = z
  .union([z.boolean(), z.literal([0, 1, "0", "1", "true", "false"])])
  .transform((value) => value === true || value === 1 || value === "1" || value === "true");
/** Several values of one name in a query string; a single one comes alone. */
export const listOf = <T extends z.ZodType>(item: T, most: number) =>
  z.union([item.transform((value) => [value]), z.array(item).max(most)]).default([]);
/** Page number (from 0) that the wire calls offset. */
export const pageIndex = z.coerce.number().int().min(0).max(1_000_000).catch(0);
