import type { In, listDocumentStatuses, Scope, WorkspaceScope } from '@carrel/contracts';
import { Injectable } from '@nestjs/common';
import { DataSource, In as OneOf, type SelectQueryBuilder } from 'typeorm';
import { Document } from '../document/document.entity.ts';
import { buildWordFilter } from '../library/library-query.ts';
import { LibraryRepository } from '../library/library.repository.ts';
import { WorkspaceDocument } from './workspace-document.entity.ts';

/** A workspace document with its document. */
export interface DocumentPair { w: WorkspaceDocument; d: Document }

/** What can be found is ready, though its vectors may still come; what failed here, or could not be read, failed. */
const stateConditions = {
  waiting: `w."state" IN ('queued', 'indexing')`, ready: `w."state" IN ('searchable', 'embedding', 'embedded')`, failed: `w."state" = 'failed'`, pinned: 'w."pinned"',
};

/** Reads for lists. */
@Injectable()
export class WorkspaceDocumentListing {
  constructor(private readonly dataSource: DataSource, private readonly library: LibraryRepository) {}

  /** At least searchable, in the order of their ids. */
  async listSearchable(scope: WorkspaceScope, after: number | null, limit: number, documentIds?: string[]): Promise<DocumentPair[]> {
    const query = this.query(scope).andWhere('w.index_version IS NOT NULL').andWhere('w.id > :after', { after: after ?? 0 });
    if (documentIds) query.andWhere('w.document_id = ANY(:documentIds)', { documentIds });
    const rows = await query.orderBy('w.id', 'ASC').limit(limit).getMany();
    return this.pair(rows);
  }

  /** A page of all states or of one, of all kinds or of some, with all of the tags; every word of the search stands in title, file name, author or source, whatever its case and accents. */
  async listPage(scope: WorkspaceScope, o: Pick<In<typeof listDocumentStatuses>, 'search' | 'offset' | 'limit' | 'state' | 'kinds' | 'tags' | 'sort' | 'descending'>): Promise<{ rows: DocumentPair[]; total: number }> {
    const parameters: unknown[] = [];
    const bind = (value: unknown): string => `$${parameters.push(value)}`;
    const words = await this.library.planWords(scope, o.search);
    const parts = [`w."workspace_id" = ${bind(scope.workspace.id)}::int`, ...(o.state ? [stateConditions[o.state]] : []), ...(words ? [buildWordFilter('w."document_id"', words, bind)] : []),
      ...(o.kinds.length > 0 ? [`d."kind" = ANY(${bind(o.kinds)}::text[])`] : []), ...(o.tags.length > 0 ? [`d."tags" @> ${bind(o.tags)}::text[]`] : [])];
    const join = (document: boolean): string => `FROM "ingest"."workspace_document" w ${document ? 'JOIN "ingest"."document" d ON d."id" = w."document_id" AND d."in_library"' : ''} WHERE ${parts.join(' AND ')}`;
    const isNarrowed = o.kinds.length + o.tags.length > 0;
    const way = o.descending ? 'DESC' : 'ASC';
    // Narrow columns of an index where one fits, or of the words beside the documents: then only the rows of the page are read.
    const [page, [count]] = await Promise.all([
      this.dataSource.query<{ id: number }[]>(`SELECT w."id" ${join(isNarrowed || o.sort !== 'added')} ORDER BY ${o.sort === 'added' ? '' : `d."${o.sort === 'title' ? 'sort_title' : 'bytes'}" ${way}, `}w."id" ${way} LIMIT $${parameters.length + 1} OFFSET $${parameters.length + 2}`, [...parameters, o.limit, o.offset]),
      this.dataSource.query<{ n: number }[]>(`SELECT count(*)::int AS "n" ${join(isNarrowed)}`, parameters),
    ]);
    const rows = page.length === 0 ? [] : await this.dataSource.manager.find(WorkspaceDocument, { where: { id: OneOf(page.map((row) => row.id)) } });
    const byId = new Map(rows.map((w) => [w.id, w]));
    return { rows: await this.pair(page.flatMap((row) => byId.get(row.id) ?? [])), total: count!.n };
  }

  /** For workspaces that the caller may use, as the workspace service said. */
  async count(_scope: Scope, workspaceIds: number[]): Promise<{ workspaceId: number; documents: number; pending: number; total: number; failed: number }[]> {
    const rows = await this.dataSource.query<{ workspace_id: number; documents: number; pending: number; total: number; failed: number }[]>(
      `SELECT "workspace_id", count(*) FILTER (WHERE "index_version" IS NOT NULL)::int AS "documents", count(*) FILTER (WHERE "state" IN ('queued', 'indexing'))::int AS "pending",
         count(*)::int AS "total", count(*) FILTER (WHERE "state" = 'failed')::int AS "failed"
       FROM "ingest"."workspace_document" WHERE "workspace_id" = ANY($1::int[]) GROUP BY "workspace_id"`, [workspaceIds]);
    const byId = new Map(rows.map((row) => [row.workspace_id, row]));
    return workspaceIds.map((workspaceId) => {
      const { documents, pending, total, failed } = byId.get(workspaceId) ?? { documents: 0, pending: 0, total: 0, failed: 0 };
      return { workspaceId, documents, pending, total, failed };
    });
  }

  private query(scope: WorkspaceScope): SelectQueryBuilder<WorkspaceDocument> {
    return this.dataSource.manager.createQueryBuilder(WorkspaceDocument, 'w').where('w.workspace_id = :workspaceId', { workspaceId: scope.workspace.id });
  }

  private async pair(rows: WorkspaceDocument[]): Promise<DocumentPair[]> {
    const documents = rows.length === 0 ? [] : await this.dataSource.manager.find(Document, { where: { id: OneOf(rows.map((w) => w.documentId)) } });
    const byId = new Map(documents.map((d) => [d.id, d]));
    return rows.flatMap((w) => { const d = byId.get(w.documentId); return d ? [{ w, d }] : []; });
  }
}
