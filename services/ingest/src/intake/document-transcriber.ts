import { transcribeDocument, type JobPayload } from "@carrel/contracts";
import { Process, type JobContext } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { maxTranscriptions } from "../transcription/transcriber.ts";
import { DocumentParser } from "./document-parser.ts";

/** Recordings have a separate queue, because writing down what is said takes minutes. */
@Injectable()
export class DocumentTranscriber {
  constructor(private readonly parser: DocumentParser) {}

  @Process(transcribeDocument, { concurrency: maxTranscriptions })
  run(payload: JobPayload<typeof transcribeDocument>, context: JobContext): Promise<void> {
    return this.parser.process(payload, context);
  }
}
