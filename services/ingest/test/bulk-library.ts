import type { Args, listLibrary } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { LibraryClient } from "./library-client.ts";

/** A library with thousands of documents, inserted directly as rows. */
export class BulkLibrary extends LibraryClient {
  async total(filter: Args<typeof listLibrary>["filter"]): Promise<number> {
    return (await this.page(filter, { limit: 1 })).total;
  }

  async count(from: string, parameters: unknown[] = []): Promise<number> {
    const [row] = await this.ingest.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM ${from}`,
      parameters,
    );
    return row!.n;
  }

  /** Waits until no change is under way. */
  untilIdle(): Promise<void> {
    return poll(() => this.ingest.sql(`SELECT 1 FROM ingest.library_change`)).toEqual([]);
  }

  /** Inserts documents into folders `<folder>/0` to `<folder>/9`. */
  async insert(folder: string, documents: number): Promise<void> {
    await this.ingest.sql(
      `INSERT INTO ingest.document (
        id, docpath, folder, filename, title, url, doc_author, description, doc_source,
        chunk_source, published, mime, bytes, sha256, state
      )
      SELECT gen_random_uuid(), $1 || '/' || n % 10 || '/' || lpad(n::text, 6, '0') || '.json',
        $1 || '/' || n % 10, n || '.txt',
        'Paper ' || n || CASE WHEN n % 2 = 0 THEN ' even' ELSE ' odd' END, '', '', '', '', '', '',
        'text/plain', n, '', 'parsed'
      FROM generate_series(1, $2::int) n`,
      [folder, documents],
    );
  }

  /** Adds everything in a folder to a workspace as searchable, with two chunks each. */
  async link(folder: string, workspaceId: number): Promise<void> {
    await this.ingest.sql(
      `INSERT INTO ingest.workspace_document (
        workspace_id, document_id, state, index_version, chunk_count, searchable_at, embedded_at
      )
      SELECT $2::int, id, 'embedded', 1, 2, now(), now()
      FROM ingest.document
      WHERE starts_with(folder, $1 || '/')`,
      [folder, workspaceId],
    );
    await this.ingest.sql(
      `INSERT INTO ingest.chunk (
        id, workspace_document_id, workspace_id, version, ordinal, start, "end", heading_path,
        content_hash
      )
      SELECT gen_random_uuid(), w.id, w.workspace_id, 1, n, n, n + 1, '[]', '\\x00'
      FROM ingest.workspace_document w
      JOIN ingest.document d ON d.id = w.document_id, generate_series(0, 1) n
      WHERE starts_with(d.folder, $1 || '/') AND w.workspace_id = $2`,
      [folder, workspaceId],
    );
  }

  /** Chunks whose document is no longer in the workspace. */
  countOrphans(): Promise<number> {
    return this.count(
      `chunk c WHERE NOT EXISTS (SELECT 1 FROM ingest.workspace_document w WHERE w.id = c.workspace_document_id)`,
    );
  }
}
