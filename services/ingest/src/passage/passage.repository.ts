import type { WorkspaceScope } from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import type { DocumentMetadata } from "../document/document.repository.ts";
import type { TextRange } from "../document/text.repository.ts";

/** A range's text and its document; null if the document is gone. */
export type StoredPassage = { text: string; document: DocumentMetadata } | null;

/** `n` is null if there are no documents, `start` and `text` if a document has no text there. */
interface Row extends DocumentMetadata {
  n: number | null;
  start: number | null;
  text: string | null;
  publishedCount: number;
}

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
    // By their keys first, whatever the planner makes of the tables' sizes.
    const rows = await preparedQuery<Row>(
      this.dataSource,
      "read passages",
      `WITH w AS MATERIALIZED (SELECT id, workspace_id, index_version FROM ingest.workspace_document WHERE id = ANY($4::int[])),
       c AS (SELECT count(*)::int AS count FROM w JOIN unnest($4::int[], $5::int[]) AS p(id, version) ON p.id = w.id AND p.version = w.index_version WHERE w.workspace_id = $6)
       SELECT c.count AS "publishedCount", r.n::int AS n, t.start, t.text, d.id, d.docpath, d.title, d.url, d.doc_author AS "docAuthor", d.description,
         d.doc_source AS "docSource", d.chunk_source AS "chunkSource", d.published, d.word_count AS "wordCount", d.token_count AS "tokenCount"
       FROM c LEFT JOIN (unnest($1::uuid[], $2::int[], $3::int[]) WITH ORDINALITY AS r(id, "from", "to", n) JOIN ingest.document d ON d.id = r.id
         LEFT JOIN ingest.document_text t ON t.document_id = r.id AND t."end" > r."from" AND t.start < r."to") ON true ORDER BY r.n, t.start`,
      [
        ranges.map(({ documentId }) => documentId),
        ranges.map(({ start }) => start),
        ranges.map(({ end }) => end),
        [...publications.keys()],
        [...publications.values()],
        workspace.id,
      ],
    );
    const passages = ranges.map((): StoredPassage => null);
    for (const { n, start, text, publishedCount: _, ...document } of rows) {
      if (n === null) continue;
      const range = ranges[n - 1]!;
      const passage = (passages[n - 1] ??= { text: "", document });
      if (start !== null && text !== null)
        passage.text += text.slice(Math.max(0, range.start - start), range.end - start);
    }
    return { passages, publishedCount: rows[0]!.publishedCount };
  }
}
