import type { Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";

/** A chunk of an embedded document. */
export interface SampledChunk {
  workspaceDocumentId: number;
  version: number;
  ordinal: number;
  documentId: string;
  start: number;
  end: number;
}

/** The largest workspaces and their chunks, for the instance's internal work. */
@Injectable()
export class ChunkSampleRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Chunks from across the workspace with the most vectors in the table; null if it has fewer than
   * `fewest`.
   */
  async sampleEmbedded(
    _scope: Scope,
    table: string,
    most: number,
    fewest: number,
  ): Promise<{ workspaceId: number; chunkCount: number; chunks: SampledChunk[] } | null> {
    const [largest] = await this.dataSource.query<{ id: number; chunks: number }[]>(
      `SELECT workspace_id AS id, sum(chunk_count)::int AS chunks
      FROM ingest.workspace_document
      WHERE index_version IS NOT NULL AND embedded_model = $1
      GROUP BY workspace_id
      HAVING sum(chunk_count) >= $2
      ORDER BY 2 DESC LIMIT 1`,
      [table, fewest],
    );
    if (!largest) return null;
    const chunks = await this.dataSource.query<SampledChunk[]>(
      `SELECT c.workspace_document_id AS "workspaceDocumentId", c.version, c.ordinal,
        w.document_id AS "documentId", c.start, c."end"
      FROM ingest.workspace_document w
      JOIN ingest.chunk c ON c.workspace_document_id = w.id AND c.version = w.index_version
      WHERE w.workspace_id = $1 AND w.embedded_model = $2
      ORDER BY md5(c.id::text) LIMIT $3`,
      [largest.id, table, most],
    );
    return { workspaceId: largest.id, chunkCount: largest.chunks, chunks };
  }

  /** Ids of the largest workspaces by number of chunks, with at least `fewest` each. */
  async listLargestWorkspaces(_scope: Scope, most: number, fewest: number): Promise<number[]> {
    const rows = await this.dataSource.query<{ id: number }[]>(
      `SELECT workspace_id AS id FROM ingest.workspace_document WHERE index_version IS NOT NULL
      GROUP BY workspace_id HAVING sum(chunk_count) >= $2 ORDER BY sum(chunk_count) DESC, workspace_id LIMIT $1`,
      [most, fewest],
    );
    return rows.map((row) => row.id);
  }
}
