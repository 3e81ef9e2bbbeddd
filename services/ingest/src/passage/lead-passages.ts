import type { In, listLeadPassages, Passage, WorkspaceScope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import type { LiveChunk } from "../chunking/chunk.repository.ts";
import { conditionOf } from "./document-filter.ts";
import { PassageReader } from "./passage-reader.ts";

/** Reads the first passages of a workspace's newest documents. */
@Injectable()
export class LeadPassages {
  constructor(
    private readonly dataSource: DataSource,
    private readonly reader: PassageReader,
  ) {}

  async list(
    scope: WorkspaceScope,
    { documents, passages, filter }: In<typeof listLeadPassages>,
  ): Promise<Passage[]> {
    const { condition, values } = conditionOf(filter, 4);
    const chunks = await this.dataSource.query<LiveChunk[]>(
      `WITH w AS (
        SELECT workspace_document.id, document_id, index_version
        FROM ingest.workspace_document
        ${condition === null ? "" : `JOIN ingest.document d ON d.id = document_id AND ${condition}`}
        WHERE workspace_id = $1 AND index_version IS NOT NULL
        ORDER BY workspace_document.id DESC LIMIT $2
      )
      SELECT c.id, w.document_id AS "documentId", c.start, c."end", c.page,
        c.heading_path AS "headingPath", '' AS "contentHash"
      FROM w
      JOIN ingest.chunk c ON c.workspace_document_id = w.id
        AND c.version = w.index_version
        AND c.ordinal < $3
      ORDER BY w.id DESC, c.ordinal`,
      [scope.workspace.id, documents, passages, ...values],
    );
    const { passages: read } = await this.reader.read(
      scope,
      chunks.map(({ id, documentId, start, end }) => ({
        chunkId: id,
        chunkIds: [id],
        documentId,
        start,
        end,
        score: 0,
        denseScore: null,
        textScore: null,
      })),
      new Map(chunks.map((chunk) => [chunk.id, chunk])),
    );
    return read;
  }
}
