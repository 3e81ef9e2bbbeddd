import { Module } from "@nestjs/common";
import { BlobModule } from "../blob/blob.module.ts";
import { TranscriptionModule } from "../transcription/transcription.module.ts";
import { WorkPoolModule } from "../work-pool/work-pool.module.ts";
import { DocumentModule } from "../document/document.module.ts";
import { IndexModule } from "../index/index.module.ts";
import { DocumentParser } from "./document-parser.ts";
import { DocumentRecogniser } from "./document-recogniser.ts";
import { DocumentRegistrationHandler } from "./document-registration.handler.ts";
import { DocumentHandler } from "./document.handler.ts";
import { DocumentTranscriber } from "./document-transcriber.ts";
import { IntakeLimit } from "./intake-limit.ts";
import { IntakeQueues } from "./intake-queues.ts";
import { LapsedUploadReconciler } from "./lapsed-upload.reconciler.ts";
import { OriginalReader } from "./original-reader.ts";
import { ParseFailures } from "./parse-failures.ts";
import { ParseOutcome } from "./parse-outcome.ts";
import { ParsedTwin } from "./parsed-twin.ts";
import { ParsedWriter } from "./parsed-writer.ts";
import { ParsingReconciler } from "./parsing.reconciler.ts";
import { ParsingRepository } from "./parsing.repository.ts";
import { PictureReader } from "./picture-reader.ts";
import { RecordingTranscriber } from "./recording-transcriber.ts";
import { RegistrationRepository } from "./registration.repository.ts";
import { SheetDocuments } from "./sheet-documents.ts";
import { SlowDocumentParser } from "./slow-document-parser.ts";
import { TextExtractor } from "./text-extractor.ts";
import { UnreadPictures } from "./unread-pictures.ts";
import { UploadParser } from "./upload-parser.ts";

@Module({
  imports: [BlobModule, TranscriptionModule, WorkPoolModule, DocumentModule, IndexModule],
  controllers: [DocumentHandler, DocumentRegistrationHandler],
  providers: [
    DocumentParser,
    DocumentRecogniser,
    DocumentTranscriber,
    IntakeLimit,
    IntakeQueues,
    LapsedUploadReconciler,
    OriginalReader,
    ParseFailures,
    ParseOutcome,
    ParsedTwin,
    ParsedWriter,
    ParsingReconciler,
    ParsingRepository,
    PictureReader,
    RecordingTranscriber,
    RegistrationRepository,
    SheetDocuments,
    SlowDocumentParser,
    TextExtractor,
    UnreadPictures,
    UploadParser,
  ],
  exports: [DocumentParser],
})
export class IntakeModule {}
