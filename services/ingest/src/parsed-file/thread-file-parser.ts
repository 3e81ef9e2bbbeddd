import { parseThreadFile, type JobPayload } from "@carrel/contracts";
import { Process, type JobContext } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DocumentParser } from "../intake/document-parser.ts";

/**
 * Parses chat files like any other document, with the same threads and limits, but from a separate
 * queue so that a bulk import into the library doesn't delay chats.
 */
@Injectable()
export class ThreadFileParser {
  constructor(private readonly parser: DocumentParser) {}

  /** Far more than threads, so that long files are seen to hold up others, and end. */
  @Process(parseThreadFile, { concurrency: 16 })
  run(payload: JobPayload<typeof parseThreadFile>, context: JobContext): Promise<void> {
    return this.parser.process(payload, context);
  }
}
