import { randomUUID } from "node:crypto";
import { CarrelError, type FileItem, type Scope } from "@carrel/contracts";
import { Pipes } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable, type OnApplicationShutdown } from "@nestjs/common";
import { DataSource } from "typeorm";
import { defaultFolder } from "../document/docpath.ts";
import { mapToFileItem, type LibraryRow } from "../document/document.mapper.ts";
import { mayRead, readerOf } from "../document/reader.ts";
import { InstanceSettings } from "../setting/instance-settings.ts";

type Row = LibraryRow & { folder: string };

/** Maximum bytes of files in one reply between services, which is limited to 1 MB. */
const bytesAtOnce = 900_000;
/** Rows of the tree held in memory. */
const rowsAtOnce = 500;
/**
 * Trees read concurrently, each on its own connection out of six; further requests wait up to
 * `longestWaitMs`.
 */
const maxOpen = 2;
const longestWaitMs = 20_000;
/** Cuts off slow readers: PostgreSQL can't reclaim deleted rows while a tree is open. */
const longestMs = 600_000;

const columns = `d.folder, d.docpath, d.id, d.url, d.title, d.doc_author AS "docAuthor",
  d.description, d.doc_source AS "docSource", d.chunk_source AS "chunkSource", d.is_upload AS "isUpload", d.published,
  d.word_count AS "wordCount", d.token_count AS "tokenCount"`;
const linked = `coalesce(l.pinned, '{}') AS "pinnedWorkspaces",
  coalesce(l.watched, false) AS watched, coalesce(l.cached, false) AS cached`;
/** A document's pin, watch and embedding state across all workspaces. */
const links = (scope: Scope, id: string): string => `LEFT JOIN LATERAL (
    SELECT array_agg(w.workspace_id) FILTER (WHERE w.pinned) AS pinned,
      bool_or(f.watch = 'active') AS watched, bool_or(w.embedded_at IS NOT NULL) AS cached
    FROM ingest.workspace_document w
    JOIN ingest.document f ON f.id = w.document_id
    WHERE w.document_id = ${id}${within(scope, "w")}
  ) l ON true`;
const rowsOf = (scope: Scope, condition: string): string =>
  `SELECT ${columns}, ${linked} FROM ingest.document d ${links(scope, "d.id")} WHERE ${condition} ORDER BY d.docpath`;
/** A key restricted to workspaces sees the documents in them. */
const shown = (scope: Scope): string =>
  `d.state = 'parsed' AND d.in_library AND ${mayRead("d.id", String(readerOf(scope)))}${
    isRestricted(scope)
      ? ` AND EXISTS (
        SELECT FROM ingest.workspace_document m WHERE m.document_id = d.id${within(scope, "m")}
      )`
      : ""
  }`;
const isRestricted = ({ principal }: Scope): boolean => principal.workspaceIds !== undefined;
/** Declaring a cursor takes no parameters; the ids are integers by their schema. */
const within = ({ principal: { workspaceIds } }: Scope, table: string): string =>
  workspaceIds === undefined
    ? ""
    : ` AND ${table}.workspace_id = ANY('{${workspaceIds.join()}}'::int[])`;
/** Matches `document_tree_idx`: false for the uploads folder, which comes first. */
const later = (column: string): string => `(${column} <> '${defaultFolder}')`;

