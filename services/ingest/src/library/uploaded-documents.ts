import type { findUploaded, Out, readLibraryText, Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { mayRead, readerOf } from "../document/reader.ts";
import { TextRepository } from "../document/text.repository.ts";

/** Documents that fit into a 1 MB reply whatever their metadata. */
const documentsAtOnce = 60;
/** Characters of text per reply: up to three bytes each, more where JSON escapes them. */
const charactersAtOnce = 150_000;

/** What the developer API returns for uploads: their documents with full text. */
@Injectable()
export class UploadedDocuments {
  constructor(
    private readonly dataSource: DataSource,
    private readonly texts: TextRepository,
  ) {}

  /** The document followed by the other sheets of the same upload, in order. */
  async list(scope: Scope, documentId: string, offset: number): Promise<Out<typeof findUploaded>> {
    const documents = await this.dataSource.query<Out<typeof findUploaded>["documents"]>(
      `SELECT id, url, title, doc_author AS "docAuthor", description, doc_source AS "docSource",
        chunk_source AS "chunkSource", published, word_count AS "wordCount",
        token_count AS token_count_estimate, docpath AS location, false AS "isDirectUpload"
      FROM ingest.document
      WHERE (id = $1 OR upload_id = $1)
        AND in_library
        AND state = 'parsed'
        AND ${mayRead("document.id", "$4::int")}
      ORDER BY id <> $1, created_at, docpath LIMIT $2 OFFSET $3`,
      [documentId, documentsAtOnce, offset, readerOf(scope)],
    );
    return {
      documents,
      next: documents.length < documentsAtOnce ? null : offset + documents.length,
    };
  }

  async readText(
    scope: Scope,
    documentId: string,
    start: number,
  ): Promise<Out<typeof readLibraryText>> {
    const [row] = await this.dataSource.query<{ length: number }[]>(
      `SELECT text_length AS length FROM ingest.document
      WHERE id = $1 AND in_library AND ${mayRead("document.id", "$2::int")}`,
      [documentId, readerOf(scope)],
    );
    const end = Math.min(start + charactersAtOnce, row?.length ?? 0);
    if (end <= start) return { text: "", next: null };
    const text = await this.texts.read(scope, { documentId, start, end });
    return { text, next: end < row!.length ? end : null };
  }

  /** At most one id, the oldest document whose docpath or file name in the docpath is `name`. */
  async findIds(scope: Scope, name: string): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      `SELECT id FROM ingest.document
      WHERE in_library
        AND state = 'parsed'
        AND (docpath = $1 OR substr(docpath, length(folder) + 2) = $1)
        AND ($2::int[] IS NULL OR EXISTS (
          SELECT FROM ingest.workspace_document m
          WHERE m.document_id = document.id AND m.workspace_id = ANY($2)
        ))
        AND ${mayRead("document.id", "$3::int")}
      ORDER BY created_at LIMIT 1`,
      [name, scope.principal.workspaceIds ?? null, readerOf(scope)],
    );
    return rows.map((row) => row.id);
  }
}
