import { CarrelError, type FileItem, type Scope } from "@carrel/contracts";
import { Pipes } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable, type OnApplicationShutdown } from "@nestjs/common";
import { randomUUID } from "node:crypto";
import { DataSource } from "typeorm";
import { defaultFolder } from "../document/docpath.ts";
import { mapToFileItem, type LibraryRow } from "../document/document.mapper.ts";
import { writeTree, type TreeEntry } from "./write-tree.ts";

type Row = LibraryRow & { folder: string };

/** Bytes of the files in one reply between services, which holds 1 MB. */
const bytesAtOnce = 900_000;
/** Rows of the tree in memory. */
const rowsAtOnce = 500;
/**
 * Trees that are read at once, each on a connection of its own of the six; others wait that long
 * for their turn.
 */
const mostOpen = 2;
const longestWaitMs = 20_000;
/**
 * What a slow reader has not taken by then it does not get: PostgreSQL keeps what was deleted
 * meanwhile for as long as a tree is open.
 */
const longestMs = 600_000;

const columns = `d."folder", d."docpath", d."id", d."url", d."title", d."doc_author" AS "docAuthor", d."description", d."doc_source" AS "docSource", d."chunk_source" AS "chunkSource", d."published", d."word_count" AS "wordCount", d."token_count" AS "tokenCount"`;
const linked = `coalesce(l."pinned", '{}') AS "pinnedWorkspaces", coalesce(l."watched", false) AS "watched", coalesce(l."cached", false) AS "cached"`;
/** What workspaces do with a document. */
const links = (
  id: string,
): string => `LEFT JOIN LATERAL (SELECT array_agg(w."workspace_id") FILTER (WHERE w."pinned") AS "pinned", bool_or(w."watched") AS "watched", bool_or(w."embedded_at" IS NOT NULL) AS "cached"
  FROM "ingest"."workspace_document" w WHERE w."document_id" = ${id}) l ON true`;
const rowsOf = (condition: string): string =>
  `SELECT ${columns}, ${linked} FROM "ingest"."document" d ${links('d."id"')} WHERE ${condition} ORDER BY d."docpath"`;
const shown = `d."state" = 'parsed' AND d."in_library"`;
/** As `document_tree_idx` has it: false for the folder of uploads, which comes first. */
const later = (column: string): string => `(${column} <> '${defaultFolder}')`;

/**
 * The library as existing clients see it (wire-contract 2.4): flat folders of documents that were
 * read.
 */
