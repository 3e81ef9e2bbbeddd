import type { Scope } from "@carrel/contracts";
import { Outbox } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import path from "node:path";
import { DataSource } from "typeorm";
import { parseJob, unparsedColumns, type Unparsed } from "../document/document-jobs.ts";
import type { IngestConfig } from "../ingest.config.ts";
import type { Recognition } from "../parsing/recognise-text.ts";
import type { RequiredProcessing } from "../work-pool/work.ts";

/**
 * Moves a document with scanned pages from the parsing queue to the recognition queue, a recording
 * to the transcription queue, and a slow one to the queue for those. Does nothing if this version is
 * no longer due.
 */
@Injectable()
export class IntakeQueues {
  constructor(
    @Inject(CONFIG) private readonly config: IngestConfig,
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
  ) {}

  get recognition(): Recognition {
    return {
      languages: this.config.CARREL_OCR_LANGUAGES,
      maxPages: this.config.CARREL_OCR_PAGES,
      dataFolder: path.join(
        this.config.CARREL_MODELS_DIR ?? path.join(this.config.CARREL_HOME, "models"),
        "tesseract",
      ),
    };
  }

  async add(
    _scope: Scope,
    documentId: string,
    version: number,
    { work, pages, mime }: RequiredProcessing,
    workspaceId: number | null,
  ): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const [rows] = await manager.query<[Unparsed[], number]>(
        `UPDATE ingest.document d SET state = 'queued', is_slow = d.is_slow OR $3,
          recognition_pages = coalesce($4, d.recognition_pages),
          is_recording = d.is_recording OR $5, mime = coalesce($6, d.mime), lease_until = NULL,
          updated_at = now()
        WHERE d.id = $1 AND d.version = $2 AND d.state = 'parsing'
        RETURNING ${unparsedColumns}`,
        [
          documentId,
          version,
          work === "slow-parsing",
          work === "recognition" ? pages : null,
          work === "transcription",
          mime ?? null,
        ],
      );
      await this.outbox.add(manager, ...rows.map((row) => parseJob(row, workspaceId)));
    });
  }
}
