import type { SqlConnection } from "@carrel/contracts";

/** Of one statement of the model, in milliseconds, rows and bytes. */
export const sqlLimits = {
  statementMs: 15_000,
  connectMs: 10_000,
  /** Rows that are kept, for the table below the answer. */
  keptRows: 1_000,
  /** Further rows are only counted, up to this many and for this long. */
  countedRows: 100_000,
  countMs: 3_000,
  /** Received from the server in one call, whatever it is. */
  receivedBytes: 64 * 1024 * 1024,
};

export interface SqlRows {
  columns: string[];
  rows: unknown[][];
  /** Rows that were read; only the first ones are kept. */
  counted: number;
  /** Whether there are more rows than were counted. */
  hasMore: boolean;
}

/** A connection in a transaction that can't write. */
export interface SqlSession {
  /** Runs a checked statement of the model. */
  query(statement: CheckedStatement): Promise<SqlRows>;
  /** Runs a statement of ours. */
  read(statement: string, values: (string | number | null)[]): Promise<Record<string, unknown>[]>;
  /** Rolls back and closes the connection; never throws. */
  close(): Promise<void>;
}

/** A statement that only reads, as far as its text says. */
export interface CheckedStatement {
  /** To be sent: without comments and final semicolon. */
  text: string;
  /** The functions that it calls, as their parts: `pg_catalog`, `lower`. Only PostgreSQL's. */
  functions: string[][];
  /** Names behind a dot, which may be columns or functions: t.f, (t).f. Only PostgreSQL's. */
  attributes?: {
    name: string;
    /** Whether it stands behind a relation rather than any value. */
    isOfRow: boolean;
  }[];
}

/** Queries of the catalog, whose columns are those of `TableRow` and so on. */
export interface SqlCatalog {
  /** Parameters: the pattern, as LIKE has it, the number of rows and how many to skip. */
  tables(page: { pattern: string; take: number; skip: number }): CatalogQuery;
  columns(table: TableName): CatalogQuery;
  keys(table: TableName): CatalogQuery;
}
export interface CatalogQuery {
  text: string;
  values: (string | number | null)[];
}
export interface TableName {
  schema: string | null;
  table: string;
}

export interface SqlEngineDriver {
  /** Throws ToolError, with what the model should write instead. */
  check(statement: string): Promise<CheckedStatement>;
  /** Throws a driver's error, which `toSqlFault` maps. */
  open(connection: SqlConnection, signal: AbortSignal): Promise<SqlSession>;
  catalog: SqlCatalog;
}
