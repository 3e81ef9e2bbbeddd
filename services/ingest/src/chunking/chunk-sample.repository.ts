import type { Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import type { TextRange } from "../document/text.repository.ts";

/** The largest workspaces and chunks of the index, for the instance's internal work. */
@Injectable()
export class ChunkSampleRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Chunks of documents with vectors in the table in this language, from as many as possible. */
  sampleEmbedded(
    _scope: Scope,
    table: string,
    language: string,
    most: number,
  ): Promise<TextRange[]> {
    return this.dataSource.query(
      `WITH documents AS (
        SELECT min(id) AS id
        FROM ingest.workspace_document
        WHERE index_version IS NOT NULL AND embedded_model = $1 AND language = $2
        GROUP BY document_id
        ORDER BY md5(document_id::text) LIMIT $3
      )
      SELECT d.document_id AS "documentId", c.start, c."end"
      FROM documents
      JOIN ingest.workspace_document d USING (id)
      CROSS JOIN LATERAL (
        SELECT id, start, "end", row_number() OVER (ORDER BY md5(id::text)) AS place
        FROM ingest.chunk
        WHERE workspace_id = d.workspace_id
          AND workspace_document_id = d.id
          AND version = d.index_version
        LIMIT $3
      ) c
      ORDER BY c.place, md5(c.id::text)
      LIMIT $3`,
      [table, language, most],
    );
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
