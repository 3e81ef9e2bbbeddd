import { cursorTime, cutPage, readCursor } from "@carrel/contracts";
import { z } from "zod";
import type { Bind } from "./library-query.ts";

/** Columns of `document d` that lists can be sorted by, their types and their values as text. */
const columns = {
  added: {
    name: "d.created_at",
    type: "timestamptz",
    text: `to_char(d.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
    value: cursorTime,
  },
  title: {
    name: "d.sort_title",
    type: "text",
    text: "d.sort_title",
    // PostgreSQL's texts have no NUL.
    value: z
      .string()
      .max(400)
      .refine((title) => !title.includes("\0")),
  },
  bytes: {
    name: "d.bytes",
    type: "bigint",
    text: "d.bytes::text",
    value: z.string().regex(/^\d{1,18}$/),
  },
} as const;

/** Order of a list: by a column or by nothing but the ID, which also orders equal rows. */
export interface DocumentOrder {
  sort: keyof typeof columns;
  descending: boolean;
  id: { name: string; type: "uuid" | "int"; value: z.ZodType<string | number> };
  /** Whether IDs are already in the order of `sort`. */
  isById?: boolean;
}

/** SQL of an order; `place` is the column's value as text, for a cursor. */
export function describeOrder({ sort, descending, id, isById }: DocumentOrder): {
  order: string;
  place: string;
} {
  const way = descending ? "DESC" : "ASC";
  const { name, text } = columns[sort];
  return isById === true
    ? { order: `${id.name} ${way}`, place: "''" }
    : { order: `${name} ${way}, ${id.name} ${way}`, place: text };
}

/** SQL condition for the rows after the one that such a list's cursor names. */
export function isAfter(
  { sort, descending, id, isById }: DocumentOrder,
  cursor: string,
  bind: Bind,
): string {
  const { name, type, value } = columns[sort];
  const place = z.tuple([
    z.literal(sort),
    z.literal(descending),
    isById === true ? z.literal("") : value,
    id.value,
  ]);
  const [, , at, lastId] = readCursor(place, cursor);
  const way = descending ? "<" : ">";
  const last = `${bind(lastId)}::${id.type}`;
  return isById === true
    ? `${id.name} ${way} ${last}`
    : `(${name}, ${id.name}) ${way} (${bind(at)}::${type}, ${last})`;
}

export const cutDocuments = <Row extends { id: string | number; place: string }>(
  rows: readonly Row[],
  limit: number,
  { sort, descending }: DocumentOrder,
): { page: Row[]; nextCursor: string | null } =>
  cutPage(rows, limit, ({ place, id }) => [sort, descending, place, id]);
