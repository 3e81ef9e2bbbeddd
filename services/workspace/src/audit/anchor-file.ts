import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { InstanceConfig } from "@carrel/config";
import type { Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { writeRecord, type Anchor } from "../event-chain/export-record.ts";

/**
 * Copies anchors out of the database, to the data folder and the log, from where backups and log
 * collectors take them out of reach of whoever can change the database.
 */
@Injectable()
export class AnchorFile {
  constructor(
    @Inject(CONFIG) private readonly config: InstanceConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async append(anchor: Anchor): Promise<void> {
    this.logger.info({ anchor }, "event log anchored");
    const folder = join(this.config.CARREL_HOME, "audit");
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await appendFile(join(folder, "anchors.jsonl"), writeRecord(anchor), { mode: 0o600 });
    } catch (error) {
      this.logger.error({ err: error }, "couldn't copy the event log's anchor to the data folder");
    }
  }
}
