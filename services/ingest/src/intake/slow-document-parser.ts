import { parseSlowDocument, type JobPayload } from "@carrel/contracts";
import { Process, type JobContext } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DocumentParser } from "./document-parser.ts";

/** Slow files have a separate queue so that they don't delay others. */
@Injectable()
export class SlowDocumentParser {
  constructor(private readonly parser: DocumentParser) {}

  /** More jobs than threads would only wait for those. */
  @Process(parseSlowDocument, { concurrency: 4 })
  run(payload: JobPayload<typeof parseSlowDocument>, context: JobContext): Promise<void> {
    return this.parser.process(payload, context);
  }
}
