import { parseDocumentPatiently, recogniseDocument, type Scope } from "@carrel/contracts";
import { jobMessage, Outbox } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import path from "node:path";
import { DataSource } from "typeorm";
import type { IngestConfig } from "../ingest.config.ts";
import type { Recognition } from "../parsing/recognise-text.ts";

/**
 * Moves a document with scanned pages from the parsing queue to the recognition queue, and one that
 * takes long (no pages) to the queue for those.
 */
@Injectable()
export class RecognitionQueue {
  constructor(
    @Inject(CONFIG) private readonly config: IngestConfig,
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
  ) {}

  get settings(): Recognition {
    return {
      languages: this.config.CARREL_OCR_LANGUAGES,
      maxPages: this.config.CARREL_OCR_PAGES,
      dataFolder: path.join(
        this.config.CARREL_MODELS_DIR ?? path.join(this.config.CARREL_HOME, "models"),
        "tesseract",
      ),
    };
  }

  /** Does nothing if this version is no longer due. */
  async add(
    _scope: Scope,
    documentId: string,
    version: number,
    pages: number,
    workspaceId?: number,
  ): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const rows = await manager.query<[unknown[], number]>(
        `UPDATE ingest.document SET state = 'queued', recognition_pages = $3, lease_until = NULL, updated_at = now()
        WHERE id = $1 AND version = $2 AND state = 'parsing' RETURNING 1`,
        [documentId, version, pages],
      );
      if (rows[0].length > 0)
        await this.outbox.add(
          manager,
          jobMessage(pages === 0 ? parseDocumentPatiently : recogniseDocument, {
            rowId: documentId,
            version,
            payload: { documentId, version, workspaceId },
          }),
        );
    });
  }
}