@Injectable()
export class LibraryTree implements OnApplicationShutdown {
  private open = 0;
  private readonly turns: (() => void)[] = [];
  private readonly stopping = new AbortController();
  private readonly writing = new Set<Promise<void>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly pipes: Pipes,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.writing);
  }

  /**
   * The whole tree as the text of its JSON, read by one statement while it is written; gives the
   * pipe it comes by. What it
   * cannot begin with is thrown; later faults break the pipe. Throws BUSY when too many others are
   * being read.
   */
  async openWhole(scope: Scope): Promise<string> {
    await this.waitForTurn();
    const pipe = `tree:${randomUUID()}`;
    const texts = writeTree(this.readWhole(scope));
    try {
      const first = await texts.next();
      await this.pipes.open(pipe);
      const signal = AbortSignal.any([this.stopping.signal, AbortSignal.timeout(longestMs)]);
      const writing = this.pipes
        .write(
          pipe,
          (async function* () {
            if (!first.done) yield first.value;
            yield* texts;
          })(),
          signal,
        )
        .catch((error: unknown) =>
          this.logger.warn({ err: error }, "the tree of the library could not be read to its end"),
        )
        .finally(() => texts.return(undefined))
        .finally(() => {
          this.endTurn();
          this.writing.delete(writing);
        })
        .then(() => undefined);
      this.writing.add(writing);
      return pipe;
    } catch (error) {
      await texts.return(undefined);
      this.endTurn();
      throw error;
    }
  }

  /**
   * All entries by a cursor, which sees the library as it was when it was opened. Whoever leaves
   * the loop closes it.
   */
  async *readWhole(_scope: Scope): AsyncGenerator<TreeEntry[]> {
    const runner = this.dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      await runner.query(`SET TRANSACTION READ ONLY`);
      await runner.query(`SET LOCAL idle_in_transaction_session_timeout = ${longestMs + 10_000}`);
      // The rows come in the order of an index, the first of them at once; sorting all of them
      // before would take seconds.
      await runner.query(`SET LOCAL enable_sort = off`);
      // Folders that somebody made are there without documents too; where among its documents one
      // stands does not matter.
      await runner.query(`DECLARE "tree" NO SCROLL CURSOR FOR SELECT "place".*, ${linked} FROM (
          (SELECT ${later('d."folder"')} AS "later", ${columns} FROM "ingest"."document" d WHERE ${shown} ORDER BY 1, 2, 3)
          UNION ALL (SELECT ${later('f."name"')}, f."name", '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM "ingest"."folder" f WHERE f."name" <> '${defaultFolder}' ORDER BY 1, 2) ORDER BY 1, 2) "place"
        ${links('"place"."id"')}`);
      yield [{ folder: defaultFolder, file: null }];
      for (;;) {
        const rows = (await runner.query(`FETCH FORWARD ${rowsAtOnce} FROM "tree"`)) as Row[];
        if (rows.length === 0) return;
        yield rows.map(mapEntry);
      }
    } finally {
      // Nothing was written: the end of the transaction closes the cursor.
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      await runner.release();
    }
  }

  /** One folder by page; fewer than `limit` where they would not fit into a reply. */
  async listFolder(
    _scope: Scope,
    folder: string,
    offset: number,
    limit: number,
  ): Promise<{ files: FileItem[]; total: number; exists: boolean }> {
    const within = `${shown} AND ${later('d."folder"')} = ${folder !== defaultFolder} AND d."folder" = $1`;
    const [rows, [count]] = await Promise.all([
      this.dataSource.query<Row[]>(`${rowsOf(within)} LIMIT $2 OFFSET $3`, [folder, limit, offset]),
      this.dataSource.query<{ total: number; made: boolean }[]>(
        `SELECT (SELECT count(*) FROM "ingest"."document" d WHERE ${within})::int AS "total", EXISTS (SELECT 1 FROM "ingest"."folder" WHERE "name" = $1) AS "made"`,
        [folder],
      ),
    ]);
    return {
      files: fit(rows),
      total: count!.total,
      exists: folder === defaultFolder || count!.made || count!.total > 0,
    };
  }

  /** By ids or docpaths, in the order of docpath; those that were not read are not shown. */
  async listRows(
    _scope: Scope,
    by: { ids: string[] } | { docpaths: string[] },
  ): Promise<TreeEntry[]> {
    const [column, values] =
      "ids" in by
        ? ['d."id" = ANY($1::uuid[])', by.ids]
        : ['d."docpath" = ANY($1::text[])', by.docpaths];
    return (await this.dataSource.query<Row[]>(rowsOf(`${shown} AND ${column}`), [values])).map(
      mapEntry,
    );
  }

  private async waitForTurn(): Promise<void> {
    if (this.stopping.signal.aborted)
      throw new CarrelError("UNAVAILABLE", "This process is stopping.");
    if (this.open < mostOpen) {
      this.open += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const turn = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.turns.splice(this.turns.indexOf(turn), 1);
        reject(
          new CarrelError("BUSY", "The library is being read by others. Try again in a moment."),
        );
      }, longestWaitMs);
      this.turns.push(turn);
    });
  }

  /** The place goes to who waits longest. */
  private endTurn(): void {
    const next = this.turns.shift();
    if (next) next();
    else this.open -= 1;
  }
}

const mapFile = (row: Row): FileItem =>
  mapToFileItem({ ...row, pinnedWorkspaces: row.pinnedWorkspaces.sort((a, b) => a - b) });
const mapEntry = (row: Row): TreeEntry => ({
  folder: row.folder,
  file: row.docpath === "" ? null : mapFile(row),
});

/** As many files as fit into a reply, at least one. */
function fit(rows: Row[]): FileItem[] {
  const files: FileItem[] = [];
  let bytes = 0;
  for (const row of rows) {
    const file = mapFile(row);
    bytes += Buffer.byteLength(JSON.stringify(file)) + 1;
    if (bytes > bytesAtOnce && files.length > 0) break;
    files.push(file);
  }
  return files;
}
