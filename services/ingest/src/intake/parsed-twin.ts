import type { Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import path from "node:path";
import { DataSource } from "typeorm";
import type { ParsedPage } from "../parsing/parsed-document.ts";
import type { PreparedText, TextPart } from "../work-pool/work.ts";
import { Document } from "../document/document.entity.ts";
import { mapPageRow } from "../document/text.repository.ts";

/** Parsing a smaller file is as fast as copying its text, unless it needs text recognition. */
const worthFromBytes = 512 * 1024;

/**
 * Reuses the text of a recently parsed document with the same bytes, so that a file uploaded by
 * several people or into several folders is parsed once.
 */
@Injectable()
export class ParsedTwin {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns null if there is no match. Considers only library documents, whose text every manager
   * may read, and only those from the last day, because a newer version of Carrel may parse the
   * same bytes better. Sheets are parts of a file and are always parsed.
   */
  async find(_scope: Scope, document: Document): Promise<PreparedText | null> {
    if (document.blobKey === null || !document.inLibrary) return null;
    const ending = path.extname(document.filename).toLowerCase();
    const [twin] = await this.dataSource.manager
      .createQueryBuilder(Document, "d")
      .where(
        `d.blob_key = :key AND d.id <> :id AND d.state = 'parsed' AND d.in_library AND d.kind <> 'sheet' AND d.upload_id IS NULL AND d.updated_at > now() - interval '1 day'`,
        { key: document.blobKey, id: document.id },
      )
      .andWhere("d.declared_mime IS NOT DISTINCT FROM :mime", { mime: document.declaredMime })
      .andWhere("lower(right(d.filename, :length)) = :ending", { length: ending.length, ending })
      .andWhere("(d.bytes >= :bytes OR d.recognition_pages IS NOT NULL)", { bytes: worthFromBytes })
      .orderBy("d.updated_at", "DESC")
      .limit(1)
      .getMany();
    if (!twin) return null;
    const [parts, pages] = await Promise.all([
      this.dataSource.query<TextPart[]>(
        `SELECT "start", "text" FROM "ingest"."document_text" WHERE "document_id" = $1 ORDER BY "start"`,
        [twin.id],
      ),
      this.dataSource.query<Parameters<typeof mapPageRow>[0][]>(
        `SELECT "page", "start", "end", "width", "height", "runs" FROM "ingest"."document_page" WHERE "document_id" = $1 ORDER BY "page"`,
        [twin.id],
      ),
    ]);
    // The twin was deleted between the queries: parse as if there had been none.
    if (parts.length === 0) return null;
    return {
      mime: twin.mime,
      docSource: twin.docSource,
      parts,
      textLength: twin.textLength,
      headings: twin.headings,
      pages: pages.map((row): ParsedPage => mapPageRow(row)),
      wordCount: twin.wordCount,
      tokenCount: twin.tokenCount,
      chunks: null,
    };
  }
}
