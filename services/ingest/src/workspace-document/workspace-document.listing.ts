import {
  cursorId,
  type In,
  type listDocumentStatuses,
  type Scope,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, In as OneOf } from "typeorm";
import { Document } from "../document/document.entity.ts";
import { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import {
  cutDocuments,
  describeOrder,
  isAfter,
  type DocumentOrder,
} from "../library/document-order.ts";
import { buildWordFilter, buildWords, type Bind, type WordPlan } from "../library/library-query.ts";
import { LibraryRepository } from "../library/library.repository.ts";

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
          `workspace ${JSON.stringify([scope.workspace.id, o.search, o.kinds, o.tags])}`,
          read,
        );
  }

  /** Counts for `workspaceIds`, which must be ones the caller may use. */
  async count(
    _scope: Scope,
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
      WHERE workspace_id = ANY($1::int[])
      GROUP BY workspace_id`,
      [workspaceIds],
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
