import { parseDocumentPatiently, recogniseDocument, type JobPayload } from "@carrel/contracts";
import { Process, type JobContext } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DocumentParser } from "./document-parser.ts";

/**
 * Text recognition and files that take long have queues of their own so that they don't delay other
 * files.
 */
@Injectable()
export class DocumentRecogniser {
  constructor(private readonly parser: DocumentParser) {}

  @Process(recogniseDocument, { concurrency: 2 })
  run(payload: JobPayload<typeof recogniseDocument>, context: JobContext): Promise<void> {
    return this.parser.process(payload, context);
  }

  /** More jobs than threads would only wait for those. */
  @Process(parseDocumentPatiently, { concurrency: 4 })
  runPatiently(
    payload: JobPayload<typeof parseDocumentPatiently>,
    context: JobContext,
  ): Promise<void> {
    return this.parser.process(payload, context);
  }
}
