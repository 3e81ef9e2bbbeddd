import { sealedText, SecretUnreadableError, type SecretBox } from "@carrel/database";
import pg from "pg";

/** Sealed values of one column, by what became of them. */
export interface SealedColumn {
  /** `schema.table.column` */
  column: string;
  /** Found sealed with the previous key. */
  previous: number;
  /** Of these, now sealed with the new one; the rest changed meanwhile. */
  resealed: number;
  /** Sealed with the new key already. */
  current: number;
  /** Sealed with a third key or damaged, or in a row that can't change, such as an event's. */
  unreadable: number;
  /** Of these, in rows that can't change. */
  refused: number;
}

interface Column {
  table: string;
  name: string;
  /** As in SQL. */
  type: string;
}

/** Rows read at once. */
const batch = 500;
/** What `sealedText` finds, as far as an index-less search needs to be exact. */
const sealedPattern = "v1:[0-9a-f]{8}:[A-Za-z0-9_-]{16}:";

/**
 * Seals everything in these schemas that the box can open, and its first key didn't seal, again with
 * that key. Looks at every column that can hold text, wherever in it a sealed value is, so that no
 * list of columns can be out of date. A row that changes meanwhile is left to the next run. Each
 * row is written in one statement, so killing this loses nothing, and another run continues.
 */
export async function reseal(
  client: pg.Client,
  schemas: readonly string[],
  box: SecretBox,
): Promise<SealedColumn[]> {
  const found: SealedColumn[] = [];
  for (const column of await listTextColumns(client, schemas)) {
    const counts = await resealColumn(client, column, box);
    if (counts.previous + counts.current + counts.unreadable > 0)
      found.push({ column: `${column.table}.${column.name}`, ...counts });
  }
  return found;
}

/**
 * Values that other keys than the box's first sealed, and it can open, by column as in
 * `SealedColumn`: in one snapshot, because `reseal` can miss a row that is written while it reads.
 */
export async function countLeft(
  client: pg.Client,
  schemas: readonly string[],
  box: SecretBox,
): Promise<Map<string, number>> {
  const left = new Map<string, number>();
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  try {
    for (const { table, name } of await listTextColumns(client, schemas)) {
      const { rows } = await client.query<{ text: string }>(
        `SELECT ${name}::text AS text FROM ${table} WHERE ${name}::text LIKE ANY($1)`,
        [box.otherKeyIds.map((id) => `%v1:${id}:%`)],
      );
      const count = rows.reduce((sum, { text }) => sum + resealText(text, box).previous, 0);
      if (count > 0) left.set(`${table}.${name}`, count);
    }
  } finally {
    await client.query("ROLLBACK");
  }
  return left;
}

async function listTextColumns(client: pg.Client, schemas: readonly string[]): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `SELECT quote_ident(nspname) || '.' || quote_ident(relname) AS table,
      quote_ident(attname) AS name, format_type(atttypid, atttypmod) AS type
    FROM pg_class c
    JOIN pg_namespace n ON n.oid = relnamespace
    JOIN pg_attribute a ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped
      AND attgenerated = ''
    JOIN pg_type t ON t.oid = atttypid
    LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'
    WHERE nspname = ANY($1) AND relkind = 'r'
      AND (coalesce(e.typcategory, t.typcategory) = 'S'
        OR coalesce(e.typname, t.typname) IN ('json', 'jsonb'))
    ORDER BY 1, attnum`,
    [schemas],
  );
  return rows;
}

async function resealColumn(
  client: pg.Client,
  { table, name, type }: Column,
  box: SecretBox,
): Promise<Omit<SealedColumn, "column">> {
  const counts = { previous: 0, resealed: 0, current: 0, unreadable: 0, refused: 0 };
  for (let after = "(0,0)"; ;) {
    const { rows } = await client.query<{ place: string; text: string }>(
      `SELECT ctid::text AS place, ${name}::text AS text FROM ${table}
      WHERE ctid > $1::tid AND ${name}::text LIKE '%v1:%' AND ${name}::text ~ $2
      ORDER BY ctid LIMIT ${batch}`,
      [after, sealedPattern],
    );
    for (const { place, text } of rows) {
      const row = resealText(text, box);
      counts.current += row.current;
      counts.unreadable += row.unreadable;
      if (row.previous === 0) continue;
      try {
        const { rowCount } = await client.query(
          `UPDATE ${table} SET ${name} = $1::text::${type}
          WHERE ctid = $2::tid AND ${name}::text = $3`,
          [row.text, place, text],
        );
        counts.previous += row.previous;
        if (rowCount === 1) counts.resealed += row.previous;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        counts.unreadable += row.previous;
        counts.refused += row.previous;
      }
    }
    if (rows.length < batch) return counts;
    after = rows.at(-1)!.place;
  }
}

/** A constraint or trigger; services never seal into such a column, but people may write into it. */
const isRefusal = (error: unknown): boolean =>
  (error as { code?: string }).code?.startsWith("23") === true;

/** The text with all its sealed values sealed with the box's first key, and their numbers. */
function resealText(
  text: string,
  box: SecretBox,
): { text: string } & Pick<SealedColumn, "previous" | "current" | "unreadable"> {
  const counts = { previous: 0, current: 0, unreadable: 0 };
  const changed = text.replaceAll(sealedText, (sealed: string, keyId: string) => {
    try {
      const plain = box.open(sealed);
      if (keyId === box.keyId) {
        counts.current++;
        return sealed;
      }
      counts.previous++;
      return box.seal(plain);
    } catch (error) {
      if (!(error instanceof SecretUnreadableError)) throw error;
      counts.unreadable++;
      return sealed;
    }
  });
  return { text: changed, ...counts };
}
