import { parseThreadFile, type JobPayload } from "@carrel/contracts";
import { Process, type JobContext } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DocumentParser } from "../intake/document-parser.ts";

/**
 * The same parsing, in the same threads and with the same limits, from a queue of its own: a
 * library that is being filled keeps no chat waiting.
 */
@Injectable()
export class ThreadFileParser {
  constructor(private readonly parser: DocumentParser) {}

  @Process(parseThreadFile, { concurrency: 4 })
  run(payload: JobPayload<typeof parseThreadFile>, context: JobContext): Promise<void> {
    return this.parser.run(payload, context);
  }
}
