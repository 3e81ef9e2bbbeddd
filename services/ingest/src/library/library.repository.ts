import {
  isWatchable,
  workspaceDocumentsChanged,
  type FaultWire,
  type In,
  type LibraryDocument,
  type Out,
  type Scope,
  type listFolders,
  type listLibrary,
} from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { LRUCache } from "lru-cache";
import { DataSource } from "typeorm";
import { z } from "zod";
import { AudienceRepository } from "../document/audience.repository.ts";
import { originOf } from "../document/document.mapper.ts";
import { LibraryNotice } from "../document/library-notice.ts";
import { mayRead, readerOf } from "../document/reader.ts";
import { reasonColumn } from "../document/reason-column.ts";
import { InstanceSettings } from "../setting/instance-settings.ts";
import {
  buildCondition,
  buildCount,
  cutDocuments,
  describeOrder,
  isAfter,
  readWords,
  type Bind,
  type DocumentQuery,
  type WordPlan,
} from "./library-query.ts";

interface DocumentRow {
  id: string;
  docpath: string;
  folder: string;
  title: string;
  filename: string;
  kind: LibraryDocument["kind"];
  mime: string;
  bytes: string;
  pages: number | null;
  word_count: number;
  state: LibraryDocument["state"];
  reason: string | null;
  created_at: Date;
  doc_source: string;
  chunkSource: string;
  isUpload: boolean;
  audienceId: number | null;
  userId: number | null;
  tags: string[];
  has_original: boolean;
  notes: FaultWire[] | null;
  workspaces: number[];
  /** Value of the column that the list is sorted by. */
  place: string;
}

const documentId = { name: "d.id", type: "uuid", value: z.uuid() } as const;
/** Minimum sample size for estimating word frequency; smaller libraries are scanned in full. */
const smallestSample = 200;
/** Shares of documents containing a word, up to which it counts as few, rare or seldom. */
const [few, rare, seldom] = [0.003, 0.05, 0.2];
/** Maximum number of tags offered as suggestions. */
const maxTags = 1_000;

/**
 * Read queries for the document manager. There is one library per instance, and only managers may
 * call its operations.
 */
