import type { findUploaded, Out, readLibraryText, Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { TextRepository } from "../document/text.repository.ts";

/** Documents in a reply of 1 MB, whatever their metadata. */
const documentsAtOnce = 60;
/** Characters of a text in a reply: three bytes each, and more where JSON writes them longer. */
const charactersAtOnce = 150_000;

/** What the developer API says of uploads: their documents with all their text. */
@Injectable()
export class UploadedDocuments {
  constructor(
    private readonly dataSource: DataSource,
    private readonly texts: TextRepository,
  ) {}

  /** The document, and the sheets that were uploaded with it, in their order. */
  async list(_scope: Scope, documentId: string, offset: number): Promise<Out<typeof findUploaded>> {
    const documents = await this.dataSource.query<Out<typeof findUploaded>["documents"]>(
      `SELECT "id", "url", "title", "doc_author" AS "docAuthor", "description", "doc_source" AS "docSource", "chunk_source" AS "chunkSource", "published", "word_count" AS "wordCount",
        "token_count" AS "token_count_estimate", "docpath" AS "location", false AS "isDirectUpload"
      FROM "ingest"."document" WHERE ("id" = $1 OR "upload_id" = $1) AND "in_library" AND "state" = 'parsed' ORDER BY "id" <> $1, "created_at", "docpath" LIMIT $2 OFFSET $3`,
      [documentId, documentsAtOnce, offset],
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
      `SELECT "text_length" AS "length" FROM "ingest"."document" WHERE "id" = $1 AND "in_library"`,
      [documentId],
    );
    const end = Math.min(start + charactersAtOnce, row?.length ?? 0);
    if (end <= start) return { text: "", next: null };
    const text = await this.texts.read(scope, { documentId, start, end });
    return { text, next: end < row!.length ? end : null };
  }

  /**
   * Ids of documents by the file name of their docpath, or by all of it; at most one, the oldest.
   */
  async findIds(_scope: Scope, name: string): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      `SELECT "id" FROM "ingest"."document" WHERE "in_library" AND "state" = 'parsed' AND ("docpath" = $1 OR substr("docpath", length("folder") + 2) = $1) ORDER BY "created_at" LIMIT 1`,
      [name],
    );
    return rows.map((row) => row.id);
  }
}
