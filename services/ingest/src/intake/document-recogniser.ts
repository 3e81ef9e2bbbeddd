import { recogniseDocument, type JobPayload } from "@carrel/contracts";
import { Process, type JobContext } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DocumentParser } from "./document-parser.ts";

/**
 * Text in pictures is recognised from a queue of its own: scanned books keep no other file waiting.
 */
@Injectable()
export class DocumentRecogniser {
  constructor(private readonly parser: DocumentParser) {}

  @Process(recogniseDocument, { concurrency: 2 })
  run(payload: JobPayload<typeof recogniseDocument>, context: JobContext): Promise<void> {
    return this.parser.run(payload, context);
  }
}
