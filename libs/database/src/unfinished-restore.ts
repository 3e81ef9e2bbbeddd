import pg from "pg";

/**
 * Recorded for each schema in the transaction that restores it, until the files and Redis are
 * restored too; services don't start before that.
 */
export interface UnfinishedRestore {
  /** Suffix of the names of the replaced data. */
  suffix: string;
  /** When the backup was made; identifies it. */
  backup: string;
  /** Whether there was no data to replace. */
  wasEmpty: boolean;
}

const mark = "carrel restore: ";

export class UnfinishedRestoreError extends Error {
  override readonly name = "UnfinishedRestoreError";
  constructor() {
    super(
      "A restore into this database was interrupted after the database itself.\nWhat to do: run the same ./carrel restore command again, which does the rest, then start Carrel.",
    );
  }
}

type Queries = Pick<pg.Client, "query">;

/** Null if the schema doesn't exist or no restore is unfinished. */
export async function readUnfinishedRestore(
  client: Queries,
  schema: string,
): Promise<UnfinishedRestore | null> {
  const { rows } = await client.query<{ note: string | null }>(
    "SELECT obj_description(to_regnamespace($1), 'pg_namespace') AS note",
    [schema],
  );
  const note = rows[0]?.note ?? "";
  return note.startsWith(mark) ? (JSON.parse(note.slice(mark.length)) as UnfinishedRestore) : null;
}

/** The statement that records it; null removes the record. */
export const noteUnfinishedRestore = (schema: string, restore: UnfinishedRestore | null): string =>
  `COMMENT ON SCHEMA ${pg.escapeIdentifier(schema)} IS ${
    restore === null ? "NULL" : pg.escapeLiteral(mark + JSON.stringify(restore))
  }`;
