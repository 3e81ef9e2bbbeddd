import { z } from "zod";

/** How far apart two clocks may be. */
const leewayMs = 60_000;

/** `iat` of a JWT, in seconds since 1970; no honest issuer writes one in the future. */
export const issuedAt = z.number().refine((seconds) => seconds * 1000 <= Date.now() + leewayMs);

/*
 * Coercions of wire-contract.md 3.2: existing clients send numbers as strings, null or empty text;
 * out-of-range values become the default. Any other type (such as an object for a number) is
 * rejected. Absent stays absent.
 */
const numeric = z.union([z.number(), z.string(), z.null()]);
const toNumber = (value: number | string | null): number =>
  typeof value === "string" ? Number.parseFloat(value) : (value ?? Number.NaN);

export const integerOr = (fallback: number, rule: (n: number) => number = (n) => n) =>
  numeric.transform((value) => {
    const n = Math.trunc(toNumber(value));
    // Clamped to the range of a PostgreSQL integer column.
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
/** Some clients send null for an empty field. */
export const textOrEmpty = (longest: number) =>
  z
    .string()
    .max(longest)
    .nullish()
    .transform((text) => text ?? "");
/**
 * Restricted to PostgreSQL's integer range: ids outside it cannot exist, so they are rejected
 * before they reach a query.
 */
export const rowId = z.coerce.number().int().positive().max(2_147_483_647);
export const slug = z.string().min(1).max(255);
/** Existing clients send true as 1, '1', true or 'true'. */
export const yesOrNo = z
  .union([z.boolean(), z.literal([0, 1, "0", "1", "true", "false"])])
  .transform((value) => value === true || value === 1 || value === "1" || value === "true");
/** A query parameter that can be repeated; a single value arrives without an array. */
export const listOf = <T extends z.ZodType>(item: T, most: number) =>
  z.union([item.transform((value) => [value]), z.array(item).max(most)]).default([]);
/** Zero-based page number, which the wire calls offset. */
export const pageIndex = z.coerce.number().int().min(0).max(1_000_000).catch(0);
const isTimeZone = (name: string): boolean => {
  // PostgreSQL reads the sign of an offset the other way round.
  if (/^[+-]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
};
/** A day that PostgreSQL can store too. */
export const day = z.iso.date().refine((date) => date >= "1900");
/** JavaScript also accepts names that PostgreSQL doesn't know, such as AET. */
const canonicalZone = (name: string): string =>
  new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
/** IANA name of a time zone, in which days begin at midnight. */
export const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone)
  .default("UTC")
  .transform(canonicalZone);
