import path from "node:path";
import type { Scope } from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { Document } from "../document/document.entity.ts";
import { mapPageRow } from "../document/text.repository.ts";
import { formatByExtension } from "../parsing/formats.ts";
import type { ParsedPage } from "../parsing/parsed-document.ts";
import type { PreparedText, TextPart } from "../work-pool/work.ts";

/** Parsing a smaller file is as fast as copying its text, unless it is recognised or transcribed. */
const worthFromBytes = 512 * 1024;

/** Decided by extension; a picture with another one is recognised again. */
const mayNeedRecognition = (ending: string): boolean => {
  const format = formatByExtension.get(ending);
  return format === undefined || format === "image" || format === "pdf";
};

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
   * same bytes better. Sheets are parts of a file and are always parsed, as are files whose
   * pictures weren't all read.
   */
  async find(_scope: Scope, document: Document): Promise<PreparedText | null> {
    if (document.blobKey === null || !document.inLibrary || document.encoding !== null) return null;
    const ending = path.extname(document.filename).toLowerCase();
    const isWorthIt =
      document.bytes >= worthFromBytes || document.isRecording || mayNeedRecognition(ending);
    if (!isWorthIt) return null;
    const [found] = await preparedQuery<{ id: string }>(
      this.dataSource,
      "find parsed twin",
      `SELECT id FROM ingest.document
      WHERE blob_key = $1
        AND id <> $2
        AND state = 'parsed'
        AND in_library
        AND kind <> 'sheet'
        AND upload_id IS NULL
        AND sheet_count IS NULL
        AND encoding IS NULL
        AND updated_at > now() - interval '1 day'
        AND declared_mime IS NOT DISTINCT FROM $3
        AND lower(right(filename, $4)) = $5
        AND (
          bytes >= $6 OR recognition_pages IS NOT NULL OR pictures_due IS NOT NULL OR is_slow
          OR is_recording
        )
        AND coalesce(pictures_due, 0) = 0
        AND NOT coalesce(notes @> '[{"code": "file-note.pictures-unread"}]', false)
      ORDER BY updated_at DESC LIMIT 1`,
      [document.blobKey, document.id, document.declaredMime, ending.length, ending, worthFromBytes],
    );
    const twin = found && (await this.dataSource.manager.findOneBy(Document, { id: found.id }));
    if (!twin) return null;
    const [parts, pages] = await Promise.all([
      this.dataSource.query<TextPart[]>(
        `SELECT start, text FROM ingest.document_text WHERE document_id = $1 ORDER BY start`,
        [twin.id],
      ),
      this.dataSource.query<Parameters<typeof mapPageRow>[0][]>(
        `SELECT page, start, "end", width, height, runs FROM ingest.document_page WHERE document_id = $1 ORDER BY page`,
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
      notes: twin.notes ?? [],
      chunks: null,
    };
  }
}
