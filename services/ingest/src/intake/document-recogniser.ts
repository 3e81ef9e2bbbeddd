import { recogniseDocument, type JobPayload } from "@carrel/contracts";
import { Process, type JobContext } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DocumentParser } from "./document-parser.ts";
import { PictureReader } from "./picture-reader.ts";

/**
 * Text recognition has a separate queue so that it doesn't delay other files, or the own text of
 * those with pictures.
 */
@Injectable()
export class DocumentRecogniser {
  constructor(
    private readonly parser: DocumentParser,
    private readonly pictures: PictureReader,
  ) {}

  @Process(recogniseDocument, { concurrency: 2 })
  async run(payload: JobPayload<typeof recogniseDocument>, context: JobContext): Promise<void> {
    if (!(await this.pictures.read(payload, context))) await this.parser.process(payload, context);
  }
}