/**
 * The library as existing clients see it (wire-contract 2.4): a flat list of folders with their
 * parsed documents.
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
    private readonly settings: InstanceSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.writing);
  }

  /**
   * Streams the whole tree as JSON while a single statement reads it, and returns the name of the
   * pipe. Rejects if reading cannot start; later errors break the pipe. Throws BUSY if too many
   * trees are already being read.
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
          this.logger.warn({ err: error }, "couldn't read the whole library tree"),
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
   * Yields all entries from a cursor, which sees a snapshot of the library. Leaving the loop closes
   * it.
   */
  async *readWhole(scope: Scope): AsyncGenerator<TreeEntry[]> {
    const isSyncing = await this.settings.isSyncing();
    const runner = this.dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      await runner.query(`SET TRANSACTION READ ONLY`);
      await runner.query(`SET LOCAL idle_in_transaction_session_timeout = ${longestMs + 10_000}`);
      // Forces an index scan, which returns the first rows immediately; sorting them all first
      // would take seconds.
      await runner.query(`SET LOCAL enable_sort = off`);
      // Includes empty folders that were created explicitly; a folder's own row may come anywhere
      // among its documents.
      await runner.query(`DECLARE tree NO SCROLL CURSOR FOR
        SELECT place.*, ${linked}
        FROM (
          (
            SELECT ${later("d.folder")} AS later, ${columns}
            FROM ingest.document d
            WHERE ${shown(scope)}
            ORDER BY 1, 2, 3
          )
          UNION ALL (
            SELECT ${later("f.name")}, f.name, '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
              NULL, NULL, NULL
            FROM ingest.folder f
            WHERE f.name <> '${defaultFolder}' AND ${String(!isRestricted(scope))}
            ORDER BY 1, 2
          )
          ORDER BY 1, 2
        ) place
        ${links(scope, '"place"."id"')}`);
      yield [{ folder: defaultFolder, file: null }];
      for (;;) {
        const rows = (await runner.query(`FETCH FORWARD ${rowsAtOnce} FROM tree`)) as Row[];
        if (rows.length === 0) return;
        yield rows.map((row) => mapEntry(row, isSyncing));
      }
    } finally {
      // Read only, so a rollback just closes the cursor.
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      await runner.release();
    }
  }

  /** One page of a folder; returns fewer than `limit` files if they wouldn't fit into a reply. */
  async listFolder(
    scope: Scope,
    folder: string,
    offset: number,
    limit: number,
  ): Promise<{ files: FileItem[]; total: number; exists: boolean }> {
    const inFolder = `${shown(scope)} AND ${later("d.folder")} = ${folder !== defaultFolder} AND d.folder = $1`;
    const [isSyncing, rows, [count]] = await Promise.all([
      this.settings.isSyncing(),
      this.dataSource.query<Row[]>(`${rowsOf(scope, inFolder)} LIMIT $2 OFFSET $3`, [
        folder,
        limit,
        offset,
      ]),
      this.dataSource.query<{ total: number; made: boolean }[]>(
        `SELECT (SELECT count(*) FROM ingest.document d WHERE ${inFolder})::int AS total,
          EXISTS (SELECT FROM ingest.folder WHERE name = $1) AND $2 AS made`,
        [folder, !isRestricted(scope)],
      ),
    ]);
    return {
      files: fit(rows, isSyncing),
      total: count!.total,
      exists: folder === defaultFolder || count!.made || count!.total > 0,
    };
  }

  /** Looks up parsed documents by ids or docpaths, ordered by docpath. */
  async listRows(
    scope: Scope,
    by: { ids: string[] } | { docpaths: string[] },
  ): Promise<TreeEntry[]> {
    const [column, values] =
      "ids" in by
        ? ["d.id = ANY($1::uuid[])", by.ids]
        : ["d.docpath = ANY($1::text[])", by.docpaths];
    const isSyncing = await this.settings.isSyncing();
    return (
      await this.dataSource.query<Row[]>(rowsOf(scope, `${shown(scope)} AND ${column}`), [values])
    ).map((row) => mapEntry(row, isSyncing));
  }

  private async waitForTurn(): Promise<void> {
    if (this.stopping.signal.aborted) throw new CarrelError("request.stopping");
    if (this.open < maxOpen) {
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
        reject(new CarrelError("document.library-busy"));
      }, longestWaitMs);
      this.turns.push(turn);
    });
  }

  /** Hands the slot to the request that has waited longest. */
  private endTurn(): void {
    const next = this.turns.shift();
    if (next) next();
    else this.open -= 1;
  }
}

const mapFile = (row: Row, isSyncing: boolean): FileItem =>
  mapToFileItem(
    { ...row, pinnedWorkspaces: row.pinnedWorkspaces.sort((a, b) => a - b) },
    isSyncing,
  );
const mapEntry = (row: Row, isSyncing: boolean): TreeEntry => ({
  folder: row.folder,
  file: row.docpath === "" ? null : mapFile(row, isSyncing),
});

/** As many files as fit into a reply, but at least one. */
function fit(rows: Row[], isSyncing: boolean): FileItem[] {
  const files: FileItem[] = [];
  let bytes = 0;
  for (const row of rows) {
    const file = mapFile(row, isSyncing);
    bytes += Buffer.byteLength(JSON.stringify(file)) + 1;
    if (bytes > bytesAtOnce && files.length > 0) break;
    files.push(file);
  }
  return files;
}

/** `file` is null for a row that only announces a folder, which may be empty. */
interface TreeEntry {
  folder: string;
  file: FileItem | null;
}

/** Characters per chunk; each chunk goes through Redis as one message. */
const partLength = 128 * 1024;

/** Writes the tree of wire-contract 2.4 as JSON while its entries arrive, folder by folder. */
export async function* writeTree(pages: AsyncIterable<TreeEntry[]>): AsyncGenerator<string> {
  let text = '{"localFiles":{"name":"documents","type":"folder","items":[';
  let open: string | null = null;
  let isFirst = true;
  for await (const entries of pages) {
    for (const { folder, file } of entries) {
      if (folder !== open) {
        text += `${open === null ? "" : "]},"}{"name":${JSON.stringify(folder)},"type":"folder","items":[`;
        open = folder;
        isFirst = true;
      }
      if (file === null) continue;
      text += (isFirst ? "" : ",") + JSON.stringify(file);
      isFirst = false;
      if (text.length < partLength) continue;
      yield text;
      text = "";
    }
  }
  yield `${text}${open === null ? "" : "]}"}]}}`;
}
