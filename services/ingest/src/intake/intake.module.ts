import { Module } from "@nestjs/common";
import { BlobModule } from "../blob/blob.module.ts";
import { TranscriptionModule } from "../transcription/transcription.module.ts";
import { WorkPoolModule } from "../work-pool/work-pool.module.ts";
import { DocumentModule } from "../document/document.module.ts";
import { IndexModule } from "../index/index.module.ts";
import { DocumentRegistrationHandler } from "./document-registration.handler.ts";
import { DocumentHandler } from "./document.handler.ts";
import { DocumentParser, TextExtractor } from "./document-parser.ts";
import { IntakeGate } from "./intake-gate.ts";
import { ParsedWriter, ParseOutcome } from "./parse-outcome.ts";
import { ParsedTwin } from "./parsed-twin.ts";
import { ParsingJobs } from "./parsing-jobs.ts";
import { LapsedUploadReconciler, ParsingReconciler } from "./parsing.reconciler.ts";
import { ParsingRepository } from "./parsing.repository.ts";
import { PictureReader } from "./picture-reader.ts";
import { RecordingTranscriber } from "./recording-transcriber.ts";
import { RegistrationRepository } from "./registration.repository.ts";
import { SheetDocuments } from "./sheet-documents.ts";
import { UnreadPictures } from "./unread-pictures.ts";

@Module({
  imports: [BlobModule, TranscriptionModule, WorkPoolModule, DocumentModule, IndexModule],
  controllers: [DocumentHandler, DocumentRegistrationHandler],
  providers: [
    DocumentParser,
    IntakeGate,
    LapsedUploadReconciler,
    ParseOutcome,
    ParsedTwin,
    ParsedWriter,
    ParsingJobs,
    ParsingReconciler,
    ParsingRepository,
    PictureReader,
    RecordingTranscriber,
    RegistrationRepository,
    SheetDocuments,
    TextExtractor,
    UnreadPictures,
  ],
})
export class IntakeModule {}
