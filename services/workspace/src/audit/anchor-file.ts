import { createReadStream } from "node:fs";
import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { InstanceConfig } from "@carrel/config";
import type { Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { anchorRecord, writeRecord, type Anchor } from "../event-chain/export-record.ts";
import { NotALineError, readLines } from "../event-chain/read-lines.ts";

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
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      await appendFile(this.file, writeRecord(anchor), { mode: 0o600 });
    } catch (error) {
      this.logger.error({ err: error }, "couldn't copy the event log's anchor to the data folder");
    }
  }

  /** The copies in the data folder; other lines, such as one that was cut off, are left out. */
  async read(): Promise<Anchor[]> {
    const anchors: Anchor[] = [];
    try {
      for await (const line of readLines(createReadStream(this.file))) {
        const anchor = anchorRecord.safeParse(parse(line)).data;
        if (anchor !== undefined) anchors.push(anchor);
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "ENOENT" && !(error instanceof NotALineError)) throw error;
    }
    return anchors;
  }

  private get folder(): string {
    return join(this.config.CARREL_HOME, "audit");
  }

  private get file(): string {
    return join(this.folder, "anchors.jsonl");
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