@Injectable()
export class LibraryRepository {
  /**
   * Cached document, folder and tag counts; cleared when the library or a workspace's documents
   * change.
   */
  private readonly kept = new LRUCache<string, object>({ max: 500, ttl: 15_000 });
  private changes = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: InstanceSettings,
    private readonly audiences: AudienceRepository,
    notice: LibraryNotice,
    broadcast: Broadcast,
  ) {
    const drop = (): void => {
      this.changes += 1;
      this.kept.clear();
    };
    notice.onChange(drop);
    broadcast.on(`event:${workspaceDocumentsChanged.name}`, drop);
  }

  /** Adds the frequencies of the query's search words. */
  async plan(scope: Scope, query: DocumentQuery): Promise<DocumentQuery> {
    const words = await this.planWords(scope, query.filter?.search ?? "");
    return words === null ? query : { ...query, words };
  }

  /**
   * Estimates how common the search words are from a 1 % sample of the library; null if there are
   * none. Only rare words are looked up in the trigram index: if most documents contain a word,
   * scanning in page order finds a page sooner, which PostgreSQL's planner cannot know.
   */
  async planWords(_scope: Scope, search: string): Promise<WordPlan | null> {
    const words = readWords(search);
    if (words.length === 0) return null;
    const rows = await this.dataSource.query<{ word: string; sampled: number; hits: number }[]>(
      `WITH sample AS MATERIALIZED (
        SELECT search FROM ingest.document_words TABLESAMPLE SYSTEM (1) LIMIT 1000
      )
      SELECT w.word, (SELECT count(*) FROM sample)::int AS sampled,
        (SELECT count(*) FROM sample s WHERE strpos(s.search, ingest.fold(w.word)) > 0)::int AS hits
      FROM unnest($1::text[]) AS w(word)
      ORDER BY hits`,
      [words],
    );
    const isUpTo =
      (share: number) =>
      ({ word, sampled, hits }: (typeof rows)[number]): boolean =>
        sampled >= smallestSample &&
        hits <= sampled * share &&
        (share > rare || [...word].length >= 3);
    return {
      words: rows.map((row) => row.word),
      rare: rows.filter(isUpTo(rare)).map((row) => row.word),
      isSeldom: rows.some(isUpTo(seldom)),
      isFew: rows.some(isUpTo(few)),
    };
  }

  async listPage(
    _scope: Scope,
    query: DocumentQuery,
    o: Pick<In<typeof listLibrary>, "sort" | "descending" | "offset" | "limit" | "cursor">,
  ): Promise<Pick<Out<typeof listLibrary>, "documents" | "nextCursor">> {
    const { sql, parameters } = buildCondition(query);
    const bind: Bind = (value) => `$${parameters.push(value)}`;
    const sorted = { sort: o.sort, descending: o.descending, id: documentId };
    const { order, place } = describeOrder(sorted);
    const after = o.cursor === undefined ? "" : ` AND ${isAfter(sorted, o.cursor, bind)}`;
    // Selects the page from a narrow index where possible, then loads only its rows.
    const rows = await this.dataSource.query<DocumentRow[]>(
      `WITH page AS (
        SELECT d.id FROM ingest.document d
        WHERE ${sql}${after}
        ORDER BY ${order}
        LIMIT ${bind(o.limit + 1)} OFFSET ${bind(o.cursor === undefined ? o.offset : 0)}
      )
      SELECT d.id, d.docpath, d.folder, d.title, d.filename, d.kind, d.mime, d.bytes, d.pages,
        d.word_count, d.state, d.reason, d.created_at, d.doc_source,
        d.chunk_source AS "chunkSource", d.is_upload AS "isUpload", d.audience_id AS "audienceId", d.user_id AS "userId", d.tags,
        d.blob_key IS NOT NULL AS has_original, d.notes, ${place} AS place,
        ARRAY(
          SELECT w.workspace_id FROM ingest.workspace_document w
          WHERE w.document_id = d.id
          ORDER BY w.workspace_id
        ) AS workspaces
      FROM page
      JOIN ingest.document d USING (id)
      ORDER BY ${order}`,
      parameters,
    );
    const { page, nextCursor } = cutDocuments(rows, o.limit, sorted);
    const [isSyncing, access] = await Promise.all([
      this.settings.isSyncing(),
      this.audiences.describe(page),
    ]);
    return {
      documents: page.map((row) => ({
        ...mapDocument(row, isSyncing),
        access: access.get(row.id)!,
      })),
      nextCursor,
    };
  }

  async count(_scope: Scope, query: DocumentQuery): Promise<number> {
    const [row] = await this.keep<{ n: number }>(
      `count ${JSON.stringify({ ...query, words: undefined })}`,
      () => {
        const { sql, parameters } = buildCount(query);
        return this.dataSource.query(sql, parameters);
      },
    );
    return row!.n;
  }

  /**
   * Documents directly in each folder, including empty folders that were created explicitly. Folders
   * that `nameSheets` named get the name of their workbook.
   */
  listFolders(scope: Scope): Promise<Out<typeof listFolders>["folders"]> {
    const reader = readerOf(scope);
    return this.keep(`folders ${reader}`, () =>
      this.dataSource.query(
        `SELECT name,
            CASE
              WHEN name ~ '-[0-9a-f]{8}$' THEN (
                SELECT d.filename FROM ingest.document d
                WHERE d.folder = "all".name
                  AND d.in_library
                  AND ${mayRead("d.id", "$1::int")}
                  AND left(coalesce(d.upload_id, d.id)::text, 8) = right("all".name, 8)
                LIMIT 1
              )
            END AS title,
            sum(documents)::int AS documents, sum(failed)::int AS failed
          FROM (
            SELECT folder AS name, count(*) AS documents,
              count(*) FILTER (WHERE state = 'failed') AS failed
            FROM ingest.document d
            WHERE in_library AND ${mayRead("d.id", "$1::int")}
            GROUP BY folder
            UNION ALL
            SELECT name, 0, 0
            FROM ingest.folder
          ) "all"
          GROUP BY name`,
        [reader],
      ),
    );
  }

  async listTags(scope: Scope): Promise<string[]> {
    const reader = readerOf(scope);
    const rows = await this.keep(`tags ${reader}`, () =>
      this.dataSource.query<{ tag: string }[]>(
        `SELECT DISTINCT unnest(tags) AS tag FROM ingest.document d
        WHERE in_library AND tags <> '{}' AND ${mayRead("d.id", "$2::int")}
        ORDER BY tag LIMIT $1`,
        [maxTags, reader],
      ),
    );
    return rows.map((row) => row.tag);
  }

  /**
   * Caches a read under this key for at most 15 s, or until the library or a workspace's documents
   * change.
   */
  async keep<Row extends object>(key: string, read: () => Promise<Row[]>): Promise<Row[]> {
    const known = this.kept.get(key) as Row[] | undefined;
    if (known) return known;
    const { changes } = this;
    const rows = await read();
    if (changes === this.changes) this.kept.set(key, rows);
    return rows;
  }

  /** Up to `limit` ids of documents whose names contain all the words, newest first. */
  async findByName(scope: Scope, search: string, limit: number): Promise<string[]> {
    const { sql, parameters } = buildCondition(
      await this.plan(scope, {
        reader: readerOf(scope),
        filter: { search, deep: false, kinds: [], tags: [], state: "ready" },
      }),
    );
    return (
      await this.dataSource.query<{ id: string }[]>(
        `SELECT d.id FROM ingest.document d WHERE ${sql} ORDER BY d.created_at DESC LIMIT ${limit}`,
        parameters,
      )
    ).map((row) => row.id);
  }

  /**
   * Up to `limit` ids of documents whose text contains the phrase, ignoring case. Gives up after
   * two seconds and returns nothing.
   */
  async findByText(scope: Scope, search: string, limit: number): Promise<string[]> {
    return this.dataSource
      .transaction(async (manager) => {
        await manager.query(`SET LOCAL statement_timeout = '2s'`);
        const rows = await manager.query<{ id: string }[]>(
          `SELECT DISTINCT t.document_id AS id FROM ingest.document_text t
          JOIN ingest.document d ON d.id = t.document_id AND d.in_library AND d.state = 'parsed'
          WHERE t.text ILIKE $1 AND ${mayRead("d.id", "$2::int")}
          LIMIT ${limit}`,
          [`%${search.replace(/[\\%_]/g, "\\$&")}%`, readerOf(scope)],
        );
        return rows.map((row) => row.id);
      })
      .catch((error: unknown) => {
        if ((error as { code?: string }).code === queryCancelled) return [];
        throw error;
      });
  }
}

const queryCancelled = "57014";

const mapDocument = (row: DocumentRow, isSyncing: boolean): LibraryDocument => ({
  documentId: row.id,
  docpath: row.docpath,
  folder: row.folder,
  title: row.title,
  filename: row.filename,
  kind: row.kind,
  mime: row.mime,
  bytes: Number(row.bytes),
  pages: row.pages,
  wordCount: row.word_count,
  state: row.state,
  reason: reasonColumn.from(row.reason),
  addedAt: row.created_at.toISOString(),
  source: originOf({ docSource: row.doc_source, chunkSource: row.chunkSource }),
  canWatch: isSyncing && isWatchable(row),
  tags: row.tags,
  hasOriginal: row.has_original,
  ...(row.notes !== null && { notes: row.notes }),
  workspaces: row.workspaces,
});
