import { z } from "zod";
import { CarrelError } from "./errors/carrel-error.ts";

/*
 * Pages of lists that grow without limit (Carrel-specific, docs/decisions/paging.md): a cursor names
 * the last row of a page by its place in the order, so nothing is skipped or repeated when rows are
 * added or deleted meanwhile.
 */

/** `nextCursor` of the previous page; absent for the first page. */
export const pageCursor = z.string().max(4_000).optional();
/** null on the last page. */
export const nextPageCursor = z.string().nullable();

/** Parts of a place. PostgreSQL has no year 0, and no larger IDs. */
export const cursorTime = z.iso.datetime().refine((at) => at >= "1900");
export const cursorId = z.number().int().min(0).max(2_147_483_647);

type Place = readonly (string | number | boolean)[];

/** The place as text that clients send back unchanged. */
export const writeCursor = (place: Place): string =>
  btoa(
    JSON.stringify(place).replaceAll(
      /[^\x20-\x7e]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
  )
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** Throws `request.cursor-invalid` for a cursor that wasn't written for this list. */
export function readCursor<Shape extends z.ZodType<Place>>(
  shape: Shape,
  text: string,
): z.output<Shape> {
  try {
    return shape.parse(JSON.parse(atob(text.replaceAll("-", "+").replaceAll("_", "/"))));
  } catch {
    throw new CarrelError("request.cursor-invalid");
  }
}

/** From `limit + 1` rows, cuts the page and the cursor of the next one. */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  placeOf: (row: Row) => Place,
): { page: Row[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    page,
    nextCursor: rows.length > limit && last !== undefined ? writeCursor(placeOf(last)) : null,
  };
}
