import type { WorkspaceScope } from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { metadataColumns, type DocumentMetadata } from "../document/document.repository.ts";
import {
  joinRanges,
  partColumns,
  type PartRow,
  type TextRange,
} from "../document/text.repository.ts";

/** A range's text and its document; null if the document is gone. */
export type StoredPassage = { text: string; document: DocumentMetadata } | null;

/** `n` is null if there are no documents, `start` if a document has no text there. */
type Row = { [Column in keyof PartRow]: PartRow[Column] | null } & {
  publishedCount: number;
  /** Null if an earlier row has it. */
  document: DocumentMetadata | null;
};

@Injectable()
export class PassageRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The passages at these ranges, in their order, and how many of the versions of workspace
   * documents (`publications`) are published: one statement, because a search waits for it.
   */
  async read(
    { workspace }: WorkspaceScope,
    ranges: TextRange[],
    publications: ReadonlyMap<number, number>,
  ): Promise<{ passages: StoredPassage[]; publishedCount: number }> {
    // Looked up by key first, whatever the planner makes of the tables' sizes.
    const rows = await preparedQuery<Row>(
      this.dataSource,
      "read passages",
      `WITH w AS MATERIALIZED (
        SELECT id, workspace_id, index_version
        FROM ingest.workspace_document
        WHERE id = ANY($4::int[])
      ),
      c AS (
        SELECT count(*)::int AS count
        FROM w
        JOIN unnest($4::int[], $5::int[]) AS p(id, version) ON p.id = w.id
          AND p.version = w.index_version
        WHERE w.workspace_id = $6
      )
      SELECT c.count AS "publishedCount", ${partColumns},
        CASE
          WHEN row_number() OVER (PARTITION BY d.id ORDER BY r.n, t.start) = 1
            THEN (SELECT row_to_json(m) FROM (SELECT ${metadataColumns}) m)
        END AS document
      FROM c
      LEFT JOIN (
        unnest($1::uuid[], $2::int[], $3::int[]) WITH ORDINALITY AS r(id, "from", "to", n)
        JOIN ingest.document d ON d.id = r.id
        LEFT JOIN ingest.document_text t ON t.document_id = r.id
          AND t."end" > r."from"
          AND t.start < r."to"
      ) ON true
      ORDER BY r.n, t.start`,
      [
        ranges.map(({ documentId }) => documentId),
        ranges.map(({ start }) => start),
        ranges.map(({ end }) => end),
        [...publications.keys()],
        [...publications.values()],
        workspace.id,
      ],
    );
    const documents = new Map(
      rows.flatMap(({ document }) => (document === null ? [] : [[document.id, document]])),
    );
    const texts = joinRanges(
      ranges,
      rows.filter((row): row is Row & PartRow => row.n !== null && row.start !== null),
    );
    return {
      passages: ranges.map(({ documentId }, n) => {
        const document = documents.get(documentId);
        return document === undefined ? null : { text: texts[n]!, document };
      }),
      publishedCount: rows[0]!.publishedCount,
    };
  }
}
