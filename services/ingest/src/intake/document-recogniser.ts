import { recogniseDocument, type JobPayload } from "@carrel/contracts";
import { Process, type JobContext } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DocumentParser } from "./document-parser.ts";

/** Text recognition has a separate queue so that it doesn't delay other files. */
@Injectable()
export class DocumentRecogniser {
  constructor(private readonly parser: DocumentParser) {}

  @Process(recogniseDocument, { concurrency: 2 })
  run(payload: JobPayload<typeof recogniseDocument>, context: JobContext): Promise<void> {
    return this.parser.process(payload, context);
  }
}
