import {
  cursorId,
  type In,
  type Out,
  type Scope,
  type WorkspaceDocumentWire,
  type WorkspaceScope,
  type listDocumentStatuses,
  type readWorkspaceDocuments,
} from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import { Injectable } from "@nestjs/common";
import { DataSource, In as OneOf } from "typeorm";
import { Document } from "../document/document.entity.ts";
import { mayRead, readerOf } from "../document/reader.ts";
import { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import {
  buildWordFilter,
  buildWords,
  cutDocuments,
  describeOrder,
  isAfter,
  type Bind,
  type DocumentOrder,
  type WordPlan,
} from "../library/library-query.ts";
import { LibraryRepository } from "../library/library.repository.ts";

/** Rows read for one page. */
const maxRead = 1_000;
/**
 * Maximum bytes of a page inside a reply between services, which may take 1 MiB: there the page is a
 * JSON string within JSON. Long descriptions can fill it early.
 */
const maxBytes = 900_000;

const time = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
/** The document's JSON without its text (wire-contract 6.2). */
const metadata = `(
    SELECT row_to_json(m)::text
    FROM (
      SELECT d.id, d.url, d.title, d.doc_author AS "docAuthor", d.description,
        d.doc_source AS "docSource", d.chunk_source AS "chunkSource", d.published,
        d.word_count AS "wordCount", d.token_count AS token_count_estimate
    ) m
  )`;
/** Fields in wire order (wire-contract 3.1) and where they come from. */
const fields: Record<keyof WorkspaceDocumentWire, string> = {
  id: "w.id",
  docId: "d.id",
  filename: "substr(d.docpath, length(d.folder) + 2)",
  docpath: "d.docpath",
  workspaceId: "w.workspace_id",
  metadata,
  pinned: "w.pinned",
  watched: "coalesce(d.watch = 'active', false)",
  createdAt: time("w.created_at"),
  lastUpdatedAt: time("w.last_updated_at"),
};
const columns = Object.entries(fields)
  .map(([name, value]) => `${value} AS "${name}"`)
  .join(", ");
const page = `
  SELECT string_agg(json, ',' ORDER BY id) AS items, count(*)::int AS count, max(id) AS last,
    max(read)::int AS read,
    EXISTS (
      SELECT 1 FROM ingest.parsed_file f
      WHERE f.workspace_id = $1 AND f.user_id IS NOT DISTINCT FROM $2::int
    ) AS "hasFiles"
  FROM (
    SELECT id, json, count(*) OVER () AS read, row_number() OVER (ORDER BY id) AS place,
      sum(octet_length(to_json(json)::text)) OVER (ORDER BY id) AS bytes
    FROM (
      SELECT item.id, row_to_json(item)::text AS json
      FROM (
        SELECT ${columns}
        FROM ingest.workspace_document w
        JOIN ingest.document d ON d.id = w.document_id
        WHERE w.workspace_id = $1
          AND w.index_version IS NOT NULL
          AND w.id > $3
          AND ${mayRead("w.document_id", "$5::int")}
          AND ($4::uuid[] IS NULL OR w.document_id = ANY($4))
        ORDER BY w.id LIMIT ${maxRead}
      ) item
    ) listed
  ) measured
  WHERE place = 1 OR bytes <= ${maxBytes}`;

/** Documents of a workspace as JSON for clients, built by PostgreSQL (docs/decisions/gateway.md). */
@Injectable()
export class WorkspaceDocumentReadRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Documents that are at least searchable, ordered by workspace document id. */
  async page(
    scope: WorkspaceScope,
    after: number | null,
    documentIds: string[] | null,
  ): Promise<Out<typeof readWorkspaceDocuments>> {
    const [row] = await preparedQuery<{
      items: string | null;
      count: number;
      last: number | null;
      read: number | null;
      hasFiles: boolean;
    }>(this.dataSource, "workspace-documents", page, [
      scope.workspace.id,
      scope.principal.userId,
      after ?? 0,
      documentIds,
      readerOf(scope),
    ]);
    const { items, count, last, read, hasFiles } = row!;
    return {
      items: items ?? "",
      next: count === read && read < maxRead ? null : last,
      hasFiles,
    };
  }
}

/** A workspace document and the library document it links to. */
export interface DocumentPair {
  w: WorkspaceDocument;
  d: Document;
}

type PageAsked = Pick<
  In<typeof listDocumentStatuses>,
  "search" | "offset" | "limit" | "cursor" | "state" | "kinds" | "tags" | "sort" | "descending"
>;

/**
 * A searchable document is ready even if its embeddings are still pending; a document that couldn't
 * be read counts as failed.
 */
const stateConditions = {
  waiting: `w.state IN ('queued', 'indexing')`,
  ready: `w.state IN ('searchable', 'embedding', 'embedded')`,
  failed: `w.state = 'failed'`,
  pinned: "w.pinned",
};

const linkId = { name: "w.id", type: "int", value: cursorId } as const;
/** Links are numbered in the order in which they were added. */
const orderOf = ({ sort, descending }: PageAsked): DocumentOrder => ({
  ...{ sort, descending, id: linkId },
  isById: sort === "added",
});

/** Read queries for document lists. */
@Injectable()
export class WorkspaceDocumentListing {
  constructor(
    private readonly dataSource: DataSource,
    private readonly library: LibraryRepository,
  ) {}

