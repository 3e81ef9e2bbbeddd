import type { Scope } from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import type { TextRange } from "../document/text.repository.ts";

/** A chunk of a workspace that is still published, with what is shown of its document. */
export interface FoundChunk extends TextRange {
  id: string;
  workspaceId: number;
  title: string;
  mime: string;
  headingPath: string[];
}

@Injectable()
export class DocumentSearchRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Lists the chunks that exist in one of these workspaces, in no particular order. */
  listChunks(
    _scope: Scope,
    workspaceIds: readonly number[],
    ids: readonly string[],
  ): Promise<FoundChunk[]> {
    return preparedQuery(
      this.dataSource,
      "list found chunks",
      `WITH c AS MATERIALIZED (SELECT * FROM ingest.chunk WHERE id = ANY($2::uuid[]))
      SELECT c.id, w.workspace_id AS "workspaceId", w.document_id AS "documentId", c.start, c."end",
        d.title, d.mime, c.heading_path AS "headingPath"
      FROM c
      JOIN ingest.workspace_document w ON w.id = c.workspace_document_id
        AND w.index_version = c.version
        AND w.workspace_id = ANY($1::int[])
      JOIN ingest.document d ON d.id = w.document_id`,
      [workspaceIds, ids],
    );
  }

  /** The page each place is on, in their order; null in documents without pages. */
  async listPages(
    _scope: Scope,
    places: readonly { documentId: string; start: number }[],
  ): Promise<(number | null)[]> {
    if (places.length === 0) return [];
    const rows = await preparedQuery<{ page: number | null }>(
      this.dataSource,
      "list pages of places",
      `SELECT p.page
      FROM unnest($1::uuid[], $2::int[]) WITH ORDINALITY AS r(document_id, start, n)
      LEFT JOIN LATERAL (
        SELECT p.page FROM ingest.document_page p
        WHERE p.document_id = r.document_id AND p.start <= r.start
        ORDER BY p.start DESC LIMIT 1
      ) p ON true
      ORDER BY r.n`,
      [places.map(({ documentId }) => documentId), places.map(({ start }) => start)],
    );
    return rows.map(({ page }) => page);
  }
}