  /**
   * One page, optionally filtered by state, kinds and tags (all must match). Every search word must
   * occur in the title, file name, author or source, ignoring case and accents.
   */
  async listPage(
    scope: WorkspaceScope,
    o: PageAsked,
  ): Promise<{ rows: DocumentPair[]; total: number; nextCursor: string | null }> {
    const words = await this.library.planWords(scope, o.search);
    const narrowed = (bind: (value: unknown) => string): string[] => [
      `w.workspace_id = ${bind(scope.workspace.id)}::int`,
      mayRead("w.document_id", `${bind(readerOf(scope))}::int`),
      ...(o.state ? [stateConditions[o.state]] : []),
      ...(o.kinds.length > 0 ? [`d.kind = ANY(${bind(o.kinds)}::text[])`] : []),
      ...(o.tags.length > 0 ? [`d.tags @> ${bind(o.tags)}::text[]`] : []),
    ];
    const isNarrowed = o.kinds.length + o.tags.length > 0;
    const from = (document: boolean): string =>
      `FROM ingest.workspace_document
        w${document ? " JOIN ingest.document d ON d.id = w.document_id AND d.in_library" : ""}
      WHERE`;
    const [listed, [count]] = await Promise.all([
      this.listPageIds(o, words, narrowed, from),
      this.countPage(scope, o, words, narrowed, from(isNarrowed)),
    ]);
    const { page, nextCursor } = cutDocuments(listed, o.limit, orderOf(o));
    const rows =
      page.length === 0
        ? []
        : await this.dataSource.manager.find(WorkspaceDocument, {
            where: { id: OneOf(page.map((row) => row.id)) },
          });
    const byId = new Map(rows.map((w) => [w.id, w]));
    return {
      rows: await this.pair(page.flatMap((row) => byId.get(row.id) ?? [])),
      total: count!.n,
      nextCursor,
    };
  }

  /**
   * Uses a narrow index where possible, so only the page's rows are read. Common words are matched
   * while scanning in page order.
   */
  private listPageIds(
    o: PageAsked,
    words: WordPlan | null,
    narrowed: (bind: Bind) => string[],
    from: (document: boolean) => string,
  ): Promise<{ id: number; place: string }[]> {
    const parameters: unknown[] = [];
    const bind: Bind = (value) => `$${parameters.push(value)}`;
    const isMet = words !== null && !words.isSeldom;
    const parts = [
      ...narrowed(bind),
      ...(words === null
        ? []
        : [
            isMet
              ? buildWords("d", words.words, [], bind)
              : buildWordFilter("w.document_id", words, bind),
          ]),
    ];
    if (o.cursor !== undefined) parts.push(isAfter(orderOf(o), o.cursor, bind));
    const { order, place } = describeOrder(orderOf(o));
    return this.dataSource.query(
      `SELECT w.id, ${place} AS place
      ${from(isMet || o.sort !== "added" || o.kinds.length + o.tags.length > 0)}
        ${parts.join(" AND ")}
      ORDER BY ${order} LIMIT ${bind(o.limit + 1)}
      OFFSET ${bind(o.cursor === undefined ? o.offset : 0)}`,
      parameters,
    );
  }

  /**
   * Cached from page to page for a search; uncached with a state filter, because states change too
   * often.
   */
  private countPage(
    scope: WorkspaceScope,
    o: PageAsked,
    words: WordPlan | null,
    narrowed: (bind: Bind) => string[],
    from: string,
  ): Promise<{ n: number }[]> {
    const parameters: unknown[] = [];
    const bind: Bind = (value) => `$${parameters.push(value)}`;
    // A count has no order to preserve, so a join is the cheapest way to match the words.
    const parts = [
      ...narrowed(bind),
      ...(words === null
        ? []
        : [buildWordFilter("w.document_id", { ...words, isFew: true }, bind)]),
    ];
    const read = (): Promise<{ n: number }[]> =>
      this.dataSource.query(`SELECT count(*)::int AS n ${from} ${parts.join(" AND ")}`, parameters);
    return words === null || o.state
      ? read()
      : this.library.keep(
          `workspace ${JSON.stringify([scope.workspace.id, readerOf(scope), o.search, o.kinds, o.tags])}`,
          read,
        );
  }

  /** Counts for `workspaceIds`, which must be ones the caller may use. */
  async count(
    scope: Scope,
    workspaceIds: number[],
  ): Promise<
    { workspaceId: number; documents: number; pending: number; total: number; failed: number }[]
  > {
    const rows = await this.dataSource.query<
      { workspace_id: number; documents: number; pending: number; total: number; failed: number }[]
    >(
      `SELECT workspace_id, count(*) FILTER (WHERE index_version IS NOT NULL)::int AS documents,
        count(*) FILTER (WHERE state IN ('queued', 'indexing'))::int AS pending,
        count(*)::int AS total, count(*) FILTER (WHERE state = 'failed')::int AS failed
      FROM ingest.workspace_document
      WHERE workspace_id = ANY($1::int[]) AND ${mayRead("document_id", "$2::int")}
      GROUP BY workspace_id`,
      [workspaceIds, readerOf(scope)],
    );
    const byId = new Map(rows.map((row) => [row.workspace_id, row]));
    return workspaceIds.map((workspaceId) => {
      const { documents, pending, total, failed } = byId.get(workspaceId) ?? {
        documents: 0,
        pending: 0,
        total: 0,
        failed: 0,
      };
      return { workspaceId, documents, pending, total, failed };
    });
  }

  private async pair(rows: WorkspaceDocument[]): Promise<DocumentPair[]> {
    const documents =
      rows.length === 0
        ? []
        : await this.dataSource.manager.find(Document, {
            where: { id: OneOf(rows.map((w) => w.documentId)) },
          });
    const byId = new Map(documents.map((d) => [d.id, d]));
    return rows.flatMap((w) => {
      const d = byId.get(w.documentId);
      return d ? [{ w, d }] : [];
    });
  }
}
